// SPDX-License-Identifier: Apache-2.0
// Arrays that are missing, out of reach, too large to count, or that would be written twice over: an error that names them,
// before anything is read or written.
#include "tests/api/agreed.hpp"
#include "tests/api/input/bad_cells.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <functional>
#include <limits>
#include <vector>

namespace gravlet::test {
namespace {

constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);

/// Addresses that host code cannot read, as those of a device's memory.
class Unreadable {
public:
    Unreadable() : start_(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) { EXPECT_NE(start_, MAP_FAILED); }
    ~Unreadable() { munmap(start_, bytes); }
    Unreadable(const Unreadable&) = delete;
    Unreadable& operator=(const Unreadable&) = delete;

    template <class T>
    [[nodiscard]] std::span<T> span(std::size_t n) const {
        EXPECT_LE(n * sizeof(T), bytes);
        return {static_cast<T*>(start_), n};
    }

private:
    static constexpr std::size_t bytes = 1 << 20;
    void* start_;
};

/// What a solve is given on the last rank.
struct Arguments {
    Cells cells;
    Fields fields;
    Points points;
    Fields point_fields;
};

class BadArrays : public testing::Test {
protected:
    void expect_named(const std::function<void(Arguments&)>& spoil, const std::string& name) {
        Result result(mesh.size()), at_points(points.size());
        Arguments a{mesh.cells(), result.fields(), points.points(), at_points.fields()};
        if (on_last_rank()) spoil(a);
        const Caught caught = agreed([&] { solver.solve(a.cells, a.fields, a.points, a.point_fields); });
        EXPECT_EQ(caught.code, invalid_input) << name << ": " << caught.message;
        EXPECT_TRUE(caught.names(name)) << name << ": " << caught.message;
        EXPECT_TRUE(caught.names(name_of(world_size() - 1))) << caught.message;
        EXPECT_EQ(result, Result(mesh.size()));
        EXPECT_EQ(at_points, Result(points.size()));
        EXPECT_EQ(agreed([&] { solver.solve(mesh.cells(), result.fields()); }).code, 0);
    }

