// SPDX-License-Identifier: Apache-2.0
// Points that move, a step's parts by themselves: sums, drifts through a box's faces, the curve's order, and steps by each rule.
#include "tools/evolve/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace gravlet::test {
namespace {

Snapshot random_snapshot(std::size_t n) {
    std::mt19937_64 random(3);
    std::normal_distribution<double> normal;
    Snapshot out;
    PointSet& p = out.points;
    for (std::size_t i = 0; i < n; ++i) {
        p.x.push_back(normal(random)), p.y.push_back(normal(random)), p.z.push_back(normal(random));
        for (auto& component : p.velocity) component.push_back(normal(random));
        p.mass.push_back(1.0 + static_cast<double>(i % 3));
        p.softening.push_back(0.1 + 0.001 * static_cast<double>(i));
        p.id.push_back(1000 + i);
    }
    return out;
}

TEST(Motion, Sums) {
    const Snapshot given = random_snapshot(100);
    const PointSet& p = given.points;
    const auto motion = make_host_motion(1, false, 0.0);
    motion->set(given);
    const Fields fields = motion->fields();
    for (std::size_t i = 0; i < p.size(); ++i)
        fields.potential.data().set(static_cast<std::ptrdiff_t>(i), -1.0 - 0.1 * static_cast<double>(i));
    double mass = 0.0, kinetic = 0.0, potential = 0.0, place[3] = {}, momentum[3] = {}, spin[3] = {};
    for (std::size_t i = 0; i < p.size(); ++i) {
        const double m = p.mass[i], x[] = {p.x[i], p.y[i], p.z[i]}, v[] = {p.velocity[0][i], p.velocity[1][i], p.velocity[2][i]};
        mass += m;
        potential += 0.5 * m * (-1.0 - 0.1 * static_cast<double>(i));
        for (int d = 0; d < 3; ++d) kinetic += 0.5 * m * v[d] * v[d], place[d] += m * x[d], momentum[d] += m * v[d];
        spin[0] += m * (x[1] * v[2] - x[2] * v[1]);
        spin[1] += m * (x[2] * v[0] - x[0] * v[2]);
        spin[2] += m * (x[0] * v[1] - x[1] * v[0]);
    }
    const MotionSums sums = motion->sums();
    EXPECT_DOUBLE_EQ(sums.mass, mass);
    EXPECT_NEAR(sums.kinetic, kinetic, 3.3e-13);
    EXPECT_DOUBLE_EQ(sums.potential, potential);
    for (int d = 0; d < 3; ++d) {
        EXPECT_NEAR(sums.mass_position[d], place[d], 1e-14);
        EXPECT_NEAR(sums.momentum[d], momentum[d], 8e-14);
        EXPECT_NEAR(sums.angular_momentum[d], spin[d], 4e-14);
    }
}

// In [-1, 2) in x and [5, 6) in z: in y they go where they will. One comes to be next below the lower face, by less than a
// coordinate at the upper one shows.
TEST(Motion, DriftsThroughFaces) {
    Snapshot given;
    PointSet& p = given.points;
    const double speeds[][3] = {{0.5, 1.0, 0.1}, {-2.0, 7.0, 0.9}, {6.5, -3.0, -3.25}, {-1e-17, 0.0, -1e-17}};
    for (const auto& v : speeds) {
        p.x.push_back(v[0] == -1e-17 ? -1.0 : 0.0), p.y.push_back(0.0), p.z.push_back(v[2] == -1e-17 ? 5.0 : 5.25);
        for (std::size_t d = 0; d < 3; ++d) p.velocity[d].push_back(v[d]);
        p.mass.push_back(1.0);
        p.id.push_back(p.id.size());
    }
    const auto motion = make_host_motion(1, false, 0.1);
    motion->set(given);
    Wrap wrap;
    wrap.lower[0] = -1.0, wrap.side[0] = 3.0;
    wrap.lower[2] = 5.0, wrap.side[2] = 1.0;
    motion->drift(1.0, wrap);
    Snapshot out;
    motion->get(out);
    const double expected[][3] = {{0.5, 1.0, 5.35}, {1.0, 7.0, 5.15}, {0.5, -3.0, 5.0}, {-1.0, 0.0, 5.0}};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_DOUBLE_EQ(out.points.x[i], expected[i][0]) << i;
        EXPECT_DOUBLE_EQ(out.points.y[i], expected[i][1]) << i;
        EXPECT_DOUBLE_EQ(out.points.z[i], expected[i][2]) << i;
    }

    Snapshot below;
    below.points = p;
    below.points.x[3] = std::nextafter(-1.0, -2.0);  // -1 - 2^-52 + 3 is 2
    below.points.velocity[0][3] = 0.0;
    motion->set(below);
    motion->drift(1.0, wrap);
    motion->get(out);
    EXPECT_LT(out.points.x[3], 2.0);
}

