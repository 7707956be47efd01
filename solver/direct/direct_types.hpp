// SPDX-License-Identifier: Apache-2.0
// What the direct sum's kernels are given.
#pragma once

#include "ewald/correction.hpp"
#include "ewald/mirror.hpp"
#include "physics/softening.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace gravlet {

/// One body as it travels between ranks and as the kernel reads it.
struct DirectSource {
    double x, y, z, mass, softening;
    std::int64_t id;    ///< a body does not act on the target of the same id; a point's is below 0
    double size = 0.0;  ///< shortest side of a cell that acts on near targets as a cuboid
};

/// Id of a target that is no body, and to which cells are near as to other cells; less than 0: as to points.
inline constexpr std::int64_t no_body = std::numeric_limits<std::int64_t>::max();

[[nodiscard]] inline bool is_point(const DirectSource& source) { return source.id < 0; }

/// How bodies act on each other. With periodic boundaries each source acts with its nearest image and the correction for all
/// others.
struct DirectLaw {
    SofteningKernel softening = SofteningKernel::plummer;
    EwaldView correction{};  ///< correction by the Ewald table; without polynomials: isolated
    double unit = 1.0;       ///< the shortest period, in the length unit of the bodies
};

/// Targets, n of them, and their sums, n of each component. Sums are added to, by component: m/r, m (source - target)/r^3 and so
/// on, softened by the larger of the pair's softening lengths. Empty from some number of derivatives on: not wanted.
struct DirectTargets {
    std::span<const double> x, y, z;
    std::span<const double> softening;  ///< n, or empty: 0
    std::span<const std::int64_t> id;   ///< n
    std::array<std::span<double>, result_count> sums;

    [[nodiscard]] int derivatives() const {
        int most = max_derivatives;
        while (most > 0 && sums[first_component(most)].empty()) --most;
        return most;
    }
};

/// Targets with arrays of their own, in host memory.
struct DirectTargetArrays {
    std::vector<double> x, y, z, softening;
    std::vector<std::int64_t> id;
    std::array<std::vector<double>, result_count> sums;

    /// Adds a target. `at`: a body, or whatever has a position.
    template <class At>
    void add(const At& at, double length, std::int64_t number) {
        x.push_back(at.x), y.push_back(at.y), z.push_back(at.z);
        softening.push_back(length);
        id.push_back(number);
    }
    /// Adds, once all targets are there, their images behind them, which are no bodies.
    void add_images(const Mirror& mirror) {
        const std::size_t n = id.size();
        mirror.for_images([&](Reflection by) {
            for (std::size_t t = 0; t < n; ++t)
                add(mirror.image(Vector3{x[t], y[t], z[t]}, by), softening[t], id[t] < 0 ? -no_body : no_body);
        });
    }
    /// Makes sums of zeros, once all targets and their images are there.
    void make_sums(int derivatives) {
        for (std::size_t k = 0; k < component_count(derivatives); ++k) sums[k].resize(id.size());
    }
    /// A sum at target t, of n, and, mirrored back, at its images.
    [[nodiscard]] double sum_with_images(const Mirror& mirror, std::size_t component, std::size_t t, std::size_t n) const {
        double sum = sums[component][t];
        std::size_t image = t;
        mirror.for_images([&](Reflection by) { sum += sign_of_image(component, by) * sums[component][image += n]; });
        return sum;
    }
    [[nodiscard]] DirectTargets view() {
        DirectTargets view{x, y, z, softening, id, {}};
        for (std::size_t k = 0; k < result_count; ++k) view.sums[k] = sums[k];
        return view;
    }
};

}  // namespace gravlet
