// SPDX-License-Identifier: Apache-2.0
// Guard cells and faces of few active blocks, most of which lie on cells that have no results: as good as in a solve for all,
// against sums of this test's own; nothing else is written.
#include "tests/api/agreed.hpp"
#include "tests/api/results/bump_mesh.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

constexpr double untouched = -7.0;
constexpr int layers = 2;

/// Potential and acceleration.
using Field = std::array<double, 4>;

/// A rank's blocks, of cubes of cells: results with guard cells around, and at faces.
struct Host {
    const Mesh& mesh;
    const int n, wide;
    std::vector<std::vector<double>> densities;
    std::vector<std::array<std::vector<double>, 4>> results;
    std::vector<std::array<std::vector<double>, 3>> faces;

    explicit Host(const Mesh& of) : mesh(of), n(of.n[0]), wide(n + 2 * layers) {
        const auto cube = [](int side) { return static_cast<std::size_t>(side * side * side); };
        for (const Patch& patch : mesh.mine) {
            std::vector<double>& density = densities.emplace_back();
            for_cells(mesh.n, [&](int i, int j, int k) { density.push_back(Mesh::density(Mesh::centre(patch, i, j, k))); });
            results.emplace_back().fill(std::vector<double>(cube(wide), untouched));
            faces.emplace_back().fill(
                std::vector<double>(cube(n) / static_cast<std::size_t>(n) * static_cast<std::size_t>(n + 1), untouched));
        }
    }
    [[nodiscard]] std::size_t at(int i, int j, int k) const {
        return static_cast<std::size_t>(i + layers + wide * (j + layers + wide * (k + layers)));
    }
    [[nodiscard]] static std::array<int, 3> extent_of_faces(std::array<int, 3> n, std::size_t d) {
        ++n[d];
        return n;
    }
    /// Those for whose numbers `active` holds have results.
    template <class Active>
    [[nodiscard]] std::vector<Block> blocks(bool with_faces, const Active& active) {
        std::vector<Block> out;
        for (std::size_t b = 0; b < mesh.mine.size(); ++b) {
            Block& block = out.emplace_back(
                Block{.lower = mesh.mine[b].lower, .cell_size = mesh.mine[b].side, .n = mesh.n, .stride = {1, n, n * n}});
            block.density = densities[b].data();
            block.potential = results[b][0].data() + at(0, 0, 0);
            for (std::size_t d = 0; d < 3; ++d) block.acceleration[d] = results[b][d + 1].data() + at(0, 0, 0);
            block.result_stride = {1, wide, wide * wide};
            block.result_guards = {layers, layers, layers};
            for (std::size_t d = 0; d < 3 && with_faces; ++d) block.face_acceleration[d] = faces[b][d].data();
            block.active = active(b);
        }
        return out;
    }
    [[nodiscard]] bool inside(int i) const { return i >= 0 && i < n; }
    /// visit(i, j, k) for a block's guard cells, or for its cells.
    template <class F>
    void for_each(bool guards, F visit) const {
        for_cells({wide, wide, wide}, [&](int i, int j, int k) {
            const bool in = inside(i - layers) && inside(j - layers) && inside(k - layers);
            if (in != guards) visit(i - layers, j - layers, k - layers);
        });
    }
    [[nodiscard]] Field result(std::size_t b, std::size_t at) const {
        return {results[b][0][at], results[b][1][at], results[b][2][at], results[b][3][at]};
    }
    void expect_written(std::size_t b, bool written, bool with_faces) const {
        const auto all = [](const std::vector<double>& values, bool are_written) {
            return std::ranges::none_of(values, [=](double v) { return (v == untouched) == are_written; });
        };
        for (const std::vector<double>& values : results[b]) EXPECT_TRUE(all(values, written)) << b;
        for (const std::vector<double>& values : faces[b]) EXPECT_TRUE(all(values, written && with_faces)) << b;
    }
};

