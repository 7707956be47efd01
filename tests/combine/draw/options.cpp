// SPDX-License-Identifier: Apache-2.0
#include "physics/orders.hpp"
#include "tests/combine/draw/draw.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace gravlet::combine {
namespace {

std::size_t size_of(const Bodies& bodies) {
    std::size_t size = bodies.cells.size() + bodies.points.size();
    for (const Patch& patch : bodies.patches) size += patch.density.size();
    return size;
}

void draw_softening(Random& random, const Space& space, Case& c) {
    Options& o = c.options;
    o.softening_kernel = random.chance(0.5) ? SofteningKernel::plummer : SofteningKernel::spline;
    if (random.chance(0.45)) return;
    double most = 0.0;
    for (std::size_t d = 0; d < 3; ++d) most = std::max(most, space.side(d));
    if (space.any_periodic()) most = 0.099 * space.shortest_period();
    o.softening = random.chance(0.8) ? most * random.wide(1e-4, 1.0) : 0.0;
    const bool one_length = space.any_periodic() && o.softening_kernel == SofteningKernel::plummer;
    c.layout.own_softenings = random.chance(0.5);
    for (Point& point : c.bodies.points)
        point.softening = !c.layout.own_softenings || one_length ? o.softening
                          : random.chance(0.2)                   ? 0.0
                                                                 : most * random.wide(1e-4, 1.0);
}

void draw_accuracy(Random& random, Case& c) {
    Options& o = c.options;
    const double way = random.uniform();
    if (way < 0.1) {
        o.tolerance = random.wide(1e-5, 0.05);
        if (c.points_want.acceleration && random.chance(0.5)) o.tolerance_of = ErrorOf::acceleration;
        if (random.chance(0.3)) o.tolerance_of = ErrorOf::potential;
        o.tolerance_at = random.one_of({ErrorMeasure::p99, ErrorMeasure::p999, ErrorMeasure::rms});
        if (random.chance(0.3)) o.tolerance_effort = random.whole(1, 6);
        if (random.chance(0.3)) o.criterion = random.one_of({Criterion::opening, Criterion::acceleration, Criterion::multipole});
        return;
    }
    if (way < 0.25) {
        o.theta = 0.0;
        return;
    }
    if (random.chance(0.5)) o.theta = random.uniform(0.1, 1.0);
    if (random.chance(0.5)) o.order = random.whole(0, max_order);
    if (random.chance(0.2)) {
        o.criterion = random.one_of({Criterion::opening, Criterion::acceleration, Criterion::multipole});
        if (random.chance(0.5)) o.alpha = random.wide(1e-6, 0.1);
    }
}

void draw_work(Random& random, const Space& space, Case& c) {
    Options& o = c.options;
    if (random.chance(0.3)) o.group_size = o.backend == Backend::gpu ? random.one_of({32, 64}) : random.whole(16, 80);
    if (random.chance(0.3)) o.leaf_size = random.whole(1, 40);
    if (random.chance(0.3)) o.virtual_root_boxes = random.whole(1, 256);
    o.keep_tree = !random.chance(0.2);
    o.keep_moved = random.chance(0.2);
    o.redistribute = random.chance(0.25);
    o.gpu_sharing = random.one_of({GpuSharing::automatic, GpuSharing::share, GpuSharing::gather});
    if (random.chance(0.3)) o.active_bits = ActiveBits::same;
    o.check_changed = random.chance(0.3);
    if (random.chance(0.15)) o.error_samples = random.whole(1, 50);
    if (random.chance(0.2)) o.background = Background::keep;
    if (!space.any_periodic()) return;
    if (size_of(c.bodies) <= 100 && o.tolerance == 0.0 && random.chance(0.1)) {
        o.periodic_method = PeriodicMethod::table;
        o.criterion = Criterion::automatic, o.alpha = automatic;
    }
    if (random.chance(0.1)) o.ewald_nodes = random.whole(12, 28);
    if (random.chance(0.1)) o.ewald_order = random.whole(4, 5);
}

void draw_precision(Random& random, Case& c) {
    Options& o = c.options;
    if (o.tolerance > 0.0 || o.periodic_method == PeriodicMethod::table || !random.chance(0.1)) return;
    o.precision = Precision::double_;
    if (random.chance(0.7)) o.order = random.whole(0, max_full_order);
}

}  // namespace

