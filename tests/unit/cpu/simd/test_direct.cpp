// SPDX-License-Identifier: Apache-2.0
// The direct sum's kernel against naive loops in extended precision, for any number of targets and sources.
#include "cpu/simd/direct_kernel.hpp"
#include "solver/direct/cell_twins.hpp"

#include "tests/softened_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace gravlet {
namespace {

struct BodyArrays {
    std::vector<double> x, y, z, softening;
    std::vector<std::int64_t> id;
    std::vector<DirectSource> sources;
};

BodyArrays random_bodies(std::size_t n, double unit, bool softened) {
    std::mt19937_64 random(n);
    std::uniform_real_distribution<double> uniform;
    BodyArrays bodies;
    for (std::size_t i = 0; i < n; ++i) {
        bodies.x.push_back(unit * uniform(random));
        bodies.y.push_back(unit * uniform(random));
        bodies.z.push_back(unit * uniform(random));
        bodies.softening.push_back(softened && i % 2 == 1 ? 0.1 * unit * uniform(random) : 0.0);
        bodies.id.push_back(static_cast<std::int64_t>(i));
        bodies.sources.push_back(
            {bodies.x[i], bodies.y[i], bodies.z[i], 0.5 + uniform(random), bodies.softening[i], bodies.id[i]});
    }
    return bodies;
}

struct Sums {
    std::vector<double> potential;
    std::array<std::vector<double>, 3> acceleration;
    std::int64_t left_out = 0;
};

Sums kernel(const BodyArrays& bodies, bool softened, bool accelerations, SofteningKernel law = SofteningKernel::plummer) {
    const std::size_t n = bodies.x.size();
    Sums sums;
    sums.potential.resize(n);
    DirectTargets targets{bodies.x, bodies.y, bodies.z, {}, bodies.id, {sums.potential}};
    if (softened) targets.softening = bodies.softening;
    for (std::size_t axis = 0; accelerations && axis < 3; ++axis) {
        sums.acceleration[axis].resize(n);
        targets.sums[1 + axis] = sums.acceleration[axis];
    }
    sums.left_out = direct_kernel(targets, bodies.sources, law);
    return sums;
}

void expect_matches_naive(const BodyArrays& bodies, bool softened, SofteningKernel law = SofteningKernel::plummer) {
    const Sums sums = kernel(bodies, softened, true, law);
    for (std::size_t i = 0; i < bodies.x.size(); ++i) {
        long double potential = 0.0L, norm = 0.0L;
        std::array<long double, 3> acceleration{};
        for (const DirectSource& source : bodies.sources) {
            if (source.id == bodies.id[i]) continue;
            const std::array<long double, 3> d = {source.x - static_cast<long double>(bodies.x[i]),
                                                  source.y - static_cast<long double>(bodies.y[i]),
                                                  source.z - static_cast<long double>(bodies.z[i])};
            const long double softening = std::max(bodies.softening[i], source.softening);
            const auto pair = test::softened_pair(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], softening, law);
            potential += source.mass * pair.potential;
            norm += source.mass * pair.potential * pair.potential;
            for (std::size_t axis = 0; axis < 3; ++axis) acceleration[axis] += source.mass * d[axis] * pair.field;
        }
        EXPECT_NEAR(sums.potential[i], static_cast<double>(potential), 2e-15 * static_cast<double>(potential));
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(sums.acceleration[axis][i], static_cast<double>(acceleration[axis]), 2e-15 * static_cast<double>(norm));
        }
    }
    EXPECT_EQ(sums.left_out, 0);
    EXPECT_EQ(kernel(bodies, softened, false, law).potential, sums.potential);
}

TEST(DirectKernel, MatchesNaiveForAnyCount) {
    for (const std::size_t n : {1u, 2u, 7u, 8u, 9u, 63u, 600u, 1100u}) expect_matches_naive(random_bodies(n, 1.0, false), false);
}

TEST(DirectKernel, MatchesNaiveInAnyUnit) {
    for (const double unit : {1e-30, 1e27}) expect_matches_naive(random_bodies(100, unit, true), true);
}

TEST(DirectKernel, LargerSofteningOfAPair) {
    for (const SofteningKernel law : {SofteningKernel::plummer, SofteningKernel::spline})
        expect_matches_naive(random_bodies(300, 1.0, true), true, law);
}

