// SPDX-License-Identifier: Apache-2.0
#include "tools/models/sphere.hpp"

#include "tools/models/gauss.hpp"

#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

// Of a density whose mass is not known yet: 4 pi r^3 rho is the derivative by ln r.
RadialTable mass_within(const PowerLaws& law, double scale, RadialGrid grid) {
    const auto growth = [&](double place) {
        const double r = grid.radius(place) / scale;
        return 4.0 * std::numbers::pi * r * r * r * law.at(r).value;
    };
    std::vector<double> values(grid.size), slopes(grid.size);
    for (std::size_t i = 0; i < grid.size; ++i) {
        slopes[i] = growth(static_cast<double>(i));
        if (i == 0) {
            values[i] = slopes[i] / (3.0 - law.inner);
            continue;
        }
        values[i] = values[i - 1];
        for (const GaussPoint& point : gauss_points)
            values[i] += grid.step * point.weight * growth(static_cast<double>(i - 1) + point.place);
    }
    return {grid, std::move(values), std::move(slopes)};
}

RadialTable scaled(const RadialTable& table, double factor) {
    std::vector<double> values = table.values(), slopes = table.slopes();
    for (double& value : values) value *= factor;
    for (double& slope : slopes) slope *= factor;
    return {table.grid(), std::move(values), std::move(slopes)};
}

}  // namespace

RadialGrid model_grid(double edge) {
    RadialGrid grid = RadialGrid::between(1e-5, 1e10);
    if (std::isfinite(edge)) grid.first = edge * std::exp(-grid.step * std::round(grid.place(edge)));
    return grid;
}

Sphere::Sphere(const PowerLaws& density, double mass, double scale, RadialGrid grid)
    : law_(density), scale_(scale), mass_(mass_within(density, scale, grid)) {
    const double factor = mass / mass_.values().back();
    mass_ = scaled(mass_, factor);
    factor_ = factor / (scale * scale * scale);
}

LocalDensity Sphere::density(double radius) const {
    LocalDensity local = law_.at(radius / scale_);
    local.value *= factor_;
    return local;
}

SphericalField SphericalField::of(std::span<const RadialTable> masses) {
    const RadialGrid grid = masses.front().grid();
    std::vector<double> logs(grid.size), powers(grid.size);
    for (std::size_t i = 0; i < grid.size; ++i) {
        double value = 0.0, slope = 0.0;
        for (const RadialTable& mass : masses) {
            value += mass.values()[i];
            slope += mass.slopes()[i];
        }
        logs[i] = std::log(value);
        powers[i] = slope / value;
    }
    RadialTable log_mass(grid, std::move(logs), std::move(powers));

    // From the outside in: the derivative by ln r is -M/r.
    const auto pull = [&](double place) { return std::exp(log_mass.at_place(place)) / grid.radius(place); };
    std::vector<double> depths(grid.size), slopes(grid.size);
    for (std::size_t i = grid.size; i-- > 0;) {
        const auto place = static_cast<double>(i);
        slopes[i] = -pull(place);
        depths[i] = i + 1 == grid.size ? pull(place) : depths[i + 1];
        if (i + 1 == grid.size) continue;
        for (const GaussPoint& point : gauss_points) depths[i] += grid.step * point.weight * pull(place + point.place);
    }
    return {std::move(log_mass), RadialTable(grid, std::move(depths), std::move(slopes))};
}

}  // namespace gravlet
