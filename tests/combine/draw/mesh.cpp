// SPDX-License-Identifier: Apache-2.0
// Cells and blocks: a coarse grid with holes, some of it refined, and coordinates as hosts compute them.
#include "tests/combine/draw/draw.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace gravlet::combine {
namespace {

struct Grid {
    Vector lower{}, upper{}, h{};
    Index n{};
};

Index draw_counts(Random& random) {
    Index n;
    const int most = random.chance(0.8) ? 4 : 8;
    for (int& count : n) count = random.whole(1, most);
    if (random.chance(0.15)) n[static_cast<std::size_t>(random.whole(0, 2))] = static_cast<int>(random.wide(10.0, 1000.0));
    return n;
}

/// Periods of up to 250 times the shortest are allowed.
void shorten(const Space& space, Grid& grid) {
    double least = INFINITY;
    for (std::size_t d = 0; d < 3; ++d)
        if (space.periodic[d]) least = std::min(least, grid.n[d] * grid.h[d]);
    for (std::size_t d = 0; d < 3; ++d)
        while (space.periodic[d] && grid.n[d] * grid.h[d] > 249.0 * least) grid.n[d] = std::max(1, grid.n[d] / 2);
}

Grid draw_grid(Random& random, Space& space) {
    Grid grid;
    const bool whole = random.chance(0.3);
    double unit = space.unit * (whole ? 1.0 : random.uniform(0.1, 5.1));
    if (whole) unit = std::exp2(std::round(std::log2(unit)));
    grid.h = {unit, unit, unit};
    const double shape = random.uniform();
    for (double& h : grid.h) h *= shape < 0.6 ? 1.0 : shape < 0.85 ? random.one_of({0.5, 1.0, 2.0}) : random.uniform(0.3, 3.0);
    grid.n = draw_counts(random);
    shorten(space, grid);
    const double corner = random.uniform();
    const bool summed = random.chance(0.2);
    for (std::size_t d = 0; d < 3; ++d) {
        grid.lower[d] = corner < 0.3   ? 0.0
                        : corner < 0.6 ? random.whole(-4, 4) * grid.h[d]
                                       : random.uniform(-10.0, 10.0) * space.unit;
        grid.upper[d] = grid.lower[d] + grid.n[d] * grid.h[d];
        if (!summed) continue;
        grid.upper[d] = grid.lower[d];
        for (int i = 0; i < grid.n[d]; ++i) grid.upper[d] += grid.h[d];
    }
    space.neat = whole && shape < 0.85 && corner < 0.6 && space.unit == 1.0;
    space.lower = grid.lower, space.upper = grid.upper, space.unit = unit;
    return grid;
}

/// A leaf: cell `at` of the grid that is 2^level as fine. `corner`: its lower one, as a host that halves has it.
struct Leaf {
    int level;
    Index at;
    Vector corner;
};

void refine(Random& random, const Grid& grid, const Leaf& leaf, int deepest, bool holes, std::vector<Leaf>& to) {
    if (leaf.level < deepest && random.chance(leaf.level == 0 ? 0.4 : 0.2)) {
        for (int child = 0; child < 8; ++child) {
            Leaf part{leaf.level + 1, {}, leaf.corner};
            for (std::size_t d = 0; d < 3; ++d) {
                const int bit = child >> d & 1;
                part.at[d] = 2 * leaf.at[d] + bit;
                part.corner[d] += std::ldexp(grid.h[d], -part.level) * bit;
            }
            refine(random, grid, part, deepest, holes, to);
        }
    } else if (!holes || to.empty() || random.chance(0.7)) {
        to.push_back(leaf);
    }
}

std::vector<Leaf> draw_leaves(Random& random, const Grid& grid, int most_trees) {
    const int all = grid.n[0] * grid.n[1] * grid.n[2];
    std::set<int> trees;
    if (all <= most_trees && random.chance(0.6)) {
        for (int i = 0; i < all; ++i) trees.insert(i);
    } else {
        for (int i = random.whole(1, most_trees); i > 0; --i) trees.insert(random.whole(0, all - 1));
    }
    const int deepest = random.whole(0, most_trees > 30 ? 3 : 2);
    const bool holes = random.chance(0.4);
    std::vector<Leaf> leaves;
    for (const int tree : trees) {
        Leaf leaf{0, {tree % grid.n[0], tree / grid.n[0] % grid.n[1], tree / (grid.n[0] * grid.n[1])}, {}};
        for (std::size_t d = 0; d < 3; ++d) leaf.corner[d] = grid.lower[d] + leaf.at[d] * grid.h[d];
        refine(random, grid, leaf, deepest, holes, leaves);
        if (leaves.size() > 400) break;
    }
    return leaves;
}

enum class Way { computed, added_up, mirrored, wrapped };

/// Of a place `offset` sides above the leaf's lower corner.
double coordinate(const Grid& grid, const Leaf& leaf, std::size_t d, double offset, Way way) {
    const double h = std::ldexp(grid.h[d], -leaf.level), period = grid.upper[d] - grid.lower[d];
    const double computed = grid.lower[d] + (leaf.at[d] + offset) * h;
    switch (way) {
        case Way::computed: return computed;
        case Way::added_up: return leaf.corner[d] + offset * h;
        case Way::mirrored: return grid.upper[d] - (std::ldexp(grid.n[d], leaf.level) - leaf.at[d] - offset) * h;
        case Way::wrapped: return computed - std::floor((computed - grid.lower[d]) / period) * period;
    }
    return computed;
}

Patch make_patch(Random& random, const Grid& grid, const Leaf& leaf, Way way, const Index& n, Masses& masses) {
    Patch patch;
    patch.n = n;
    double volume = 1.0;
    for (std::size_t d = 0; d < 3; ++d) {
        patch.lower[d] = coordinate(grid, leaf, d, 0.0, way);
        patch.side[d] = std::ldexp(grid.h[d], -leaf.level) / n[d];
        volume *= patch.side[d];
    }
    const bool even = random.chance(0.1);
    const double value = masses.next() / volume;
    for (int i = n[0] * n[1] * n[2]; i > 0; --i) patch.density.push_back(even ? value : masses.next() / volume);
    return patch;
}

/// Densities that differ by little, or nothing.
void even_out(Random& random, double mass, Bodies& bodies) {
    const double amplitude = random.chance(0.2) ? 0.0 : random.wide(1e-6, 1.0);
    const auto density = [&] { return mass * (1.0 + amplitude * random.uniform()); };
    const auto volume = [](const Vector& side) { return side[0] * side[1] * side[2]; };
    const double unit = volume(bodies.cells.empty() ? bodies.patches.front().side : bodies.cells.front().side);
    for (Cell& cell : bodies.cells) cell.mass = density() * (volume(cell.side) / unit);
    for (Patch& patch : bodies.patches)
        for (double& value : patch.density) value = density() / unit;
}

}  // namespace