    const BodyArrays mesh = part_of(random_mesh(1, 3)), points = part_of(random_points(2, 40));
    const std::size_t n = mesh.size();
    Solver solver{MPI_COMM_WORLD, {.backend = Backend::cpu}};
};

TEST_F(BadArrays, Missing) {
    const std::span<const double> none(static_cast<const double*>(nullptr), n);
    const std::span<double> nowhere(static_cast<double*>(nullptr), n);
    expect_named([&](Arguments& a) { a.cells.x = none; }, "x of cells is null");
    expect_named([&](Arguments& a) { a.cells.dy = a.cells.dz = none; }, "dy of cells is null");
    expect_named([&](Arguments& a) { a.cells.mass = none; }, "mass of cells is null");
    expect_named(
        [&](Arguments& a) {
            a.cells.active = {static_cast<const std::uint8_t*>(nullptr), n};
        },
        "active of cells is null");
    expect_named([&](Arguments& a) { a.fields.potential = nowhere; }, "potential of cells is null");
    expect_named([&](Arguments& a) { a.fields.acceleration[2] = nowhere; }, "acceleration[2] of cells is null");
    expect_named([&](Arguments& a) { a.points.z = none.first(points.size()); }, "z of points is null");
    expect_named([&](Arguments& a) { a.point_fields.potential = nowhere.first(points.size()); }, "potential of points is null");
}

TEST_F(BadArrays, OutOfReach) {
    const Unreadable memory;
    const auto numbers = [&](std::size_t count) { return memory.span<double>(count); };
    expect_named([&](Arguments& a) { a.cells.y = numbers(n); }, "y of cells");
    expect_named([&](Arguments& a) { a.cells.mass = numbers(n); }, "mass of cells");
    expect_named([&](Arguments& a) { a.cells.active = memory.span<std::uint8_t>(n); }, "active of cells");
    expect_named([&](Arguments& a) { a.fields.potential = numbers(n); }, "potential of cells");
    expect_named([&](Arguments& a) { a.fields.acceleration[1] = numbers(n); }, "acceleration[1] of cells");
    expect_named([&](Arguments& a) { a.points.x = numbers(points.size()); }, "x of points");
    expect_named([&](Arguments& a) { a.point_fields.potential = numbers(points.size()); }, "potential of points");
    // The last element is beyond what there is.
    expect_named([&](Arguments& a) { a.cells = {{mesh.x.data(), std::size_t{1} << 45}, {}, {}, {}, {}, {}, {}}; }, "cells");
}

TEST_F(BadArrays, ResultsInTheSameMemory) {
    expect_named([](Arguments& a) { a.fields.acceleration[0] = a.fields.potential; },
                 "potential of cells and acceleration[0] of cells are in the same memory");
    expect_named([](Arguments& a) { a.fields.acceleration[2] = a.fields.acceleration[1]; }, "acceleration[2] of cells");
    std::vector<double> both(n + 1, Result::untouched);
    expect_named(
        [&](Arguments& a) {
            a.fields.potential = std::span(both).first(n);
            a.fields.acceleration[0] = std::span(both).last(n);
        },
        "acceleration[0] of cells");
    expect_named([&](Arguments& a) { a.point_fields.potential = a.fields.acceleration[0].first(points.size()); },
                 "potential of points");
    EXPECT_EQ(both, std::vector<double>(n + 1, Result::untouched));

    // Results may take the place of what is not needed any more, and lie side by side.
    Result expected(n);
    solver.solve(mesh.cells(), expected.fields());
    BodyArrays over = mesh;
    std::vector<double> all(3 * n);
    const std::span<double> a(all);
    solver.solve(over.cells(), {over.mass, {a.first(n), a.subspan(n, n), a.last(n)}});
    EXPECT_EQ(over.mass, expected.potential);
    EXPECT_TRUE(std::ranges::equal(a.last(n), expected.acceleration[2]));
}

TEST_F(BadArrays, ResultsInPlaceOfWhatIsStillRead) {
    std::vector<double> memory(n + points.size() + 1, 0.0);
    const std::vector<double> before = memory;
    const std::span<double> all(memory);
    expect_named([&](Arguments& a) { a.cells.mass = all.first(n), a.fields.potential = all.subspan(1, n); },
                 "mass of cells and potential of cells are in the same memory");
    expect_named([&](Arguments& a) { a.cells.dx = all.subspan(1, n), a.fields.acceleration[2] = all.first(n); },
                 "dx of cells and acceleration[2] of cells are in the same memory");
    expect_named(
        [&](Arguments& a) {
            a.cells.mass = all.first(n);
            a.fields.potential = std::span(reinterpret_cast<float*>(memory.data()), n);
        },
        "mass of cells and potential of cells are in the same memory");
    expect_named(
        [&](Arguments& a) {
            a.cells.active = std::span(reinterpret_cast<std::uint8_t*>(memory.data()), n);
            a.fields.potential = all.first(n);
        },
        "active of cells and potential of cells are in the same memory");
    expect_named([&](Arguments& a) { a.cells.mass = all.first(n), a.point_fields.potential = all.subspan(n - 1, points.size()); },
                 "mass of cells and potential of points are in the same memory");
    expect_named([&](Arguments& a) { a.points.softening = all.first(points.size()), a.fields.potential = all.first(n); },
                 "potential of cells and softening of points are in the same memory");
    EXPECT_EQ(memory, before);
}

class BadBlocks : public testing::Test {
protected:
    static constexpr int nx = 4, ny = 3, nz = 2;
    static constexpr std::size_t cells = nx * ny * nz;

    std::array<Block, 2> blocks() {
        std::array<Block, 2> out;
        for (std::size_t b = 0; b < 2; ++b)
            out[b] = block_with_guards(
                {0.0, 0.0, 2.0 * world_rank() + static_cast<double>(b)}, {0.25, 0.25, 0.25}, {nx, ny, nz}, 0, density.data(),
                results[b].potential.data(),
                {results[b].acceleration[0].data(), results[b].acceleration[1].data(), results[b].acceleration[2].data()});
        return out;
    }
    void expect_named(const std::function<void(Block&)>& spoil, const std::string& name) {
        std::array<Block, 2> all = blocks();
        if (on_last_rank()) spoil(all[1]);
        expect_named(std::span<const Block>(all), name);
    }
    void expect_named(std::span<const Block> all, const std::string& name) {
        const Caught caught = agreed([&] { solver.solve(all); });
        EXPECT_EQ(caught.code, invalid_input) << name << ": " << caught.message;
        EXPECT_TRUE(caught.names(name)) << name << ": " << caught.message;
        EXPECT_TRUE(caught.names(name_of(world_size() - 1))) << caught.message;
        for (const Result& result : results) EXPECT_EQ(result, Result(cells));
        expect_accepted([](Block&) {});
    }
    /// The solve of blocks like this, and of the same cells' potential in good ones.
    void expect_accepted(const std::function<void(Block&)>& change) {
        std::array<Block, 2> all = blocks();
        change(all[1]);
        EXPECT_EQ(agreed([&] { solver.solve(all); }).message, "");
        results = {Result(cells), Result(cells)};
    }

