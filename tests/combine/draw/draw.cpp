// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/draw/draw.hpp"

#include <algorithm>
#include <limits>

namespace gravlet::combine {
namespace {

void draw_wants(Random& random, Case& c) {
    const auto want = [&] {
        Want w{true, random.chance(0.6), false};
        w.tidal = random.chance(0.25);
        if (random.chance(0.05) && (w.acceleration || w.tidal)) w.potential = false;
        return w;
    };
    c.cells_want = c.points_want = want();
    if (c.points_want.acceleration && random.chance(0.1)) c.points_want.potential = false;
}

Step draw_step(Random& random, const Case& c, Act act) {
    Step step{act, random.bits(), Said::nothing, random.chance(0.3)};
    if (c.options.check_changed && !is_bad(act) && random.chance(0.3)) {
        step.said = Said::less;
        if (random.chance(0.5)) step.act = Act::one_mass;
    } else if (random.chance(0.6)) {
        step.said = random.chance(0.5) ? Said::truth : Said::more;
    }
    return step;
}

void draw_steps(Random& random, Case& c) {
    static constexpr Act good[] = {Act::again, Act::other_masses, Act::some_masses, Act::one_mass,
                                   Act::moved, Act::some_moved,   Act::one_more,    Act::other_lengths};
    static constexpr Act bad[] = {Act::bad_mass, Act::bad_nan, Act::bad_place, Act::bad_overlap};
    const int count = random.chance(0.3) ? 0 : random.whole(1, 5);
    for (int i = 0; i < count; ++i) {
        const Act act = random.chance(0.25) ? bad[random.whole(0, 3)] : good[random.bits() % std::size(good)];
        c.steps.push_back(draw_step(random, c, act));
        if (is_bad(act)) c.steps.push_back(draw_step(random, c, random.chance(0.5) ? Act::again : Act::moved));
    }
}

/// Which classes act, and of which cells and points are.
void draw_classes(Random& random, Case& c) {
    if (!random.chance(0.2)) return;
    int& acting = c.options.acting_classes;
    acting = random.chance(0.5) ? random.whole(1, 2) : random.whole(1, 254);
    if (random.chance(0.6)) {
        for (Cell& cell : c.bodies.cells) cell.source_class = random.whole(0, 7);
        for (Point& point : c.bodies.points) point.source_class = random.whole(0, 7);
    }
    if (c.bodies.points.empty() && !c.bodies.patches.empty()) acting |= 1;
    const auto acts = [&](const auto& body) { return body.mass > 0.0 && (acting >> body.source_class & 1) != 0; };
    if (!std::ranges::any_of(c.bodies.cells, acts) && !std::ranges::any_of(c.bodies.points, acts)) acting |= 3;
}

}  // namespace

double Space::shortest_period() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < 3; ++d)
        if (periodic[d]) least = std::min(least, side(d));
    return least;
}

Space draw_units(Random& random) {
    Space space;
    if (random.chance(0.15)) space.unit = random.wide(1e-50, 1e50);
    if (random.chance(0.15)) space.mass = random.wide(1e-30, 1e30);
    const int boundary = random.chance(0.35) ? 0 : random.whole(1, 7);
    for (std::size_t d = 0; d < 3; ++d) space.periodic[d] = (boundary >> d & 1) != 0;
    return space;
}

void draw_probes(Random& random, const Space& space, Case& c) {
    if (c.language == Language::fortran || !random.chance(0.35)) return;
    const bool floats = c.layout.float_positions;
    const int count = random.whole(1, 12);
    for (int i = 0; i < count; ++i) {
        Probe probe{{}, random.whole(0, c.ranks - 1)};
        for (std::size_t d = 0; d < 3; ++d) {
            const double beyond = space.any_periodic() && !space.periodic[d] ? 0.0 : space.side(d);
            probe.x[d] = random.uniform(space.lower[d] - beyond, space.upper[d] + beyond);
        }
        if (random.chance(0.1) && !c.bodies.points.empty()) probe.x = c.bodies.points[random.bits() % c.bodies.points.size()].x;
        if (random.chance(0.1) && !c.bodies.cells.empty()) probe.x = c.bodies.cells[random.bits() % c.bodies.cells.size()].x;
        for (double& x : probe.x) x = floats ? as_float(x) : x;
        c.bodies.probes.push_back(probe);
    }
}

Case draw(std::uint64_t seed, int ranks, Backend backend) {
    Random random(seed);
    Case c;
    c.seed = seed, c.ranks = ranks;
    Space space = draw_units(random);
    const double kind = random.uniform();
    const bool mesh = kind > 0.4, blocks = kind > 0.75, points = kind < 0.4 || random.chance(0.35);
    if (mesh) {
        c.bodies = draw_mesh(random, space, blocks);
    } else {
        draw_box(random, space);
    }
    if (points) c.bodies.points = draw_points(random, space, mesh ? 100 : space.any_periodic() ? 500 : 3000);
    draw_wants(random, c);
    c.options.backend = backend;
    draw_options(random, space, c);
    c.language = random.chance(0.5) ? Language::cpp : random.chance(0.5) ? Language::c : Language::fortran;
    draw_layout(random, space, c);
    draw_faces(random, space, c);
    draw_strays(random, space, c);
    draw_ranks(random, c);
    if (random.chance(0.4)) draw_active(random, c.ranks, c.bodies);
    draw_steps(random, c);
    c.listener = random.chance(0.2);
    if (random.chance(0.1)) draw_broken_option(random, c);
    draw_probes(random, space, c);
    draw_classes(random, c);
    draw_mirror(random, space, c);
    draw_shear(random, space, c);
    return c;
}

}  // namespace gravlet::combine