void draw_options(Random& random, const Space& space, Case& c) {
    Options& o = c.options;
    o.threads = 1;
    for (std::size_t d = 0; d < 3; ++d) o.boundary[d] = space.periodic[d] ? Boundary::periodic : Boundary::isolated;
    if (space.any_periodic() || random.chance(0.5)) o.domain = Box{space.lower, space.upper};
    if (random.chance(0.3)) o.G = random.chance(0.5) ? 6.67e-8 : random.wide(1e-20, 1e20);
    o.self_potential = !random.chance(0.3);
    draw_softening(random, space, c);
    draw_accuracy(random, c);
    draw_work(random, space, c);
    draw_precision(random, c);
    if (random.chance(0.5))
        o.uniform_mesh = random.one_of({UniformMesh::convolution, UniformMesh::convolution, UniformMesh::tree});
}

void draw_broken_option(Random& random, Case& c) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    Options& o = c.options;
    struct Broken {
        const char* name;
        std::function<void()> make;
    };
    const Broken all[] = {
        {"theta",
         [&] {
             o.theta = random.one_of({-0.5, 0.05, 1.5, nan}), o.tolerance = 0.0;
         }},
        {"order",
         [&] {
             o.order = random.one_of({-2, max_full_order + 1, 1000}), o.tolerance = 0.0;
         }},
        {"alpha",
         [&] {
             o.alpha = random.one_of({-0.1, 1e-13, 200.0, nan}), o.tolerance = 0.0;
         }},
        {"tolerance",
         [&] {
             o.tolerance = random.one_of({-1e-3, 1e-7, 0.5, nan}), o.theta = automatic;
         }},
        {"G",
         [&] {
             o.G = random.one_of({-1.0, 0.0, 1e81, 1e-81, nan, double(INFINITY)});
         }},
        {"softening",
         [&] {
             o.softening = random.one_of({-1.0, 1e-61, 1e61, nan});
         }},
        {"group_size",
         [&] {
             o.group_size = random.one_of({-1, 8, 1025});
         }},
        {"leaf_size",
         [&] {
             o.leaf_size = random.one_of({-1, 0, 257});
         }},
        {"virtual_root_boxes",
         [&] {
             o.virtual_root_boxes = random.one_of({-1, 0, 257});
         }},
        {"threads",
         [&] {
             o.threads = random.one_of({-1, 1025});
         }},
        {"ewald_nodes",
         [&] {
             o.ewald_nodes = random.one_of({3, 65, -1});
         }},
        {"ewald_order",
         [&] {
             o.ewald_order = random.one_of({1, 6, -1});
         }},
        {"error_samples", [&] { o.error_samples = -1; }},
        {"boundary", [&] { o.boundary[random.bits() % 3] = static_cast<Boundary>(4); }},
        {"criterion", [&] { o.criterion = static_cast<Criterion>(7); }},
        {"softening_kernel", [&] { o.softening_kernel = static_cast<SofteningKernel>(-1); }},
        {"periodic_method", [&] { o.periodic_method = static_cast<PeriodicMethod>(2); }},
        {"active_bits", [&] { o.active_bits = static_cast<ActiveBits>(2); }},
        {"uniform_mesh", [&] { o.uniform_mesh = static_cast<UniformMesh>(3); }},
        {"tolerance_of", [&] { o.tolerance_of = static_cast<ErrorOf>(3); }},
        {"tolerance_at", [&] { o.tolerance_at = static_cast<ErrorMeasure>(4); }},
        {"tolerance_effort",
         [&] {
             o.tolerance_effort = random.one_of({-1, 0, 101});
         }},
        {"domain",
         [&] {
             o.domain = Box{{0.0, 0.0, 0.0}, {1.0, random.one_of({0.0, -1.0, nan, 1e61, 1e-61}), 1.0}};
         }},
        {c.ranks > 1 ? "differs" : "leaf_size", [&] { o.leaf_size = c.ranks > 1 ? 12 : 0; }},  // between ranks: play.cpp
        {"domain", [&] { o.boundary[0] = Boundary::periodic, o.domain.reset(); }},
        {"domain",
         [&] {
             o.boundary.fill(Boundary::periodic), o.domain = Box{{0.0, 0.0, 0.0}, {1.0, 300.0, 1.0}};
         }},
        {"softening",
         [&] {
             o.boundary[1] = Boundary::periodic, o.domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}, o.softening = 0.2;
         }},
        {"shear", [&] { o.shear = nan; }},
        {"shear",
         [&] {
             o.boundary = {Boundary::periodic, Boundary::isolated, Boundary::periodic}, o.shear = 0.1;
         }},
    };
    const Broken& broken = all[random.bits() % std::size(all)];
    broken.make();
    c.broken = broken.name, c.expect = Expect::refused_option;
    c.steps.clear();
}

}  // namespace gravlet::combine
