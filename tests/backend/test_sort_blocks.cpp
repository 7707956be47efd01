// SPDX-License-Identifier: Apache-2.0
// Meshes sorted by blocks are in the order, and have the keys and groups, of meshes sorted cell by cell; others are left to that.
// Blocks that are looked at as blocks are found to be what their cells are.
#include "solver/order/sort.hpp"
#include "tests/backend/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

namespace gravlet::test {
namespace {

/// Blocks of n^3 cells with a layer of guard cells each, in a unit cube.
struct Mesh {
    std::array<int, 3> n;
    std::vector<double> density;
    std::vector<Block> blocks;
    int finest = 0;  ///< level of cells

    explicit Mesh(std::array<int, 3> cells) : n(cells) {}

    /// A block that is a cube of some level.
    void add(int level, int x, int y, int z) {
        const double side = std::ldexp(1.0, -level);
        Block block;
        block.lower = {x * side, y * side, z * side};
        for (std::size_t d = 0; d < 3; ++d) block.cell_size[d] = side / n[d];
        block.n = n;
        block.stride = {1, n[0] + 2, std::ptrdiff_t{n[0] + 2} * (n[1] + 2)};
        blocks.push_back(block);
        finest = std::max(finest, level + static_cast<int>(std::lround(std::log2(n[0]))));
    }

    [[nodiscard]] std::size_t size() const { return blocks.size() * count_cells(n); }

    /// Shuffled, so that nothing is in order already; a third of the cells are empty.
    void fill() {
        std::mt19937_64 random(7);
        std::shuffle(blocks.begin(), blocks.end(), random);
        const std::size_t each = static_cast<std::size_t>((n[0] + 2) * (n[1] + 2) * (n[2] + 2));
        density.resize(each * blocks.size());
        for (double& value : density) value = random() % 3 == 0 ? 0.0 : static_cast<double>(random() % 1000);
        for (std::size_t b = 0; b < blocks.size(); ++b)
            blocks[b].density = density.data() + b * each + static_cast<std::size_t>(1 + (n[0] + 2) * (1 + n[1] + 2));
    }
};

/// One octant of the cube in cells half as large as the others', one octant of that again.
Mesh refined(std::array<int, 3> cells) {
    Mesh mesh(cells);
    for (int level = 1; level <= 3; ++level)
        for (int octant = 0; octant < 8; ++octant) {
            const int corner = (1 << level) - 2;  // towards the far corner, but for the coarsest
            if (level < 3 && octant == 7) continue;
            mesh.add(level, corner + (octant & 1), corner + (octant >> 1 & 1), corner + (octant >> 2));
        }
    return mesh;
}

struct Sorted {
    ByBlocks by_blocks;
    std::vector<key_type> keys;
    std::vector<cell_index> order;
    std::vector<double> numbers;  ///< positions, masses, sizes; groups and how many of each have mass
};

/// A mesh as the backend has it.
struct Staged {
    Machine machine{2};
    Backend exec = machine.exec();
    Backend::Scope scope{exec};
    Backend::Transfer transfer{exec};
    Input input, here;
    std::vector<std::size_t> begin;