    const std::vector<double> density = std::vector<double>(cells, 1.0);
    std::vector<Result> results = {Result(cells), Result(cells)};
    Solver solver{MPI_COMM_WORLD, {.backend = Backend::cpu}};
};

TEST_F(BadBlocks, TooManyCells) {
    constexpr int most = std::numeric_limits<int>::max();
    const std::string limit = "4294967294";
    expect_named([](Block& b) { b.n = {65537, 65536, 1}; }, "block 1: 65537 x 65536 x 1 cells: at most " + limit);
    expect_named([](Block& b) { b.n = {65536, 65536, 1}; }, "block 1: 65536 x 65536 x 1 cells");  // 2^32
    expect_named([](Block& b) { b.n = {2097152, 2097152, 4194304}; }, "block 1: 2097152 x 2097152 x 4194304 cells");
    expect_named([](Block& b) { b.n = {most, most, most}; }, "block 1");
    expect_named([](Block& b) { b.n = {1, 65535, 65537}; }, limit);  // 2^32 - 1
    std::array<Block, 2> large = blocks();
    if (on_last_rank())
        for (Block& b : large) b.n = {32768, 65536, 1}, b.stride = {1, 32768, 0};
    expect_named(large, "4294967296 cells in blocks 0 to 1: at most " + limit);
}

TEST_F(BadBlocks, StridesThatWriteTwice) {
    expect_named([](Block& b) { b.stride = {0, 0, 0}; }, "block 1: stride (0, 0, 0)");
    expect_named([](Block& b) { b.stride = {1, nx, nx}; }, "block 1: stride (1, 4, 4)");
    expect_named([](Block& b) { b.result_stride = {1, 0, nx}; }, "block 1: result_stride (1, 0, 4)");
    expect_named([](Block& b) { b.result_stride = {-1, 3, 12}; }, "block 1: result_stride (-1, 3, 12)");
    expect_named([](Block& b) { b.stride = {1, nx, std::ptrdiff_t{1} << 61}; }, "block 1: stride");
    expect_named(
        [](Block& b) {
            b.result_stride = {1, std::numeric_limits<std::ptrdiff_t>::min(), 0};
        },
        "block 1: result_stride");
}

TEST_F(BadBlocks, StridesThatDoNot) {
    expect_accepted([](Block& b) { b.result_stride = {ny * nz, nz, 1}; });                        // z fastest
    expect_accepted([](Block& b) { b.stride = {0, 0, 0}, b.result_stride = {1, nx, nx * ny}; });  // one density for all
    expect_accepted([](Block& b) { b.stride = {0, 0, 0}, b.potential = nullptr, b.acceleration = {}; });
    expect_accepted([](Block& b) { b.stride = {0, 0, 0}, b.active = false; });
    expect_accepted([](Block& b) { b.n = {nx, 1, 1}, b.stride = {1, 0, 0}; });
}

TEST_F(BadBlocks, ResultsInTheSameMemory) {
    expect_named([](Block& b) { b.acceleration[0] = b.potential; },
                 "block 1: potential and acceleration[0] are in the same memory");
    expect_named([](Block& b) { b.acceleration[1] = b.acceleration[2]; }, "block 1: acceleration[1] and acceleration[2]");
}

TEST_F(BadBlocks, ResultsOfTwoInTheSameMemory) {
    double* const first = results[0].potential.data();
    expect_named([&](Block& b) { b.potential = first; }, "block 0: potential and potential of block 1 are in the same memory");
    std::vector<double> for_both(2 * cells);
    std::array<Block, 2> all = blocks();
    if (on_last_rank()) all[0].acceleration[1] = for_both.data(), all[1].acceleration[2] = for_both.data() + cells - 1;
    expect_named(all, "block 0: acceleration[1] and acceleration[2] of block 1 are in the same memory");
    expect_named([&](Block& b) { b.density = first; }, "block 0: potential and density of block 1 are in the same memory");
    expect_named([&](Block& b) { b.density = first, b.active = false; }, "block 0: potential and density of block 1");
    std::vector<double> around(cells + 2 * nx * ny);
    expect_named(
        [&](Block& b) {
            b.potential = around.data() + nx * ny, b.acceleration = {};
            b.result_guards = {0, 0, 1};
            b.density = around.data() + cells + nx * ny;
        },
        "block 1: potential and density are in the same memory");
    expect_accepted([&](Block& b) { b.potential = first, b.active = false; });
}

TEST_F(BadBlocks, PointsInTheSameMemory) {
    const std::array<Block, 2> all = blocks();
    std::vector<double> x{5.0, 6.0}, y{0.0, 0.0}, m{1.0, 1.0}, potential(2, Result::untouched);
    const auto expect_named = [&](const std::function<void(Points&, Fields&)>& spoil, const std::string& name) {
        for (double& z : y) z = 100.0 + world_rank();
        Points points{x, y, y, m};
        Fields fields{potential, {}};
        if (on_last_rank()) spoil(points, fields);
        const Caught caught = agreed([&] { solver.solve(all, points, fields); });
        EXPECT_EQ(caught.code, name.empty() ? 0 : invalid_input) << name << ": " << caught.message;
        EXPECT_TRUE(caught.names(name)) << caught.message;
    };
    for (int known = 0; known < 2; ++known) {
        double* const in_block = results[1].potential.data() + cells - 1;
        expect_named([&](Points&, Fields& f) { f.potential = std::span(in_block - 1, 2); },
                     "block 1: potential and potential of points are in the same memory");
        expect_named([&](Points& p, Fields&) { p.mass = std::span<const double>(in_block - 1, 2); },
                     "block 1: potential and mass of points are in the same memory");
        expect_named([&](Points& p, Fields&) { p.mass = std::span<const double>(density).first(2); }, "");
        results = {Result(cells), Result(cells)};
    }
}

TEST_F(BadBlocks, OutOfReach) {
    const Unreadable memory;
    double* const there = memory.span<double>(cells).data();
    expect_named([&](Block& b) { b.density = there; }, "block 1: density");
    expect_named([&](Block& b) { b.potential = there; }, "block 1: potential");
    expect_named([&](Block& b) { b.acceleration[1] = there; }, "block 1: acceleration");
    const std::array<Block, 2> good = blocks();
    expect_named(on_last_rank() ? std::span<const Block>(memory.span<const Block>(2)) : good, "the 2 blocks");
    expect_named(on_last_rank() ? std::span<const Block>(static_cast<const Block*>(nullptr), 2) : good, "the 2 blocks");
}

// A block that is unlike those around it, in the middle of many; what of an inactive one is not written may be anywhere.
TEST_F(BadBlocks, OutOfReachInTheMiddle) {
    const std::vector<double> densities(3 * cells, 1.0);
    std::vector<Result> of_all(3, Result(cells));
    const auto expect_named = [&](const std::function<void(Block&)>& spoil, const std::string& name) {
        std::vector<Block> all;
        for (std::size_t b = 0; b < 3; ++b)
            all.push_back(block_with_guards({0.0, 0.0, 3.0 * world_rank() + static_cast<double>(b)}, {0.25, 0.25, 0.25},
                                            {nx, ny, nz}, 0, densities.data() + b * cells, of_all[b].potential.data()));
        if (on_last_rank()) spoil(all[1]);
        const Caught caught = agreed([&] { solver.solve(all); });
        EXPECT_EQ(caught.code, name.empty() ? 0 : invalid_input) << caught.message;
        EXPECT_TRUE(caught.names(name)) << caught.message;
    };
    for (const std::ptrdiff_t far : {std::ptrdiff_t{1} << 44, -(std::ptrdiff_t{1} << 44)}) {
        const auto stride = [&](Block& b) { b.stride = {1, nx, far}, b.result_stride = {1, nx, nx * ny}; };
        expect_named([&](Block& b) { stride(b); }, "block 1: density: not in memory");
        expect_named([&](Block& b) { stride(b), b.active = false; }, "block 1: density: not in memory");
        expect_named([&](Block& b) { b.result_stride = {-far, 1, 3 * far + 8}; }, "block 1: potential: not in memory");
        expect_named([&](Block& b) { b.result_stride = {1, nx, far}, b.active = false; }, "");
    }
}

TEST_F(BadBlocks, NegativeGuards) {
    expect_named(
        [&](Block& b) { b = block_with_guards(b.lower, b.cell_size, b.n, -1, density.data(), results[1].potential.data()); },
        "block 1");
}

}  // namespace
}  // namespace gravlet::test