/// Sums over all cells of all ranks, in double: point masses, but for a cell whose centre is there.
class Sums {
public:
    explicit Sums(const Mesh& mesh) {
        for (const Patch& patch : mesh.all)
            for_cells(mesh.n, [&](int i, int j, int k) {
                const Array3 x = Mesh::centre(patch, i, j, k);
                const double h = patch.side[0];
                for (std::size_t d = 0; d < 3; ++d) at_[d].push_back(x[d]);
                mass_.push_back(Mesh::density(x) * h * h * h), side_.push_back(h);
            });
    }
    [[nodiscard]] Field operator()(const Array3& x) const {
        Field sum{};
        for (std::size_t c = 0; c < mass_.size(); ++c) {
            const double dx = at_[0][c] - x[0], dy = at_[1][c] - x[1], dz = at_[2][c] - x[2], r2 = dx * dx + dy * dy + dz * dz;
            if (r2 < 1e-12 * side_[c] * side_[c]) {
                sum[0] -= 2.3800774 * mass_[c] / side_[c];
                continue;
            }
            const double inverse = 1.0 / std::sqrt(r2), factor = mass_[c] * inverse * inverse * inverse;
            sum[0] -= mass_[c] * inverse;
            sum[1] += factor * dx, sum[2] += factor * dy, sum[3] += factor * dz;
        }
        return sum;
    }

private:
    std::array<std::vector<double>, 3> at_;
    std::vector<double> mass_, side_;
};

/// What is right at all guard cells and faces of this rank's blocks.
struct Truth {
    std::vector<std::vector<Field>> guards;
    std::vector<std::array<std::vector<Field>, 3>> faces;

    explicit Truth(const Host& host) : guards(host.mesh.mine.size()), faces(guards.size()) {
        const Sums sums(host.mesh);
        for (std::size_t b = 0; b < guards.size(); ++b) {
            const Patch& patch = host.mesh.mine[b];
            host.for_each(true, [&](int i, int j, int k) { guards[b].push_back(sums(Mesh::centre(patch, i, j, k))); });
            for (std::size_t d = 0; d < 3; ++d)
                for_cells(Host::extent_of_faces(host.mesh.n, d), [&](int i, int j, int k) {
                    Array3 x = Mesh::centre(patch, i, j, k);
                    x[d] -= 0.5 * patch.side[d];
                    faces[b][d].push_back(sums(x));
                });
        }
    }
};

/// Relative errors of potentials and accelerations at guard cells, and of accelerations at faces.
struct Errors {
    std::array<std::vector<double>, 3> of;

    /// Adds those of block b.
    void add(const Host& host, const Truth& truth, std::size_t b, bool with_faces) {
        std::size_t next = 0;
        const auto norm = [](const Field& f) { return std::hypot(f[1], f[2], f[3]); };
        host.for_each(true, [&](int i, int j, int k) {
            const Field got = host.result(b, host.at(i, j, k)), &right = truth.guards[b][next++];
            of[0].push_back(std::abs(got[0] / right[0] - 1.0));
            of[1].push_back(std::hypot(got[1] - right[1], got[2] - right[2], got[3] - right[3]) / norm(right));
        });
        for (std::size_t d = 0; d < 3 && with_faces; ++d)
            for (std::size_t f = 0; f < host.faces[b][d].size(); ++f) {
                const Field& right = truth.faces[b][d][f];
                of[2].push_back(std::abs(host.faces[b][d][f] - right[d + 1]) / norm(right));
            }
    }
};

bool everyone(std::size_t) { return true; }

/// One block of each rank after the other: errors of its guard cells and faces, beside those that they have where all blocks are
/// active. Measured: 99% of them 0.2 to 1.1 times these, the worst 0.4 to 1.35
/// times.
void expect_as_good_as_all(const Mesh& mesh, const std::vector<Options>& solves) {
    const Truth truth{Host(mesh)};
    for (const Options& options : solves)
        for (const bool with_faces : {false, true}) {
            Host all(mesh);
            Solver solver(MPI_COMM_WORLD, share(options));
            solver.solve(all.blocks(with_faces, everyone));
            Errors of_all, of_few;
            const auto ranks = static_cast<std::size_t>(world_size());
            for (std::size_t step = 0; step < (mesh.all.size() + ranks - 1) / ranks; ++step) {
                Host few(mesh);
                solver.solve(few.blocks(with_faces, [=](std::size_t b) { return b == step; }));
                for (std::size_t b = 0; b < mesh.mine.size(); ++b) few.expect_written(b, b == step, with_faces);
                if (step >= mesh.mine.size()) continue;
                of_all.add(all, truth, step, with_faces), of_few.add(few, truth, step, with_faces);
            }
            for (std::size_t kind = 0; kind < (with_faces ? 3 : 2); ++kind) {
                const Spread a = spread_of(of_all.of[kind]), f = spread_of(of_few.of[kind]);
                if (world_rank() == 0)
                    std::printf("theta %g, order %d, kind %zu: all %.2e %.2e, few %.2e %.2e: %.2f %.2f\n", options.theta,
                                options.order, kind, a.p99, a.max, f.p99, f.max, f.p99 / a.p99, f.max / a.max);
                EXPECT_LT(f.p99, 1.5 * a.p99);
                EXPECT_LT(f.max, 2.0 * a.max);
            }
        }
}

