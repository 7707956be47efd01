// SPDX-License-Identifier: Apache-2.0
// Meshes sorted by blocks are in the order, and have the keys, of meshes sorted cell by cell; others are left to that.
#include "solver/sort.hpp"
#include "tests/backend/backend.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
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
    bool by_blocks;
    std::vector<key_type> keys;
    std::vector<cell_index> order;
    std::vector<double> numbers;  ///< positions, masses, sizes
};

Sorted sorted(Mesh mesh, bool by_blocks) {
    mesh.fill();
    Input input;
    std::vector<std::size_t> begin;
    input.blocks = mesh.blocks.data();
    input.block_count = mesh.blocks.size();
    lay_out_blocks(input, begin);
    Frame frame;
    frame.cells = true;
    frame.used_levels = mesh.finest;
    Machine machine(2);
    const Backend exec = machine.exec();
    const Backend::Scope scope(exec);
    Backend::Transfer transfer(exec);
    Bodies<Backend> bodies(exec);
    Input here = transfer.bring_in(input);
    here.caller = &input;
    const std::size_t n = bodies.count = input.size();
    bodies.keys.resize_discard(n), bodies.order.resize_discard(n);
    bodies.bodies.resize_discard(n), bodies.sizes.resize_discard(n);
    Sorted out{};
    out.by_blocks = by_blocks && sort_blocks(exec, here, frame, bodies);
    if (!out.by_blocks) sort_one_by_one(exec, here, frame, 12, bodies);
    out.keys = on_host(exec, bodies.keys);
    out.order = on_host(exec, bodies.order);
    for (const Source& s : on_host(exec, bodies.bodies))
        out.numbers.insert(out.numbers.end(), {s.x, s.y, s.z, s.mass, s.softening});
    for (const float size : on_host(exec, bodies.sizes)) out.numbers.push_back(size);
    return out;
}

void expect_same(const Mesh& mesh, bool by_blocks) {
    const Sorted one = sorted(mesh, true), other = sorted(mesh, false);
    EXPECT_EQ(one.by_blocks, by_blocks);
    EXPECT_EQ(one.keys, other.keys);
    EXPECT_EQ(one.order, other.order);
    EXPECT_EQ(one.numbers, other.numbers);
    EXPECT_EQ(one.keys.size(), mesh.size());
}

TEST(SortBlocks, AsCells) {
    for (const int n : {1, 2, 8, 16}) expect_same(refined({n, n, n}), true);
}
TEST(SortBlocks, OneBlock) {
    Mesh mesh({8, 8, 8});
    mesh.add(0, 0, 0, 0);
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
    EXPECT_FALSE(sorted(twice, true).by_blocks);
    Mesh nested = refined({8, 8, 8});
    nested.add(3, 0, 0, 0);
    EXPECT_FALSE(sorted(nested, true).by_blocks);
}
TEST(SortBlocks, TooDeepForOneKey) {
    Mesh mesh({8, 8, 8});
    mesh.add(1, 0, 0, 0);
    mesh.add(19, 1 << 18, 1 << 18, 1 << 18);  // cells of level 22
    expect_same(mesh, false);
}

}  // namespace
}  // namespace gravlet::test
