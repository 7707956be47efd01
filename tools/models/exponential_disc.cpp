// SPDX-License-Identifier: Apache-2.0
#include "tools/models/exponential_disc.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

constexpr double pi = std::numbers::pi;

double thin_disc_circular2(const DiscSpec& disc, double R) {
    const double y = 0.5 * R / disc.scale;
    const double bessel =
        std::cyl_bessel_i(0.0, y) * std::cyl_bessel_k(0.0, y) - std::cyl_bessel_i(1.0, y) * std::cyl_bessel_k(1.0, y);
    return 2.0 * disc.mass / disc.scale * y * y * bessel;
}

// The mean over the sech^2 layer of z times the spheres' pull.
double mean_lift(const DiscSpec& disc, const SphericalField& spheres, double R) {
    constexpr int steps = 100;  // to where sech^2 is 1e-8; the midpoint rule is as good as exact for such a weight
    constexpr double step = 0.1;
    double weights = 0.0, lift = 0.0;
    for (int i = 0; i < steps; ++i) {
        const double s = step * (i + 0.5), z = disc.height * s, r = std::hypot(R, z);
        const double weight = 1.0 / (std::cosh(s) * std::cosh(s));
        weights += weight;
        lift += weight * z * z * spheres.mass(r) / (r * r * r);
    }
    return lift / weights;
}

template <class F>
RadialTable table(RadialGrid grid, F function) {
    std::vector<double> values(grid.size);
    for (std::size_t i = 0; i < grid.size; ++i) values[i] = function(grid.radius(i));
    return {grid, std::move(values)};
}

}  // namespace

RadialTable disc_mass_within(const DiscSpec& disc, RadialGrid grid) {
    std::vector<double> values(grid.size), slopes(grid.size);
    for (std::size_t i = 0; i < grid.size; ++i) {
        const double x = grid.radius(i) / disc.scale;
        // 1 - (1 + x) exp(-x), also where x is so small that it is all lost.
        values[i] = disc.mass * (x < 1e-3 ? x * x * (0.5 - x / 3.0 + x * x / 8.0) : -std::expm1(-x) - x * std::exp(-x));
        slopes[i] = disc.mass * x * x * std::exp(-x);
    }
    return {grid, std::move(values), std::move(slopes)};
}

ExponentialDisc::ExponentialDisc(const DiscSpec& disc, const SphericalField& spheres)
    : disc_(disc),
      circular2_(table(RadialGrid::between(1e-4 * disc.scale, 60.0 * disc.scale),
                       [&](double R) { return thin_disc_circular2(disc, R) + spheres.mass(R) / R; })),
      vertical2_(table(circular2_.grid(),
                       [&](double R) { return pi * disc.height * surface_density(R) + mean_lift(disc, spheres, R); })) {
    central_dispersion_ = 1.0;
    double least = toomre_q(disc.scale);
    for (std::size_t i = 0; i < circular2_.grid().size; ++i) least = std::min(least, toomre_q(circular2_.grid().radius(i)));
    central_dispersion_ = disc.toomre_q / least;
}

double ExponentialDisc::surface_density(double R) const {
    return disc_.mass / (2.0 * pi * disc_.scale * disc_.scale) * std::exp(-R / disc_.scale);
}

double ExponentialDisc::circular_speed(double R) const { return std::sqrt(circular2_(R)); }

double ExponentialDisc::epicycle_ratio(double R) const {
    const double place = circular2_.grid().place(R);
    return 0.25 * (2.0 + circular2_.slope_at_place(place) / circular2_.at_place(place));
}

double ExponentialDisc::radial_dispersion(double R) const { return central_dispersion_ * std::exp(-0.5 * R / disc_.scale); }

double ExponentialDisc::toomre_q(double R) const {
    const double kappa = 2.0 * std::sqrt(epicycle_ratio(R)) * circular_speed(R) / R;
    return radial_dispersion(R) * kappa / (3.36 * surface_density(R));
}

ExponentialDisc::Motion ExponentialDisc::motion(double R) const {
    const double radial = radial_dispersion(R), ratio = epicycle_ratio(R);
    const double rotation2 = circular2_(R) + radial * radial * (1.0 - ratio - 2.0 * R / disc_.scale);
    return {std::sqrt(std::max(0.0, rotation2)), radial, radial * std::sqrt(ratio), std::sqrt(vertical2_(R))};
}

}  // namespace gravlet
