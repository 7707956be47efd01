// SPDX-License-Identifier: Apache-2.0
// precision: double, isolated, against sums in long double of this test's own: potential, acceleration and tidal tensor of points
// and cells, softened or not, on one rank and several. Errors are relative to the larger of the result and a tenth of the sum of
// all that it is the sum of.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace gravlet::test {
namespace {

struct Problem {
    BodyArrays cells, points;
    Options options;
    std::size_t stride = 13;  ///< every so many are judged

    [[nodiscard]] double softening(const BodyArrays& of, std::size_t i) const {
        return &of == &cells ? 0.0 : of.softening.empty() ? options.softening : of.softening[i];
    }
};

constexpr std::array<std::size_t, 4> first_of_field = {0, 1, 4, 10};

/// All that acts on one body, and of each field the sum of the sizes.
struct Sums {
    std::array<long double, 10> of{};
    std::array<long double, 3> sizes{};

    Sums(const Problem& all, const BodyArrays& targets, std::size_t i) {
        add(all, all.cells, targets, i);
        add(all, all.points, targets, i);
    }

    /// Of field k, from what a solve gave: nine components.
    [[nodiscard]] double error(std::size_t k, const std::array<double, 10>& got) const {
        long double error2 = 0.0L, size2 = 0.0L;
        for (std::size_t c = first_of_field[k]; c < first_of_field[k + 1]; ++c) {
            error2 += (got[c] - of[c]) * (got[c] - of[c]);
            size2 += of[c] * of[c];
        }
        const double error = static_cast<double>(sqrtl(error2) / std::max(sqrtl(size2), 0.1L * sizes[k]));
        return std::isnan(error) ? infinity : error;
    }

private:
    void add(const Problem& all, const BodyArrays& from, const BodyArrays& targets, std::size_t i) {
        const double own = all.softening(targets, i);
        for (std::size_t j = 0; j < from.size(); ++j) {
            if ((&from == &targets && j == i) || from.mass[j] == 0.0) continue;
            const std::array<long double, 3> d = {static_cast<long double>(from.x[j]) - targets.x[i],
                                                  static_cast<long double>(from.y[j]) - targets.y[i],
                                                  static_cast<long double>(from.z[j]) - targets.z[i]};
            const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], m = from.mass[j],
                              softening = std::max(own, all.softening(from, j));
            const auto pair = softened_pair(r2, softening, all.options.softening_kernel);
            of[0] -= m * pair.potential;
            sizes[0] += m * pair.potential;
            sizes[1] += m * pair.field * sqrtl(r2);
            sizes[2] += m * sqrtl(powl(pair.tide * r2 - pair.field, 2) + 2 * pair.field * pair.field);
            for (std::size_t a = 0, c = 4; a < 3; ++a) {
                of[1 + a] += m * pair.field * d[a];
                for (std::size_t b = a; b < 3; ++b, ++c) of[c] += m * (pair.tide * d[a] * d[b] - (a == b ? pair.field : 0.0L));
            }
        }
    }
};

/// Of all judged bodies of all ranks, by field: the worst, and of 99%.
struct Worst {
    std::array<double, 3> max{}, p99{};
};

Worst errors_of(const Problem& all, bool scattered) {
    const std::size_t ranks = static_cast<std::size_t>(world_size());
    const auto part = [&](const BodyArrays& of) {
        return scattered ? part_of(of, [&](std::size_t i) { return static_cast<int>(i % ranks); }) : part_of(of);
    };
    const BodyArrays cells = part(all.cells), points = part(all.points);
    Result of_cells(cells.size()), of_points(points.size());
    Solver(MPI_COMM_WORLD, all.options).solve(cells.cells(), of_cells.all_fields(), points.points(), of_points.all_fields());
    std::array<std::vector<double>, 3> errors;
    const auto judge = [&](const BodyArrays& mine, const BodyArrays& whole, const Result& result) {
        for (std::size_t k = 0; k < mine.size(); ++k) {
            if (mine.index[k] % all.stride != 0) continue;
            std::array<double, 10> got{result.potential[k]};
            for (std::size_t c = 0; c < 3; ++c) got[1 + c] = result.acceleration[c][k];
            for (std::size_t c = 0; c < 6; ++c) got[4 + c] = result.tidal[c][k];
            const Sums exact(all, whole, mine.index[k]);
            for (std::size_t field = 0; field < 3; ++field) errors[field].push_back(exact.error(field, got));
        }
    };
    judge(cells, all.cells, of_cells);
    judge(points, all.points, of_points);
    Worst worst;
    for (std::size_t field = 0; field < 3; ++field) {
        const int mine = static_cast<int>(errors[field].size());
        std::vector<int> counts(ranks), begins(ranks, 0);
        MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
        for (std::size_t r = 1; r < ranks; ++r) begins[r] = begins[r - 1] + counts[r - 1];
        std::vector<double> of_all(static_cast<std::size_t>(begins.back() + counts.back()));
        MPI_Allgatherv(errors[field].data(), mine, MPI_DOUBLE, of_all.data(), counts.data(), begins.data(), MPI_DOUBLE,
                       MPI_COMM_WORLD);
        std::ranges::sort(of_all);
        worst.max[field] = of_all.back();
        worst.p99[field] = of_all[of_all.size() * 99 / 100];
    }
    return worst;
}

