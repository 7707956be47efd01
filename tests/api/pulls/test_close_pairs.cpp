// SPDX-License-Identifier: Apache-2.0
// Pairs as close as the caller's coordinates can tell are as right as all others. The reference is a sum in long double over
// these coordinates, written here: it shares nothing with the library's own.
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace gravlet::test {
namespace {

constexpr int closest = 15;  ///< separations 1e-3 ... 1e-15
constexpr std::size_t each = 6;

struct Problem {
    BodyArrays cells, points;
    std::vector<bool> in_pair;  ///< of points
};

/// A partner at a distance in some direction, as near as coordinates can say.
void add_partner(BodyArrays& points, std::mt19937_64& random, double x, double y, double z, double distance) {
    std::normal_distribution<double> normal;
    const double a = normal(random), b = normal(random), c = normal(random), scale = distance / std::hypot(a, b, c);
    points.add_point(x + scale * a, y + scale * b, z + scale * c, 1.0 + 0.1 * a);
}

/// Points in a ball of radius 1 about `centre`; some have a partner, and so have (mesh) some cells of the cube around the ball.
Problem binaries(std::uint64_t seed, const std::array<double, 3>& centre, bool mesh) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Problem all;
    if (mesh)
        for (int i = 0; i < 512; ++i)
            all.cells.add_cell(centre[0] + 0.25 * (i % 8) - 0.875, centre[1] + 0.25 * (i / 8 % 8) - 0.875,
                               centre[2] + 0.25 * (i / 64) - 0.875, 0.25, 1.0 + 0.5 * uniform(random));
    while (all.points.size() < 400) {
        const double x = uniform(random), y = uniform(random), z = uniform(random);
        if (x * x + y * y + z * z < 1.0) all.points.add_point(centre[0] + x, centre[1] + y, centre[2] + z, 1.5 + uniform(random));
    }
    all.in_pair.assign(all.points.size(), false);
    std::size_t single = 0;
    for (int decade = 3; decade <= closest; ++decade)
        for (std::size_t k = 0; k < each; ++k) {
            const bool of_cell = mesh && k % 2 == 0;
            const BodyArrays& from = of_cell ? all.cells : all.points;
            const std::size_t i = of_cell ? single * 6 : single;
            add_partner(all.points, random, from.x[i], from.y[i], from.z[i], std::pow(10.0, -decade));
            if (!of_cell) all.in_pair[i] = true;
            all.in_pair.push_back(true);
            ++single;
        }
    return all;
}

/// The field of all bodies at one of them, G = 1. tidal: xx, xy, xz, yy, yz, zz.
struct Field {
    long double potential = 0.0L, x = 0.0L, y = 0.0L, z = 0.0L, tidal[6] = {}, nearest2 = 1.0L;

    void add(const BodyArrays& sources, double tx, double ty, double tz, double softening) {
        for (std::size_t j = 0; j < sources.size(); ++j) {
            const long double dx = static_cast<long double>(sources.x[j]) - tx, dy = static_cast<long double>(sources.y[j]) - ty,
                              dz = static_cast<long double>(sources.z[j]) - tz, d2 = dx * dx + dy * dy + dz * dz;
            if (d2 == 0.0L) continue;  // itself, or left out
            nearest2 = std::min(nearest2, d2);
            const long double r2 = d2 + static_cast<long double>(softening) * softening,
                              m_r3 = sources.mass[j] / (r2 * sqrtl(r2));
            potential -= m_r3 * r2;
            x += m_r3 * dx, y += m_r3 * dy, z += m_r3 * dz;
            const long double three = 3.0L * m_r3 / r2, d[] = {dx, dy, dz};
            for (int a = 0, k = 0; a < 3; ++a)
                for (int b = a; b < 3; ++b, ++k) tidal[k] += three * d[a] * d[b] - (a == b ? m_r3 : 0.0L);
        }
    }
};

/// The largest errors of points in pairs and of the others; closest: of pairs next to which nothing else counts.
struct Worst {
    double pairs = 0.0, others = 0.0, closest = 0.0;
};

struct Accuracy {
    Worst potential, acceleration, tidal;
};

Accuracy accuracy(const Problem& all, const BodyArrays& mine, const Result& got, double softening) {
    Accuracy out;
    for (std::size_t k = 0; k < mine.size(); ++k) {
        const std::size_t i = mine.index[k];
        Field exact;
        exact.add(all.cells, mine.x[k], mine.y[k], mine.z[k], softening);
        exact.add(all.points, mine.x[k], mine.y[k], mine.z[k], softening);
        const long double dx = got.acceleration[0][k] - exact.x, dy = got.acceleration[1][k] - exact.y,
                          dz = got.acceleration[2][k] - exact.z;
        const long double norm = sqrtl(exact.x * exact.x + exact.y * exact.y + exact.z * exact.z);
        const auto note = [&](Worst& worst, long double error) {
            double& to = all.in_pair[i] ? worst.pairs : worst.others;
            to = std::isnan(error) ? infinity : std::max(to, static_cast<double>(error));
            if (exact.nearest2 < 1e-24L) worst.closest = std::max(worst.closest, static_cast<double>(error));
        };
        note(out.potential, std::abs(got.potential[k] / exact.potential - 1.0L));
        note(out.acceleration, sqrtl(dx * dx + dy * dy + dz * dz) / norm);
        long double off = 0.0L, size = 0.0L;
        for (std::size_t c = 0; c < 6; ++c) {
            const long double times = c == 0 || c == 3 || c == 5 ? 1.0L : 2.0L, difference = got.tidal[c][k] - exact.tidal[c];
            off += times * difference * difference, size += times * exact.tidal[c] * exact.tidal[c];
        }
        note(out.tidal, sqrtl(off / size));
    }
    double* const numbers = &out.potential.pairs;
    MPI_Allreduce(MPI_IN_PLACE, numbers, 9, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return out;
}

Result solve(const BodyArrays& cells, const BodyArrays& points, const Options& options, std::int64_t& left_out) {
    Result of_cells(cells.size()), result(points.size());
    Solver solver(MPI_COMM_WORLD, options);
    const bool tides = !is_periodic(options);
    solver.solve(cells.cells(), tides ? of_cells.all_fields() : of_cells.fields(), points.points(),
                 tides ? result.all_fields() : result.fields());
    left_out = solver.report().coincident_pairs;
    return result;
}

/// Partners on one rank, or (scattered) on two.
BodyArrays mine_of(const BodyArrays& all, bool scattered) {
    const std::size_t ranks = static_cast<std::size_t>(world_size());
    return scattered ? part_of(all, [&](std::size_t i) { return static_cast<int>((i + i / 400) % ranks); }) : part_of(all);
}

void expect_pairs_right(const char* what, const Problem& all, double softening = 0.0) {
    // Nothing is rounded to float where two bare points are closest.
    const double rounding = softening == 0.0 && all.cells.size() == 0 ? 2.5e-14 : 7e-7;
    for (const bool scattered : {false, true}) {
        if (scattered && world_size() == 1) continue;
        const BodyArrays cells = all.cells.size() > 0 ? mine_of(all.cells, scattered) : BodyArrays{},
                         points = mine_of(all.points, scattered);
        for (const Options& options :
             {Options{.theta = 0.15, .order = 4, .softening = softening}, Options{.theta = 0.0, .softening = softening}}) {
            std::int64_t left_out = 0;
            const Accuracy got = accuracy(all, points, solve(cells, points, options, left_out), softening);
            SCOPED_TRACE(testing::Message() << what << ", softening " << softening << ", theta " << options.theta
                                            << (scattered ? ", scattered" : "") << ": others " << got.potential.others << " / "
                                            << got.acceleration.others << " / " << got.tidal.others << ", left out " << left_out);
            EXPECT_LE(got.potential.pairs, got.potential.others + 1e-6);
            EXPECT_LE(got.acceleration.pairs, got.acceleration.others + 1e-6);
            EXPECT_LE(got.acceleration.others, 1e-5);
            EXPECT_LE(got.tidal.pairs, got.tidal.others + 1e-6);
            EXPECT_LE(got.tidal.others, 7e-6);
            EXPECT_LE(got.acceleration.closest, rounding);
            EXPECT_LE(got.tidal.closest, rounding);
        }
    }
}

TEST(ClosePairs, OfPoints) {
    expect_pairs_right("centred", binaries(1, {0.0, 0.0, 0.0}, false));
    expect_pairs_right("displaced", binaries(2, {3.3, -2.1, 0.7}, false));
}

TEST(ClosePairs, OfPointsAndCells) {
    expect_pairs_right("centred", binaries(3, {0.0, 0.0, 0.0}, true));
    expect_pairs_right("displaced", binaries(4, {3.3, -2.1, 0.7}, true));
}

TEST(ClosePairs, SoftenedALittle) {
    const Problem all = binaries(5, {0.0, 0.0, 0.0}, false), displaced = binaries(6, {3.3, -2.1, 0.7}, true);
    for (const double softening : {1e-25, 1e-14, 1e-9, 1e-5}) {
        expect_pairs_right("centred", all, softening);
        expect_pairs_right("displaced", displaced, softening);
    }
}

/// Light partners so near each other that they pull as all others do together, along each axis and in all directions: positions
/// that are rounded to float would not do for them, and they are not heavy enough to be done in double.
TEST(ClosePairs, OfLightPoints) {
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Problem all;
    while (all.points.size() < 500) {
        const double x = uniform(random), y = uniform(random), z = uniform(random);
        if (x * x + y * y + z * z < 1.0) all.points.add_point(x, y, z, 1.0);
    }
    all.in_pair.assign(all.points.size(), false);
    for (int k = 0; k < 120; ++k) {
        const double mass = std::pow(10.0, -5.0 - 0.05 * k), apart = std::sqrt(mass / 200.0);
        std::array<double, 3> d{normal(random), normal(random), normal(random)};
        if (k % 4 < 3) d = {k % 4 == 0 ? 1.0 : 0.0, k % 4 == 1 ? 1.0 : 0.0, k % 4 == 2 ? 1.0 : 0.0};
        const double scale = apart / std::hypot(d[0], d[1], d[2]);
        const double x = 0.5 * uniform(random), y = 0.5 * uniform(random), z = 0.5 * uniform(random);
        all.points.add_point(x, y, z, mass);
        all.points.add_point(x + scale * d[0], y + scale * d[1], z + scale * d[2], mass);
        all.in_pair.insert(all.in_pair.end(), {true, true});
    }
    expect_pairs_right("light", all);
}

// Cells of 16 or 28 levels, halved towards a corner of the box, all in one batch of targets: the smallest are as near each other
// as float tells places in the box apart, or nearer.
void expect_levels_right(int levels, double potential, double acceleration) {
    BodyArrays all;
    double side = 0.5;
    for (int level = 0; level < levels; ++level, side *= 0.5)
        for (int child = level == levels - 1 ? 0 : 1; child < 8; ++child)
            all.add_cell(((child & 1) + 0.5) * side, ((child >> 1 & 1) + 0.5) * side, ((child >> 2) + 0.5) * side, side,
                         (1.0 + 0.1 * child) * side * side);  // so that all levels pull alike
    const BodyArrays mine = world_rank() == 0 ? all : BodyArrays{};
    Result result(mine.size());
    Solver(MPI_COMM_WORLD, {.theta = 0.15, .order = 4, .self_potential = false}).solve(mine.cells(), result.fields());
    Accuracy worst;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        Field exact;
        exact.add(all, mine.x[i], mine.y[i], mine.z[i], 0.0);
        const long double off = std::hypot(result.acceleration[0][i] - exact.x, result.acceleration[1][i] - exact.y,
                                           result.acceleration[2][i] - exact.z);
        worst.potential.others =
            std::max(worst.potential.others, static_cast<double>(std::abs(result.potential[i] / exact.potential - 1.0L)));
        worst.acceleration.others =
            std::max(worst.acceleration.others, static_cast<double>(off / std::hypot(exact.x, exact.y, exact.z)));
    }
    EXPECT_LE(worst.potential.others, potential);
    EXPECT_LE(worst.acceleration.others, acceleration);
}
TEST(ClosePairs, OfCellsOfManyLevels) {
    expect_levels_right(16, 5e-7, 2e-6);
    expect_levels_right(28, 1e-6, 1.2e-6);
}

// Moons of one of many planets: their planet is far heavier than all that is solved for together with them, so that most feel it
// as their coordinates tell, and not as float has these. (Others do where the tree's nodes stand for it.)
TEST(ClosePairs, OfMoons) {
    std::mt19937_64 random(12);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::normal_distribution<double> normal;
    BodyArrays planets, moons;
    while (planets.size() < 80) planets.add_point(uniform(random), uniform(random), uniform(random), 1.0);
    for (int k = 0; k < 4000; ++k) {
        const double a = normal(random), b = normal(random), c = normal(random);
        const double scale = 1e-3 * std::pow(10.0, -2.0 * k / 4000.0) / std::hypot(a, b, c);
        moons.add_point(planets.x[0] + scale * a, planets.y[0] + scale * b, planets.z[0] + scale * c, 1e-15);
    }
    BodyArrays all = planets;
    for (std::size_t i = 0; i < moons.size(); ++i) all.add_point(moons.x[i], moons.y[i], moons.z[i], moons.mass[i]);
    const int ranks = world_size();
    const BodyArrays mine = part_of(
        all, [&](std::size_t i) { return i < planets.size() || ranks == 1 ? ranks - 1 : static_cast<int>(i) % (ranks - 1); });
    std::int64_t left_out = 0;
    const Result got = solve({}, mine, {.theta = 0.3, .order = 4}, left_out);
    std::vector<double> errors;
    for (std::size_t k = 0; k < mine.size(); ++k) {
        if (mine.index[k] < planets.size()) continue;
        Field exact;
        exact.add(planets, mine.x[k], mine.y[k], mine.z[k], 0.0);
        const long double off =
            std::hypot(got.acceleration[0][k] - exact.x, got.acceleration[1][k] - exact.y, got.acceleration[2][k] - exact.z);
        errors.push_back(static_cast<double>(off / std::hypot(exact.x, exact.y, exact.z)));
    }
    std::sort(errors.begin(), errors.end());
    if (errors.empty()) return;
    EXPECT_LE(errors[errors.size() / 2], 7e-12);
    EXPECT_LE(errors.back(), 1.2e-6);
}

/// In a box that is no power of two long, some pairs across its faces.
BodyArrays periodic_binaries(const Box& box) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> normal;
    BodyArrays points;
    std::array<double, 3> at{};
    for (std::size_t i = 0; i < 300; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double side = box.upper[axis] - box.lower[axis];
            at[axis] = i % 5 == axis ? box.upper[axis] : box.lower[axis] + uniform(random) * side;  // on a face, or not
        }
        points.add_point(at[0], at[1], at[2], 1.5);
    }
    for (std::size_t i = 0; i < 13 * each; ++i) {
        std::array<double, 3> d = {normal(random), normal(random), normal(random)};
        const double scale = std::pow(10.0, -3.0 - static_cast<double>(i / each)) / std::hypot(d[0], d[1], d[2]);
        at = {points.x[i], points.y[i], points.z[i]};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double beyond = (at[axis] - box.upper[axis]) + scale * d[axis];
            at[axis] = beyond > 0.0 ? box.lower[axis] + beyond : at[axis] + scale * d[axis];
        }
        points.add_point(at[0], at[1], at[2], 1.0);
    }
    return points;
}

