// SPDX-License-Identifier: Apache-2.0
// near_cells: cuboid. A uniform medium that fills a periodic box pulls on nothing, wherever levels of its mesh meet and however
// far they jump; points do, by 1e-2 of 4 pi G rho h and more. phi is the same on both sides, for hosts that difference it.
#include "tests/api/near/near_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <ostream>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

Options periodic_options(const Refined& of, NearCells near) {
    Options options{.theta = 0.3, .order = 4, .near_cells = near, .background = Background::keep};
    options.boundary.fill(Boundary::periodic);
    options.domain = Box{of.corner, {of.corner[0] + of.side[0], of.corner[1] + of.side[1], of.corner[2] + of.side[2]}};
    return options;
}

/// The largest over all ranks.
double largest(double value) {
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return value;
}

double longest_pull(const Result& got) {
    double most = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i)
        most = std::max(most, std::hypot(got.acceleration[0][i], got.acceleration[1][i], got.acceleration[2][i]));
    return largest(most);
}

/// Over 4 pi G rho h, h the coarse cells' shortest side.
double worst_pull(const Refined& of, const Options& options) {
    const BodyArrays mesh = part_of(refined_mesh(of));
    Result got(mesh.size());
    Solver solver(MPI_COMM_WORLD, options);
    solver.solve(mesh.cells(), got.fields());
    const double h = std::min({of.side[0], of.side[1], of.side[2]}) / of.n;
    return longest_pull(got) / (4.0 * std::numbers::pi * h);
}

struct UniformCase {
    std::string name;
    Refined of;
    double least_of_points, most_of_cuboids;

    friend void PrintTo(const UniformCase& c, std::ostream* to) { *to << c.name; }
};

class Uniform : public testing::TestWithParam<UniformCase> {};

TEST_P(Uniform, PullsOnNothing) {
    const UniformCase& c = GetParam();
    EXPECT_GT(worst_pull(c.of, periodic_options(c.of, NearCells::point)), c.least_of_points);
    EXPECT_LT(worst_pull(c.of, periodic_options(c.of, NearCells::cuboid)), c.most_of_cuboids);
}

constexpr Array3 thirds{1.0 / 3.0, -2.0 / 7.0, 1e3 + 0.1};
const double odd_side = std::numbers::pi / 3.0;

INSTANTIATE_TEST_SUITE_P(
    Meshes, Uniform,
    testing::Values(UniformCase{"Corner1", {.corner = thirds, .side = {odd_side, odd_side, odd_side}}, 1e-2, 1e-3},
                    UniformCase{"Corner2", {.jump = 2}, 3e-2, 1e-3},
                    UniformCase{"Corner3", {.corner = thirds, .n = 4, .jump = 3}, 3e-2, 1e-3},
                    UniformCase{"Edge1", {.corner = thirds, .side = {odd_side, odd_side, odd_side}, .directions = 2}, 1e-2, 1e-3},
                    UniformCase{"Edge2", {.corner = thirds, .n = 4, .jump = 2, .directions = 2}, 1e-2, 1e-3},
                    UniformCase{"Face1", {.directions = 1}, 1e-2, 1e-3},
                    UniformCase{"Face2", {.corner = thirds, .n = 4, .jump = 2, .directions = 1}, 1e-2, 1e-3},
                    UniformCase{"Unequal", {.corner = thirds, .side = {1.3, 1.0, 1.1}}, 1e-2, 5e-3},
                    UniformCase{"Bricks", {.side = {1.0, 2.0, 4.0}}, 0.2, 3e-2}),
    [](const auto& of) { return of.param.name; });

/// Blocks of n^3 cells: the box's octants, the first of them refined.
struct Blocks {
    int n, margin;
    std::vector<Array3> lower;
    std::vector<double> side;
    std::vector<double> density, potential, faces;