/// Bounds of the worst potential, acceleration and tidal tensor; of 99% half of them.
void expect_right(const Problem& all, const std::array<double, 3>& limits, const std::string& what) {
    for (const bool scattered : {false, true}) {
        if (scattered && world_size() == 1) continue;
        const Worst worst = errors_of(all, scattered);
        for (std::size_t field = 0; field < 3; ++field) {
            EXPECT_LT(worst.max[field], limits[field]) << what << ", field " << field << ", scattered " << scattered;
            EXPECT_LT(worst.p99[field], 0.5 * limits[field]) << what << ", field " << field << ", scattered " << scattered;
        }
    }
}

Options in_double(double theta, int order) {
    Options options;
    options.precision = Precision::double_;
    options.theta = theta, options.order = order;
    options.self_potential = false;
    return options;
}

/// A Plummer sphere, by the curve of its polar angle, so that ranks have places of their own.
Problem plummer_sphere(std::size_t n, double theta, int order) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform;
    Problem all;
    all.options = in_double(theta, order);
    for (std::size_t i = 0; i < n; ++i) {
        const double z = 2.0 * (static_cast<double>(i) + uniform(random)) / static_cast<double>(n) - 1.0,
                     r = 1.0 / std::sqrt(std::pow(0.02 + 0.98 * uniform(random), -2.0 / 3.0) - 0.9999),
                     angle = 6.283185307 * uniform(random), s = std::sqrt(1.0 - z * z);
        all.points.add_point(3.0 + r * s * std::cos(angle), r * s * std::sin(angle), r * z, (0.5 + uniform(random)) / 3.0);
    }
    return all;
}

TEST(Double, OfPoints) { expect_right(plummer_sphere(9000, 0.4, 10), {4e-13, 1.5e-11, 8e-11}, "order 10"); }

TEST(Double, FallsWithTheOrder) {
    const std::array<std::array<double, 3>, 5> limits = {
        {{4e-5, 4e-4, 8e-4}, {2e-7, 3e-6, 1.2e-5}, {2e-9, 6e-8, 3e-7}, {6e-11, 1.6e-9, 8e-9}, {8e-13, 4e-11, 2e-10}}};
    for (int order = 2; order <= 10; order += 2)
        expect_right(plummer_sphere(4000, 0.5, order), limits[static_cast<std::size_t>(order / 2 - 1)],
                     "order " + std::to_string(order));
}

TEST(Double, OfOtherCriteria) {
    Problem all = plummer_sphere(4000, automatic, automatic);
    for (const Criterion criterion : {Criterion::acceleration, Criterion::multipole}) {
        all.options.criterion = criterion;
        expect_right(all, {1.5e-12, 2.5e-11, 2e-10}, to_string(criterion));
    }
}

/// Those far out make groups whose boxes reach over all others: a GPU does their targets by themselves.
TEST(Double, OfPointsInThinAir) {
    Problem all = plummer_sphere(20000, 0.9, 10);
    all.stride = 97;
    for (std::size_t i = 0; i < all.points.size(); i += 97)
        for (std::vector<double>* const x : {&all.points.x, &all.points.y, &all.points.z})
            (*x)[i] *= 1.0 + 0.03 * static_cast<double>(i % 1000);
    expect_right(all, {1.2e-9, 7e-8, 1e-6}, "thin air");
}

TEST(Double, OfSoftenedPoints) {
    for (const double softening : {1e-4, 0.013, 0.3}) {
        Problem all = plummer_sphere(5000, 0.7, 10);
        all.options.softening = softening;
        // Within four lengths pairs are summed one by one: nearly all of them, but for those of what is far out.
        std::array<double, 3> limits{3e-11, 1.5e-9, 1.2e-8};
        if (softening > 0.1) limits = world_size() == 1 ? std::array{1e-12, 1e-11, 6e-11} : std::array{7e-12, 7e-11, 6e-10};
        expect_right(all, limits, "Plummer, " + std::to_string(softening));
        all.options.softening_kernel = SofteningKernel::spline;
        expect_right(all, limits, "spline, " + std::to_string(softening));
    }
}

TEST(Double, OfPointsWithLengthsOfTheirOwn) {
    for (const SofteningKernel kernel : {SofteningKernel::plummer, SofteningKernel::spline}) {
        Problem all = plummer_sphere(3000, 0.7, 10);
        all.options.softening_kernel = kernel;
        for (std::size_t i = 0; i < all.points.size(); ++i)
            all.points.softening.push_back(i % 5 == 0 ? 0.0 : 0.01 * std::pow(1.7, static_cast<double>(i % 7)));
        expect_right(all, {8e-12, 1.2e-10, 1e-9}, to_string(kernel));
    }
}

