// SPDX-License-Identifier: Apache-2.0
// What cells that fill a periodic box have alike pulls nobody: errors are relative to what they differ by, however little that
// is.
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/periodic/boxes.hpp"

namespace gravlet::test {
namespace {

constexpr double third = 1.0 / 3.0;
const Shape odd_cube{.lower = {-third, 0.1, 7.7}, .side = 2.2 * third},
    odd_brick{.cubes = {2, 1, 1}, .lower = {0.3, -third, 1e3}};

/// An AMR mesh that has this density at each position, in units of the domain.
template <class Density>
BodyArrays mesh_of(const Shape& shape, const Density& density) {
    BodyArrays mesh = amr_mesh(shape, 3, 4);
    const Box box = shape.domain();
    for (std::size_t c = 0; c < mesh.size(); ++c) {
        const auto in_box = [&](double x, std::size_t d) { return (x - box.lower[d]) / (box.upper[d] - box.lower[d]); };
        mesh.mass[c] = density(in_box(mesh.x[c], 0), in_box(mesh.y[c], 1), in_box(mesh.z[c], 2)) * std::pow(mesh.dx[c], 3);
    }
    return mesh;
}

/// From -1 to 1, with a front.
double perturbation(double x, double y, double z) {
    return 0.5 * std::sin(2.0 * pi * (x + 2.0 * y)) * std::cos(2.0 * pi * z) + (x > 0.4 && y < 0.7 ? 0.5 : -0.5);
}

BodyArrays contrast(const Shape& shape, double amplitude, double mean = 1.0) {
    return mesh_of(shape, [=](double x, double y, double z) { return mean + amplitude * perturbation(x, y, z); });
}

/// At every stride-th cell, of densities that are those of amplitude 1 but for an even one: the least, less 1/64 of what the mean
/// is above it.
Result reference_of(const Shape& shape, const Options& options, std::size_t stride) {
    BodyArrays all = contrast(shape, 1.0, 0.0);
    double least = 1.0, volume = 0.0;
    for (std::size_t c = 0; c < all.size(); ++c) {
        least = std::min(least, all.mass[c] / std::pow(all.dx[c], 3));
        volume += std::pow(all.dx[c], 3);
    }
    const double even = least - (total_mass(all) / volume - least) / 64.0;
    for (std::size_t c = 0; c < all.size(); ++c) all.mass[c] -= even * std::pow(all.dx[c], 3);
    return sampled_sum(all, options, stride);
}

void divide(Result& result, double by) {
    for (double& value : result.potential) value /= by;
    for (auto& component : result.acceleration)
        for (double& value : component) value /= by;
}

TEST(Background, ErrorsAreOfTheContrast) {
    for (const Shape& shape : {odd_cube, odd_brick}) {
        Options options = periodic(ppp, shape.domain(), 0.5, 4);
        const std::size_t count = contrast(shape, 1.0).size();
        const Result reference = reference_of(shape, options, count / 100);
        const double volume = std::pow(shape.side, 3) * shape.cubes[0], unit = volume / shape.side;
        for (const double theta : {0.5, 0.0})
            for (const double amplitude : {0.5, 1e-6, 1e-10})
                for (const bool redistribute : {false, true}) {
                    if (redistribute && (theta == 0.0 || amplitude == 0.5)) continue;
                    options.theta = theta, options.redistribute = redistribute;
                    const BodyArrays mine = part_of(contrast(shape, amplitude));
                    Solver solver(MPI_COMM_WORLD, options);
                    Result result = solve(solver, mine);
                    EXPECT_NEAR(solver.report().background, 1.0, 1.1 * amplitude);
                    divide(result, amplitude);
                    const PeriodicErrors errors = errors_of(result, reference, unit, mine.index);
                    const double digits = 1e-15 / amplitude;  // of densities near 1
                    expect_below(errors, (theta > 0.0 ? 1.2e-6 : 1e-7) + digits, (theta > 0.0 ? 4e-5 : 1e-6) + digits,
                                 testing::PrintToString(shape.cubes) + " theta " + std::to_string(theta) + " amplitude " +
                                     testing::PrintToString(amplitude));
                }
    }
}

// Cells of all levels, as points, would pull by some per cent of 4 pi G rho h.
TEST(Background, AnEvenDensityPullsNobody) {
    for (const double density : {1.0, third, 7.7e-23})
        for (const double theta : {0.6, 0.0}) {
            const BodyArrays mine = part_of(mesh_of(odd_cube, [=](double, double, double) { return density; }));
            Solver solver(MPI_COMM_WORLD, periodic(ppp, odd_cube.domain(), theta));
            const Result result = solve(solver, mine);
            for (std::size_t c = 0; c < mine.size(); ++c) {
                EXPECT_EQ(result.potential[c], 0.0);
                for (const auto& component : result.acceleration) EXPECT_EQ(component[c], 0.0);
            }
            EXPECT_NEAR(solver.report().background, density, 1e-14 * density);
        }
}

// Blocks, their guard cells and faces: as those of the contrast alone.
TEST(Background, Blocks) {
    BlockMesh mesh({4, 6, 4});
    Options options = periodic(ppp, unit_box, 0.5, 4);
    const auto solved = [&](double even, double amplitude, Background background) {
        const std::array<int, 3> wide{mesh.n[0] + 2, mesh.n[1] + 2, mesh.n[2] + 2};
        const auto count = [](int x, int y, int z) { return static_cast<std::size_t>(x * y * z); };
        const std::size_t cells = count(wide[0], wide[1], wide[2]), faces = count(mesh.n[0] + 1, mesh.n[1], mesh.n[2]);
        std::vector<std::vector<double>> density(mesh.lower.size()), results;
        for (std::size_t b = 0; b < mesh.lower.size(); ++b) {
            for (const double value : mesh.density[b]) density[b].push_back(even + amplitude * value);
            for (int k = 0; k < 4; ++k) results.emplace_back(cells);
            results.emplace_back(faces);
        }
        std::vector<Block> blocks;
        for (std::size_t b = 0; b < mesh.lower.size(); ++b) {
            const std::ptrdiff_t row = wide[0], plane = row * wide[1], first = plane + row + 1;
            Block block{.lower = mesh.lower[b],
                        .cell_size = mesh.cell_size[b],
                        .n = mesh.n,
                        .stride = {1, mesh.n[0], static_cast<std::ptrdiff_t>(mesh.n[0]) * mesh.n[1]},
                        .density = density[b].data(),
                        .potential = results[5 * b].data() + first,
                        .result_stride = {1, row, plane},
                        .result_guards = {1, 1, 1}};
            for (std::size_t d = 0; d < 3; ++d) block.acceleration[d] = results[5 * b + 1 + d].data() + first;
            block.face_acceleration[0] = results[5 * b + 4].data();
            blocks.push_back(block);
        }
        options.background = background;
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(blocks);
        for (auto& of_block : results)
            for (double& value : of_block) value /= amplitude;
        return results;
    };
    const auto alone = solved(0.0, 1.0, Background::contrast), small = solved(1.0, 1e-8, Background::automatic),
               negative = solved(-0.5, 1.0, Background::contrast);
    double largest = 0.0, of_small = 0.0, of_negative = 0.0;
    for (std::size_t a = 0; a < alone.size(); ++a)
        for (std::size_t k = 0; k < alone[a].size(); ++k) {
            largest = std::max(largest, std::abs(alone[a][k]));
            of_small = std::max(of_small, std::abs(small[a][k] - alone[a][k]));
            of_negative = std::max(of_negative, std::abs(negative[a][k] - alone[a][k]));
        }
    EXPECT_LE(of_small, 7e-6 * largest);
    EXPECT_LE(of_negative, 1e-16 * largest);
}

TEST(Background, IsTakenOffWhereItPullsNobodyOnly) {
    const BodyArrays all = contrast(odd_cube, 0.1), mine = part_of(all);
    BodyArrays hole = mine;
    if (world_rank() == 0) hole.x.pop_back(), hole.y.pop_back(), hole.z.pop_back(), hole.dx.pop_back(), hole.mass.pop_back();
    const auto background = [&](const Options& options, const BodyArrays& bodies) {
        Solver solver(MPI_COMM_WORLD, options);
        solve(solver, bodies);
        return solver.report().background;
    };
    Options options = periodic(ppp, odd_cube.domain());
    EXPECT_GT(background(options, mine), 0.8);
    EXPECT_EQ(background(options, hole), 0.0);
    BodyArrays with_void = mine;
    if (world_rank() == 0) with_void.mass[0] *= 0.01;
    EXPECT_EQ(background(options, with_void), 0.0);
    for (const Boundaries& boundary : {ppi, iii}) EXPECT_EQ(background(periodic(boundary, odd_cube.domain()), mine), 0.0);
    options.background = Background::keep;
    EXPECT_EQ(background(options, mine), 0.0);
}

// Tree and order stay, though another cell is the emptiest.
TEST(Background, KeepsTheTree) {
    Solver solver(MPI_COMM_WORLD, periodic(ppp, odd_cube.domain()));
    for (int step = 0; step < 3; ++step) {
        const double phase = 0.2 * step;
        solve(solver,
              part_of(mesh_of(odd_cube, [=](double x, double, double) { return 1.0 + 0.1 * std::sin(2.0 * pi * (x + phase)); })));
        EXPECT_EQ(solver.report().unchanged_ranks, step == 0 ? 0 : world_size());
    }
}

TEST(Background, PointsAreNoneOfIt) {
    const BodyArrays mine = part_of(mesh_of(odd_cube, [](double, double, double) { return 2.0; }));
    BodyArrays point;
    if (world_rank() == 0) point.add_point(-0.1, 0.3, 7.9, 1e-3);
    const auto solved = [&](const BodyArrays& cells) {
        Result at_cells(cells.size()), at_point(point.size());
        Solver solver(MPI_COMM_WORLD, periodic(ppp, odd_cube.domain(), 0.5, 4));
        solver.solve(cells.cells(), at_cells.fields(), point.points(), at_point.fields());
        return std::pair(at_cells, at_point);
    };
    BodyArrays vacuum = mine;
    vacuum.mass.assign(vacuum.size(), 0.0);
    EXPECT_EQ(solved(mine), solved(vacuum));
}

TEST(Background, WhatIsRefused) {
    const auto caught = [&](const Options& options, const BodyArrays& bodies) { return agreed([&] { solve(options, bodies); }); };
    Options options = periodic(ppp, odd_cube.domain());
    BodyArrays mine = part_of(contrast(odd_cube, 1.0, 0.0));
    EXPECT_TRUE(caught(options, mine).names("is negative"));
    options.background = Background::contrast;
    EXPECT_EQ(caught(options, mine).code, 0);
    BodyArrays hole = mine;
    if (world_rank() == 0) hole.x.pop_back(), hole.y.pop_back(), hole.z.pop_back(), hole.dx.pop_back(), hole.mass.pop_back();
    EXPECT_EQ(caught(options, hole).code, static_cast<int>(ErrorCode::invalid_input));
    EXPECT_TRUE(caught(options, hole).names("background is contrast: cells must fill the domain"));
    mine.dx.clear();
    EXPECT_TRUE(caught(options, mine).names("is negative"));  // as points
    for (const Boundaries& boundary : {ppi, iii}) {
        options.boundary = boundary;
        EXPECT_EQ(caught(options, mine).code, static_cast<int>(ErrorCode::invalid_option));
        EXPECT_TRUE(caught(options, mine).names("background is contrast"));
    }
}

}  // namespace
}  // namespace gravlet::test
