// SPDX-License-Identifier: Apache-2.0
#include "tools/models/eddington.hpp"

#include "tools/models/gauss.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gravlet {
namespace {

// Of infinite models the last radii know nothing of what is beyond the grid: f is kept up to this part of it.
constexpr double kept = 0.01;

// d^2 rho/d psi^2 times the pull M/r, for an integral over ln r.
double curvature(const Sphere& sphere, const SphericalField& field, double place) {
    const double r = field.log_mass.grid().radius(place);
    const double pull = std::exp(field.log_mass.at_place(place)) / r;
    const LocalDensity rho = sphere.density(r);
    return rho.value / pull * (rho.slope * (rho.slope + 1.0 - field.log_mass.slope_at_place(place)) + rho.bend);
}

// The slopes of a cubic through points that does not overshoot (Fritsch & Butland 1984).
std::vector<double> monotone_slopes(const std::vector<double>& x, const std::vector<double>& y) {
    const std::size_t last = x.size() - 1;
    const auto chord = [&](std::size_t i) { return (y[i + 1] - y[i]) / (x[i + 1] - x[i]); };
    std::vector<double> slopes(x.size());
    slopes[0] = chord(0);
    slopes[last] = chord(last - 1);
    for (std::size_t i = 1; i < last; ++i) {
        const double before = chord(i - 1), after = chord(i);
        if (before * after <= 0.0) continue;
        const double h = x[i] - x[i - 1], k = x[i + 1] - x[i];
        slopes[i] = 3.0 * (h + k) / ((2.0 * k + h) / before + (k + 2.0 * h) / after);
    }
    return slopes;
}

}  // namespace

DistributionFunction::DistributionFunction(const Sphere& sphere, const SphericalField& field, const char* name) {
    const RadialGrid& grid = field.depth.grid();
    const std::size_t steps = grid.size - 1;
    std::vector<double> depth, weighted;  // at the Gauss points of all steps
    for (std::size_t i = 0; i < steps; ++i)
        for (const GaussPoint& point : gauss_points) {
            const double place = static_cast<double>(i) + point.place;
            depth.push_back(field.depth.at_place(place));
            weighted.push_back(grid.step * point.weight * curvature(sphere, field, place));
        }

    const double last = std::min(sphere.end(), kept * grid.radius(steps));
    const auto count = static_cast<std::size_t>(std::ceil(grid.place(last)));
    for (std::size_t i = count; i-- > 0;) {
        const double energy = field.depth.values()[i];
        double integral = 0.0;
        // In the first step over the root of the distance, which takes the infinity at its end away.
        for (const GaussPoint& point : gauss_points) {
            const double place = static_cast<double>(i) + point.place * point.place;
            integral += 2.0 * grid.step * point.place * point.weight * curvature(sphere, field, place) /
                        std::sqrt(energy - field.depth.at_place(place));
        }
        for (std::size_t j = (i + 1) * gauss_points.size(); j < depth.size(); ++j)
            integral += weighted[j] / std::sqrt(energy - depth[j]);
        const double f = integral / (std::sqrt(8.0) * std::numbers::pi * std::numbers::pi);
        if (!(f > 0.0))
            throw Error(ErrorCode::invalid_option,
                        fmt::format("the {} has no isotropic velocities in equilibrium: its distribution function is {:g} at the "
                                    "energy of rest at radius {:g}",
                                    name, f, grid.radius(i)));
        energy_.push_back(energy);
        log_.push_back(std::log(f));
    }
    slope_ = monotone_slopes(energy_, log_);
}

double DistributionFunction::operator()(double energy) const {
    if (energy <= energy_.front()) return std::exp(log_.front());
    if (energy >= energy_.back()) return std::exp(log_.back());
    const auto above = std::upper_bound(energy_.begin(), energy_.end(), energy);
    const auto i = static_cast<std::size_t>(above - energy_.begin()) - 1;
    const double width = energy_[i + 1] - energy_[i], u = (energy - energy_[i]) / width, v = 1.0 - u;
    return std::exp(v * v * ((1.0 + 2.0 * u) * log_[i] + u * width * slope_[i]) +
                    u * u * ((1.0 + 2.0 * v) * log_[i + 1] - v * width * slope_[i + 1]));
}

}  // namespace gravlet
