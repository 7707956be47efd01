// SPDX-License-Identifier: Apache-2.0
// Meshes of one level, which one rank sums by a convolution: all components of all fields of all cells against naive sums, and
// those that must go to a tree.
#include "ewald/periodic_box.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/classical_sum.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <vector>

namespace gravlet::test {
namespace {

constexpr std::size_t components = 10;
using Sums = std::array<double, components>;

bool has_convolved(const Solver& solver) {
    return std::ranges::any_of(solver.report().stages, [](const StageTime& stage) { return stage.name == "convolution"; });
}

/// n[0] x n[1] x n[2] cells from `lower` on, in random order, without some of them; masses of any size, some 0.
struct Lattice {
    std::array<int, 3> n;
    std::array<double, 3> lower, side;
    BodyArrays cells;
    std::vector<std::array<int, 3>> place;

    Lattice(const std::array<int, 3>& count, const std::array<double, 3>& corner, const std::array<double, 3>& sides,
            double missing, double decades, std::uint64_t seed)
        : n(count), lower(corner), side(sides) {
        std::mt19937_64 random(seed);
        std::uniform_real_distribution<double> uniform;
        for (int k = 0; k < n[2]; ++k)
            for (int j = 0; j < n[1]; ++j)
                for (int i = 0; i < n[0]; ++i) place.push_back({i, j, k});
        std::ranges::shuffle(place, random);
        const std::size_t left = place.size() - static_cast<std::size_t>(missing * static_cast<double>(place.size()));
        place.resize(left);
        // A lattice that lacks cells must reach its ends.
        for (const auto& [i, j, k] : place) {
            const double mass = uniform(random) < 0.1 ? 0.0 : std::pow(10.0, decades * uniform(random));
            cells.add_cell(lower[0] + (i + 0.5) * side[0], lower[1] + (j + 0.5) * side[1], lower[2] + (k + 0.5) * side[2],
                           side[0], mass);
            cells.dy.push_back(side[1]), cells.dz.push_back(side[2]);
        }
    }
};

/// Sums of all cells at all cells, each pair by what `pair` says of a displacement in sides.
template <class Pair>
std::vector<Sums> naive_sums(const Lattice& lattice, const std::vector<double>& mass, const Pair& pair) {
    std::map<std::array<int, 3>, Sums> known;
    std::vector<Sums> sums(mass.size(), Sums{});
    for (std::size_t t = 0; t < mass.size(); ++t) {
        for (std::size_t s = 0; s < mass.size(); ++s) {
            std::array<int, 3> r{};
            for (std::size_t d = 0; d < 3; ++d) r[d] = lattice.place[t][d] - lattice.place[s][d];
            const auto found = known.find(r);
            const Sums& of = found != known.end() ? found->second : known.emplace(r, pair(r)).first->second;
            for (std::size_t k = 0; k < components; ++k) sums[t][k] += mass[s] * of[k];
        }
    }
    return sums;
}

/// Potential, field and tide at a displacement from a unit mass, which is at it where that is 0.
Sums isolated_pair(const Lattice& lattice, const std::array<int, 3>& r) {
    Sums sum{};
    if (r == std::array<int, 3>{}) return sum;
    double x[3], r2 = 0.0;
    for (std::size_t d = 0; d < 3; ++d) x[d] = r[d] * lattice.side[d], r2 += x[d] * x[d];
    const double inverse = 1.0 / std::sqrt(r2);
    sum[0] = -inverse;
    for (std::size_t a = 0, at = 4; a < 3; ++a) {
        sum[1 + a] = -x[a] * inverse / r2;
        for (std::size_t b = a; b < 3; ++b, ++at) sum[at] = (3.0 * x[a] * x[b] / r2 - (a == b ? 1.0 : 0.0)) * inverse / r2;
    }
    return sum;
}

/// The worst difference, over the largest of all values of the field.
void expect_sums(const Result& got, const std::vector<Sums>& expected, double most, int derivatives = 2) {
    const auto value = [&](std::size_t k, std::size_t i) {
        return k == 0 ? got.potential[i] : k < 4 ? got.acceleration[k - 1][i] : got.tidal[k - 4][i];
    };
    const std::size_t first[] = {0, 1, 4, components};
    for (int degree = 0; degree <= derivatives; ++degree) {
        double worst = 0.0, largest = 0.0;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            for (std::size_t k = first[degree]; k < first[degree + 1]; ++k) {
                largest = std::max(largest, std::abs(expected[i][k]));
                worst = std::max(worst, std::abs(value(k, i) - expected[i][k]));
            }
        }
        EXPECT_LE(worst, most * largest) << "degree " << degree;
        testing::Test::RecordProperty("worst", std::to_string(worst / largest));
    }
}

Options plain() {
    Options options;
    options.G = 1.0;
    options.self_potential = false;
    options.uniform_mesh = UniformMesh::convolution;
    return options;
}

// One rank alone has them all.
#define ON_ONE_RANK                                             \
    if (world_size() > 1) GTEST_SKIP() << "a mesh on one rank"; \
    if (!GRAVLET_HAS_FFTW) GTEST_SKIP() << "gravlet was built without FFTW"

class Isolated : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Isolated, AsNaiveSums) {
    ON_ONE_RANK;
    std::mt19937_64 random(GetParam());
    std::uniform_int_distribution<int> count(1, 13);
    std::uniform_real_distribution<double> uniform;
    const std::array<int, 3> n{count(random), count(random), count(random)};
    const double h = std::pow(10.0, 30.0 * uniform(random) - 15.0);
    const std::array<double, 3> side{h, h * (0.3 + 2.0 * uniform(random)), h * (0.3 + 2.0 * uniform(random))},
        lower{h * (uniform(random) - 7.0), h * 1000.0 * uniform(random), -h / 3.0};
    const Lattice lattice(n, lower, side, 0.3 * uniform(random), 8.0 * uniform(random), GetParam());
    Solver solver(MPI_COMM_WORLD, plain());
    Result got(lattice.cells.size());
    solver.solve(lattice.cells.cells(), got.all_fields());
    EXPECT_TRUE(has_convolved(solver));
    const auto pair = [&](const std::array<int, 3>& r) { return isolated_pair(lattice, r); };
    expect_sums(got, naive_sums(lattice, lattice.cells.mass, pair), 2e-12);
}

