// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/draw/draw.hpp"

#include <algorithm>

namespace gravlet::combine {

/// Planes of symmetry at faces of the box, points before them, and no guard cells, which the reference has no images of.
void draw_mirror(Random& random, const Space& space, Case& c) {
    if (space.any_periodic() || c.expect != Expect::good || !random.chance(0.25)) return;
    Options& o = c.options;
    while (o.boundary == std::array<Boundary, 3>{})
        for (Boundary& b : o.boundary)
            b = random.one_of({Boundary::isolated, Boundary::isolated, Boundary::mirror_lower, Boundary::mirror_upper});
    o.domain = Box{space.lower, space.upper};
    c.layout.guards = {};
    for (Point& point : c.bodies.points) {
        for (std::size_t d = 0; d < 3; ++d) {
            double& x = point.x[d];
            if (o.boundary[d] == Boundary::mirror_lower && x < space.lower[d])
                x = std::max(2.0 * space.lower[d] - x, space.lower[d]);
            if (o.boundary[d] == Boundary::mirror_upper && x > space.upper[d])
                x = std::min(2.0 * space.upper[d] - x, space.upper[d]);
        }
    }
}

/// Of any length, or a part of the period; without guard cells, which may not be beyond faces in x.
void draw_shear(Random& random, const Space& space, Case& c) {
    if (!space.periodic[0] || !space.periodic[1] || c.expect == Expect::refused_option || !random.chance(0.4)) return;
    if (space.side(1) > 15.0 * space.side(0)) return;
    const double part = random.chance(0.3) ? random.whole(-8, 8) / 8.0 : random.uniform(-1.5, 1.5);
    c.options.shear = part * space.side(1) * (random.chance(0.2) ? 1e-3 : 1.0);
    c.layout.guards = {};
}

}  // namespace gravlet::combine
