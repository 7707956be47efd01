// SPDX-License-Identifier: Apache-2.0
// Results in guard cells are those of the direct sum there, as good as in the interior, which keeps its bits; nothing else is
// written.
#include "physics/cuboid/cuboid.hpp"
#include "solver/targets/guards.hpp"
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/api/results/bump_mesh.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace gravlet::test {
namespace {

constexpr double untouched = -7.0;

/// A rank's blocks with room for four layers of guard cells around results: potential and acceleration.
struct Host {
    static constexpr int room = 4;

    Mesh mesh;
    std::array<int, 3> guards;
    std::array<std::ptrdiff_t, 3> padded;
    std::vector<double> densities;
    std::array<std::vector<double>, 4> results;

    Host(const Mesh& of, const std::array<int, 3>& layers) : mesh(of), guards(layers) {
        for (std::size_t d = 0; d < 3; ++d) padded[d] = mesh.n[d] + 2 * room;
        results.fill(std::vector<double>(mesh.mine.size() * block_size(), untouched));
        for (const Patch& patch : mesh.mine)
            for_cells(mesh.n, [&](int i, int j, int k) { densities.push_back(Mesh::density(Mesh::centre(patch, i, j, k))); });
    }
    [[nodiscard]] std::size_t block_size() const { return static_cast<std::size_t>(padded[0] * padded[1] * padded[2]); }
    [[nodiscard]] std::size_t at(std::size_t block, int i, int j, int k) const {
        return block * block_size() + static_cast<std::size_t>(i + room + padded[0] * (j + room + padded[1] * (k + room)));
    }
    [[nodiscard]] std::vector<Block> blocks() {
        std::vector<Block> out;
        const std::ptrdiff_t nx = mesh.n[0], ny = mesh.n[1];
        for (std::size_t b = 0; b < mesh.mine.size(); ++b) {
            const std::size_t first = at(b, 0, 0, 0), cells = static_cast<std::size_t>(nx * ny * mesh.n[2]);
            Block block{.lower = mesh.mine[b].lower, .cell_size = mesh.mine[b].side, .n = mesh.n, .stride = {1, nx, nx * ny}};
            block.density = densities.data() + b * cells;
            block.potential = results[0].data() + first;
            for (std::size_t d = 0; d < 3; ++d) block.acceleration[d] = results[d + 1].data() + first;
            block.result_stride = {1, padded[0], padded[0] * padded[1]};
            block.result_guards = guards;
            out.push_back(block);
        }
        return out;
    }
    [[nodiscard]] bool inside(int i, int j, int k) const {
        return i >= 0 && i < mesh.n[0] && j >= 0 && j < mesh.n[1] && k >= 0 && k < mesh.n[2];
    }
    // visit(block, i, j, k): interior and guards, or all that there is room for
    template <class F>
    void for_each(const std::array<int, 3>& layers, F visit) const {
        for (std::size_t b = 0; b < mesh.mine.size(); ++b)
            for (int k = -layers[2]; k < mesh.n[2] + layers[2]; ++k)
                for (int j = -layers[1]; j < mesh.n[1] + layers[1]; ++j)
                    for (int i = -layers[0]; i < mesh.n[0] + layers[0]; ++i) visit(b, i, j, k);
    }
    void expect_all_else_untouched() const {
        for_each({room, room, room}, [&](std::size_t b, int i, int j, int k) {
            const bool asked = i >= -guards[0] && i < mesh.n[0] + guards[0] && j >= -guards[1] && j < mesh.n[1] + guards[1] &&
                               k >= -guards[2] && k < mesh.n[2] + guards[2];
            for (const auto& result : results)
                ASSERT_EQ(result[at(b, i, j, k)] == untouched, !asked) << i << " " << j << " " << k;
        });
    }
};

struct GuardErrors {
    Spread potential, acceleration, guard_potential, guard_acceleration;

    void expect_like_the_interior(double of_p99, double of_max) const {
        // Where that is next to nothing, what single precision is worth in a wide group of a GPU (5.6e-7, 1.4e-6 measured).
        constexpr double rounding_of_potential = 1e-6, rounding_of_acceleration = 3e-6;
        EXPECT_LT(guard_potential.p99, std::max(of_p99 * potential.p99, rounding_of_potential));
        EXPECT_LT(guard_potential.max, std::max(of_max * potential.max, rounding_of_potential));
        EXPECT_LT(guard_acceleration.p99, std::max(of_p99 * acceleration.p99, rounding_of_acceleration));
        EXPECT_LT(guard_acceleration.max, std::max(of_max * acceleration.max, rounding_of_acceleration));
    }
};

/// Against the direct sum, for which guard cells are points without mass, and have the own potential of cells that they lie on.
/// `wrap`: periods of the unit box. Errors are relative, in units of the rms where there are periods.
GuardErrors errors_of(const Host& host, Options options, const std::array<bool, 3>& wrap = {}) {
    Host reference(host.mesh, {});
    BodyArrays places;
    const auto each_guard = [&](const auto& visit) {
        host.for_each(host.guards, [&](std::size_t b, int i, int j, int k) {
            Array3 x = Mesh::centre(host.mesh.mine[b], i, j, k);
            for (std::size_t d = 0; d < 3; ++d)
                if (wrap[d]) x[d] -= std::floor(x[d]);
            if (!host.inside(i, j, k)) visit(x, host.at(b, i, j, k));
        });
    };
    each_guard([&](const Array3& x, std::size_t) { places.add_point(x[0], x[1], x[2], 0.0); });
    options.theta = 0.0;
    Solver direct(MPI_COMM_WORLD, options);
    Result at_guards(places.size());
    direct.solve(reference.blocks(), places.points(), at_guards.fields());
    std::size_t next = 0;
    const bool periodic = wrap[0] || wrap[1] || wrap[2];
    std::vector<std::array<double, 4>> got[2], expected[2];
    host.for_each({}, [&](std::size_t b, int i, int j, int k) {
        const std::size_t at = host.at(b, i, j, k);
        const auto all = [at](const auto& r) { return std::array{r[0][at], r[1][at], r[2][at], r[3][at]}; };
        got[0].push_back(all(host.results)), expected[0].push_back(all(reference.results));
    });
    each_guard([&](const Array3& x, std::size_t at) {
        const auto& r = host.results;
        double own = 0.0;
        if (const auto cell = host.mesh.cell_at(x))
            own = options.G * cell->second * cuboid_self_potential(cell->first[0], cell->first[1], cell->first[2]);
        got[1].push_back({r[0][at], r[1][at], r[2][at], r[3][at]});
        expected[1].push_back({at_guards.potential[next] + own, at_guards.acceleration[0][next], at_guards.acceleration[1][next],
                               at_guards.acceleration[2][next]});
        ++next;
    });
    double squares[] = {0.0, 0.0, 0.0};
    for (const auto& e : expected[0]) {
        squares[0] += e[0] * e[0], squares[1] += e[1] * e[1] + e[2] * e[2] + e[3] * e[3];
        squares[2] += 1.0;
    }
    MPI_Allreduce(MPI_IN_PLACE, squares, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    Spread spreads[2][2];
    for (std::size_t kind = 0; kind < 2; ++kind) {
        std::vector<double> potential, acceleration;
        for (std::size_t t = 0; t < got[kind].size(); ++t) {
            const auto &a = got[kind][t], &b = expected[kind][t];
            const double norm = std::sqrt(b[1] * b[1] + b[2] * b[2] + b[3] * b[3]);
            potential.push_back(std::abs(a[0] - b[0]) / (periodic ? std::sqrt(squares[0] / squares[2]) : std::abs(b[0])));
            acceleration.push_back(std::hypot(a[1] - b[1], a[2] - b[2], a[3] - b[3]) /
                                   (periodic ? std::sqrt(squares[1] / squares[2]) : norm));
        }
        spreads[kind][0] = spread_of(potential), spreads[kind][1] = spread_of(acceleration);
    }
    const GuardErrors out{spreads[0][0], spreads[0][1], spreads[1][0], spreads[1][1]};
    if (world_rank() == 0)
        std::printf("interior %.2e %.2e, %.2e %.2e; guards %.2e %.2e, %.2e %.2e\n", out.potential.p99, out.potential.max,
                    out.acceleration.p99, out.acceleration.max, out.guard_potential.p99, out.guard_potential.max,
                    out.guard_acceleration.p99, out.guard_acceleration.max);
    return out;
}

/// Solves with and without guards: the interior has the same bits, and nothing but the guards is written besides.
Host solve(const Mesh& mesh, const std::array<int, 3>& guards, const Options& options, const BodyArrays& points = {}) {
    Solver solver(MPI_COMM_WORLD, options);
    Host without(mesh, {}), with(mesh, guards);
    Result of_points(points.size()), of_points_with(points.size());
    solver.solve(without.blocks(), points.points(), of_points.fields());
    const Report before = solver.report();
    solver.solve(with.blocks(), points.points(), of_points_with.fields());
    EXPECT_EQ(of_points, of_points_with);
    EXPECT_EQ(solver.report().coincident_pairs, before.coincident_pairs);
    with.expect_all_else_untouched();
    with.for_each({}, [&](std::size_t b, int i, int j, int k) {
        for (std::size_t r = 0; r < 4; ++r)
            ASSERT_EQ(with.results[r][with.at(b, i, j, k)], without.results[r][with.at(b, i, j, k)]);
    });
    return with;
}

TEST(Guards, RefinedMesh) {
    for (const double theta : {0.5, 0.8})
        errors_of(solve(refined_mesh({8, 8, 8}, 1), {2, 2, 2}, share({.theta = theta, .order = 2})), {})
            .expect_like_the_interior(1.5, 2.0);
}

TEST(Guards, Defaults) {
    errors_of(solve(refined_mesh({8, 8, 8}, 1), {4, 4, 4}, share({})), {}).expect_like_the_interior(1.5, 2.0);
}

// A coarse block's guards lie among cells of a sixteenth of its own.
TEST(Guards, ManyLevels) {
    errors_of(solve(refined_mesh({4, 4, 4}, 5), {2, 2, 2}, share({.theta = 0.5, .order = 4})), {})
        .expect_like_the_interior(1.5, 2.0);
}

TEST(Guards, CellsNeedNotBeCubes) {
    errors_of(solve(refined_mesh({8, 4, 2}, 1), {3, 1, 1}, share({.theta = 0.5, .order = 2})), {})
        .expect_like_the_interior(1.5, 2.0);
}

TEST(Guards, OneDirection) {
    errors_of(solve(refined_mesh({4, 8, 1}, 1), {0, 2, 0}, share({.theta = 0.5, .order = 2})), {})
        .expect_like_the_interior(2.0, 2.0);
}

TEST(Guards, ShapesAreOneUpToRounding) {
    const Body cell{0.0, 0.0, 0.0, 1.0, 2.0, 4.0, 1.0};
    for (double Body::*const side : {&Body::dx, &Body::dy, &Body::dz}) {
        Body other = cell;
        other.*side *= 1.0 + 1e-9;
        EXPECT_TRUE(of_one_shape(cell, other));
        other.*side *= 1.0 - 1e-5;
        EXPECT_FALSE(of_one_shape(cell, other));
        EXPECT_FALSE(of_one_shape(other, cell));
    }
}

// A guard cell on a cell of this rank that has results has the very same. Where the cell has none, or is another rank's, it is
// solved for, and has what it has where all blocks have results.
TEST(Guards, OnOwnCells) {
    using Key = std::array<long, 6>;
    for (const std::array<int, 3> n : {std::array{4, 4, 4}, std::array{8, 4, 2}}) {
        const Mesh mesh = refined_mesh(n, 1);
        Host host(mesh, {2, 1, 1});
        std::vector<Block> blocks = host.blocks();
        if (blocks.size() > 1) blocks[1].active = false;
        const Options options = share({.theta = 0.5, .order = 2});
        Solver(MPI_COMM_WORLD, options).solve(blocks);
        const Host all = solve(mesh, host.guards, options);
        const auto key_of = [&](std::size_t b, int i, int j, int k) {
            const Array3 x = Mesh::centre(mesh.mine[b], i, j, k);
            Key key;
            for (std::size_t d = 0; d < 3; ++d)
                key[d] = std::lround(x[d] * 1e6), key[3 + d] = std::lround(mesh.mine[b].side[d] * 1e6);
            return key;
        };
        std::map<Key, std::size_t> cells;
        host.for_each({}, [&](std::size_t b, int i, int j, int k) {
            if (blocks[b].active) cells[key_of(b, i, j, k)] = host.at(b, i, j, k);
        });
        std::size_t met = 0;
        double worst = 0.0;
        host.for_each(host.guards, [&](std::size_t b, int i, int j, int k) {
            if (host.inside(i, j, k) || !blocks[b].active) return;
            const std::size_t at = host.at(b, i, j, k);
            worst = std::max(worst, std::abs(host.results[0][at] / all.results[0][at] - 1.0));
            const auto cell = cells.find(key_of(b, i, j, k));
            if (cell == cells.end()) return;
            for (const std::vector<double>& result : host.results) ASSERT_EQ(result[at], result[cell->second]) << b << " " << i;
            ++met;
        });
        EXPECT_GT(met, 0u);
        EXPECT_LE(worst, 1e-5);
    }
}

// Refined by three: a guard cell's centre is that of a cell of a third of its side, whose mass has the guard cell's shape there.
TEST(Guards, OnSmallerCells) {
    constexpr int coarse = 3, fine = 9, wide = coarse + 2;
    std::vector<double> large(coarse * coarse * coarse), small(fine * fine * fine);
    for (std::size_t i = 0; i < large.size(); ++i) large[i] = 1.0 + 0.3 * static_cast<double>(i % 5);
    for (std::size_t i = 0; i < small.size(); ++i) small[i] = 2.0 + 0.2 * static_cast<double>(i % 7);
    std::vector<double> result(wide * wide * wide, untouched), unused(small.size());
    std::vector<Block> blocks(2);
    blocks[0] = {.lower = {0.0, 0.0, 0.0}, .cell_size = {1.0, 1.0, 1.0}, .n = {coarse, coarse, coarse}, .stride = {1, 3, 9}};
    blocks[0].density = large.data();
    blocks[0].potential = result.data() + 1 + wide + wide * wide;
    blocks[0].result_stride = {1, wide, wide * wide};
    blocks[0].result_guards = {1, 1, 1};
    blocks[1] = {
        .lower = {3.0, 0.0, 0.0}, .cell_size = {1.0 / 3, 1.0 / 3, 1.0 / 3}, .n = {fine, fine, fine}, .stride = {1, 9, 81}};
    blocks[1].density = small.data();
    blocks[1].potential = unused.data();
    if (world_rank() != 0) blocks.clear();
    Solver(MPI_COMM_WORLD, share({.theta = 0.3, .order = 4})).solve(blocks);
    for (const Array3 at : {Array3{3.5, 0.5, 0.5}, Array3{3.5, 1.5, 2.5}}) {
        if (world_rank() != 0) break;
        double expected = 0.0;
        const auto add = [&](const Array3& x, double mass) {
            const double r = std::hypot(x[0] - at[0], x[1] - at[1], x[2] - at[2]);
            expected += r < 1e-9 ? mass * cuboid_self_potential(1.0, 1.0, 1.0) : -mass / r;
        };
        for_cells({coarse, coarse, coarse}, [&](int i, int j, int k) {
            add({i + 0.5, j + 0.5, k + 0.5}, large[static_cast<std::size_t>(i + 3 * (j + 3 * k))]);
        });
        for_cells({fine, fine, fine}, [&](int i, int j, int k) {
            add({3.0 + (i + 0.5) / 3.0, (j + 0.5) / 3.0, (k + 0.5) / 3.0},
                small[static_cast<std::size_t>(i + 9 * (j + 9 * k))] / 27.0);
        });
        const auto cell = [](double x) { return static_cast<std::size_t>(std::floor(x) + 1.0); };
        EXPECT_NEAR(result[cell(at[0]) + wide * (cell(at[1]) + wide * cell(at[2]))] / expected, 1.0, 1e-4);
    }
}

// Each block has its own layers: there what it has where all have three.
TEST(Guards, UnlikeEachOther) {
    const Mesh mesh = refined_mesh({4, 4, 4}, 1);
    const Options options = share({.theta = 0.3, .order = 4});
    const Host all = solve(mesh, {3, 3, 3}, options);
    Host some(mesh, {3, 3, 3});
    std::vector<Block> blocks = some.blocks();
    constexpr std::array<std::array<int, 3>, 4> layers{{{1, 0, 0}, {0, 0, 0}, {1, 2, 3}, {0, 3, 1}}};
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].result_guards = layers[b % 4];
    Solver(MPI_COMM_WORLD, options).solve(blocks);
    double worst[2] = {};
    some.for_each({3, 3, 3}, [&](std::size_t b, int i, int j, int k) {
        const std::size_t at = some.at(b, i, j, k);
        const std::array<int, 3>& own = layers[b % 4];
        const bool asked = i >= -own[0] && i < mesh.n[0] + own[0] && j >= -own[1] && j < mesh.n[1] + own[1] && k >= -own[2] &&
                           k < mesh.n[2] + own[2];
        const auto &r = some.results, &e = all.results;
        if (asked) {
            worst[0] = std::max(worst[0], std::abs(r[0][at] / e[0][at] - 1.0));
            worst[1] = std::max(worst[1], std::hypot(r[1][at] - e[1][at], r[2][at] - e[2][at], r[3][at] - e[3][at]) /
                                              std::hypot(e[1][at], e[2][at], e[3][at]));
        } else {
            for (const auto& result : r) ASSERT_EQ(result[at], untouched) << i << " " << j << " " << k;
        }
    });
    EXPECT_LE(worst[0], 1.2e-6);
    EXPECT_LE(worst[1], 3e-6);
}

TEST(Guards, WithPoints) {
    BodyArrays points = part_of(random_points(9, 60));
    solve(refined_mesh({4, 4, 4}, 1), {2, 2, 2}, share({.theta = 0.5, .order = 2, .softening = 0.01}), points);
}

TEST(Guards, Periodic) {
    const Options options = share({.boundary = {Boundary::periodic, Boundary::periodic, Boundary::periodic},
                                   .theta = 0.5,
                                   .order = 2,
                                   .domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}},
                                   .background = Background::keep});
    errors_of(solve(refined_mesh({4, 4, 4}, 1), {2, 2, 2}, options), options, {true, true, true})
        .expect_like_the_interior(1.5, 2.0);
}