INSTANTIATE_TEST_SUITE_P(Random, Isolated, testing::Range(std::uint64_t{1}, std::uint64_t{25}));

/// Of a mass and its images, at its own place without itself.
Sums periodic_pair(const ClassicalSum& sum, const Lattice& lattice, const std::array<int, 3>& r) {
    const Vector3 at{r[0] * lattice.side[0], r[1] * lattice.side[1], r[2] * lattice.side[2]};
    ClassicalSum::Value of = sum.near(at);
    for (const auto& [k, amplitude] : sum.waves()) {
        const double phase = ClassicalSum::dot(k, at), slope = -amplitude * std::sin(phase), bend = -amplitude * std::cos(phase);
        of.value -= bend;
        of.gradient.x += slope * k.x, of.gradient.y += slope * k.y, of.gradient.z += slope * k.z;
        ClassicalSum::add_product(bend, k, of.second);
    }
    Sums out{-of.value, of.gradient.x, of.gradient.y, of.gradient.z};
    std::ranges::copy(of.second, out.begin() + 4);
    if (r == std::array<int, 3>{}) {
        const double alpha = sum.own() * std::sqrt(std::numbers::pi) / 2.0;  // erf(alpha r)/r is that at 0
        out[0] += sum.own();
        const double bend = -4.0 * std::pow(alpha, 3) / (3.0 * std::sqrt(std::numbers::pi));  // its second derivatives
        for (const std::size_t diagonal : {4UL, 7UL, 9UL}) out[diagonal] -= bend;
    }
    return out;
}

Options in_box(const Lattice& lattice, const std::array<Boundary, 3>& boundary) {
    Options options = plain();
    options.boundary = boundary;
    Box box{};
    for (std::size_t d = 0; d < 3; ++d)
        box.lower[d] = lattice.lower[d], box.upper[d] = box.lower[d] + lattice.n[d] * lattice.side[d];
    options.domain = box;
    return options;
}

class InABox : public testing::TestWithParam<std::array<int, 3>> {};