TEST(DirectKernel, CoincidentBodies) {
    // 0, 1, 2 at one place, 2 softened; 3 at distance 2.
    BodyArrays bodies{{1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 2}, {0, 0, 0.5, 0}, {10, 11, 12, 13}, {}};
    for (std::size_t i = 0; i < 4; ++i) {
        bodies.sources.push_back({bodies.x[i], bodies.y[i], bodies.z[i], std::pow(10.0, i), bodies.softening[i], bodies.id[i]});
    }
    const Sums sums = kernel(bodies, true, true);
    EXPECT_EQ(sums.left_out, 2);                                                 // 0 with 1 and 1 with 0
    EXPECT_DOUBLE_EQ(sums.potential[0], 100.0 / 0.5 + 1000.0 / 2.0);             // 1 left out
    EXPECT_DOUBLE_EQ(sums.potential[2], 11.0 / 0.5 + 1000.0 / std::sqrt(4.25));  // not itself
    EXPECT_DOUBLE_EQ(sums.acceleration[2][0], 250.0);
    EXPECT_DOUBLE_EQ(sums.acceleration[2][3], -11.0 / 4.0 - 100.0 * 2.0 / std::pow(4.25, 1.5));
}

// Across the centre of a kernel nothing has a direction.
TEST(DirectKernel, TideAtDistanceZero) {
    for (const SofteningKernel law : {SofteningKernel::plummer, SofteningKernel::spline}) {
        BodyArrays bodies{{1}, {2}, {3}, {0.5}, {10}, {{1, 2, 3, 7.0, 0.25, 11}}};
        std::array<std::vector<double>, result_count> sums;
        DirectTargets targets{bodies.x, bodies.y, bodies.z, bodies.softening, bodies.id, {}};
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k].resize(1), targets.sums[k] = sums[k];
        EXPECT_EQ(direct_kernel(targets, bodies.sources, law), 0);
        const double field = law == SofteningKernel::plummer ? 7.0 / std::pow(0.5, 3) : 7.0 * 32.0 / 3.0 / std::pow(1.4, 3);
        for (std::size_t k = first_component(2); k < result_count; ++k)
            EXPECT_DOUBLE_EQ(sums[k][0], k == 4 || k == 7 || k == 9 ? -field : 0.0) << k;
    }
}

// Of several of this rank's cells that have met another at their place, the first; points, and a cell itself, are none.
TEST(CellTwins, TheFirstIsTold) {
    const auto found = [](const std::vector<DirectSource>& sources) {
        CellTwins twins;
        twins.add(1.0, 2.0, 3.0, 40);
        twins.add(3.0, 1.0, 2.0, 5);
        twins.add(1.0, 2.0, 3.0, 7);
        twins.add(1.0, 2.0, 4.0, 9);
        twins.sort();
        twins.look(sources);
        return twins.found().value_or(-1);
    };
    const auto cell = [](double x, double y, double z, std::int64_t id) { return DirectSource{x, y, z, 1.0, 0.0, id}; };
    EXPECT_EQ(found({}), -1);
    EXPECT_EQ(found({cell(3.0, 1.0, 2.0, 5), cell(1.0, 2.0, 4.0, 9)}), -1);
    EXPECT_EQ(found({cell(1.0, 2.0, 4.0, -9)}), -1);
    EXPECT_EQ(found({cell(1.0, 1.0, 4.0, 1), cell(1.0, 2.5, 3.0, 1), cell(3.0, 2.0, 3.0, 1)}), -1);
    EXPECT_EQ(found({cell(1.0, 2.0, 3.0, 40)}), 7);
    EXPECT_EQ(found({cell(1.0, 2.0, 3.0, 7)}), 40);
    EXPECT_EQ(found({cell(1.0, 2.0, 4.0, 1)}), 9);
    EXPECT_EQ(found({cell(1.0, 2.0, 4.0, 50), cell(3.0, 1.0, 2.0, 60)}), 5);
    EXPECT_EQ(found({cell(1.0, 2.0, 3.0, 50)}), 7);
}

TEST(DirectKernel, NothingToSum) {
    const BodyArrays none;
    EXPECT_EQ(kernel(none, false, false).left_out, 0);
    BodyArrays targets_only = random_bodies(5, 1.0, false);
    targets_only.sources.clear();
    EXPECT_EQ(kernel(targets_only, false, false).potential, std::vector<double>(5));
}

}  // namespace
}  // namespace gravlet