TEST(Double, OfCells) {
    Problem all;
    all.options = in_double(0.7, 10);
    all.cells = random_mesh(5, 6);
    expect_right(all, {5e-11, 1e-8, 2.6e-6}, "cells");
}

TEST(Double, OfPointsAmongCells) {
    for (const double softening : {0.0, 0.02}) {
        Problem all;
        all.options = in_double(0.7, 10);
        all.options.softening = softening;
        all.cells = random_mesh(6, 6);
        all.points = random_points(7, 100);
        expect_right(all, {3e-10, 2.5e-8, 1.5e-6}, "softening " + std::to_string(softening));
    }
}

/// A disc of a millionth of its star, which acts pair by pair.
TEST(Double, OfADiscBesideItsStar) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform;
    Problem all;
    all.options = in_double(0.4, 10);
    all.points.add_point(0.3, -0.7, 0.11, 1.0);
    for (std::size_t i = 0; i < 4000; ++i) {
        const double r = std::sqrt(1.0 + 3.0 * uniform(random)), angle = 6.283185307 * (static_cast<double>(i) / 4000.0);
        all.points.add_point(0.3 + r * std::cos(angle), -0.7 + r * std::sin(angle), 0.11 + 0.02 * uniform(random),
                             1e-6 * uniform(random) / 2000.0);
    }
    expect_right(all, {4e-15, 2e-14, 6e-14}, "disc");
}

/// Against the direct sum, which tells near cells apart by itself.
TEST(Double, OfCellsThatAreCuboids) {
    Options options = in_double(0.4, 10);
    options.near_cells = NearCells::cuboid;
    BodyArrays all = random_mesh(5, 4);
    for (double& x : all.x) x = 0.3 + x / 3.0;  // sides that no float has
    for (double& y : all.y) y /= 3.0;
    for (double& z : all.z) z /= 3.0;
    for (double& side : all.dx) side /= 3.0;
    const BodyArrays cells = part_of(all);
    Result tree(cells.size()), direct(cells.size());
    Solver(MPI_COMM_WORLD, options).solve(cells.cells(), tree.all_fields());
    options.theta = 0.0;
    Solver(MPI_COMM_WORLD, options).solve(cells.cells(), direct.all_fields());
    EXPECT_LT(potential_errors(tree, direct).max, 1e-14);
    std::array<double, 2> worst{}, largest{};
    for (std::size_t i = 0; i < cells.size(); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            worst[0] = std::max(worst[0], std::abs(tree.acceleration[c][i] - direct.acceleration[c][i]));
            largest[0] = std::max(largest[0], std::abs(direct.acceleration[c][i]));
        }
        for (std::size_t c = 0; c < 6; ++c) {
            worst[1] = std::max(worst[1], std::abs(tree.tidal[c][i] - direct.tidal[c][i]));
            largest[1] = std::max(largest[1], std::abs(direct.tidal[c][i]));
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, worst.data(), 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, largest.data(), 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_LT(worst[0], 8e-15 * largest[0]);
    EXPECT_LT(worst[1], 2.5e-14 * largest[1]);
}

/// Few bodies, which act one by one, and the direct sum.
TEST(Double, OneByOne) {
    Problem few = plummer_sphere(300, automatic, automatic);
    few.options.softening = 0.01, few.stride = 1;
    expect_right(few, {6e-15, 8e-15, 6e-14}, "few");
    few.options.theta = 0.0;
    expect_right(few, {6e-15, 8e-15, 1e-14}, "direct");
}

TEST(Double, BitsAreThoseOfTheSolveBefore) {
    const Problem all = plummer_sphere(3000, 0.5, 8);
    const BodyArrays points = part_of(all.points);
    Solver solver(MPI_COMM_WORLD, all.options);
    Result first(points.size()), second(points.size());
    solver.solve(points.points(), first.all_fields());
    solver.solve(points.points(), second.all_fields());
    EXPECT_EQ(first, second);
}

TEST(Double, IsRefusedWith) {
    const auto refusal = [](const Options& options) -> std::string {
        try {
            validate(options);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_option);
            return error.what();
        }
        return {};
    };
    const Box box{{0, 0, 0}, {1, 1, 1}};
    const std::array<Boundary, 3> periodic = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
    EXPECT_NE(refusal({.order = 6}).find("with precision single"), std::string::npos);
    EXPECT_NE(refusal({.precision = Precision::double_, .tolerance = 1e-3}).find("a tolerance"), std::string::npos);
    EXPECT_NE(
        refusal({.boundary = periodic, .precision = Precision::double_, .domain = box, .periodic_method = PeriodicMethod::table})
            .find("periodic_method"),
        std::string::npos);
    EXPECT_EQ(refusal({.boundary = periodic, .order = 10, .precision = Precision::double_, .domain = box}), "");
}

}  // namespace
}  // namespace gravlet::test
