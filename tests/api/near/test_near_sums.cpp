// SPDX-License-Identifier: Apache-2.0
// near_cells: cuboid against all pairs, summed and integrated by the tests: cells of one and several levels, of all shapes, with
// points among them; trees, few bodies, direct sums; guard cells; who is active, whether trees are kept.
#include "tests/api/agreed.hpp"
#include "tests/api/near/near_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ostream>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

const Options direct{.theta = 0.0, .near_cells = NearCells::cuboid},
    tree{.theta = 0.3, .order = 4, .near_cells = NearCells::cuboid};

/// Largest differences from all pairs' sums, of each field over the largest of it, over all ranks.
std::array<double, 3> errors(const Result& got, const Result& reference, const std::vector<std::size_t>& index) {
    double worst[3] = {}, most[3] = {};
    for (std::size_t i = 0; i < reference.size(); ++i) {
        if (std::isnan(reference.potential[i])) continue;
        most[0] = std::max(most[0], std::abs(reference.potential[i]));
        for (std::size_t d = 0; d < 3; ++d) most[1] = std::max(most[1], std::abs(reference.acceleration[d][i]));
        for (std::size_t k = 0; k < 6; ++k) most[2] = std::max(most[2], std::abs(reference.tidal[k][i]));
    }
    for (std::size_t k = 0; k < got.size(); ++k) {
        const std::size_t i = index.empty() ? k : index[k];
        if (std::isnan(reference.potential[i])) continue;
        worst[0] = std::max(worst[0], std::abs(got.potential[k] - reference.potential[i]));
        for (std::size_t d = 0; d < 3; ++d)
            worst[1] = std::max(worst[1], std::abs(got.acceleration[d][k] - reference.acceleration[d][i]));
        for (std::size_t c = 0; c < 6; ++c) worst[2] = std::max(worst[2], std::abs(got.tidal[c][k] - reference.tidal[c][i]));
    }
    MPI_Allreduce(MPI_IN_PLACE, worst, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return {worst[0] / most[0], worst[1] / most[1], worst[2] / most[2]};
}

struct SumCase {
    std::string name;
    Refined of;

    friend void PrintTo(const SumCase& c, std::ostream* to) { *to << c.name; }
};

class Sums : public testing::TestWithParam<SumCase> {
protected:
    Sums() {
        Refined of = GetParam().of;
        of.density = random_density(9);
        all_ = refined_mesh(of);
        mesh_ = part_of(all_);
        reference_ = near_sums(all_, 1 + all_.size() / 80);
    }
    std::array<double, 3> solve(const Options& options) {
        Result got(mesh_.size());
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(mesh_.cells(), got.all_fields());
        const auto found = errors(got, reference_, mesh_.index);
        Result field(mesh_.size());
        solver.solve(mesh_.cells(), field.fields());
        const auto without_tides = errors(field, reference_, mesh_.index);
        return {std::max(found[0], without_tides[0]), std::max(found[1], without_tides[1]), found[2]};
    }

    BodyArrays all_, mesh_;
    Result reference_{0};
};

TEST_P(Sums, DirectSumIsTheirs) {
    const auto [potential, acceleration, tidal] = solve(direct);
    EXPECT_LT(potential, 1e-14);
    EXPECT_LT(acceleration, 6e-14);
    EXPECT_LT(tidal, 1.2e-13);
}

TEST_P(Sums, TreesAreTheirs) {
    const auto [potential, acceleration, tidal] = solve(tree);
    EXPECT_LT(potential, 1e-6);
    EXPECT_LT(acceleration, 2e-6);
    EXPECT_LT(tidal, 1.5e-5);
    Options shared = tree;
    shared.redistribute = true, shared.theta = 0.5;
    const auto redistributed = solve(shared);
    EXPECT_LT(redistributed[0], 1e-6);
    EXPECT_LT(redistributed[1], 6e-6);
    Options wide = tree;
    wide.theta = 1.0, wide.leaf_size = 1;
    const auto at_once = solve(wide);
    EXPECT_LT(at_once[0], 1.3e-4);
    EXPECT_LT(at_once[1], 5e-3);
    EXPECT_LT(at_once[2], 8e-3);
}

constexpr Array3 thirds{1.0 / 3.0, -2.0 / 7.0, 0.1};

INSTANTIATE_TEST_SUITE_P(Meshes, Sums,
                         testing::Values(SumCase{"Even", {.corner = thirds, .n = 9, .jump = 0}},
                                         SumCase{"Corner1", {.corner = thirds}}, SumCase{"Corner2", {.n = 4, .jump = 2}},
                                         SumCase{"Corner3", {.corner = thirds, .n = 4, .jump = 3, .directions = 3}},
                                         SumCase{"Edge2", {.corner = thirds, .n = 4, .jump = 2, .directions = 2}},
                                         SumCase{"Face1", {.side = {1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0}, .directions = 1}},
                                         SumCase{"Unequal", {.corner = thirds, .side = {1.3, 1.0, 1.1}, .n = 6}},
                                         SumCase{"Bricks", {.corner = thirds, .side = {1.0, 2.0, 4.0}, .n = 6}},
                                         SumCase{"Few", {.corner = thirds, .n = 4, .jump = 1}}),
                         [](const auto& of) { return of.param.name; });

// Few bodies act on each other one by one.
TEST(NearSums, OfFewBodies) {
    const BodyArrays all = refined_mesh({.corner = thirds, .n = 4, .density = random_density(3)}), mesh = part_of(all);
    Result got(mesh.size());
    Solver solver(MPI_COMM_WORLD, {.near_cells = NearCells::cuboid});
    solver.solve(mesh.cells(), got.fields());
    const auto [potential, acceleration, tidal] = errors(got, near_sums(all, 1), mesh.index);
    EXPECT_LT(potential, world_size() == 1 ? 1e-8 : 1e-5);
    EXPECT_LT(acceleration, world_size() == 1 ? 5e-8 : 5e-4);
}

// What points do, and what is done to them, stays as it is.
TEST(NearSums, LeavePointsAlone) {
    // Of three ranks on two GPUs 3.6e-8, single precision's; on one GPU and on CPUs sums are the same bits but for the near
    // cells.
    const double rounding = std::getenv("GRAVLET_TEST_GPU") != nullptr && world_size() > 1 ? 1e-7 : 1e-14;
    const BodyArrays all = refined_mesh({.n = 6, .density = random_density(4)}), mesh = part_of(all);
    const BodyArrays all_points = random_points(5, 40), points = part_of(all_points);
    Options softened = tree;
    softened.softening = 0.05;
    for (const Options& given : {direct, tree, softened}) {
        Options as_points = given;
        as_points.near_cells = NearCells::point;
        Result cells(mesh.size()), at_points(points.size()), cells_before(mesh.size()), at_points_before(points.size());
        Solver(MPI_COMM_WORLD, given).solve(mesh.cells(), cells.fields(), points.points(), at_points.fields());
        Solver(MPI_COMM_WORLD, as_points).solve(mesh.cells(), cells_before.fields(), points.points(), at_points_before.fields());
        const double bound = given.theta == 0.0 ? 1e-12 : world_size() == 1 ? 1e-12 : 1e-5;
        for (std::size_t i = 0; i < points.size(); ++i)
            EXPECT_NEAR(at_points.potential[i] / at_points_before.potential[i], 1.0, bound);
        // The difference at cells is that without points.
        Result alone(mesh.size()), alone_before(mesh.size());
        Solver(MPI_COMM_WORLD, given).solve(mesh.cells(), alone.fields());
        Solver(MPI_COMM_WORLD, as_points).solve(mesh.cells(), alone_before.fields());
        for (std::size_t i = 0; i < mesh.size(); ++i)
            EXPECT_NEAR(cells.potential[i] - cells_before.potential[i], alone.potential[i] - alone_before.potential[i], rounding);
    }
}

// Guard cells have what a cell there has, or would have.
TEST(NearSums, AtGuardCells) {
    constexpr int n = 4, across = n + 2;
    std::vector<double> densities, potentials;
    std::vector<Block> blocks;
    std::vector<double> density(8 * n * n * n * 2), out(16 * across * across * across, nan);
    BodyArrays all;
    std::mt19937_64 random(8);
    std::uniform_real_distribution<double> uniform(0.2, 1.0);
    int number = 0;
    std::vector<int> mine;
    const auto add = [&](const Array3& lower, double side) {
        const int b = number++;
        const double h = side / n;
        for (int c = 0; c < n * n * n; ++c) {
            const double rho = density[static_cast<std::size_t>(b * n * n * n + c)] = uniform(random);
            all.add_cell(lower[0] + (c % n + 0.5) * h, lower[1] + (c / n % n + 0.5) * h, lower[2] + (c / n / n + 0.5) * h, h,
                         rho * h * h * h);
            all.dy.push_back(h), all.dz.push_back(h);
        }
        if (b % world_size() != world_rank()) return;
        mine.push_back(b);
        Block block{.lower = lower, .cell_size = {h, h, h}, .n = {n, n, n}, .stride = {1, n, n * n}};
        block.density = density.data() + b * n * n * n;
        block.potential = out.data() + b * across * across * across + 1 + across + across * across;
        block.result_stride = {1, across, across * across};
        block.result_guards = {1, 1, 1};
        blocks.push_back(block);
    };
    for (int b = 0; b < 8; ++b) {
        for (int c = 0; b == 0 && c < 8; ++c) add({0.25 * (c & 1), 0.25 * (c >> 1 & 1), 0.25 * (c >> 2)}, 0.25);
        if (b > 0) add({0.5 * (b & 1), 0.5 * (b >> 1 & 1), 0.5 * (b >> 2)}, 0.5);
    }
    Options options = tree;
    options.gpu_sharing = GpuSharing::share;  // guard cells
    Solver solver(MPI_COMM_WORLD, options);
    solver.solve(blocks);
    NearField field;
    double worst = 0.0;
    for (std::size_t m = 0; m < blocks.size(); ++m) {
        const double h = blocks[m].cell_size[0];
        for (int c = 0; c < across * across * across; c += 5) {
            const Array3 at{blocks[m].lower[0] + (c % across - 0.5) * h, blocks[m].lower[1] + (c / across % across - 0.5) * h,
                            blocks[m].lower[2] + (c / across / across - 0.5) * h};
            std::size_t on = all.size();
            for (std::size_t i = 0; i < all.size(); ++i)
                if (std::hypot(at[0] - all.x[i], at[1] - all.y[i], at[2] - all.z[i]) < 1e-9) on = i;
            double expected = -near_sum(field, all, at, on)[0];
            if (on < all.size()) expected -= all.mass[on] * integrated_cuboid({0.0, 0.0, 0.0}, sides_of(all, on))[0];
            worst =
                std::max(worst, std::abs(out[static_cast<std::size_t>(mine[m] * across * across * across + c)] / expected - 1.0));
        }
    }
    EXPECT_LT(worst, 8e-7);
}

TEST(NearSums, DoNotHangOnWhoIsActiveOrWhatIsKept) {
    const BodyArrays mesh = part_of(refined_mesh({.corner = thirds, .n = 12, .density = random_density(6)}));
    Options options = tree, unkept = tree;
    options.active_bits = ActiveBits::same;
    unkept.keep_tree = false;
    Solver solver(MPI_COMM_WORLD, options), anew(MPI_COMM_WORLD, unkept);
    Result first(mesh.size()), again(mesh.size()), fresh(mesh.size());
    solver.solve(mesh.cells(), first.fields());
    solver.solve(mesh.cells(), again.fields());
    anew.solve(mesh.cells(), fresh.fields());
    EXPECT_EQ(first, again);
    EXPECT_EQ(first, fresh);
    std::vector<std::uint8_t> active(mesh.size());
    for (std::size_t i = 0; i < active.size(); ++i) active[i] = i / 40 % 13 == 0 ? 1 : 0;
    Cells cells = mesh.cells();
    cells.active = active;
    Result some(mesh.size());
    solver.solve(cells, some.fields());
    for (std::size_t i = 0; i < active.size(); ++i)
        EXPECT_EQ(some.potential[i], active[i] != 0 ? first.potential[i] : Result::untouched) << i;
}

// Cells of several shapes have no one law: they act as points, as they do by default.
TEST(NearSums, OfSeveralShapesAreThoseOfPoints) {
    BodyArrays mesh = refined_mesh({.n = 6, .density = random_density(7)});
    for (std::size_t i = 0; i < mesh.size(); ++i)
        if (i % 7 == 0) mesh.dz[i] *= 0.5;
    const BodyArrays part = part_of(mesh);
    for (const double theta : {0.0, 0.4}) {
        Result as_points(part.size()), as_asked(part.size());
        Solver(MPI_COMM_WORLD, {.theta = theta, .order = 4}).solve(part.cells(), as_points.fields());
        Solver solver(MPI_COMM_WORLD, {.theta = theta, .order = 4, .near_cells = NearCells::cuboid});
        solver.solve(part.cells(), as_asked.fields());
        EXPECT_EQ(as_points, as_asked);
    }
}

// In boxes that repeat, thin ones too: what cuboids add to a tree's sums is what they add to the direct sum, which finds its own
// pairs.
TEST(NearSums, OfPeriodicBoxesAreThoseOfTheDirectSum) {
    struct Box3 {
        std::array<int, 3> n;
        Array3 side;
        std::array<bool, 3> periodic;
    };
    std::mt19937_64 random(12);
    std::uniform_real_distribution<double> uniform;
    for (const Box3& box :
         {Box3{{8, 8, 8}, {0.1, 0.1, 0.1}, {true, true, true}}, Box3{{6, 6, 6}, {0.1, 0.1, 0.1}, {true, false, false}},
          Box3{{6, 6, 6}, {0.1, 0.1, 0.1}, {false, true, true}}, Box3{{8, 8, 1}, {0.3, 0.3, 0.3}, {true, true, true}},
          Box3{{6, 4, 1}, {0.1, 0.2, 0.4}, {true, true, true}}}) {
        BodyArrays all;
        for (int c = 0; c < box.n[0] * box.n[1] * box.n[2]; ++c) {
            const std::array<int, 3> at{c % box.n[0], c / box.n[0] % box.n[1], c / box.n[0] / box.n[1]};
            const int parts = c % 7 == 0 ? 2 : 1;
            for (int p = 0; p < parts * parts * parts; ++p) {
                const std::array<int, 3> part{p % parts, p / parts % parts, p / parts / parts};
                Array3 x, h;
                for (std::size_t d = 0; d < 3; ++d) {
                    h[d] = box.side[d] / parts;
                    x[d] = thirds[d] + (at[d] + (part[d] + 0.5) / parts) * box.side[d];
                }
                all.add_cell(x[0], x[1], x[2], h[0], uniform(random) * h[0] * h[1] * h[2]);
                all.dy.push_back(h[1]), all.dz.push_back(h[2]);
            }
        }
        const BodyArrays mesh = part_of(all);
        std::vector<Result> got;
        for (Options options : {direct, tree}) {
            options.domain = Box{thirds, thirds};
            for (std::size_t d = 0; d < 3; ++d) {
                options.domain->upper[d] += box.n[d] * box.side[d];
                options.boundary[d] = box.periodic[d] ? Boundary::periodic : Boundary::isolated;
            }
            for (const NearCells near : {NearCells::point, NearCells::cuboid}) {
                options.near_cells = near;
                got.emplace_back(mesh.size());
                Solver(MPI_COMM_WORLD, options).solve(mesh.cells(), got.back().fields());
            }
        }
        double most = 0.0, worst = 0.0;
        for (std::size_t i = 0; i < mesh.size(); ++i) {
            for (std::size_t d = 0; d < 3; ++d) {
                const auto added = [&](std::size_t k) { return got[k + 1].acceleration[d][i] - got[k].acceleration[d][i]; };
                most = std::max(most, std::abs(added(0)));
                worst = std::max(worst, std::abs(added(0) - added(2)));
            }
        }
        MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        EXPECT_LT(worst, 3e-7 * most);
    }
}

// Sampled errors are the tree's: cuboids on both sides.
TEST(NearSums, AreInSampledErrorsOnBothSides) {
    const BodyArrays mesh = part_of(refined_mesh({.n = 8, .density = random_density(7)}));
    double error[2];
    for (const NearCells near : {NearCells::point, NearCells::cuboid}) {
        Solver solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 4, .near_cells = near, .error_samples = 300});
        Result got(mesh.size());
        solver.solve(mesh.cells(), got.fields());
        error[near == NearCells::cuboid ? 1 : 0] = solver.report().acceleration_error->rms;
    }
    EXPECT_NEAR(error[1] / error[0], 1.0, 2e-10);
}

}  // namespace
}  // namespace gravlet::test