// Before a plane at x = 1, whose other side is below, and one at z = 2, whose other side is above.
TEST(Motion, DriftsThroughPlanes) {
    Snapshot given;
    PointSet& p = given.points;
    p.x = {1.5, 3.0}, p.y = {0.0, 0.0}, p.z = {1.5, 1.0};
    p.velocity = {{{-2.0, 1.0}, {-9.0, 0.0}, {0.75, 0.5}}};
    p.mass = {1.0, 1.0}, p.id = {0, 1};
    const auto motion = make_host_motion(1, false, 0.1);
    motion->set(given);
    Wrap wrap;
    wrap.plane[0] = 1.0, wrap.inward[0] = 1.0;
    wrap.plane[2] = 2.0, wrap.inward[2] = -1.0;
    motion->drift(1.0, wrap);
    Snapshot out;
    motion->get(out);
    const PointSet& q = out.points;
    EXPECT_EQ(q.x, (std::vector{2.5, 4.0}));
    EXPECT_EQ(q.y, (std::vector{-9.0, 0.0}));
    EXPECT_EQ(q.z, (std::vector{1.75, 1.5}));
    EXPECT_EQ(q.velocity[0], (std::vector{2.0, 1.0}));
    EXPECT_EQ(q.velocity[1], (std::vector{-9.0, 0.0}));
    EXPECT_EQ(q.velocity[2], (std::vector{-0.75, 0.5}));
}

TEST(Motion, SortsAllThatPointsBring) {
    const Snapshot given = random_snapshot(1000);
    const PointSet& p = given.points;
    const auto motion = make_host_motion(1, false, 0.0);
    motion->set(given);
    motion->sort();
    Snapshot sorted;
    motion->get(sorted);
    const PointSet& q = sorted.points;
    std::vector<int> met(p.size(), 0);
    double path = 0.0, before = 0.0;
    for (std::size_t k = 0; k < q.size(); ++k) {
        const std::size_t i = q.id[k] - 1000;
        ++met.at(i);
        EXPECT_EQ(q.x[k], p.x[i]);
        EXPECT_EQ(q.y[k], p.y[i]);
        EXPECT_EQ(q.z[k], p.z[i]);
        for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(q.velocity[d][k], p.velocity[d][i]);
        EXPECT_EQ(q.mass[k], p.mass[i]);
        EXPECT_EQ(q.softening[k], p.softening[i]);
        if (k == 0) continue;
        path += std::hypot(q.x[k] - q.x[k - 1], q.y[k] - q.y[k - 1], q.z[k] - q.z[k - 1]);
        before += std::hypot(p.x[k] - p.x[k - 1], p.y[k] - p.y[k - 1], p.z[k] - p.z[k - 1]);
    }
    EXPECT_TRUE(std::ranges::all_of(met, [](int times) { return times == 1; }));
    EXPECT_LT(path, 0.3 * before);
}

/// Levels of three points for the accelerations (|a| of 4, 0.25, 0) and tidal tensors below.
std::vector<double> levels(const StepRule& rule, bool tidal, double softening_of_all, std::vector<double> own = {}) {
    Snapshot given = random_snapshot(3);
    given.points.softening = std::move(own);
    const auto motion = make_host_motion(1, tidal, softening_of_all);
    motion->set(given);
    const Fields fields = motion->fields();
    const double a[][3] = {{0.0, 4.0, 0.0}, {0.15, 0.0, 0.2}, {0.0, 0.0, 0.0}};
    const double t[][6] = {{4.0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 8.0 * std::sqrt(2.0), 0}, {0, 0, 0, 0, 0, -0.25}};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t d = 0; d < 3; ++d) fields.acceleration[d].data().set(static_cast<std::ptrdiff_t>(i), a[i][d]);
        for (std::size_t k = 0; k < 6 && tidal; ++k) fields.tidal[k].data().set(static_cast<std::ptrdiff_t>(i), t[i][k]);
    }
    motion->choose_levels(rule, 0);
    std::vector<double> work;
    motion->work(work);  // 2^level
    return work;
}

// Steps of 1, 1/2, 1/4, ... that are no longer than eta sqrt(softening/|a|), or eta/sqrt(|T|).
TEST(Motion, StepsByEachRule) {
    using Work = std::vector<double>;
    const StepRule by_softening{StepKind::softening, 0.5, 1.0, 10}, by_tides{StepKind::tidal, 0.5, 1.0, 10};
    EXPECT_EQ(levels(by_softening, false, 1.0), (Work{4.0, 1.0, 1.0}));        // 1/4, 1
    EXPECT_EQ(levels(by_softening, false, 0.9), (Work{8.0, 2.0, 1.0}));        // a little less
    EXPECT_EQ(levels(by_softening, false, 1.0 / 16), (Work{16.0, 4.0, 1.0}));  // 1/16, 1/4
    EXPECT_EQ(levels(by_softening, false, 1.0, {1.0 / 16, 1.0 / 64, 1.0}), (Work{16.0, 8.0, 1.0}));
    EXPECT_EQ(levels(by_tides, true, 1.0), (Work{4.0, 8.0, 1.0}));  // |T| of 4, 16, 1/4: 1/4, 1/8, 1
    EXPECT_EQ(levels({StepKind::fixed, 0.5, 1.0, 10}, false, 1.0), (Work{1.0, 1.0, 1.0}));
    EXPECT_EQ(levels({StepKind::softening, 0.5, 1.0, 3}, false, 1e-6), (Work{8.0, 8.0, 1.0}));
}

}  // namespace
}  // namespace gravlet::test
