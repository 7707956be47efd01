// SPDX-License-Identifier: Apache-2.0
// Functions of radius, kept at radii evenly spaced in ln r, and cubic in ln r between them.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace gravlet {

/// The radii: first exp(i step), i from 0 to size - 1.
struct RadialGrid {
    double first = 1e-5;
    double step = 0.02;
    std::size_t size = 0;

    /// A grid from `first` to `last` or just beyond.
    [[nodiscard]] static RadialGrid between(double first, double last) {
        RadialGrid grid{.first = first};
        grid.size = static_cast<std::size_t>(std::ceil(std::log(last / first) / grid.step)) + 1;
        return grid;
    }
    [[nodiscard]] double radius(double place) const { return first * std::exp(place * step); }
    [[nodiscard]] double radius(std::size_t i) const { return radius(static_cast<double>(i)); }
    /// Where a radius lies, in steps; 0 to size - 1, also of radii beyond.
    [[nodiscard]] double place(double radius) const {
        const double at = std::log(radius / first) / step;
        return at > 0.0 ? std::fmin(at, static_cast<double>(size - 1)) : 0.0;
    }
};

class RadialTable {
public:
    /// Values at the grid's radii, 2 or more, and their derivatives by ln r.
    RadialTable(RadialGrid grid, std::vector<double> values, std::vector<double> slopes);
    /// Values at the grid's radii, 2 or more; derivatives are made from them, of second order within.
    RadialTable(RadialGrid grid, std::vector<double> values);

    [[nodiscard]] const RadialGrid& grid() const { return grid_; }
    [[nodiscard]] const std::vector<double>& values() const { return values_; }
    [[nodiscard]] const std::vector<double>& slopes() const { return slopes_; }

    /// The value at a radius; beyond the ends that at the end.
    [[nodiscard]] double operator()(double radius) const { return at_place(grid_.place(radius)); }
    [[nodiscard]] double at_place(double place) const;
    /// The value's derivative by ln r.
    [[nodiscard]] double slope_at_place(double place) const;

private:
    RadialGrid grid_;
    std::vector<double> values_, slopes_;
};

}  // namespace gravlet
