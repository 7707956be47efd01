// SPDX-License-Identifier: Apache-2.0
// The caller's arrays may be in any memory, each in its own: the bits are the same, nothing else is written, errors name the
// culprit, and a solver that is used again takes no more memory.
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/gpu/device_memory.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace gravlet::test {
namespace {

struct Answer {
    Result cells, points;
    friend bool operator==(const Answer&, const Answer&) = default;
};

Answer solve(Solver& solver, const BodyArrays& mesh, const BodyArrays& points, Memory in, Memory out) {
    const PlacedArrays my_cells(in, mesh), my_points(in, points);
    const PlacedResult cell_result(out, mesh.size()), point_result(out, points.size());
    solver.solve(my_cells.cells(), cell_result.fields(), my_points.points(), point_result.fields());
    EXPECT_TRUE(solver.report().backend.starts_with("gpu")) << solver.report().backend;
    return {cell_result.result(), point_result.result()};
}

void expect_same_bits(const BodyArrays& mesh, const BodyArrays& points, const Options& options) {
    Solver solver(MPI_COMM_WORLD, options);
    const Answer expected = solve(solver, mesh, points, Memory::host, Memory::host);
    for (const Memory in : all_memories)
        for (const Memory out : all_memories)
            EXPECT_TRUE(solve(solver, mesh, points, in, out) == expected) << to_string(in) << " to " << to_string(out);
}

BodyArrays boxes(BodyArrays mesh) {
    mesh.dy = mesh.dx;
    mesh.dz.clear();
    for (const double dx : mesh.dx) mesh.dz.push_back(0.5 * dx);
    return mesh;
}

// Each rank's arrays are on the device that it uses.
class DeviceMemory : public testing::Test {
protected:
    DeviceMemory() : mesh(part_of(random_mesh(1, 4))), points(part_of(random_points(2, 300))) {
        check(cudaSetDevice(world_rank() % device_count()));
    }
    const BodyArrays mesh, points;
};

TEST_F(DeviceMemory, Cells) { expect_same_bits(mesh, {}, usual); }
TEST_F(DeviceMemory, CellsThatAreNotCubes) { expect_same_bits(boxes(mesh), {}, usual); }
TEST_F(DeviceMemory, Points) { expect_same_bits({}, points, usual); }
TEST_F(DeviceMemory, CellsAndPoints) { expect_same_bits(mesh, points, usual); }
TEST_F(DeviceMemory, DirectSum) { expect_same_bits(mesh, points, {.backend = Backend::gpu, .theta = 0.0, .softening = 0.01}); }
TEST_F(DeviceMemory, SharedDevice) { expect_same_bits(mesh, points, shared); }
TEST_F(DeviceMemory, Redistributed) { expect_same_bits(mesh, points, redistributed); }

/// Arrays that cross in several parts, the last of them shorter.
TEST_F(DeviceMemory, LongArrays) { expect_same_bits({}, part_of(random_points(3, 2'500'003)), usual); }

/// More sources than one block of threads takes, and no multiple of those that each takes.
TEST_F(DeviceMemory, DirectSumOfManySources) {
    const BodyArrays mine = part_of(random_points(4, 30'011));
    std::vector<std::uint8_t> active(mine.size(), 0);
    std::fill_n(active.begin(), 37, std::uint8_t{1});
    Points masses = mine.points();
    masses.active = active;
    Result got(mine.size()), expected(mine.size());
    Solver(MPI_COMM_WORLD, {.backend = Backend::gpu, .theta = 0.0}).solve(masses, got.fields());
    Solver(MPI_COMM_WORLD, {.backend = Backend::cpu, .theta = 0.0}).solve(masses, expected.fields());
    for (std::size_t i = 0; i < 37; ++i) {
        EXPECT_NEAR(got.potential[i] / expected.potential[i], 1.0, 1e-13);
        for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(got.acceleration[a][i], expected.acceleration[a][i], 1e-13 * 30'011);
    }
}

void expect_floats_rounded(BodyArrays mesh, BodyArrays points, Options options) {
    options.active_bits = ActiveBits::same;
    mesh.mass = rounded(mesh.mass);
    for (std::vector<double>* array : {&points.x, &points.y, &points.z, &points.mass}) *array = rounded(*array);
    Solver solver(MPI_COMM_WORLD, options);
    const Answer expected = solve(solver, mesh, points, Memory::host, Memory::host);
    std::vector<std::uint8_t> active(mesh.size(), 1);
    for (std::size_t i = 0; i < active.size(); i += 3) active[i] = 0;
    for (const Memory in : all_memories)
        for (const Memory out : all_memories) {
            const BasicPlacedArrays<float> my_cells(in, mesh), my_points(in, points);
            const BasicPlacedResult<float> cell_result(out, mesh.size()), point_result(out, points.size());
            solver.solve(my_cells.cells(), cell_result.fields(), my_points.points(), point_result.fields());
            EXPECT_TRUE(cell_result.result() == rounded(expected.cells)) << to_string(in) << " to " << to_string(out);
            EXPECT_TRUE(point_result.result() == rounded(expected.points)) << to_string(in) << " to " << to_string(out);
            const BasicPlacedResult<float> some(out, mesh.size());
            Cells cells = my_cells.cells();
            cells.active = active;
            solver.solve(cells, some.fields(), my_points.points(), point_result.fields());
            std::vector<double> potential = rounded(expected.cells.potential);
            for (std::size_t i = 0; i < active.size(); i += 3) potential[i] = Result::untouched;
            EXPECT_EQ(some.potential.values(), potential) << to_string(in) << " to " << to_string(out);
        }
}

TEST_F(DeviceMemory, Floats) { expect_floats_rounded(mesh, points, usual); }
TEST_F(DeviceMemory, FloatsOnASharedDevice) { expect_floats_rounded(mesh, points, shared); }
TEST_F(DeviceMemory, FloatsRedistributed) { expect_floats_rounded(mesh, points, redistributed); }

TEST_F(DeviceMemory, EachArrayInItsOwn) {
    Solver solver(MPI_COMM_WORLD, usual);
    const Answer expected = solve(solver, mesh, {}, Memory::host, Memory::host);
    const PlacedArrays host(Memory::host, mesh), pinned(Memory::pinned, mesh), device(Memory::device, mesh);
    const PlacedResult on_host(Memory::host, mesh.size()), on_device(Memory::device, mesh.size());
    Cells cells = device.cells();
    cells.y = host.y.span();
    cells.dx = pinned.dx.span();
    Fields fields = on_device.fields();
    fields.potential = on_host.potential.span();
    fields.acceleration[1] = on_host.ay.span();
    solver.solve(cells, fields);
    EXPECT_EQ(on_host.potential.values(), expected.cells.potential);
    EXPECT_EQ(on_device.ax.values(), expected.cells.acceleration[0]);
    EXPECT_EQ(on_host.ay.values(), expected.cells.acceleration[1]);
}

// What is not active stays as it is, wherever it is.
TEST_F(DeviceMemory, ActiveTargets) {
    std::vector<std::uint8_t> active(mesh.size(), 0);
    for (std::size_t i = 0; i < active.size(); i += 7) active[i] = 1;
    const BlockMesh blocks({4, 4, 4});
    const FlashArray empty(blocks, 2);
    for (Options options : {usual, shared}) {
        options.active_bits = ActiveBits::same;
        Solver solver(MPI_COMM_WORLD, options);
        const Answer all = solve(solver, mesh, {}, Memory::host, Memory::host);
        FlashArray all_blocks = empty;
        solver.solve(all_blocks.blocks(blocks));
        for (const Memory memory : all_memories) {
            const PlacedArrays my_cells(memory, mesh);
            const PlacedResult placed(memory, mesh.size());
            Cells cells = my_cells.cells();
            cells.active = active;
            solver.solve(cells, placed.fields());
            Result expected(mesh.size());
            for (std::size_t i = 0; i < active.size(); i += 7) {
                expected.potential[i] = all.cells.potential[i];
                for (std::size_t axis = 0; axis < 3; ++axis) expected.acceleration[axis][i] = all.cells.acceleration[axis][i];
            }
            EXPECT_TRUE(placed.result() == expected) << to_string(memory);

            const Array array(memory, empty.data);
            FlashArray some = empty;
            std::vector<Block> views = some.blocks(blocks, array.data());
            for (std::size_t b = 0; b < views.size(); ++b) views[b].active = b % 2 == 1;
            solver.solve(views);
            some.data = array.values();
            blocks.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
                for (int variable = 1; variable <= 4; ++variable)
                    EXPECT_EQ(some.at(variable, i, j, k, b), views[b].active ? all_blocks.at(variable, i, j, k, b) : guard_value);
            });
        }
    }
}

TEST_F(DeviceMemory, BadBodiesAreNamed) {
    const int rank = world_size() - 1;
    BodyArrays bad_mesh = mesh, bad_points = points;
    if (world_rank() == rank) bad_mesh.mass[5] = nan, bad_points.mass[7] = -1.0;
    Solver solver(MPI_COMM_WORLD, usual);
    const Answer expected = solve(solver, mesh, points, Memory::device, Memory::device);
    const auto expect_named = [&](const BodyArrays& cells, const BodyArrays& others, const std::string& name) {
        const PlacedArrays my_cells(Memory::device, cells), my_points(Memory::device, others);
        const PlacedResult cell_result(Memory::device, cells.size()), point_result(Memory::device, others.size());
        const Caught caught =
            agreed([&] { solver.solve(my_cells.cells(), cell_result.fields(), my_points.points(), point_result.fields()); });
        EXPECT_EQ(caught.code, invalid_input) << caught.message;
        EXPECT_TRUE(caught.names(name)) << caught.message;
        EXPECT_TRUE(world_size() == 1 || caught.names("rank " + std::to_string(rank))) << caught.message;
        EXPECT_EQ(cell_result.result(), Result(cells.size()));
        EXPECT_EQ(point_result.result(), Result(others.size()));
        EXPECT_TRUE(solve(solver, mesh, points, Memory::device, Memory::device) == expected);
    };
    expect_named(bad_mesh, points, "cell 5: mass is NaN");
    expect_named(mesh, bad_points, "point 7: mass -1 is negative");
}

TEST_F(DeviceMemory, OfAnotherDeviceIsAnError) {
    if (device_count() < 2) GTEST_SKIP() << "needs two GPUs";
    check(cudaSetDevice((world_rank() + 1) % device_count()));
    const PlacedArrays elsewhere(Memory::device, mesh);
    check(cudaSetDevice(world_rank() % device_count()));
    const PlacedResult result(Memory::device, mesh.size());
    Solver solver(MPI_COMM_WORLD, shared);
    const Caught caught = agreed([&] { solver.solve(elsewhere.cells(), result.fields()); });
    EXPECT_EQ(caught.code, invalid_input) << caught.message;
    EXPECT_TRUE(caught.names("device 1")) << caught.message;
    EXPECT_EQ(result.result(), Result(mesh.size()));
}

TEST_F(DeviceMemory, IsAnErrorOnTheCpu) {
    Solver solver(MPI_COMM_WORLD, {.backend = Backend::cpu});
    const PlacedArrays on_device(Memory::device, mesh);
    const PlacedResult device_result(Memory::device, mesh.size());
    Result result(mesh.size());
    const auto expect_refused = [&](const Cells& cells, const Fields& fields, const std::string& name) {
        const Caught caught = agreed([&] { solver.solve(cells, fields); });
        EXPECT_EQ(caught.code, invalid_input) << caught.message;
        EXPECT_TRUE(caught.names(name)) << caught.message;
    };
    expect_refused(on_device.cells(), result.fields(), "x of cells");
    expect_refused(mesh.cells(), device_result.fields(), "potential of cells");
    EXPECT_EQ(result, Result(mesh.size()));
    EXPECT_EQ(device_result.result(), Result(mesh.size()));

    const BlockMesh blocks({4, 4, 4});
    const FlashArray host(blocks, 0);
    const Array device(Memory::device, host.data);
    const Caught caught = agreed([&] { solver.solve(host.blocks(blocks, device.data())); });
    EXPECT_EQ(caught.code, invalid_input) << caught.message;
    EXPECT_TRUE(caught.names("block 0: density")) << caught.message;
    EXPECT_EQ(device.values(), host.data);
    EXPECT_EQ(agreed([&] { solver.solve(mesh.cells(), result.fields()); }).code, 0);
}

TEST_F(DeviceMemory, DoesNotGrow) {
    const auto free_bytes = [] {
        std::size_t free = 0, total = 0;
        MPI_Barrier(MPI_COMM_WORLD);  // other ranks may use the same device
        check(cudaDeviceSynchronize());
        check(cudaMemGetInfo(&free, &total));
        MPI_Barrier(MPI_COMM_WORLD);
        return free;
    };
    for (const Memory memory : {Memory::host, Memory::device}) {
        Solver solver(MPI_COMM_WORLD, usual);
        const PlacedArrays my_cells(memory, mesh), my_points(memory, points);
        const PlacedResult cell_result(memory, mesh.size()), point_result(memory, points.size());
        std::size_t warm = 0;
        for (int solves = 0; solves < 20; ++solves) {
            if (solves == 3) warm = free_bytes();
            solver.solve(my_cells.cells(), cell_result.fields(), my_points.points(), point_result.fields());
        }
        EXPECT_GE(free_bytes(), warm) << to_string(memory);
    }
}

}  // namespace
}  // namespace gravlet::test