TEST_P(InABox, AsEwaldSums) {
    ON_ONE_RANK;
    const std::array<double, 3> side{0.2, 0.25, 0.17};
    const Lattice lattice(GetParam(), {-1.0, 0.5, 3.0}, side, 0.0, 4.0, 5);
    Solver solver(MPI_COMM_WORLD, in_box(lattice, {Boundary::periodic, Boundary::periodic, Boundary::periodic}));
    Result got(lattice.cells.size());
    solver.solve(lattice.cells.cells(), got.all_fields());
    EXPECT_TRUE(has_convolved(solver));
    std::vector<double> mass = lattice.cells.mass;
    for (double& m : mass) m -= solver.report().background * side[0] * side[1] * side[2];
    const PeriodicBox box{{lattice.n[0] * side[0], lattice.n[1] * side[1], lattice.n[2] * side[2]}, {true, true, true}};
    const ClassicalSum sum(box);
    const auto pair = [&](const std::array<int, 3>& r) { return periodic_pair(sum, lattice, r); };
    expect_sums(got, naive_sums(lattice, mass, pair), 1e-11);
}

INSTANTIATE_TEST_SUITE_P(Sizes, InABox,
                         testing::Values(std::array{4, 4, 4}, std::array{5, 3, 6}, std::array{7, 2, 3}, std::array{1, 8, 5},
                                         std::array{6, 6, 1}));

// Against the direct sum, whose pairs have a table of Ewald sums.
TEST(UniformMesh, MixedBoundaries) {
    ON_ONE_RANK;
    const Lattice lattice({6, 5, 7}, {0.1, 0.2, 0.3}, {0.3, 0.3, 0.3}, 0.0, 3.0, 6);
    for (const unsigned periodic : {1U, 2U, 4U, 3U, 5U, 6U}) {
        std::array<Boundary, 3> boundary{};
        for (unsigned d = 0; d < 3; ++d) boundary[d] = (periodic >> d & 1U) != 0 ? Boundary::periodic : Boundary::isolated;
        Options options = in_box(lattice, boundary);
        Solver solver(MPI_COMM_WORLD, options);
        Result got(lattice.cells.size()), direct(lattice.cells.size());
        solver.solve(lattice.cells.cells(), got.all_fields());
        EXPECT_TRUE(has_convolved(solver)) << periodic;
        options.theta = 0.0;
        Solver(MPI_COMM_WORLD, options).solve(lattice.cells.cells(), direct.all_fields());
        std::vector<Sums> expected(direct.size());
        for (std::size_t i = 0; i < direct.size(); ++i) {
            expected[i][0] = direct.potential[i];
            for (std::size_t k = 0; k < 3; ++k) expected[i][1 + k] = direct.acceleration[k][i];
            for (std::size_t k = 0; k < 6; ++k) expected[i][4 + k] = direct.tidal[k][i];
        }
        expect_sums(got, expected, 5e-7);  // the table's, in tides
    }
}

/// Of cells that are no lattice, or of a solve that a convolution cannot do: a tree's, that it is right, and within its error.
void expect_a_tree(const BodyArrays& cells, const Options& options) {
    Solver solver(MPI_COMM_WORLD, options);
    Result got(cells.size());
    solver.solve(cells.cells(), got.fields());
    EXPECT_FALSE(has_convolved(solver));
    const Naive reference(cells, {}, options);
    EXPECT_LE(potential_errors(got, reference.cells).max, 1e-4);
}

TEST(UniformMesh, WhatIsNoLattice) {
    ON_ONE_RANK;
    const Options options = plain();
    const Lattice whole({8, 8, 8}, {0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}, 0.0, 1.0, 7);
    Solver solver(MPI_COMM_WORLD, options);
    Result got(whole.cells.size());
    solver.solve(whole.cells.cells(), got.fields());
    EXPECT_TRUE(has_convolved(solver));

    BodyArrays moved = whole.cells;  // by more than a host's rounding
    moved.y[17] += 1e-6;
    expect_a_tree(moved, options);
    BodyArrays thick = whole.cells;
    thick.dz[3] *= 0.999;
    expect_a_tree(thick, options);
    expect_a_tree(Lattice({8, 8, 8}, {0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}, 0.6, 1.0, 8).cells, options);
    expect_a_tree(random_mesh(3, 4), options);
}