    Blocks(int cells, int around) : n(cells), margin(around) {
        int count = 0;
        const auto add = [&](double x, double y, double z, double s) {
            if (count++ % world_size() == world_rank()) lower.push_back({x, y, z}), side.push_back(s);
        };
        for (int b = 0; b < 8; ++b) {
            for (int c = 0; b == 0 && c < 8; ++c) add(0.25 * (c & 1), 0.25 * (c >> 1 & 1), 0.25 * (c >> 2), 0.25);
            if (b > 0) add(0.5 * (b & 1), 0.5 * (b >> 1 & 1), 0.5 * (b >> 2), 0.5);
        }
        const std::size_t edge = static_cast<std::size_t>(n + 2 * margin);
        density.assign(lower.size() * edge * edge * edge, 1.0);
        potential.assign(density.size(), nan);
        faces.assign(lower.size() * faces_of_a_block() * 3, 0.0);
    }
    [[nodiscard]] std::ptrdiff_t across() const { return n + 2 * margin; }
    [[nodiscard]] std::size_t faces_of_a_block() const { return static_cast<std::size_t>(n * n * (n + 1)); }
    [[nodiscard]] std::size_t at(std::size_t b, int i, int j, int k) const {
        const std::ptrdiff_t a = across();
        return b * static_cast<std::size_t>(a * a * a) +
               static_cast<std::size_t>(i + margin + a * (j + margin + a * (k + margin)));
    }
    [[nodiscard]] std::vector<Block> blocks() {
        std::vector<Block> out;
        for (std::size_t b = 0; b < lower.size(); ++b) {
            const double h = side[b] / n;
            Block block{.lower = lower[b], .cell_size = {h, h, h}, .n = {n, n, n}, .stride = {1, across(), across() * across()}};
            block.density = density.data() + at(b, 0, 0, 0);
            block.potential = potential.data() + at(b, 0, 0, 0);
            block.result_guards = {margin, margin, margin};
            for (std::size_t d = 0; d < 3; ++d) block.face_acceleration[d] = faces.data() + (3 * b + d) * faces_of_a_block();
            out.push_back(block);
        }
        return out;
    }
};

struct GuardErrors {
    double differences, faces;
};

/// -grad phi of cells from their neighbours and guard cells, and the acceleration at faces, over 4 pi G rho h of the coarse
/// cells.
GuardErrors guard_errors(NearCells near) {
    Blocks mesh(4, 1);
    Options options = periodic_options({}, near);
    options.gpu_sharing = GpuSharing::share;  // guard cells
    Solver solver(MPI_COMM_WORLD, options);
    std::vector<Block> blocks = mesh.blocks();
    solver.solve(blocks);
    const double unit = 4.0 * std::numbers::pi * 0.125;
    GuardErrors errors{};
    for (std::size_t b = 0; b < mesh.lower.size(); ++b) {
        for (int c = 0; c < 64; ++c) {
            const int i = c % 4, j = c / 4 % 4, k = c / 16;
            const auto slope = [&](int x, int y, int z) {
                const double higher = mesh.potential[mesh.at(b, i + x, j + y, k + z)],
                             lower = mesh.potential[mesh.at(b, i - x, j - y, k - z)];
                return std::abs(higher - lower) / (2.0 * mesh.side[b] / 4.0) / unit;
            };
            for (const double error : {slope(1, 0, 0), slope(0, 1, 0), slope(0, 0, 1)})
                errors.differences = std::max(errors.differences, std::isnan(error) ? infinity : error);
        }
    }
    for (const double pull : mesh.faces) errors.faces = std::max(errors.faces, std::abs(pull) / unit);
    return {largest(errors.differences), largest(errors.faces)};
}

TEST(UniformBlocks, HaveNoSlopeAcrossLevelsAndNoPullAtFaces) {
    const GuardErrors points = guard_errors(NearCells::point), cuboids = guard_errors(NearCells::cuboid);
    EXPECT_GT(points.differences, 2e-2);
    EXPECT_LT(cuboids.differences, 3e-4);
    EXPECT_LT(cuboids.faces, 5e-4);
}

}  // namespace
}  // namespace gravlet::test
