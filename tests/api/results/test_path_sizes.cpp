// SPDX-License-Identifier: Apache-2.0
// Numbers of bodies at which a solve goes another way, from either side: all components of all fields against naive sums. Few
// targets are asked for, so that many sources cost little. (2^18 points: tests/api/test_points.cpp.)
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gravlet::test {
namespace {

/// Relative errors, by the number of derivatives, next to what these may be.
struct Errors {
    std::array<double, 3> worst{};

    /// `k`: of the target in `got`; `self`: of all bodies, or none.
    void add(const Result& got, std::size_t k, const BodyArrays& all, std::size_t self, double softening) {
        std::array<long double, 10> sum{};
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (i == self || all.mass[i] == 0.0) continue;
            const long double r[] = {all.x[i] - static_cast<long double>(all.x[self]),
                                     all.y[i] - static_cast<long double>(all.y[self]),
                                     all.z[i] - static_cast<long double>(all.z[self])};
            const long double q2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + static_cast<long double>(softening) * softening,
                              m_q = all.mass[i] / std::sqrt(q2);
            sum[0] -= m_q;
            for (std::size_t a = 0, at = 4; a < 3; ++a) {
                sum[1 + a] += m_q / q2 * r[a];
                for (std::size_t b = a; b < 3; ++b, ++at) sum[at] += m_q / q2 * (3 * r[a] * r[b] / q2 - (a == b ? 1 : 0));
            }
        }
        const auto compare = [&](std::size_t degree, std::size_t first, std::size_t end, const auto& of) {
            long double square = 0, error = 0;
            for (std::size_t c = first; c < end; ++c) square += sum[c] * sum[c], error += std::pow(of(c - first) - sum[c], 2);
            worst[degree] = std::max(worst[degree], static_cast<double>(std::sqrt(error / square)));
        };
        compare(0, 0, 1, [&](std::size_t) { return got.potential[k]; });
        compare(1, 1, 4, [&](std::size_t c) { return got.acceleration[c][k]; });
        compare(2, 4, 10, [&](std::size_t c) { return got.tidal[c][k]; });
    }
    void expect_below(double potential, double field, double tide) const {
        EXPECT_LE(worst[0], potential);
        EXPECT_LE(worst[1], field);
        EXPECT_LE(worst[2], tide);
    }
};

/// Solves for every `step`-th of this rank's, and compares.
Errors errors_of(const BodyArrays& all, const BodyArrays& mine, const Options& options, std::size_t step,
                 Report* report = nullptr) {
    std::vector<std::uint8_t> active(mine.size(), 0);
    for (std::size_t i = 0; i < mine.size(); i += step) active[i] = 1;
    Points points = mine.points();
    points.active = active;
    Result result(mine.size());
    Solver solver(MPI_COMM_WORLD, options);
    solver.solve(points, result.all_fields());
    Errors errors;
    for (std::size_t i = 0; i < mine.size(); i += step) errors.add(result, i, all, mine.index[i], options.softening);
    if (report != nullptr) *report = solver.report();
    return errors;
}

/// In the unit cube, equal on all ranks: no body is heavy.
BodyArrays even_points(std::uint64_t seed, std::size_t n) {
    BodyArrays points = random_points(seed, n);
    std::ranges::fill(points.mass, 1.0 / static_cast<double>(n));
    return points;
}

// All act on all up to 1,024 points on a CPU, 12,288 on a GPU; not with several ranks, unless they gather on a GPU.
TEST(PathSizes, FewBodies) {
    for (const std::size_t n : {1024, 1025, 12288, 12289}) {
        const BodyArrays all = even_points(1, n), mine = part_of(all);
        Report report;
        const Errors errors = errors_of(all, mine, {.gpu_sharing = GpuSharing::share, .softening = 1e-3}, n / 50, &report);
        const bool on_cpu = report.backend.starts_with("cpu"), few = world_size() == 1 && n <= (on_cpu ? 1024u : 12288u);
        SCOPED_TRACE(n);
        EXPECT_EQ(report.node_interactions + report.far_interactions == 0, few);
        // In double on a CPU, in single precision on a GPU; the tree at theta 1.0, order 4.
        few ? errors.expect_below(3e-7, 1e-6, 2e-6) : errors.expect_below(4e-6, 3e-4, 6e-4);
    }
}

// What a heavy body feels of the others is added up of sums of 4,096.
TEST(PathSizes, AroundAHeavyBody) {
    for (const std::size_t n : {4096, 4097, 4098, 8193}) {
        BodyArrays all = even_points(2, n);
        all.mass[n / 2] = 10.0;
        const BodyArrays mine = part_of(all);
        SCOPED_TRACE(n);
        errors_of(all, mine, {.theta = 0.4, .order = 4}, 64).expect_below(3e-8, 8e-8, 3e-6);
        const BodyArrays last =
            part_of(all, [n](std::size_t i) { return i == n / 2 ? world_size() - 1 : 0; });  // away from others
        errors_of(all, last, {.theta = 0.4, .order = 4}, 64).expect_below(3e-8, 8e-8, 3e-6);
    }
}

// Direct sums send 65,536 bodies in a message.
TEST(PathSizes, MessagesOfTheRing) {
    for (const std::size_t n : {65536, 65537}) {
        const BodyArrays all = even_points(3, n + 40);
        const BodyArrays mine = part_of(all, [n](std::size_t i) { return i < n ? 0 : world_size() - 1; });
        SCOPED_TRACE(n);
        errors_of(all, mine, {.theta = 0.0}, mine.size() > 100 ? n / 40 : 1).expect_below(1e-14, 1e-14, 1e-14);
    }
}

/// 2^21 cells in blocks of 16^3, or 64 fewer of these; a cell in 4,096 has mass.
BodyArrays cells_with_mass(std::size_t blocks) {
    BodyArrays cells;
    std::mt19937_64 random(5);
    std::uniform_int_distribution<int> place(0, 15);
    for (std::size_t b = 0; b < blocks; ++b) {
        const int i = place(random), j = place(random), k = place(random);
        const auto at = [](std::size_t block, int cell) { return (static_cast<double>(16 * block) + cell + 0.5) / 128.0; };
        cells.add_cell(at(b % 8, i), at(b / 8 % 8, j), at(b / 64, k), 1.0 / 128.0, 1.0 + static_cast<double>(b % 7));
        cells.index.push_back(static_cast<std::size_t>(i + 16 * (j + 16 * k)));
    }
    return cells;
}

// From 2^21 cells of blocks on, teams take eight times as many of them at once (solver/input/block_curve.hpp).
TEST(PathSizes, ManyCellsOfBlocks) {
    for (const std::size_t blocks : {448, 512}) {
        SCOPED_TRACE(blocks);
        const BodyArrays massive = cells_with_mass(blocks);
        constexpr std::size_t cells = 4096;
        std::vector<double> density(blocks * cells, 0.0);
        for (std::size_t b = 0; b < blocks; ++b) density[b * cells + massive.index[b]] = massive.mass[b] * std::pow(128.0, 3);
        const std::size_t begin = blocks * static_cast<std::size_t>(world_rank()) / static_cast<std::size_t>(world_size()),
                          end = blocks * static_cast<std::size_t>(world_rank() + 1) / static_cast<std::size_t>(world_size());
        Result result(blocks * cells);
        std::vector<Block> given;
        for (std::size_t b = begin; b < end; ++b) {
            Block block;
            const auto lower = [](std::size_t at) { return static_cast<double>(at) / 8.0; };
            block.lower = {lower(b % 8), lower(b / 8 % 8), lower(b / 64)};
            block.cell_size = {1.0 / 128.0, 1.0 / 128.0, 1.0 / 128.0};
            block.n = {16, 16, 16};
            block.stride = {1, 16, 256};
            block.density = density.data() + b * cells;
            block.potential = result.potential.data() + b * cells;
            for (std::size_t d = 0; d < 3; ++d) block.acceleration[d] = result.acceleration[d].data() + b * cells;
            for (std::size_t c = 0; c < 6; ++c) block.tidal[c] = result.tidal[c].data() + b * cells;
            given.push_back(block);
        }
        Solver(MPI_COMM_WORLD, {.theta = 0.5, .order = 4}).solve(std::span<const Block>(given));
        Errors errors;
        for (std::size_t b = begin; b < end; b += 3) {
            const std::size_t c = (b * 1237 + 5) % cells;  // one of the block
            BodyArrays all = massive;
            const auto at = [](std::size_t block, std::size_t cell) {
                return (static_cast<double>(16 * block + cell) + 0.5) / 128.0;
            };
            if (c == massive.index[b]) continue;
            all.add_cell(at(b % 8, c % 16), at(b / 8 % 8, c / 16 % 16), at(b / 64, c / 256), 1.0 / 128.0, 0.0);
            errors.add(result, b * cells + c, all, blocks, 0.0);
        }
        errors.expect_below(7e-7, 2.5e-6, 3e-6);
    }
}

}  // namespace
}  // namespace gravlet::test
