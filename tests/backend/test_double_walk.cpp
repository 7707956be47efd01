// SPDX-License-Identifier: Apache-2.0
// A backend's walk is the walk in double precision of the same tree, but for rounding; what it meets is the same node for node.
#include "physics/order.hpp"
#include "physics/walk_rules.hpp"
#include "solver/periodic/periodicity.hpp"
#include "tests/backend/double_walk.hpp"
#include "tests/backend/exchange.hpp"
#include "tests/backend/local.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace gravlet::test {
namespace {

#if defined(GRAVLET_TEST_OF_GPU)
Rules rules_of(const WalkTargets& targets) {
    return {
        1,   0.0,   gpu_gap_sides, gpu_longest_lists, gpu_set_groups, gpu_set_entries(targets.all_groups, typical_theta(targets)),
        1.0, false, gpu_subgroup};
}
constexpr int group_sizes[] = {32, 64};
constexpr std::size_t other_groups[] = {0, 5'000, 1'000'000};  // by four warps each, by one each, and in sets
#else
Rules rules_of(const WalkTargets&) {
    return {Backend::groups_together, cpu_far_radii, 0.0,    1e300, Backend::groups_together, SIZE_MAX,
            cpu_batch_sides,          true,          nullptr};
}
constexpr int group_sizes[] = {16, 32};
constexpr std::size_t other_groups[] = {0};
#endif

/// What the largest errors may be.
struct Bound {
    double potential = 1e-6, field = 5e-6, tide = 1e-5;
};

double norm_of_tide(const Sums& sums) {
    double square = 0.0;
    for (const std::size_t k : {4, 5, 5, 6, 6, 7, 8, 8, 9}) square += sums[k] * sums[k];
    return std::sqrt(square);
}

/// Where a decision may go either way (few groups, but all those at the edge of a cluster, whose frame is far larger than they
/// are) only the size of the error is looked at.
void expect_same(const HostTargets& targets, const InteractionCounts& counts, const DoubleSums& expected, bool periodic,
                 const Bound& bound) {
    const int derivatives = targets.backend_targets.derivatives;
    double mean_field = 0.0, mean_tide = 0.0;  // all around, images pull in all directions: single ones may be next to nothing
    for (const Sums& f : expected.of) {
        mean_field += std::hypot(f[1], f[2], f[3]) / static_cast<double>(expected.of.size());
        mean_tide += norm_of_tide(f) / static_cast<double>(expected.of.size());
    }
    double potential = 0.0, field = 0.0, tide = 0.0, doubtful_potential = 0.0;
    std::size_t doubtful = 0;
    for (std::size_t i = 0; i < targets.bodies.size(); ++i) {
        const Sums& of = expected.of[i];
        const double error = std::abs(targets.potential[i] / of[0] - 1.0);
        if (expected.doubtful[i]) {
            ++doubtful;
            doubtful_potential = std::max(doubtful_potential, error);
            continue;
        }
        potential = std::max(potential, error);
        if (derivatives < 1) continue;
        const Vector3 a = targets.acceleration(i);
        field = std::max(field, std::hypot(a.x - of[1], a.y - of[2], a.z - of[3]) /
                                    std::max(std::hypot(of[1], of[2], of[3]), periodic ? mean_field : 0.0));
        if (derivatives < 2) continue;
        Sums off{};
        for (std::size_t k = 0; k < 6; ++k) off[4 + k] = targets.tide[k][i] - of[4 + k];
        tide = std::max(tide, norm_of_tide(off) / std::max(norm_of_tide(of), periodic ? mean_tide : 0.0));
    }
    SCOPED_TRACE(testing::Message() << "doubtful " << doubtful);
    EXPECT_LE(potential, bound.potential);
    EXPECT_LE(field, bound.field);
    EXPECT_LE(tide, bound.tide);
    EXPECT_LE(doubtful_potential, 1e-3);
    EXPECT_LE(doubtful, targets.bodies.size() / 4);
    EXPECT_EQ(counts.coincident, 0u);
    if (doubtful == 0) {
        EXPECT_EQ(counts.node, expected.counts.node);
        EXPECT_EQ(counts.cell, expected.counts.cell);
        EXPECT_EQ(counts.far, expected.counts.far);
    }
}

/// Walks `tree` for the targets of `local` and compares. Returns the number of groups that were walked in subgroups. `elsewhere`:
/// the bodies below nodes that others have pruned.
std::size_t expect_same_walk(LocalTree& local, const TreeView& tree, const char* what, const Bound& bound = {},
                             const std::vector<Source>& elsewhere = {}) {
    const int order = local.options.order;
    const bool periodic = is_periodic(local.options);
    WalkTargets there = walk_targets(local.bodies, local.frame, local.options);
    auto images = local.exec.template buffer<Vector3>();
    if (periodic) {
        const std::vector<Vector3> displacements = walked_images(local.frame);
        images.resize_discard(displacements.size());
        copy_in(local.exec, displacements.data(), images.data(), displacements.size());
        there.images = images.data();
        there.image_count = static_cast<int>(images.size());
        there.pieces = local.frame.pieces;
    }
    const std::size_t groups = there.all_groups;
    std::size_t split = 0;
    for (const std::size_t others : other_groups) {
        SCOPED_TRACE(testing::Message() << what << ", order " << order << ", groups of " << there.group_size << ", " << others
                                        << " others, derivatives " << local.frame.derivatives);
        clear_sums(local.exec, local.frame.derivatives, local.bodies);
        there.sums = local.bodies.sum_arrays();
        there.all_groups = groups + others;
        const DoubleSums expected =
            double_walk(on_host(local.exec, tree, order), on_host(local.exec, there), order, rules_of(there), elsewhere);
        split = expected.split_groups;
        Backend::Walk walk(local.exec);
        const InteractionCounts counts = walk.run(tree, there, order, [] {});
        expect_same(on_host(local.exec, there), counts, expected, periodic, bound);
    }
    return split;
}

/// With two derivatives and with one or none, and with each size of groups: in turn, by orders.
void expect_same_walk(const BodyArrays& bodies, Options options, const char* what, const Bound& bound = {}) {
    for (std::size_t k = 0; k < orders.size(); ++k) {
        for (const int derivatives : {2, k % 2 == 0 ? 1 : 0}) {
            options.order = orders[k];
            options.group_size = group_sizes[(k + (derivatives == 2 ? 1 : 0)) % 2];
            LocalTree local(bodies, options, derivatives);
            expect_same_walk(local, local.view(), what, bound);
        }
    }
}

/// A lattice of 16^3, give or take a quarter of its spacing, so that no distance is just at a threshold.
BodyArrays lattice_cells(std::uint64_t seed, double side) {
    BodyArrays cells = random_points(seed, 4096);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const auto place = [](std::size_t k, double random) {
            return (static_cast<double>(k % 16) + 0.25 + 0.5 * random) / 16.0;
        };
        cells.x[i] = place(i, cells.x[i]), cells.y[i] = place(i / 16, cells.y[i]), cells.z[i] = place(i / 256, cells.z[i]);
    }
    cells.side.assign(cells.size(), side);
    return cells;
}

TEST(DoubleWalk, Points) { expect_same_walk(random_points(1, 4000), {.theta = 0.6}, "points"); }
TEST(DoubleWalk, WideAngle) { expect_same_walk(random_points(2, 5000), {.theta = 1.0}, "theta 1"); }
TEST(DoubleWalk, Clustered) { expect_same_walk(clustered_points(3, 4000), {.theta = 0.6}, "clustered"); }
// Where single precision would not hold the powers of 1/distance that local expansions have.
TEST(DoubleWalk, Crowded) {
    for (const double radius : {1e-7, 1e-9, 1e-10}) expect_same_walk(crowded_points(17, 4000, radius), {.theta = 0.6}, "crowded");
}
TEST(DoubleWalk, Softened) {
    const Bound loose{.potential = 1.2e-6, .field = 1.2e-5, .tide = 6e-6};  // softening changes nodes to first order
    for (const SofteningKernel kernel : {SofteningKernel::plummer, SofteningKernel::spline}) {
        const auto softened = [&](double length) {
            return Options{.theta = 0.6, .softening_kernel = kernel, .softening = length};
        };
        expect_same_walk(random_points(4, 4000), softened(0.01), "softened", loose);
        expect_same_walk(clustered_points(5, 4000), softened(1e-6), "softened clusters", loose);
        BodyArrays points = clustered_points(6, 4000);
        for (std::size_t i = 0; i < points.size(); ++i)
            points.softening.push_back(i % 5 == 0 ? 0.0 : std::pow(10.0, -8.0 + 6.0 * points.mass[i] * 4000.0 / 1.5));
        expect_same_walk(points, softened(0.0), "lengths of their own", loose);
    }
}
TEST(DoubleWalk, Cells) { expect_same_walk(lattice_cells(6, 1.0 / 32.0), {.theta = 0.6}, "cells"); }
TEST(DoubleWalk, SmallCells) { expect_same_walk(lattice_cells(7, 1e-5), {.theta = 0.6}, "small cells"); }
TEST(DoubleWalk, LongLeaves) { expect_same_walk(random_points(8, 4000), {.theta = 0.6, .leaf_size = 150}, "long leaves"); }

// Other rules of acceptance, whose groups have factors of their own.
TEST(DoubleWalk, Criteria) {
    const Bound loose{.potential = 1.5e-6, .field = 1e-5, .tide = 5e-5};
    for (const Criterion criterion : {Criterion::acceleration, Criterion::multipole}) {
        expect_same_walk(random_points(18, 1500), {.criterion = criterion}, "points, adaptive", loose);
        expect_same_walk(clustered_points(19, 4000), {.criterion = criterion}, "clustered, adaptive", loose);
        expect_same_walk(lattice_cells(20, 1.0 / 32.0), {.criterion = criterion}, "cells, adaptive", loose);
        expect_same_walk(random_points(21, 1500), {.criterion = criterion, .softening = 0.01}, "softened, adaptive", loose);
        constexpr Boundary p = Boundary::periodic;
        expect_same_walk(random_points(22, 1500), {.boundary = {p, p, p}, .criterion = criterion}, "periodic, adaptive", loose);
    }
}

// The images of the box that are walked, those of a piece for the pieces next to it.
TEST(DoubleWalk, Periodic) {
    constexpr Boundary i = Boundary::isolated, p = Boundary::periodic;
    for (const std::array<Boundary, 3>& boundary : {std::array{p, p, p}, std::array{i, p, p}, std::array{i, p, i}}) {
        Options options{.boundary = boundary, .theta = 0.6};
        expect_same_walk(random_points(14, 4000), options, "periodic");
        expect_same_walk(clustered_points(15, 4000), options, "periodic, clustered");
        expect_same_walk(lattice_cells(16, 1.0 / 32.0), options, "periodic cells");
    }
}

// Any size of the last group, and of the only one.
TEST(DoubleWalk, Few) {
    for (const std::size_t n : {2u, 3u, 31u, 33u, 65u, 100u, 129u}) expect_same_walk(random_points(9, n), {.theta = 0.8}, "few");
}

// Many bodies without mass, in places of their own: targets without sources.
TEST(DoubleWalk, MostlyWithoutMass) {
    BodyArrays points = random_points(10, 4000);
    for (std::size_t i = 0; i < points.size(); ++i)
        if (points.x[i] > 0.2) points.mass[i] = 0.0;
    expect_same_walk(points, {.theta = 0.6}, "without mass");
}

// Bodies in thin air around a dense lump, which their groups' boxes hold and so must open: on the GPU such groups are split.
TEST(DoubleWalk, LumpInThinAir) {
    BodyArrays points = random_points(12, 300);
    const BodyArrays lump = random_points(13, 21'000);
    for (std::size_t i = 0; i < lump.size(); ++i)
        points.add(0.47 + 0.01 * lump.x[i], 0.47 + 0.01 * lump.y[i], 0.47 + 0.01 * lump.z[i], lump.mass[i]);
    const Options options{.theta = 1.0, .order = 2};
    LocalTree local(points, options);
    const std::size_t split = expect_same_walk(local, local.view(), "a lump");
    EXPECT_EQ(split > 0, rules_of({}).longest_lists < 1e6);
}

// What one half of the bodies sends the other, with its pruned nodes: as a tree of its own, and merged with that one's.
TEST(DoubleWalk, LocallyEssentialTree) {
    const BodyArrays all = random_points(11, 8000);
    for (const int order : orders) {
        std::vector<std::unique_ptr<LocalTree>> halves =
            dealt_out(all, 2, [&](std::size_t i) { return all.x[i] < 0.5 ? 0u : 1u; }, {.theta = 0.6, .order = order});
        with_order(order, [&](auto p) {
            constexpr int P = decltype(p)::value;
            TreeCompletion<Backend> completion(halves[1]->exec);
            exchange<P>(halves, 1, completion);
            const std::vector<Source> others =
                on_host(halves[0]->exec, halves[0]->view().sources, halves[0]->bodies.source_count);
            expect_same_walk(*halves[1], completed(*halves[1], completion, false), "that of others", {}, others);
            expect_same_walk(*halves[1], completed(*halves[1], completion, true), "merged", {}, others);
        });
    }
}

}  // namespace
}  // namespace gravlet::test
