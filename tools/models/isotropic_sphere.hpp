// SPDX-License-Identifier: Apache-2.0
// Radii and speeds of points of a sphere whose velocities have no preferred direction. A speed at r is drawn from v^2 f(E),
// E = depth(r) - v^2/2, by rejection: its greatest value over v is known at the radii of the grid.
#pragma once

#include "tools/models/radial_table.hpp"
#include "tools/models/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <vector>

namespace gravlet {

class IsotropicSphere {
public:
    /// mass: the sphere's own, within a radius; depth: of the potential it is in, G = 1; f: its distribution function of the
    /// energy, but for a factor.
    IsotropicSphere(RadialTable mass, RadialTable depth, std::function<double(double)> f);

    /// A sphere of mass 1 and scale 1 in its own field, by Eddington's inversion; its name for an error (eddington.hpp).
    [[nodiscard]] static IsotropicSphere alone(const PowerLaws& density, const char* name);

    /// The radius within which a share of the mass lies.
    [[nodiscard]] double radius(double share) const;
    /// A random speed of a point at this radius. next(): the next random number, evenly from 0 to 1; it may take many.
    template <class Next>
    [[nodiscard]] double speed(double radius, Next&& next) const {
        const double place = depth_.grid().place(radius), depth = depth_.at_place(place);
        if (depth <= 0.0) return 0.0;
        const auto i = static_cast<std::size_t>(place);
        const double most = margin * std::max(greatest_[i], greatest_[std::min(i + 1, greatest_.size() - 1)]);
        for (;;) {
            const double share = next();  // of the speed of escape
            if (next() * most <= weight(depth, share)) return share * std::sqrt(2.0 * depth);
        }
    }

private:
    static constexpr double margin = 1.1;  // over the greatest value between what is known

    [[nodiscard]] double weight(double depth, double share) const { return share * share * f_(depth * (1.0 - share * share)); }

    RadialTable mass_, depth_;
    std::function<double(double)> f_;
    std::vector<double> greatest_;  // of the weight, at the grid's radii
};

}  // namespace gravlet
