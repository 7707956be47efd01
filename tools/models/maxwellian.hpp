// SPDX-License-Identifier: Apache-2.0
// Velocities from an isotropic Gaussian that is cut at a speed.
#pragma once

#include "physics/types.hpp"

namespace gravlet {

/// The mean square speed of a Gaussian of dispersion sigma (of one direction) without what is faster than the cut. It grows with
/// sigma, to 3/5 of the cut's square.
[[nodiscard]] double mean_square_speed(double sigma, double cut);

/// The other way round: mean_square from 0 to half of the cut's square.
[[nodiscard]] double dispersion_of(double mean_square, double cut);

/// Two independent numbers of mean 0 and variance 1, from two evenly from 0 to 1 (Box & Muller 1958).
struct NormalPair {
    double first, second;
};
[[nodiscard]] NormalPair normal_pair(double for_size, double for_angle);

/// next(): the next random number, evenly from 0 to 1.
template <class Next>
[[nodiscard]] Array3 cut_gaussian(double sigma, double cut, Next&& next) {
    for (;;) {
        const double a = next(), b = next(), c = next(), d = next();
        const NormalPair xy = normal_pair(a, b), z = normal_pair(c, d);
        const Array3 v{sigma * xy.first, sigma * xy.second, sigma * z.first};
        if (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] <= cut * cut) return v;
    }
}

}  // namespace gravlet