    explicit Staged(const Mesh& mesh) {
        input.blocks = mesh.blocks.data();
        input.block_count = mesh.blocks.size();
        lay_out_blocks(input, begin);
        here = transfer.bring_in(input);
        here.caller = &input;
    }
};

/// Pieces: the unit box is periodic and in pieces of that level; -1: it is not.
Frame frame_of(const Mesh& mesh, int pieces) {
    Frame frame;
    frame.cells = true;
    frame.used_levels = mesh.finest;
    if (pieces < 0) return frame;
    frame.piece_level = pieces;
    frame.pieces.side = std::ldexp(1.0, -pieces);
    for (int& count : frame.pieces.count) count = 1 << pieces;
    return frame;
}

Sorted sorted(Mesh mesh, bool by_blocks, std::size_t group_size = 64, int pieces = -1) {
    mesh.fill();
    Staged staged(mesh);
    const auto& [exec, input, here] = std::tie(staged.exec, staged.input, staged.here);
    const Frame frame = frame_of(mesh, pieces);
    Bodies<Backend> bodies(exec);
    bodies.group_size = group_size;
    const std::size_t n = bodies.count = input.size();
    bodies.keys.resize_discard(n), bodies.order.resize_discard(n);
    bodies.bodies.resize_discard(n), bodies.sizes.resize_discard(n);
    Sorted out{};
    if (by_blocks) out.by_blocks = sort_blocks(exec, here, frame, bodies);
    if (!out.by_blocks.sorted) sort_one_by_one(exec, here, frame, 12, bodies);
    if (!out.by_blocks.grouped) make_groups(exec, frame, group_size, bodies);
    out.keys = on_host(exec, bodies.keys);
    out.order = on_host(exec, bodies.order);
    for (const Source& s : on_host(exec, bodies.bodies))
        out.numbers.insert(out.numbers.end(), {s.x, s.y, s.z, s.mass, s.softening});
    for (const float size : on_host(exec, bodies.sizes)) out.numbers.push_back(size);
    for (const Group& g : on_host(exec, bodies.groups)) {
        const auto& [low, high] = g.box;
        out.numbers.insert(out.numbers.end(), {low.x, low.y, low.z, high.x, high.y, high.z, g.scale, g.softening, g.factor});
        out.numbers.insert(out.numbers.end(), {static_cast<double>(g.begin), static_cast<double>(g.count)});
    }
    for (const std::uint32_t massive : on_host(exec, bodies.massive)) out.numbers.push_back(massive);
    return out;
}

void expect_same_results(const Mesh& mesh, const Sorted& one, const Sorted& other) {
    EXPECT_EQ(one.keys, other.keys);
    EXPECT_EQ(one.order, other.order);
    EXPECT_EQ(one.numbers, other.numbers);
    EXPECT_EQ(one.keys.size(), mesh.size());
}

void expect_same(const Mesh& mesh, bool by_blocks) {
    const Sorted one = sorted(mesh, true);
    EXPECT_EQ(one.by_blocks.sorted, by_blocks);
    expect_same_results(mesh, one, sorted(mesh, false));
}

TEST(SortBlocks, AsCells) {
    for (const int n : {1, 2, 8, 16}) expect_same(refined({n, n, n}), true);
}
// Cubes of a block are groups, if they have as many cells and no piece of a periodic box ends in them.
TEST(SortBlocks, Groups) {
    const auto expect_groups = [](int side, std::size_t group_size, int pieces, bool grouped) {
        const Mesh mesh = refined({side, side, side});
        const Sorted one = sorted(mesh, true, group_size, pieces);
        EXPECT_EQ(one.by_blocks.grouped, grouped);
        expect_same_results(mesh, one, sorted(mesh, false, group_size, pieces));
    };
    for (const int side : {4, 8, 16}) expect_groups(side, 64, -1, true);
    expect_groups(2, 64, -1, false);
    expect_groups(8, 32, -1, false);
    expect_groups(8, 64, 2, true);
    expect_groups(8, 64, 3, false);
}
TEST(SortBlocks, OneBlock) {
    Mesh mesh({8, 8, 8});
    mesh.add(0, 0, 0, 0);
    expect_same(mesh, true);
}
// Teams take whole blocks then.
TEST(SortBlocks, ManyCells) {
    Mesh mesh({8, 8, 8});
    for (int b = 0; b < 4096; ++b) mesh.add(4, b & 15, b >> 4 & 15, b >> 8);
    expect_same(mesh, true);
}
TEST(SortBlocks, OtherShapes) {
    expect_same(refined({6, 6, 6}), false);
    expect_same(refined({8, 8, 4}), false);
}
TEST(SortBlocks, OffTheGrid) {
    Mesh mesh = refined({8, 8, 8});
    mesh.blocks[3].lower[0] += mesh.blocks[3].cell_size[0];
    expect_same(mesh, false);
    Mesh by_little = refined({8, 8, 8});
    by_little.blocks[3].lower[0] += 1e-12;  // rounding of a host's
    expect_same(by_little, true);
}
TEST(SortBlocks, OverlappingBlocks) {
    Mesh twice = refined({8, 8, 8});
    twice.add(2, 2, 2, 2);
    EXPECT_FALSE(sorted(twice, true).by_blocks.sorted);
    Mesh nested = refined({8, 8, 8});
    nested.add(3, 0, 0, 0);
    EXPECT_FALSE(sorted(nested, true).by_blocks.sorted);
}
TEST(SortBlocks, TooDeepForOneKey) {
    Mesh mesh({8, 8, 8});
    mesh.add(1, 0, 0, 0);
    mesh.add(19, 1 << 18, 1 << 18, 1 << 18);  // cells of level 22
    expect_same(mesh, false);
}

void expect_same_scan(const Mesh& mesh, std::size_t first_bad) {
    const Staged staged(mesh);
    const BodyLimits limits{Options{}};
    auto parts = staged.exec.template buffer<InputScan>();
    const InputScan one = scan_blocks(staged.exec, staged.here, limits, false, parts),
                    other = scan_each(staged.exec, staged.here, 0, limits);
    EXPECT_EQ(one.first_bad, first_bad);
    EXPECT_EQ(other.first_bad, first_bad);
    if (first_bad < mesh.size()) return;  // then what else they found is not used
    for (std::size_t d = 0; d < 3; ++d) {
        EXPECT_EQ(one.point_lower[d], other.point_lower[d]);
        EXPECT_EQ(one.point_upper[d], other.point_upper[d]);
        EXPECT_EQ(one.cell_lower[d], other.cell_lower[d]);
        EXPECT_EQ(one.cell_upper[d], other.cell_upper[d]);
        EXPECT_EQ(one.mass_lower[d], other.mass_lower[d]);
        EXPECT_EQ(one.mass_upper[d], other.mass_upper[d]);
    }
    EXPECT_EQ(one.smallest_side, other.smallest_side);
    EXPECT_EQ(one.largest_mass, other.largest_mass);
    EXPECT_NEAR(one.mass, other.mass, 4e-15 * other.mass);
    EXPECT_NEAR(one.volume, other.volume, 1.7e-14 * other.volume);
}

// Blocks of one part and less, and of several; what is bad in guard cells is not looked at.
TEST(ScanBlocks, AsCells) {
    for (const std::array<int, 3> n : {std::array{1, 1, 1}, {3, 1, 2}, {8, 8, 8}, {9, 7, 11}, {40, 3, 40}}) {
        Mesh mesh = refined(n);
        mesh.fill();
        const std::size_t each = mesh.density.size() / mesh.blocks.size(), cells = count_cells(n);
        mesh.density.front() = -1.0;
        expect_same_scan(mesh, ~std::size_t{0});
        for (const double value : {-1.0, std::nan("")})
            for (const std::size_t bad : {cells - 1, cells / 2, std::size_t{0}}) {
                const std::size_t nx = static_cast<std::size_t>(n[0]), ny = static_cast<std::size_t>(n[1]);
                const std::size_t i = bad % nx, j = bad / nx % ny, k = bad / nx / ny;
                double& density = mesh.density[5 * each + i + 1 + (nx + 2) * (j + 1 + (ny + 2) * (k + 1))];
                const double good = std::exchange(density, value);
                expect_same_scan(mesh, 5 * cells + bad);
                density = good;
            }
    }
}
// Massless but for one cell; a block that is not where blocks may be.
TEST(ScanBlocks, BoundsOfMassAndOfBlocks) {
    Mesh mesh = refined({9, 7, 11});
    mesh.fill();
    const std::vector<double> full = mesh.density;
    for (double& value : mesh.density) value = 0.0;
    expect_same_scan(mesh, ~std::size_t{0});
    mesh.density[mesh.density.size() / 2 + 150] = 1.0;
    expect_same_scan(mesh, ~std::size_t{0});
    mesh.density = full;
    mesh.blocks[3].lower[1] = 1e300;
    expect_same_scan(mesh, 3 * count_cells(mesh.n));
}

}  // namespace
}  // namespace gravlet::test
