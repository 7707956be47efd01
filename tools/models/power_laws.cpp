// SPDX-License-Identifier: Apache-2.0
#include "tools/models/power_laws.hpp"

#include <cmath>

namespace gravlet {

LocalDensity PowerLaws::at(double r) const {
    if (r > edge) {
        const LocalDensity from = PowerLaws{inner, outer, sharpness}.at(edge);
        const double u = r / edge, power = from.slope + 1.0 / decay_;
        return {from.value * std::exp(power * std::log(u) - (u - 1.0) / decay_), power - u / decay_, -u / decay_};
    }
    const double power = std::pow(r, sharpness), share = power / (1.0 + power);
    return {std::pow(r, -inner) * std::pow(1.0 + power, (inner - outer) / sharpness), -inner - (outer - inner) * share,
            -(outer - inner) * sharpness * share / (1.0 + power)};
}

}  // namespace gravlet
