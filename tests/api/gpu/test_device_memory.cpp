// SPDX-License-Identifier: Apache-2.0
// The caller's arrays may be in any memory, each in its own: the bits are the same, nothing else is written, errors name the
// culprit, and a solver that is used again takes no more memory.
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/memory.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace gravlet::test {
namespace {

constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);
const Options usual{.backend = Backend::gpu, .theta = 0.5, .softening = 1e-5};
const Options shared{.backend = Backend::gpu, .gpu_sharing = GpuSharing::share};  // a solver on the device for every rank
const Options redistributed{.backend = Backend::gpu, .gpu_sharing = GpuSharing::share, .redistribute = true};

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

std::vector<double> rounded(std::vector<double> values) {
    for (double& value : values) value = static_cast<float>(value);
    return values;
}

Result rounded(Result result) {
    result.potential = rounded(result.potential);
    for (std::vector<double>& component : result.acceleration) component = rounded(component);
    return result;
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

TEST_F(DeviceMemory, BlocksOfFloats) {
    BlockMesh blocks({4, 4, 4});
    std::vector<double> densities;
    for (const std::vector<double>& density : blocks.density) densities.insert(densities.end(), density.begin(), density.end());
    densities = rounded(densities);
    const Result empty(densities.size());
    const auto views = [&](const auto& density, const auto& potential, const auto& ax, const auto& ay, const auto& az) {
        std::vector<Block> out;
        for (std::size_t b = 0; b < blocks.lower.size(); ++b) {
            const std::size_t at = 64 * b;
            out.push_back(block_with_guards(blocks.lower[b], blocks.cell_size[b], blocks.n, 0, density.data() + at,
                                            potential.data() + at, {ax.data() + at, ay.data() + at, az.data() + at}));
            out.back().active = b % 3 != 1;
        }
        return out;
    };
    for (const Options& options : {usual, shared, redistributed}) {
        Solver solver(MPI_COMM_WORLD, options);
        const Array density(Memory::host, densities);
        const PlacedResult expected(Memory::host, densities.size());
        solver.solve(views(density, expected.potential, expected.ax, expected.ay, expected.az));
        for (const Memory memory : all_memories) {
            const BasicArray<float> floats(memory, densities);
            const BasicPlacedResult<float> result(memory, densities.size());
            solver.solve(views(floats, result.potential, result.ax, result.ay, result.az));
            EXPECT_TRUE(result.result() == rounded(expected.result())) << to_string(memory);
        }
    }
}

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

TEST_F(DeviceMemory, Blocks) {
    for (const auto& [n, guards, options] : {std::tuple(std::array{4, 4, 4}, 4, usual), std::tuple(std::array{5, 3, 2}, 0, usual),
                                             std::tuple(std::array{5, 3, 2}, 1, redistributed)}) {
        const BlockMesh blocks(n);
        const FlashArray empty(blocks, guards);
        FlashArray host = empty;
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(host.blocks(blocks));
        for (const Memory memory : all_memories) {
            const Array array(memory, empty.data);
            solver.solve(host.blocks(blocks, array.data()));
            EXPECT_EQ(array.values(), host.data) << to_string(memory);  // guard cells and other variables as well

            FlashArray elsewhere(blocks, guards + 1);
            const Array density(memory, empty.data), results(memory, elsewhere.data);
            solver.solve(between(host.blocks(blocks, density.data()), elsewhere.blocks(blocks, results.data())));
            blocks.for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t) {
                for (int variable = 1; variable <= 4; ++variable)
                    elsewhere.at(variable, i, j, k, b) = host.at(variable, i, j, k, b);
            });
            EXPECT_EQ(results.values(), elsewhere.data) << to_string(memory);
            EXPECT_EQ(density.values(), empty.data) << to_string(memory);
        }
    }
}

// What a solver keeps of the last solve's blocks is not taken for what they are now.
TEST_F(DeviceMemory, BlocksThatChange) {
    const BlockMesh blocks({4, 4, 4});
    const FlashArray empty(blocks, 1);
    FlashArray other = empty;
    for (double& value : other.data) value *= 2.0;
    Solver solver(MPI_COMM_WORLD, usual);
    const auto expect = [&](const FlashArray& start, bool all_active) {
        FlashArray expected = start;
        const auto given = [&](double* data) {
            std::vector<Block> views = expected.blocks(blocks, data);
            if (!views.empty()) views.back().active = all_active;
            return views;
        };
        Solver afresh(MPI_COMM_WORLD, usual);
        afresh.solve(given(expected.data.data()));
        const Array array(Memory::device, start.data);
        for (int again = 0; again < 2; ++again) {
            solver.solve(given(array.data()));
            EXPECT_EQ(array.values(), expected.data);
        }
    };
    expect(empty, true);
    expect(other, true);
    expect(other, false);
    FlashArray host = empty;
    solver.solve(host.blocks(blocks));
    expect(empty, true);
}

