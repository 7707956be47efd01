// SPDX-License-Identifier: Apache-2.0
#include "tools/models/radial_table.hpp"

#include <algorithm>
#include <utility>

namespace gravlet {
namespace {

std::vector<double> differences(const std::vector<double>& values, double step) {
    std::vector<double> slopes(values.size());
    const std::size_t last = values.size() - 1;
    for (std::size_t i = 0; i <= last; ++i) {
        const std::size_t before = i == 0 ? 0 : i - 1, after = std::min(i + 1, last);
        slopes[i] = (values[after] - values[before]) / (step * static_cast<double>(after - before));
    }
    return slopes;
}

}  // namespace

RadialTable::RadialTable(RadialGrid grid, std::vector<double> values, std::vector<double> slopes)
    : grid_(grid), values_(std::move(values)), slopes_(std::move(slopes)) {}

RadialTable::RadialTable(RadialGrid grid, std::vector<double> values)
    : grid_(grid), values_(std::move(values)), slopes_(differences(values_, grid.step)) {}

double RadialTable::at_place(double place) const {
    const std::size_t i = std::min(static_cast<std::size_t>(place), grid_.size - 2);
    const double u = place - static_cast<double>(i), v = 1.0 - u;
    return v * v * ((1.0 + 2.0 * u) * values_[i] + u * grid_.step * slopes_[i]) +
           u * u * ((1.0 + 2.0 * v) * values_[i + 1] - v * grid_.step * slopes_[i + 1]);
}

double RadialTable::slope_at_place(double place) const {
    const std::size_t i = std::min(static_cast<std::size_t>(place), grid_.size - 2);
    const double u = place - static_cast<double>(i), v = 1.0 - u;
    return 6.0 * u * v * (values_[i + 1] - values_[i]) / grid_.step + v * (1.0 - 3.0 * u) * slopes_[i] +
           u * (1.0 - 3.0 * v) * slopes_[i + 1];
}

}  // namespace gravlet
