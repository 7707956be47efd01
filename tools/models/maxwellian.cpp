// SPDX-License-Identifier: Apache-2.0
#include "tools/models/maxwellian.hpp"

#include <cmath>
#include <numbers>

namespace gravlet {

double mean_square_speed(double sigma, double cut) {
    if (sigma <= 0.0) return 0.0;
    const double x = cut / sigma;
    // The shares of the Gaussian below the cut, and the part that the last shell has in the mean square.
    const double shell = std::sqrt(2.0 / std::numbers::pi) * x * std::exp(-0.5 * x * x);
    const double below = std::erf(x / std::numbers::sqrt2) - shell;
    return sigma * sigma * (3.0 - shell * x * x / below);
}

double dispersion_of(double mean_square, double cut) {
    if (mean_square <= 0.0) return 0.0;
    double low = 0.0, high = cut;
    while (mean_square_speed(high, cut) < mean_square) high *= 2.0;
    for (int step = 0; step < 60; ++step) {
        const double middle = 0.5 * (low + high);
        (mean_square_speed(middle, cut) < mean_square ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

NormalPair normal_pair(double for_size, double for_angle) {
    const double size = std::sqrt(-2.0 * std::log(for_size)), angle = 2.0 * std::numbers::pi * for_angle;
    return {size * std::cos(angle), size * std::sin(angle)};
}

}  // namespace gravlet
