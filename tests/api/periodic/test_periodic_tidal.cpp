// SPDX-License-Identifier: Apache-2.0
// The tidal tensor in a periodic box against Ewald's sum, written apart from the library's, and its trace: 4 pi G times the mean
// density.
#include "physics/fields.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/classical_sum.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <numbers>

namespace gravlet::test {
namespace {

/// Bounds are one and a half times what was measured on one to three ranks; the images' is that of the polynomials that carry the
/// far ones.
struct PeriodicSetting {
    double theta;
    PeriodicMethod method;
    double at_most, trace;
};

void expect_ewald(double softening) {
    BodyArrays all, probes;
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform;
    // One after the other: compilers are free to choose the order of arguments.
    const auto add_point = [&](BodyArrays& bodies, double mass) {
        const double z = uniform(random), y = uniform(random), x = uniform(random);
        bodies.add_point(x, y, z, mass);
    };
    for (int i = 0; i < 300; ++i) add_point(all, uniform(random) / 150.0);
    for (int i = 0; i < 30; ++i) add_point(probes, 0.0);
    double mass = 0.0;
    for (const double m : all.mass) mass += m;

    const ClassicalSum sum({{1, 1, 1}, {true, true, true}}, softening);
    std::vector<std::array<double, 6>> expected(probes.size());
    for (std::size_t i = 0; i < probes.size(); ++i)
        for (std::size_t s = 0; s < all.size(); ++s) {
            const Vector3 r{probes.x[i] - all.x[s], probes.y[i] - all.y[s], probes.z[i] - all.z[s]};
            const auto near = sum.near(r).second;
            for (std::size_t k = 0; k < 6; ++k) expected[i][k] += all.mass[s] * near[k];
            for (const auto& [wave, amplitude] : sum.waves())
                ClassicalSum::add_product(-all.mass[s] * amplitude * std::cos(ClassicalSum::dot(wave, r)), wave, expected[i]);
        }

    constexpr Boundary p = Boundary::periodic;
    BodyArrays bodies = part_of(all);
    const std::size_t massive = bodies.size();
    const BodyArrays mine = part_of(probes);
    for (std::size_t i = 0; i < mine.size(); ++i) bodies.add_point(mine.x[i], mine.y[i], mine.z[i], 0.0);
    for (const PeriodicSetting& setting :
         {PeriodicSetting{0.0, PeriodicMethod::images, 1.5e-7, 4e-14}, PeriodicSetting{0.5, PeriodicMethod::images, 4e-6, 2.5e-5},
          PeriodicSetting{0.5, PeriodicMethod::table, 1.2e-4, 1e-8}}) {
        const Options options{.boundary = {p, p, p},
                              .theta = setting.theta,
                              .order = 4,
                              .G = 2.0,
                              .softening = softening,
                              .domain = Box{{0, 0, 0}, {1, 1, 1}},
                              .periodic_method = setting.method};
        Result got(bodies.size());
        Solver(MPI_COMM_WORLD, options).solve(bodies.points(), got.all_fields());
        double worst = 0.0, trace = 0.0;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            const std::size_t at = massive + i;
            double size = 0.0, error = 0.0;
            for (std::size_t k = 0; k < 6; ++k) {
                const double exact = 2.0 * expected[mine.index[i]][k], times = result_components[first_component(2) + k].times;
                size += times * exact * exact;
                error += times * std::pow(got.tidal[k][at] - exact, 2);
            }
            worst = std::max(worst, std::sqrt(error / size));
            const double background = 2.0 * 4.0 * std::numbers::pi * mass;
            trace = std::max(trace, std::abs(got.tidal[0][at] + got.tidal[3][at] + got.tidal[5][at] - background) / background);
        }
        std::cout << "theta " << setting.theta << ", method " << static_cast<int>(setting.method) << ", softening " << softening
                  << ": " << worst << ", trace " << trace << '\n';
        EXPECT_LE(worst, setting.at_most) << setting.theta;
        if (softening == 0.0) {
            EXPECT_LE(trace, setting.trace) << setting.theta;
        }
    }
}

TEST(PeriodicTidal, AgainstEwaldsSum) { expect_ewald(0.0); }
TEST(PeriodicTidal, Softened) { expect_ewald(0.03); }

}  // namespace
}  // namespace gravlet::test