/// The largest error of accelerations that one partner rules, by a sum over the nearest images.
double worst_of_closest(const BodyArrays& all, const BodyArrays& mine, const Result& got, const Box& box) {
    double worst = 0.0;
    for (std::size_t k = 0; k < mine.size(); ++k) {
        std::array<long double, 3> sum{};
        bool close = false;
        for (std::size_t j = 0; j < all.size(); ++j) {
            const double from[] = {mine.x[k], mine.y[k], mine.z[k]}, to[] = {all.x[j], all.y[j], all.z[j]};
            std::array<long double, 3> d{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const long double a = to[axis], b = from[axis], period = box.upper[axis] - box.lower[axis];
                const long double shift = period * roundl((a - b) / period);
                d[axis] = std::abs(a) > std::abs(b) ? (a - shift) - b : a - (b + shift);  // the larger one's is exact
            }
            const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            if (r2 == 0.0L) continue;
            close = close || r2 < 1e-11L;
            for (std::size_t axis = 0; axis < 3; ++axis) sum[axis] += all.mass[j] * d[axis] / (r2 * sqrtl(r2));
        }
        if (!close) continue;
        const long double off =
            std::hypot(got.acceleration[0][k] - sum[0], got.acceleration[1][k] - sum[1], got.acceleration[2][k] - sum[2]);
        worst = std::max(worst, static_cast<double>(off / std::hypot(sum[0], sum[1], sum[2])));
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return worst;
}

TEST(ClosePairs, InPeriodicBoxes) {
    constexpr auto periodic = Boundary::periodic, isolated = Boundary::isolated;
    for (const Box& box : {Box{{0.0, 0.0, 0.0}, {1.3, 1.3, 1.3}}, Box{{-0.75, 2.25, -4.0}, {0.75, 3.75, -2.5}}})
        for (const auto& boundary : {std::array{periodic, periodic, periodic}, std::array{isolated, periodic, periodic}}) {
            const BodyArrays all = periodic_binaries(box), mine = mine_of(all, true);
            Options options{.theta = 0.15, .order = 4};
            options.boundary = boundary, options.domain = box;
            std::int64_t left_out = 0;
            const Result tree = solve({}, mine, options, left_out);
            options.theta = 0.0;
            const Result direct = solve({}, mine, options, left_out);
            const Errors potential = potential_errors(tree, direct), acceleration = acceleration_errors(tree, direct);
            SCOPED_TRACE(testing::Message() << "box from " << box.lower[1] << ", left out " << left_out);
            EXPECT_LE(potential.rms, 3e-5);
            EXPECT_LE(acceleration.rms, 1.2e-6);
            if (boundary[0] == periodic) {
                EXPECT_LE(worst_of_closest(all, mine, direct, box), 6e-10);
                EXPECT_LE(worst_of_closest(all, mine, tree, box), 2e-6);
            }
        }
}

}  // namespace
}  // namespace gravlet::test