TEST(Guards, PeriodicInTwoDirections) {
    const Options options = share({.boundary = {Boundary::periodic, Boundary::isolated, Boundary::periodic},
                                   .theta = 0.5,
                                   .order = 2,
                                   .domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}});
    errors_of(solve(refined_mesh({4, 4, 4}, 1), {2, 0, 2}, options), options, {true, false, true})
        .expect_like_the_interior(1.5, 2.0);
    Host host(refined_mesh({4, 4, 4}, 1), {2, 1, 2});
    Solver solver(MPI_COMM_WORLD, options);
    const Caught caught = agreed([&] { solver.solve(host.blocks()); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::not_available));
    EXPECT_TRUE(caught.names("block 0: no result_guards beyond the domain in direction 1")) << caught.message;
}

// A guard cell and the cell that it lies on have centres that differ by rounding, more so where it is an image.
TEST(Guards, RoundedCoordinates) {
    const Mesh mesh = uniform_mesh(6, 3, {0.1, -0.7, 12.3}, 1.0 / 3.0);
    for (const Boundary boundary : {Boundary::isolated, Boundary::periodic}) {
        for (const bool own : {true, false}) {
            Options options = share({.theta = 0.5, .order = 2, .self_potential = own, .background = Background::keep});
            options.boundary.fill(boundary);
            if (boundary == Boundary::periodic)
                options.domain = Box{{0.1, -0.7, 12.3}, {0.1 + 1.0 / 3.0, -0.7 + 1.0 / 3.0, 12.3 + 1.0 / 3.0}};
            const Host host = solve(mesh, {2, 2, 2}, options);
            double most[] = {0.0, 0.0};  // of the potential, of the acceleration
            host.for_each({2, 2, 2}, [&](std::size_t b, int i, int j, int k) {
                if (host.inside(i, j, k)) return;
                for (std::size_t r = 0; r < 4; ++r)
                    most[r > 0] = std::max(most[r > 0], std::abs(host.results[r][host.at(b, i, j, k)]));
            });
            double inside[] = {0.0, 0.0};
            host.for_each({}, [&](std::size_t b, int i, int j, int k) {
                for (std::size_t r = 0; r < 4; ++r)
                    inside[r > 0] = std::max(inside[r > 0], std::abs(host.results[r][host.at(b, i, j, k)]));
            });
            MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            MPI_Allreduce(MPI_IN_PLACE, inside, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            EXPECT_LT(most[0], 1.001 * inside[0]);
            EXPECT_LT(most[1], 1.2 * inside[1]);
        }
    }
}

// What a host differences: no seam where blocks meet.
TEST(Guards, LaplacianHasNoSeam) {
    const int n = 8, blocks = 4;
    const Mesh mesh = uniform_mesh(n, blocks);
    const Host host = solve(mesh, {1, 1, 1}, share({}));
    const double h = 1.0 / (n * blocks);
    std::vector<double> first, deep;
    host.for_each({}, [&](std::size_t b, int i, int j, int k) {
        const auto phi = [&](int di, int dj, int dk) { return host.results[0][host.at(b, i + di, j + dj, k + dk)]; };
        const Array3 x = Mesh::centre(mesh.mine[b], i, j, k);
        for (const double at : x)
            if (at < h || at > 1.0 - h) return;  // the density ends
        const double laplacian =
            (phi(1, 0, 0) + phi(-1, 0, 0) + phi(0, 1, 0) + phi(0, -1, 0) + phi(0, 0, 1) + phi(0, 0, -1) - 6.0 * phi(0, 0, 0)) /
            (h * h);
        const auto outer = [](int at) { return at == 0 || at == n - 1; };
        (outer(i) || outer(j) || outer(k) ? first : deep).push_back(std::abs(laplacian / (4.0 * M_PI * Mesh::density(x)) - 1.0));
    });
    const Spread at_faces = spread_of(first), inside = spread_of(deep);
    if (world_rank() == 0) std::printf("faces %.3e %.3e, inside %.3e %.3e\n", at_faces.p99, at_faces.max, inside.p99, inside.max);
    EXPECT_LT(at_faces.p99, 1.5 * inside.p99);
    EXPECT_LT(at_faces.max, 2.0 * inside.max);
}

// New masses in an old tree, and a block that is not asked for.
TEST(Guards, LaterSolves) {
    const Mesh mesh = refined_mesh({4, 4, 4}, 1);
    Solver kept(MPI_COMM_WORLD, share({.theta = 0.6, .order = 3})), fresh(MPI_COMM_WORLD, share({.theta = 0.6, .order = 3}));
    Host first(mesh, {1, 1, 1}), second(mesh, {2, 2, 2}), expected(mesh, {2, 2, 2});
    kept.solve(first.blocks());
    for (std::vector<double>* densities : {&second.densities, &expected.densities})
        for (std::size_t i = 0; i < densities->size(); ++i) (*densities)[i] *= 1.0 + 0.1 * static_cast<double>(i % 7);
    const auto some = [](std::vector<Block> blocks) {
        blocks.front().active = false;
        return blocks;
    };
    kept.solve(some(second.blocks()));
    EXPECT_EQ(kept.report().unchanged_ranks, world_size());
    fresh.solve(some(expected.blocks()));
    EXPECT_EQ(second.results, expected.results);
    second.for_each({4, 4, 4}, [&](std::size_t b, int i, int j, int k) {
        if (b == 0) {
            ASSERT_EQ(second.results[0][second.at(b, i, j, k)], untouched);
        }
    });
}

/// What is wrong with guards of the last rank's second block, and results are untouched.
void expect_refused(const Options& options, ErrorCode code, const std::string& text,
                    const std::function<void(std::vector<Block>&)>& spoil) {
    Host host(uniform_mesh(4, 2), {1, 1, 1});
    expect_blocks_refused(host.blocks(), options, code, text, spoil);
    host.guards = {-Host::room, 0, 0};
    host.expect_all_else_untouched();
}

TEST(Guards, Refused) {
    constexpr ErrorCode invalid = ErrorCode::invalid_input, missing = ErrorCode::not_available;
    const auto guards = [](std::array<int, 3> layers) {
        return [layers](std::vector<Block>& blocks) { blocks[1].result_guards = layers; };
    };
    const Options options = share({});
    expect_refused(options, invalid, "block 1: -1 result_guards in direction 2", guards({1, 1, -1}));
    expect_refused(options, invalid, "block 1: 2147483647 result_guards in direction 0", guards({2147483647, 1, 1}));
    expect_refused(options, invalid, "block 1: 4 x 4 x 4 cells with result_guards (2000, 2000, 2000)",
                   guards({2000, 2000, 2000}));
    expect_refused(options, invalid, "block 1: result_stride (1, 12, 144) puts the results of several of its 14 x 4 x 4 cells",
                   guards({5, 0, 0}));
    const auto none = [](std::vector<Block>&) {};
    expect_refused(share({.theta = 0.0}), missing, "block 0: no result_guards with theta 0", none);
    if (world_size() > 1)
        expect_refused(share({.redistribute = true}), missing, "block 0: no result_guards with redistribute", none);
}

}  // namespace
}  // namespace gravlet::test