Bodies draw_mesh(Random& random, Space& space, bool blocks) {
    const Grid grid = draw_grid(random, space);
    const Way way = random.one_of({Way::computed, Way::added_up, Way::mirrored, Way::wrapped});
    const std::vector<Leaf> leaves = draw_leaves(random, grid, blocks ? 12 : 60);
    Masses masses(random, space.mass);
    Bodies bodies;
    Index n{};
    for (int& count : n) count = random.whole(1, 5);
    if (random.chance(0.4)) n.fill(random.one_of({2, 4}));
    const bool odd = random.chance(0.15);
    for (const Leaf& leaf : leaves) {
        if (blocks) {
            if (odd)
                for (int& count : n) count = random.whole(1, 4);
            bodies.patches.push_back(make_patch(random, grid, leaf, way == Way::wrapped ? Way::computed : way, n, masses));
            if (bodies.patches.size() > 40) break;
            continue;
        }
        Cell cell;
        for (std::size_t d = 0; d < 3; ++d) {
            cell.x[d] = coordinate(grid, leaf, d, 0.5, way);
            cell.side[d] = std::ldexp(grid.h[d], -leaf.level);
        }
        cell.mass = masses.next();
        bodies.cells.push_back(cell);
    }
    if (random.chance(0.15)) even_out(random, space.mass, bodies);
    return bodies;
}

}  // namespace gravlet::combine