// Blocks without guards in dense arrays of their own, potential alone.
TEST_F(DeviceMemory, BlocksAndPoints) {
    const BlockMesh blocks({4, 4, 4});
    std::vector<double> density;
    for (const std::vector<double>& one : blocks.density) density.insert(density.end(), one.begin(), one.end());
    Solver solver(MPI_COMM_WORLD, usual);
    std::vector<std::vector<double>> answers;
    for (const Memory memory : all_memories) {
        const Array mass(memory, density), potential(memory, std::vector<double>(density.size(), Result::untouched));
        const PlacedArrays my_points(memory, points);
        const PlacedResult result(memory, points.size());
        std::vector<Block> views;
        for (std::size_t b = 0; b < blocks.lower.size(); ++b)
            views.push_back(block_with_guards(blocks.lower[b], blocks.cell_size[b], blocks.n, 0, mass.data() + 64 * b,
                                              potential.data() + 64 * b));
        solver.solve(views, my_points.points(), {result.potential.span(), {}});
        answers.push_back(potential.values());
        for (const double value : result.potential.values()) answers.back().push_back(value);
        EXPECT_EQ(answers.back(), answers.front()) << to_string(memory);
    }
}

// Faces of dense blocks, beside the potential.
TEST_F(DeviceMemory, Faces) {
    const BlockMesh blocks({5, 3, 2});
    constexpr std::size_t cells = 30, faces[3] = {36, 40, 45}, all_faces = 121;
    std::vector<double> density;
    for (const std::vector<double>& one : blocks.density) density.insert(density.end(), one.begin(), one.end());
    Solver solver(MPI_COMM_WORLD, shared);
    std::vector<std::vector<double>> answers;
    for (const Memory memory : all_memories) {
        const std::vector<double> empty(blocks.lower.size() * (cells + all_faces), Result::untouched);
        const Array mass(memory, density), results(memory, empty);
        std::vector<Block> views;
        for (std::size_t b = 0; b < blocks.lower.size(); ++b) {
            double* const to = results.data() + b * (cells + all_faces);
            views.push_back(
                block_with_guards(blocks.lower[b], blocks.cell_size[b], blocks.n, 0, mass.data() + cells * b, to + all_faces));
            views.back().face_acceleration = {to, to + faces[0], to + faces[0] + faces[1]};
        }
        solver.solve(views);
        answers.push_back(results.values());
        EXPECT_EQ(answers.back(), answers.front()) << to_string(memory);
        EXPECT_EQ(std::ranges::count(answers.back(), Result::untouched), 0) << to_string(memory);
    }
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

// Last: a kernel that runs into such an array leaves the process without its device.
TEST_F(DeviceMemory, OneBlockInTwoMemories) {
    const BlockMesh blocks({4, 4, 4});
    FlashArray host(blocks, 0);
    const FlashArray before = host;
    const Array device(Memory::device, host.data);
    Solver solver(MPI_COMM_WORLD, shared);
    const auto expect_refused = [&](bool potential, bool acceleration) {
        std::vector<Block> mixed = host.blocks(blocks);
        const std::vector<Block> there = host.blocks(blocks, device.data());
        for (std::size_t b = 0; b < mixed.size(); ++b) {
            if (potential) mixed[b].potential = there[b].potential;
            if (acceleration) mixed[b].acceleration = there[b].acceleration;
        }
        const Caught caught = agreed([&] { solver.solve(mixed); });
        EXPECT_EQ(caught.code, invalid_input) << caught.message;
        EXPECT_TRUE(caught.names("block 0")) << caught.message;
        EXPECT_EQ(host.data, before.data);
        EXPECT_EQ(device.values(), before.data);
    };
    expect_refused(true, true);
    expect_refused(true, false);
    expect_refused(false, true);
}

}  // namespace
}  // namespace gravlet::test