// Rounding of what one cell does is all over the lattice, and must not show at the cell itself.
TEST(UniformMesh, ACellThatOutweighsAllOthers) {
    ON_ONE_RANK;
    Lattice lattice({7, 8, 9}, {0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}, 0.0, 1.0, 11);
    double all = 0.0;
    for (const double mass : lattice.cells.mass) all += mass;
    for (const double times : {1e5, 1e7, 1e9, 1e12, 1e15}) {
        lattice.cells.mass[100] = times * all;
        Solver solver(MPI_COMM_WORLD, plain());
        Result got(lattice.cells.size());
        solver.solve(lattice.cells.cells(), got.fields());
        EXPECT_EQ(has_convolved(solver), times < 1e8) << times;
        const Naive reference(lattice.cells, {}, plain());
        EXPECT_LE(potential_errors(got, reference.cells).max, 1e-4) << times;
        EXPECT_LE(acceleration_errors(got, reference.cells).max, has_convolved(solver) ? 1e-7 : 1e-2) << times;
    }
    for (double& mass : lattice.cells.mass) mass = 0.0;
    lattice.cells.mass[7] = 1.0;
    Solver solver(MPI_COMM_WORLD, plain());
    Result got(lattice.cells.size());
    solver.solve(lattice.cells.cells(), got.fields());
    EXPECT_EQ(got.potential[7], 0.0);
}

TEST(UniformMesh, WhoAsksForATree) {
    ON_ONE_RANK;
    const Lattice lattice({8, 8, 16}, {0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}, 0.0, 1.0, 9);
    Options options = plain();
    options.uniform_mesh = UniformMesh::tree;
    expect_a_tree(lattice.cells, options);
    options.uniform_mesh = UniformMesh::automatic;
    for (const auto& change :
         {+[](Options& o) { o.theta = 0.5; }, +[](Options& o) { o.order = 4; }, +[](Options& o) { o.tolerance = 1e-5; },
          +[](Options& o) { o.criterion = Criterion::multipole; }}) {
        Options chosen = options;
        change(chosen);
        expect_a_tree(lattice.cells, chosen);
    }
    Solver solver(MPI_COMM_WORLD, options);  // nothing said, and too many cells to act one by one
    Result got(lattice.cells.size());
    solver.solve(lattice.cells.cells(), got.fields());
    EXPECT_TRUE(has_convolved(solver) || solver.report().backend.starts_with("gpu"));
}

// What a convolution cannot do is done by a tree, on a kept order too, and the next solve convolves again.
TEST(UniformMesh, TreesAndConvolutionsInTurn) {
    ON_ONE_RANK;
    Lattice lattice({9, 7, 8}, {0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}, 0.0, 1.0, 10);
    Options options = plain();
    options.theta = 0.8;  // or so few would act one by one, without a tree
    Solver solver(MPI_COMM_WORLD, options);
    const auto solve = [&](bool with_probe, bool few = false) {
        const std::vector<double> place{0.31};
        std::vector<double> potential{0.0};
        Probes probes;
        if (with_probe) probes = {place, place, place, {potential, {}}};
        Result got(lattice.cells.size());
        const std::vector<std::uint8_t> active = draw_flags(got.size(), few ? 0.05 : 2.0, 3);
        Cells cells = lattice.cells.cells();
        cells.active = active;
        solver.solve(cells, got.fields(), probes);
        EXPECT_EQ(has_convolved(solver), !with_probe);
        Naive reference(lattice.cells, {}, plain());
        for (std::size_t i = 0; i < got.size(); ++i) {
            if (active[i] != 0) continue;
            EXPECT_EQ(got.potential[i], Result::untouched);
            reference.cells.potential[i] = nan;
        }
        EXPECT_LE(potential_errors(got, reference.cells).max, with_probe ? 1e-4 : 1e-13);
        EXPECT_LE(acceleration_errors(got, reference.cells).max, with_probe ? 1e-2 : 1e-11);
        EXPECT_EQ(solver.report().targets, std::ranges::count(active, 1) + (with_probe ? 1 : 0));
    };
    solve(true, true);  // active ones are packed, and then are not
    solve(false, true);
    solve(false);
    for (const bool with_probe : {false, true, true, false, false, true}) {
        solve(with_probe);
        lattice.cells.mass[5] *= 3.0;
    }
    for (double& x : lattice.cells.x) x += 0.05;
    solve(false);
}

