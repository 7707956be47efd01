// SPDX-License-Identifier: Apache-2.0
// Solids with a sharp surface, as the AMR problems need them: where a box lies, and how much of it is inside.
#pragma once

#include "amr_adapter/files/block_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gravlet {

enum class Side { outside, cut, inside };

/// The mean of f(position) over samples^3 positions, spread evenly over the box.
template <class F>
double mean_of_samples(const Array3& lower, const Array3& size, int samples, const F& f) {
    double sum = 0.0;
    for (int k = 0; k < samples; ++k)
        for (int j = 0; j < samples; ++j)
            for (int i = 0; i < samples; ++i)
                sum += f(Array3{lower[0] + (i + 0.5) / samples * size[0], lower[1] + (j + 0.5) / samples * size[1],
                                lower[2] + (k + 0.5) / samples * size[2]});
    return sum / (static_cast<double>(samples) * samples * samples);
}

/// Axis-aligned ellipsoid.
struct Ellipsoid {
    Array3 centre{};
    Array3 axes{};

    /// (x/a)^2 + (y/b)^2 + (z/c)^2: below 1 inside.
    [[nodiscard]] double level_set(const Array3& p) const {
        double sum = 0.0;
        for (std::size_t d = 0; d < 3; ++d) sum += (p[d] - centre[d]) * (p[d] - centre[d]) / (axes[d] * axes[d]);
        return sum;
    }

    /// Exact: the level set is a sum over the axes, so that its extremes over a box are those of each axis.
    [[nodiscard]] Side side_of_box(const Array3& lower, const Array3& upper) const {
        Array3 nearest;
        Array3 farthest;
        for (std::size_t d = 0; d < 3; ++d) {
            nearest[d] = std::clamp(centre[d], lower[d], upper[d]);
            farthest[d] = centre[d] - lower[d] > upper[d] - centre[d] ? lower[d] : upper[d];
        }
        if (level_set(nearest) >= 1.0) return Side::outside;
        return level_set(farthest) <= 1.0 ? Side::inside : Side::cut;
    }

    /// The share of samples^3 positions, spread evenly over the box, that lie inside.
    [[nodiscard]] double share_of_box(const Array3& lower, const Array3& size, int samples) const {
        return mean_of_samples(lower, size, samples, [&](const Array3& p) { return level_set(p) < 1.0 ? 1.0 : 0.0; });
    }
};

/// Axis-aligned cube.
struct CubeSolid {
    Array3 centre{};
    double side = 1.0;

    [[nodiscard]] Side side_of_box(const Array3& lower, const Array3& upper) const {
        bool inside = true;
        for (std::size_t d = 0; d < 3; ++d) {
            if (lower[d] >= centre[d] + side / 2 || upper[d] <= centre[d] - side / 2) return Side::outside;
            inside = inside && lower[d] >= centre[d] - side / 2 && upper[d] <= centre[d] + side / 2;
        }
        return inside ? Side::inside : Side::cut;
    }

    /// The share of the box's volume that is inside: exact.
    [[nodiscard]] double share_of_box(const Array3& lower, const Array3& size, int) const {
        double share = 1.0;
        for (std::size_t d = 0; d < 3; ++d) {
            const double overlap = std::min(lower[d] + size[d], centre[d] + side / 2) - std::max(lower[d], centre[d] - side / 2);
            share *= std::clamp(overlap / size[d], 0.0, 1.0);
        }
        return share;
    }
};

}  // namespace gravlet
