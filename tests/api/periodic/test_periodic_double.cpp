// SPDX-License-Identifier: Apache-2.0
// precision: double in a periodic box, against Ewald's sum, written apart from the library's: potential, acceleration and tidal
// tensor, of points, softened or not, and of cells, some of whose images are on the faces of pieces.
#include "tests/api/body_arrays.hpp"
#include "tests/classical_sum.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <string>

namespace gravlet::test {
namespace {

using Sums = std::array<double, 10>;
constexpr std::array<std::size_t, 4> first_of_field = {0, 1, 4, 10};
constexpr double root_pi = 1.7724538509055160273;

/// What `from` does to body i, one of them, with all images.
Sums exact_sums(const ClassicalSum& sum, double softening, const BodyArrays& from, std::size_t i) {
    Sums all{};
    for (std::size_t s = 0; s < from.size(); ++s) {
        const Vector3 r{from.x[i] - from.x[s], from.y[i] - from.y[s], from.z[i] - from.z[s]};
        ClassicalSum::Value value = sum.near(r);
        for (const auto& [wave, amplitude] : sum.waves()) {
            const double phase = ClassicalSum::dot(wave, r), slope = -amplitude * std::sin(phase);
            value.value += amplitude * std::cos(phase);
            value.gradient.x += slope * wave.x, value.gradient.y += slope * wave.y, value.gradient.z += slope * wave.z;
            ClassicalSum::add_product(-amplitude * std::cos(phase), wave, value.second);
        }
        // Its images are felt, not itself: of erf(alpha r)/r, or of a softened mass.
        if (s == i) {
            value.value -= sum.own();
            const double alpha = 0.5 * root_pi * sum.own(),
                         curvature = softening > 0.0 ? std::pow(softening, -3) : 4.0 / 3.0 * std::pow(alpha, 3) / root_pi;
            for (const std::size_t diagonal : {0UL, 3UL, 5UL}) value.second[diagonal] += curvature;
        }
        all[0] -= from.mass[s] * value.value;
        const std::array<double, 3> gradient = {value.gradient.x, value.gradient.y, value.gradient.z};
        for (std::size_t d = 0; d < 3; ++d) all[1 + d] += from.mass[s] * gradient[d];
        for (std::size_t k = 0; k < 6; ++k) all[4 + k] += from.mass[s] * value.second[k];
    }
    return all;
}

/// Bounds of the worst error of each field, over its rms.
void expect_ewald(const BodyArrays& all, double softening, std::size_t stride, const std::array<double, 3>& limits,
                  const std::string& what) {
    constexpr Boundary p = Boundary::periodic;
    const Options options{.boundary = {p, p, p},
                          .theta = 0.4,
                          .order = 10,
                          .precision = Precision::double_,
                          .self_potential = false,
                          .softening = softening,
                          .domain = Box{{0, 0, 0}, {1, 1, 1}},
                          .background = Background::keep};
    const BodyArrays mine = part_of(all);
    Result got(mine.size());
    Solver solver(MPI_COMM_WORLD, options);
    if (all.dx.empty())
        solver.solve(mine.points(), got.all_fields());
    else
        solver.solve(mine.cells(), got.all_fields());
    const ClassicalSum sum({{1, 1, 1}, {true, true, true}}, softening);
    std::array<double, 3> worst{}, squares{};
    double judged = 0.0;
    for (std::size_t k = 0; k < mine.size(); ++k) {
        if (mine.index[k] % stride != 0) continue;
        const Sums exact = exact_sums(sum, softening, all, mine.index[k]);
        Sums result{got.potential[k]};
        for (std::size_t c = 0; c < 3; ++c) result[1 + c] = got.acceleration[c][k];
        for (std::size_t c = 0; c < 6; ++c) result[4 + c] = got.tidal[c][k];
        judged += 1.0;
        for (std::size_t field = 0; field < 3; ++field) {
            double error2 = 0.0;
            for (std::size_t c = first_of_field[field]; c < first_of_field[field + 1]; ++c) {
                error2 += std::pow(result[c] - exact[c], 2);
                squares[field] += exact[c] * exact[c];
            }
            worst[field] = std::isnan(error2) ? infinity : std::max(worst[field], std::sqrt(error2));
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, worst.data(), 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, squares.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &judged, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (std::size_t field = 0; field < 3; ++field) {
        worst[field] /= std::sqrt(squares[field] / judged);
        EXPECT_LT(worst[field], limits[field]) << what << ", field " << field;
    }
    if (world_rank() == 0) std::cout << what << ": " << worst[0] << ", " << worst[1] << ", " << worst[2] << '\n';
}

BodyArrays random_box(std::size_t n) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform;
    BodyArrays all;
    for (std::size_t i = 0; i < n; ++i) {
        const double z = uniform(random), y = uniform(random), x = uniform(random);
        all.add_point(x, y, z, uniform(random) / static_cast<double>(n));
    }
    return all;
}

TEST(PeriodicDouble, Points) { expect_ewald(random_box(3000), 0.0, 101, {2e-11, 2e-10, 4e-10}, "points"); }
TEST(PeriodicDouble, SoftenedPoints) { expect_ewald(random_box(3000), 0.03, 101, {2e-11, 3e-10, 1e-9}, "softened"); }
TEST(PeriodicDouble, Cells) { expect_ewald(random_mesh(9, 4), 0.0, 53, {1e-12, 4e-12, 1.5e-10}, "cells"); }

/// Two masses on faces that look at each other across a piece, and one in a corner.
TEST(PeriodicDouble, OnFacesOfPieces) {
    BodyArrays all;
    all.add_point(0.25, 0.25, 0.25, 1.0), all.add_point(0.5, 0.25, 0.25, 0.7), all.add_point(0.0, 0.0, 0.0, 0.3);
    all.add_point(0.125, 0.5, 0.75, 1e-3);
    expect_ewald(all, 0.0, 1, {4e-11, 6e-10, 3e-8}, "faces");
}

}  // namespace
}  // namespace gravlet::test