// Blocks side by side, and layers of guard cells around each: on cells of others, beyond the mesh, or periods away.
TEST(UniformMesh, GuardCells) {
    ON_ONE_RANK;
    const std::array<int, 3> n{4, 3, 5}, guards{1, 2, 3}, blocks{2, 3, 2};
    const Lattice lattice({8, 9, 10}, {0.3, -1.0, 2.0}, {0.1, 0.2, 0.15}, 0.0, 3.0, 12);
    std::map<std::array<int, 3>, double> mass;
    for (std::size_t i = 0; i < lattice.place.size(); ++i) mass[lattice.place[i]] = lattice.cells.mass[i];
    const std::array<int, 3> padded{n[0] + 2 * guards[0], n[1] + 2 * guards[1], n[2] + 2 * guards[2]};
    const auto size = static_cast<std::size_t>(padded[0] * padded[1] * padded[2]);
    const double volume = lattice.side[0] * lattice.side[1] * lattice.side[2];
    for (const bool periodic : {false, true}) {
        const Boundary boundary = periodic ? Boundary::periodic : Boundary::isolated;
        Options options = periodic ? in_box(lattice, {boundary, boundary, boundary}) : plain();
        options.background = Background::keep;
        std::vector<std::array<std::vector<double>, 5>> fields;  // of each block: density, potential, acceleration
        std::vector<std::array<int, 3>> first;
        for (int b = 0; b < blocks[0] * blocks[1] * blocks[2]; ++b) {
            first.push_back({b % blocks[0] * n[0], b / blocks[0] % blocks[1] * n[1], b / blocks[0] / blocks[1] * n[2]});
            fields.emplace_back();
            for (std::vector<double>& field : fields.back()) field.assign(size, -7.0);
        }
        const auto at = [&](int i, int j, int k) {
            return static_cast<std::size_t>(i + guards[0] + padded[0] * (j + guards[1] + padded[1] * (k + guards[2])));
        };
        std::vector<Block> views;
        for (std::size_t b = 0; b < first.size(); ++b) {
            Block view;
            for (std::size_t d = 0; d < 3; ++d) view.lower[d] = lattice.lower[d] + first[b][d] * lattice.side[d];
            view.cell_size = lattice.side, view.n = n, view.result_guards = guards;
            view.stride = {1, padded[0], padded[0] * padded[1]};
            for (int k = 0; k < n[2]; ++k)
                for (int j = 0; j < n[1]; ++j)
                    for (int i = 0; i < n[0]; ++i)
                        fields[b][0][at(i, j, k)] = mass[{first[b][0] + i, first[b][1] + j, first[b][2] + k}] / volume;
            const std::size_t corner = at(0, 0, 0);
            view.density = fields[b][0].data() + corner, view.potential = fields[b][1].data() + corner;
            for (std::size_t d = 0; d < 3; ++d) view.acceleration[d] = fields[b][2 + d].data() + corner;
            views.push_back(view);
        }
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(views);
        EXPECT_TRUE(has_convolved(solver));

        const PeriodicBox box{{0.8, 1.8, 1.5}, {true, true, true}};
        const ClassicalSum images(box);
        std::map<std::array<int, 3>, Sums> known;
        std::array<double, 2> worst{}, largest{};
        for (std::size_t b = 0; b < first.size(); ++b) {
            for (int k = -guards[2]; k < n[2] + guards[2]; ++k) {
                for (int j = -guards[1]; j < n[1] + guards[1]; ++j) {
                    for (int i = -guards[0]; i < n[0] + guards[0]; ++i) {
                        std::array<int, 3> target{first[b][0] + i, first[b][1] + j, first[b][2] + k};
                        for (std::size_t d = 0; d < 3 && periodic; ++d) target[d] = (target[d] + lattice.n[d]) % lattice.n[d];
                        Sums sum{};
                        for (const auto& [source, m] : mass) {
                            const std::array<int, 3> r{target[0] - source[0], target[1] - source[1], target[2] - source[2]};
                            auto found = known.find(r);
                            if (found == known.end())
                                found = known.emplace(r, periodic ? periodic_pair(images, lattice, r) : isolated_pair(lattice, r))
                                            .first;
                            for (std::size_t c = 0; c < 4; ++c) sum[c] += m * found->second[c];
                        }
                        for (std::size_t c = 0; c < 4; ++c) {
                            const std::size_t degree = c == 0 ? 0 : 1;
                            worst[degree] = std::max(worst[degree], std::abs(fields[b][1 + c][at(i, j, k)] - sum[c]));
                            largest[degree] = std::max(largest[degree], std::abs(sum[c]));
                        }
                    }
                }
            }
        }
        for (std::size_t degree = 0; degree < 2; ++degree)
            EXPECT_LE(worst[degree], 1e-11 * largest[degree]) << "degree " << degree << ", periodic " << periodic;
    }
}

}  // namespace
}  // namespace gravlet::test
