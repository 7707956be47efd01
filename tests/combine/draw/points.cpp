// SPDX-License-Identifier: Apache-2.0
// Points: even, clustered, on a lattice, a line or a plane, crowded about one place, or many at a few; and on faces.
#include "tests/combine/draw/draw.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gravlet::combine {
namespace {

/// Into the box, as hosts do it, or onto its nearest place.
double put_inside(const Space& space, std::size_t d, double x) {
    if (space.periodic[d]) x -= std::floor((x - space.lower[d]) / space.side(d)) * space.side(d);
    return std::clamp(x, space.lower[d], space.upper[d]);
}

/// The next double, or what a rounding of the other coordinates makes of 0.
double next_to(double face, double towards, double side) {
    return face == 0.0 ? std::copysign(std::ldexp(side, -54), towards - face) : std::nextafter(face, towards);
}

enum class Pattern { even, clumps, lattice, line, plane, crowd, few_places, place };

class Places {
public:
    Places(Random& random, const Space& space) : random_(random), space_(space) {
        pattern_ = random.one_of({Pattern::even, Pattern::even, Pattern::clumps, Pattern::lattice, Pattern::line, Pattern::plane,
                                  Pattern::crowd, Pattern::few_places});
        if (random.chance(0.03)) pattern_ = Pattern::place;
        axis_ = static_cast<std::size_t>(random.whole(0, 2));
        spacing_ = random.whole(2, 6);
        least_ = random.wide(1e-8, 1e-2);
        for (Vector& middle : middles_)
            for (double& m : middle) m = random.uniform();
    }

    Vector next() {
        Vector share;
        const Vector& middle = middles_[static_cast<std::size_t>(random_.whole(0, 2))];
        const double reach = random_.wide(least_, 0.5);
        const bool at_middle = pattern_ == Pattern::few_places && random_.chance(0.7);
        for (std::size_t d = 0; d < 3; ++d) {
            double s = random_.uniform();
            if (pattern_ == Pattern::clumps) s = middle[d] + 0.05 * random_.normal();
            if (pattern_ == Pattern::lattice) s = (random_.whole(0, spacing_ - 1) + 0.5) / spacing_;
            if ((pattern_ == Pattern::line && d != axis_) || (pattern_ == Pattern::plane && d == axis_)) s = middles_[0][d];
            if (pattern_ == Pattern::place) s = middles_[0][d];
            if (at_middle) s = middle[d];
            if (pattern_ == Pattern::crowd) s = middles_[0][d] + reach * random_.uniform(-1.0, 1.0);
            share[d] = s;
        }
        Vector x;
        for (std::size_t d = 0; d < 3; ++d) x[d] = put_inside(space_, d, space_.lower[d] + share[d] * space_.side(d));
        return x;
    }

private:
    Random& random_;
    const Space& space_;
    Pattern pattern_;
    std::size_t axis_;
    int spacing_;
    double least_;
    std::array<Vector, 3> middles_{};
};

}  // namespace

void draw_box(Random& random, Space& space) {
    const bool whole = random.chance(0.4);
    const double unit = space.unit * (whole ? 1.0 : random.uniform(0.1, 5.1)), shape = random.uniform(),
                 corner = random.uniform();
    Vector side;
    for (double& s : side)
        s = unit * (shape < 0.35   ? 1.0
                    : shape < 0.65 ? random.whole(1, 4)
                    : shape < 0.85 ? random.uniform(0.5, 10.0)
                                   : random.wide(1.0, 1000.0));
    double least = INFINITY;
    for (std::size_t d = 0; d < 3; ++d)
        if (space.periodic[d]) least = std::min(least, side[d]);
    for (std::size_t d = 0; d < 3; ++d)
        if (space.periodic[d]) side[d] = std::min(side[d], 249.0 * least);
    for (std::size_t d = 0; d < 3; ++d) {
        space.lower[d] = corner < 0.3    ? 0.0
                         : corner < 0.5  ? -0.5 * side[d]
                         : corner < 0.7  ? random.whole(-4, 4) * unit
                         : corner < 0.95 ? random.uniform(-10.0, 10.0) * unit
                                         : random.uniform(-1e4, 1e4) * unit;
        space.upper[d] = space.lower[d] + side[d];
    }
    space.neat = whole && space.unit == 1.0 && shape < 0.65 && corner < 0.7;
    space.unit = unit;
}

std::vector<Point> draw_points(Random& random, const Space& space, int most) {
    const int count = static_cast<int>(random.wide(1.0, random.chance(0.9) ? std::min(most, 300) : most));
    Places places(random, space);
    Masses masses(random, space.mass);
    std::vector<Point> points(static_cast<std::size_t>(std::max(1, count)));
    const bool from_float = random.chance(0.1), mirrored = random.chance(0.1);
    for (Point& point : points) {
        point.x = places.next(), point.mass = masses.next();
        for (std::size_t d = 0; d < 3; ++d) {
            double x = mirrored ? space.upper[d] - (point.x[d] - space.lower[d]) : point.x[d];
            if (from_float && space.unit > 1e-30 && space.unit < 1e30) x = as_float(x);
            point.x[d] = put_inside(space, d, x);
        }
    }
    if (points.size() > 2 && random.chance(0.1)) points[1].x = points[0].x;
    return points;
}

void draw_faces(Random& random, const Space& space, Case& c) {
    if (c.bodies.points.empty() || !random.chance(0.35)) return;
    const int count = random.whole(1, 3);
    const bool beyond = random.chance(0.08);
    for (int i = 0; i < count; ++i) {
        Point& point = c.bodies.points[random.bits() % c.bodies.points.size()];
        const std::size_t d = random.bits() % 3;
        const bool upper = random.chance(0.5);
        const double face = upper ? space.upper[d] : space.lower[d];
        const double inside = next_to(face, upper ? space.lower[d] : space.upper[d], space.side(d));
        if (c.layout.float_positions) {
            if (static_cast<float>(face) == face) point.x[d] = face;
            continue;
        }
        point.x[d] = random.chance(0.5) ? face : inside;
        if (beyond && space.periodic[d]) {
            point.x[d] = next_to(face, upper ? INFINITY : -INFINITY, space.side(d));
            c.expect = Expect::either;
        }
    }
}

void draw_strays(Random& random, const Space& space, Case& c) {
    if (space.any_periodic() || c.bodies.points.empty() || c.layout.float_positions || !random.chance(0.15)) return;
    const double reach = random.wide(2.0, 1000.0);
    for (int i = random.whole(1, 3); i > 0; --i) {
        Point& point = c.bodies.points[random.bits() % c.bodies.points.size()];
        for (std::size_t d = 0; d < 3; ++d) point.x[d] = space.lower[d] + reach * random.uniform(-1.0, 1.0) * space.side(d);
    }
}

}  // namespace gravlet::combine
