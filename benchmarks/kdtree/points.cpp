// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/kdtree/points.hpp"

#include "tools/problems/draw.hpp"
#include "tools/problems/random.hpp"

#include <gravlet/error.hpp>

#include <cmath>

namespace gravlet::bench {
namespace {

constexpr std::uint64_t seed = 1;

/// radius(share): within it is that share of the mass. The sphere ends at `end`.
template <class F>
StudyPoints draw(std::size_t n, double end, F radius) {
    StudyPoints points;
    const double scale = 0.5 / end * (1.0 - 1e-6);
    for (std::size_t i = 0; i < n; ++i) {
        const auto u = [=](unsigned draw) { return random_unit(seed, i, draw); };
        const Array3 at = on_sphere(scale * radius(u(2)), u(0), u(1));
        points.x.push_back(0.5 + at[0]), points.y.push_back(0.5 + at[1]), points.z.push_back(0.5 + at[2]);
        points.mass.push_back(1.0 / static_cast<double>(n));
    }
    return points;
}

}  // namespace

StudyPoints study_points(const std::string& model, std::size_t n) {
    if (model == "hernquist") {
        constexpr double end = 100.0, within = end / (1.0 + end);  // root of the share of the mass there
        return draw(n, end, [=](double share) {
            const double root = within * std::sqrt(share);
            return root / (1.0 - root);
        });
    }
    if (model == "plummer") {
        const double end = 30.0, within = std::pow(1.0 + 1.0 / (end * end), -1.5);
        return draw(n, end, [=](double share) { return plummer_radius(within * share); });
    }
    if (model == "nfw") return draw(n, 10.0, [](double share) { return nfw_radius(share, 10.0); });
    throw Error(ErrorCode::invalid_input, "model " + model + ": is none of hernquist, plummer, nfw");
}

}  // namespace gravlet::bench
