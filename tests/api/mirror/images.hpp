// SPDX-License-Identifier: Apache-2.0
// Bodies before planes of symmetry, with their images as bodies, and all pairs of them.
#pragma once

#include "tests/api/body_arrays.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace gravlet::test {

/// Planes at faces of the unit cube.
struct Planes {
    std::array<int, 3> of{};  ///< by direction: -1 its lower face, 1 its upper one, 0 none

    [[nodiscard]] Options options(Options options) const {
        options.domain = Box{{0, 0, 0}, {1, 1, 1}};
        for (std::size_t d = 0; d < 3; ++d)
            options.boundary[d] = of[d] < 0 ? Boundary::mirror_lower : of[d] > 0 ? Boundary::mirror_upper : Boundary::isolated;
        return options;
    }
    [[nodiscard]] double mirrored(double x, std::size_t d) const { return of[d] < 0 ? -x : 2.0 - x; }
    /// Bodies, and behind them their images by one plane after the other.
    [[nodiscard]] BodyArrays with_images(BodyArrays bodies) const {
        bodies.index.clear();
        for (std::size_t d = 0; d < 3; ++d) {
            if (of[d] == 0) continue;
            const BodyArrays before = bodies;
            for (std::size_t i = 0; i < before.size(); ++i) {
                std::array<double, 3> at{before.x[i], before.y[i], before.z[i]};
                at[d] = mirrored(at[d], d);
                bodies.add_point(at[0], at[1], at[2], before.mass[i]);
                if (!before.dx.empty()) bodies.dx.push_back(before.dx[i]);
                if (!before.softening.empty()) bodies.softening.push_back(before.softening[i]);
            }
        }
        return bodies;
    }
};

/// Points in the unit cube, and beyond those of its faces that are no planes.
inline BodyArrays points_before(const Planes& planes, std::uint64_t seed, std::size_t n) {
    BodyArrays points = random_points(seed, n);
    const std::array<std::vector<double>*, 3> at{&points.x, &points.y, &points.z};
    for (std::size_t d = 0; d < 3; ++d)
        for (double& x : *at[d])
            if ((planes.of[d] < 0 && x < 0.0) || (planes.of[d] > 0 && x > 1.0)) x = planes.mirrored(x, d);
    return points;
}

/// Potential, acceleration and tidal tensor, in the order of result_components.
using Components = std::array<double, 10>;

/// What all sources but `except` do at a place; each pair is softened by the longer length. Cells are points here.
inline void add_pairs(Components& sum, const std::array<double, 3>& at, double own, const BodyArrays& sources, std::size_t except,
                      const Options& options) {
    for (std::size_t j = 0; j < sources.size(); ++j) {
        if (j == except || sources.mass[j] == 0.0) continue;
        const std::array<double, 3> d = {sources.x[j] - at[0], sources.y[j] - at[1], sources.z[j] - at[2]};
        const double theirs = !sources.dx.empty()         ? 0.0
                              : sources.softening.empty() ? options.softening
                                                          : sources.softening[j],
                     r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], softening = std::max(own, theirs);
        if (r2 == 0.0 && softening == 0.0) continue;
        const auto pair = softened_pair(r2, softening, options.softening_kernel);
        const double m = options.G * sources.mass[j];
        sum[0] -= m * pair.potential;
        std::size_t k = 4;
        for (std::size_t a = 0; a < 3; ++a) {
            sum[1 + a] += m * d[a] * pair.field;
            for (std::size_t b = a; b < 3; ++b) sum[k++] += m * (pair.tide * d[a] * d[b] - (a == b ? pair.field : 0.0));
        }
    }
}

}  // namespace gravlet::test
