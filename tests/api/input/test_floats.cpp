// SPDX-License-Identifier: Apache-2.0
// Arrays of floats: what a solve reads from them is what doubles of the same values give, and its results are rounded, no more.
// Whatever the mixture, on every way between the caller's arrays and the solver's.
#include "tests/api/block_mesh.hpp"

#include <gravlet/error.hpp>
#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace gravlet::test {
namespace {

constexpr float untouched = -3.5F;

std::vector<float> in_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

/// To values that floats have.
void round(std::vector<double>& values) {
    for (double& value : values) value = static_cast<float>(value);
}

void round(BodyArrays& bodies) {
    for (std::vector<double>* array : {&bodies.x, &bodies.y, &bodies.z, &bodies.dx, &bodies.dy, &bodies.dz, &bodies.mass})
        round(*array);
}

/// Results of n targets, in floats.
struct FloatResult {
    explicit FloatResult(std::size_t n) { values.fill(std::vector<float>(n, untouched)); }

    [[nodiscard]] Fields fields() {
        Fields out;
        for (std::size_t k = 0; k < values.size(); ++k)
            (k == 0 ? out.potential : k < 4 ? out.acceleration[k - 1] : out.tidal[k - 4]) = values[k];
        return out;
    }

    std::array<std::vector<float>, 10> values;
};

const std::vector<double>& component(const Result& result, std::size_t k) {
    return k == 0 ? result.potential : k < 4 ? result.acceleration[k - 1] : result.tidal[k - 4];
}

void expect_rounded(const FloatResult& floats, const Result& doubles, const std::vector<std::uint8_t>& active = {}) {
    for (std::size_t k = 0; k < floats.values.size(); ++k)
        for (std::size_t i = 0; i < floats.values[k].size(); ++i) {
            const bool computed = active.empty() || active[i] != 0;
            ASSERT_EQ(floats.values[k][i], computed ? static_cast<float>(component(doubles, k)[i]) : untouched) << k << " " << i;
        }
}

std::vector<Options> ways() {
    return {{.gpu_sharing = GpuSharing::share},
            {.gpu_sharing = GpuSharing::gather},
            {.gpu_sharing = GpuSharing::share, .redistribute = true},
            {.gpu_sharing = GpuSharing::share, .theta = 0.0}};
}

TEST(Floats, CellsAndPoints) {
    BodyArrays mesh = part_of(random_mesh(7, 3)), points = part_of(random_points(8, 150));
    round(mesh), round(points);
    const std::vector<float> masses = in_floats(mesh.mass), x = in_floats(points.x), y = in_floats(points.y),
                             z = in_floats(points.z), point_masses = in_floats(points.mass), lengths(points.size(), 0.015625F);
    const std::vector<double> same_lengths(points.size(), 0.015625);
    std::vector<std::uint8_t> active(mesh.size(), 1);
    for (std::size_t i = 0; i < active.size(); i += 3) active[i] = 0;
    for (const Options& options : ways()) {
        Solver solver(MPI_COMM_WORLD, options);
        Cells cells = mesh.cells();
        Points bodies = points.points();
        cells.active = active, bodies.softening = same_lengths;
        Result expected(mesh.size()), expected_points(points.size());
        solver.solve(cells, expected.all_fields(), bodies, expected_points.all_fields());
        cells.mass = masses;
        bodies.x = x, bodies.y = y, bodies.z = z, bodies.mass = point_masses, bodies.softening = lengths;
        FloatResult result(mesh.size()), point_result(points.size());
        solver.solve(cells, result.fields(), bodies, point_result.fields());
        expect_rounded(result, expected, active);
        expect_rounded(point_result, expected_points);
        // Results in doubles of masses in floats.
        Result doubles(mesh.size()), point_doubles(points.size());
        solver.solve(cells, doubles.all_fields(), bodies, point_doubles.all_fields());
        EXPECT_EQ(doubles.potential, expected.potential);
        EXPECT_EQ(point_doubles.acceleration, expected_points.acceleration);
    }
}

/// A FlashArray's blocks, some of whose arrays are of floats.
struct FloatBlocks {
    std::vector<float> density, results;
    std::vector<Block> blocks;