TEST(ActiveGuards, AsGoodAsAll) { expect_as_good_as_all(refined_mesh({8, 8, 8}, 1), {{}, {.theta = 0.5, .order = 2}}); }

TEST(ActiveGuards, OfManyLevels) {
    expect_as_good_as_all(refined_mesh({4, 4, 4}, 4), {{.theta = 1.0, .order = 4}, {.theta = 0.8, .order = 2}});
}

/// Blocks that are active at a step, by their numbers on their rank.
bool at_step(std::size_t block, std::size_t step) { return (block + step) % 5 == 0; }

// active_bits: same: cells have the bits of a solve for all.
TEST(ActiveGuards, SameBits) {
    for (const int n : {6, 8}) {  // cubes of the octree or not
        const Mesh mesh = refined_mesh({n, n, n}, 2);
        Solver solver(MPI_COMM_WORLD, share({.theta = 0.7, .order = 2, .active_bits = ActiveBits::same}));
        Host all(mesh);
        solver.solve(all.blocks(true, everyone));
        for (std::size_t step = 0; step < 5; ++step) {
            Host few(mesh);
            solver.solve(few.blocks(true, [=](std::size_t b) { return at_step(b, step); }));
            for (std::size_t b = 0; b < mesh.mine.size(); ++b) {
                few.expect_written(b, at_step(b, step), true);
                if (!at_step(b, step)) continue;
                few.for_each(false, [&](int i, int j, int k) {
                    const std::size_t at = few.at(i, j, k);
                    ASSERT_EQ(few.result(b, at), all.result(b, at)) << b << " " << i << " " << j << " " << k;
                });
            }
        }
    }
}

// Guard cells beyond the block beside, on cells without results.
TEST(ActiveGuards, BeyondTheBlockBeside) {
    const Mesh mesh = uniform_mesh(1, 6);
    Solver solver(MPI_COMM_WORLD, share({.theta = 0.5, .order = 4}));
    Host all(mesh), few(mesh);
    solver.solve(all.blocks(false, everyone));
    solver.solve(few.blocks(false, [](std::size_t b) { return at_step(b, 0); }));
    for (std::size_t b = 0; b < mesh.mine.size(); b += 5)
        few.for_each(true, [&](int i, int j, int k) {
            const std::size_t at = few.at(i, j, k);
            EXPECT_NEAR(few.result(b, at)[0] / all.result(b, at)[0], 1.0, 1e-4) << b << " " << i << " " << j << " " << k;
        });
}

// Levels that step by turns: densities of the active blocks change, and a host says so; the bits are those of a solver that looks
// at all, on several ranks of one that has asked for more.
TEST(ActiveGuards, OnlyChanged) {
    const Mesh mesh = refined_mesh({4, 4, 4}, 2);
    for (const ActiveBits bits : {ActiveBits::any, ActiveBits::same}) {
        const Options options = share({.theta = 0.6, .order = 3, .active_bits = bits});
        Solver told(MPI_COMM_WORLD, options);
        Host host(mesh), expected(mesh);
        told.solve(host.blocks(true, everyone));
        for (std::size_t step = 0; step < 6; ++step) {
            const auto active = [=](std::size_t b) { return step == 3 || at_step(b, step); };
            std::vector<std::uint8_t> changed;
            for (std::size_t b = 0; b < mesh.mine.size(); ++b) {
                changed.push_back(active(b) ? 1 : 0);
                for (double& value : host.densities[b]) value *= active(b) ? 1.01 : 1.0;
            }
            expected.densities = host.densities;
            expected.results = host.results, expected.faces = host.faces;
            told.only_changed(changed);
            told.solve(host.blocks(true, active));
            EXPECT_EQ(told.report().unchanged_ranks, world_size());
            Solver fresh(MPI_COMM_WORLD, options);
            fresh.solve(expected.blocks(true, active));
            EXPECT_EQ(host.results, expected.results) << step;
            EXPECT_EQ(host.faces, expected.faces) << step;
        }
    }
}

}  // namespace
}  // namespace gravlet::test