    FloatBlocks(const FlashArray& doubles, const std::vector<Block>& of_doubles, bool every_other)
        : density(doubles.data.begin(), doubles.data.end()), results(doubles.data.size(), untouched), blocks(of_doubles) {
        const double* const start = doubles.data.data();
        const auto there = [&](const ResultPointer& array) { return results.data() + (array.doubles() - start); };
        for (std::size_t b = 0; b < blocks.size(); b += every_other ? 2 : 1) {
            Block& block = blocks[b];
            block.density = density.data() + (block.density.doubles() - start);
            block.potential = there(block.potential);
            for (ResultPointer& array : block.acceleration) array = there(array);
            for (ResultPointer& array : block.tidal) array = there(array);
        }
    }
};

void expect_blocks_as_doubles(int guards, bool every_other, bool some_inactive) {
    BlockMesh mesh({4, 3, 5});
    for (std::vector<double>& density : mesh.density) round(density);
    for (Options options : ways()) {
        if (options.theta != 0.0) options.theta = 0.5;
        FlashArray host(mesh, guards), mixed(mesh, guards);
        const auto view = [&](FlashArray& array) {
            std::vector<Block> blocks = array.blocks(mesh);
            ask_for_tides(blocks);
            for (std::size_t b = 1; some_inactive && b < blocks.size(); b += 3) blocks[b].active = false;
            return blocks;
        };
        Solver solver(MPI_COMM_WORLD, options);
        const std::vector<Block> blocks = view(host);
        solver.solve(blocks);
        FloatBlocks floats(mixed, view(mixed), every_other);
        solver.solve(floats.blocks);
        for (std::size_t at = 0; at < host.data.size(); ++at) {
            const std::size_t block = at / host.block_size();
            const bool single = !every_other || block % 2 == 0;
            const bool computed = at % FlashArray::variables != 0 && host.data[at] != guard_value;
            if (single)
                ASSERT_EQ(floats.results[at], computed ? static_cast<float>(host.data[at]) : untouched) << at;
            else
                ASSERT_EQ(mixed.data[at], host.data[at]) << at;
        }
    }
}

TEST(Floats, Blocks) { expect_blocks_as_doubles(2, false, false); }

TEST(Floats, BlocksWithoutGuards) { expect_blocks_as_doubles(0, false, false); }

TEST(Floats, BlocksOfBothPrecisions) { expect_blocks_as_doubles(1, true, true); }

// Arrays that follow each other, x fastest: as gathered ones and those of uniform grids, which cross to a device as they are.
TEST(Floats, BlocksInOrder) {
    BlockMesh mesh({4, 4, 4});
    const std::size_t cells = 64;
    std::vector<float> density, potential(cells * mesh.lower.size(), untouched);
    std::vector<double> same(potential.size()), densities;
    for (std::vector<double>& values : mesh.density) {
        round(values);
        density.insert(density.end(), values.begin(), values.end());
        densities.insert(densities.end(), values.begin(), values.end());
    }
    std::vector<Block> floats, doubles;
    for (std::size_t b = 0; b < mesh.lower.size(); ++b) {
        const std::size_t at = b * cells;
        floats.push_back(
            block_with_guards(mesh.lower[b], mesh.cell_size[b], mesh.n, 0, density.data() + at, potential.data() + at));
        doubles.push_back(
            block_with_guards(mesh.lower[b], mesh.cell_size[b], mesh.n, 0, densities.data() + at, same.data() + at));
    }
    Solver solver(MPI_COMM_WORLD);
    solver.solve(doubles);
    solver.solve(floats);
    EXPECT_EQ(potential, in_floats(same));
}

TEST(Floats, GuardCellsAndFaces) {
    BlockMesh mesh({4, 4, 4});
    for (std::vector<double>& density : mesh.density) round(density);
    Solver solver(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share});
    FlashArray host(mesh, 2);
    const std::size_t faces = 5 * 4 * 4;
    std::vector<double> x_faces(mesh.lower.size() * faces);
    std::vector<float> float_faces(x_faces.size());
    std::vector<Block> blocks = host.blocks(mesh);
    for (Block& block : blocks) block.result_guards = {1, 0, 2};
    FloatBlocks floats(host, blocks, false);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        blocks[b].face_acceleration[0] = x_faces.data() + b * faces;
        floats.blocks[b].face_acceleration[0] = float_faces.data() + b * faces;
        floats.blocks[b].tidal = {};
    }
    const FlashArray before = host;
    solver.solve(blocks);
    solver.solve(floats.blocks);
    EXPECT_EQ(float_faces, in_floats(x_faces));
    std::size_t written = 0;
    for (std::size_t at = 0; at < host.data.size(); ++at) {
        const bool computed = host.data[at] != before.data[at];
        written += computed ? 1 : 0;
        ASSERT_EQ(floats.results[at], computed ? static_cast<float>(host.data[at]) : untouched) << at;
    }
    EXPECT_EQ(written, mesh.lower.size() * 4 * 6 * 4 * 8);
}

std::string message_of(Solver& solver, const Points& points, const Fields& fields) {
    try {
        solver.solve(points, fields);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(Floats, Errors) {
    Solver solver(MPI_COMM_WORLD);
    BodyArrays bodies = random_points(3, 6);
    if (world_rank() > 0) bodies = BodyArrays();
    std::vector<float> masses = in_floats(bodies.mass), results(3 * bodies.size());
    Points points = bodies.points();
    points.mass = masses;
    // Arrays that touch, and arrays that share an element.
    const ResultSpan all(results);
    const std::size_t n = bodies.size();
    EXPECT_EQ(message_of(solver, points, {all.first(n), {}, {}}), "no error");
    const std::size_t shift = n > 0 ? n - 1 : 0;
    EXPECT_NE(
        message_of(solver, points, {{}, {all.first(n), all.subspan(shift, n), all.subspan(2 * n, n)}, {}}).find("same memory"),
        std::string::npos);
    EXPECT_EQ(message_of(solver, points, {{}, {all.first(n), all.subspan(n, n), all.subspan(2 * n, n)}, {}}), "no error");
    if (n > 0) masses[4] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_NE(message_of(solver, points, {all.first(n), {}, {}}).find("point 4: mass is NaN"), std::string::npos);
    if (n > 0) masses[4] = std::numeric_limits<float>::infinity();
    EXPECT_NE(message_of(solver, points, {all.first(n), {}, {}}).find("point 4: mass is infinite"), std::string::npos);
}

}  // namespace
}  // namespace gravlet::test
