// SPDX-License-Identifier: Apache-2.0
// Softened points in periodic boxes, alone and with cells: every image of a pair with a point in it is softened, however far it
// is. Against sums over images that are written apart from the library's.
#include "tests/api/periodic/ewald_sum.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <string>

namespace gravlet::test {
namespace {

constexpr Boundary p = Boundary::periodic;
const Box unit_box{{0, 0, 0}, {1, 1, 1}};

struct Setting {
    double theta;
    PeriodicMethod method = PeriodicMethod::images;
};

// On one GPU the ranks share it, rather than gather: this is about their exchange.
Options periodic(const Setting& setting, double softening, int order = 2) {
    return {.gpu_sharing = GpuSharing::share,
            .boundary = {p, p, p},
            .theta = setting.theta,
            .order = order,
            .softening = softening,
            .domain = unit_box,
            .periodic_method = setting.method};
}

/// The tree at all points, or the direct sum at every stride-th: the others do not change what it is there.
Result solve(const Options& options, const BodyArrays& points, std::size_t stride) {
    std::vector<std::uint8_t> active(options.theta == 0.0 ? points.size() : 0);
    for (std::size_t k = 0; k < active.size(); k += stride) active[k] = 1;
    Result result(points.size());
    Points all = points.points();
    all.active = active;
    Solver(MPI_COMM_WORLD, options).solve(all, result.fields());
    return result;
}

/// Potential and acceleration of every stride-th body of a rank's.
using Expected = std::vector<std::array<double, 4>>;

/// Errors of this rank's results at every stride-th body, over all ranks: of the potential in units of G M/L, of the acceleration
/// relative to the rms of all.
struct BoxErrors {
    Errors potential, acceleration;
};

BoxErrors errors_of(const Result& got, const Expected& expected, std::size_t stride, double mass) {
    std::vector<double> potential, acceleration, norms;
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const std::size_t i = k * stride;
        const auto& [phi, x, y, z] = expected[k];
        potential.push_back(std::abs(got.potential[i] - phi) / mass);
        acceleration.push_back(std::hypot(got.acceleration[0][i] - x, got.acceleration[1][i] - y, got.acceleration[2][i] - z));
        norms.push_back(std::hypot(x, y, z));
    }
    const double scale = std::max(reduce_errors(MPI_COMM_WORLD, norms).rms, 1e-300);
    BoxErrors errors{reduce_errors(MPI_COMM_WORLD, potential), reduce_errors(MPI_COMM_WORLD, acceleration)};
    errors.acceleration.max /= scale, errors.acceleration.rms /= scale;
    return errors;
}

/// Largest errors of the direct sum, of images and of the table.
using Limits = std::array<double, 3>;

void expect_below(const BoxErrors& errors, const Setting& setting, const Limits& potential, const Limits& acceleration,
                  double softening) {
    const std::size_t at = setting.theta == 0.0 ? 0 : setting.method == PeriodicMethod::images ? 1 : 2;
    const char* const names[] = {"direct", "images", "table"};
    EXPECT_LE(errors.potential.max, potential[at]) << names[at] << ", softening " << softening;
    EXPECT_LE(errors.acceleration.max, acceleration[at]) << names[at] << ", softening " << softening;
}

double total_mass(const BodyArrays& all) { return std::reduce(all.mass.begin(), all.mass.end()); }

/// A few clumps and a background, as in a cosmological run.
BodyArrays clustered(std::size_t n) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform;
    std::array<Vector3, 7> clumps{};
    for (Vector3& c : clumps) c = {uniform(random), uniform(random), uniform(random)};
    BodyArrays points;
    for (std::size_t i = 0; i < n; ++i) {
        const Vector3& c = clumps[i % clumps.size()];
        const double size = i % 3 == 0 ? 1.0 : 0.03 * static_cast<double>(1 + i % clumps.size());
        const auto around = [&](double middle) {
            const double x = middle + size * (uniform(random) - 0.5);
            return x - std::floor(x);
        };
        const double x = around(c.x), y = around(c.y), z = around(c.z);
        points.add_point(x, y, z, 0.5 + uniform(random));
    }
    return points;
}

// Equal points on a lattice pull each other by nothing, and are a lattice of smaller boxes.
TEST(PeriodicSoftening, Lattice) {
    constexpr int n = 32;
    constexpr std::size_t stride = 1000;
    constexpr double mass = 1.0 / (n * n * n);
    BodyArrays all;
    for (int k = 0; k < n * n * n; ++k) all.add_point((k % n + 0.5) / n, (k / n % n + 0.5) / n, (k / (n * n) + 0.5) / n, mass);
    const BodyArrays mine = part_of(all);
    for (const double softening : {0.0, 0.01, 0.1}) {
        const ClassicalSum sum({{1.0 / n, 1.0 / n, 1.0 / n}, {true, true, true}}, softening, 4.0);
        const double expected = mass * (sum.own() - sum({0.0, 0.0, 0.0}));
        for (const double theta : {0.0, 0.5}) {
            const bool direct = theta == 0.0;
            const Result result = solve(periodic({theta}, softening, 4), mine, stride);
            std::vector<double> pull, potential;
            for (std::size_t k = 0; k < mine.size(); ++k) {
                if (direct && k % stride != 0) continue;
                const auto& [x, y, z] = result.acceleration;
                pull.push_back(std::hypot(x[k], y[k], z[k]));
                potential.push_back(std::abs(result.potential[k] - expected));
            }
            const Errors of_pull = reduce_errors(MPI_COMM_WORLD, pull);
            const std::string what = "theta " + std::to_string(theta) + ", softening " + std::to_string(softening);
            EXPECT_LE(of_pull.rms, direct ? 6e-10 : 1e-6) << what;
            EXPECT_LE(of_pull.max, direct ? 6e-10 : 5e-6) << what;
            EXPECT_LE(reduce_errors(MPI_COMM_WORLD, potential).max, direct ? 6e-11 : 5e-7) << what;
        }
    }
}

TEST(PeriodicSoftening, ClusteredPoints) {
    constexpr std::size_t stride = 40;
    const BodyArrays all = clustered(2000), mine = part_of(all);
    std::array<BoxErrors, 3> unsoftened;
    for (const double softening : {0.0, 0.01, 0.1}) {
        const EwaldSum sum(all, softening);
        Expected expected;
        for (std::size_t k = 0; k < mine.size(); k += stride)
            sum.add_to({mine.x[k], mine.y[k], mine.z[k]}, expected.emplace_back());
        const std::array settings{Setting{0.0}, Setting{0.5}, Setting{0.5, PeriodicMethod::table}};
        for (std::size_t s = 0; s < settings.size(); ++s) {
            const BoxErrors errors =
                errors_of(solve(periodic(settings[s], softening), mine, stride), expected, stride, total_mass(all));
            if (softening == 0.0) unsoftened[s] = errors;
            expect_below(errors, settings[s], {2e-11, 4e-5, 4e-4}, {2e-9, 6e-5, 3e-4}, softening);
            if (settings[s].theta > 0.0) {
                EXPECT_LE(errors.potential.rms, 1.3 * unsoftened[s].potential.rms) << softening;
            }
        }
    }
}

/// What the spline takes from m/r, within its support.
void add_spline(const BodyArrays& bodies, const Vector3& position, double own, std::array<double, 4>& out) {
    for (std::size_t s = 0; s < bodies.size(); ++s) {
        const auto nearest = [](double d) { return d - std::round(d); };
        const double x = nearest(bodies.x[s] - position.x), y = nearest(bodies.y[s] - position.y),
                     z = nearest(bodies.z[s] - position.z), r2 = x * x + y * y + z * z;
        if (r2 == 0.0) continue;
        const double softening = std::max(own, bodies.softening.empty() ? 0.0 : bodies.softening[s]);
        const auto pair = softened_pair(r2, softening, SofteningKernel::spline),
                   bare = softened_pair(r2, 0.0, SofteningKernel::spline);
        out[0] -= bodies.mass[s] * (pair.potential - bare.potential);
        const double field = bodies.mass[s] * (pair.field - bare.field);
        out[1] += field * x, out[2] += field * y, out[3] += field * z;
    }
}

// The spline in a box: images are what they are without it, for any lengths, up to where a support is wider than a quarter of the
// box.
TEST(PeriodicSoftening, Spline) {
    constexpr std::size_t stride = 40;
    BodyArrays all = clustered(2000);
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform;
    for (std::size_t i = 0; i < all.size(); ++i) all.softening.push_back(i % 4 == 0 ? 0.0 : 0.08 * std::pow(uniform(random), 4));
    const EwaldSum sum(all, 0.0);
    for (const double longest : {0.08, 0.1}) {
        all.softening[3] = longest;
        const BodyArrays mine = part_of(all);
        Expected expected;
        for (std::size_t k = 0; k < mine.size(); k += stride) {
            const Vector3 position{mine.x[k], mine.y[k], mine.z[k]};
            sum.add_to(position, expected.emplace_back());
            add_spline(all, position, mine.softening[k], expected.back());
        }
        for (const Setting& setting : {Setting{0.0}, Setting{0.5}, Setting{0.5, PeriodicMethod::table}}) {
            Options options = periodic(setting, 0.0);
            options.softening_kernel = SofteningKernel::spline;
            const BoxErrors errors = errors_of(solve(options, mine, stride), expected, stride, total_mass(all));
            expect_below(errors, setting, {2e-11, 4e-5, 4e-4}, {2e-9, 6e-5, 3e-4}, longest);
        }
    }
}

// Cells are not softened to each other, points are to all.
TEST(PeriodicSoftening, CellsAndPoints) {
    constexpr int n = 8;
    constexpr std::size_t stride = 10;
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform;
    BodyArrays cells;
    for (int k = 0; k < n * n * n; ++k)
        cells.add_cell((k % n + 0.5) / n, (k / n % n + 0.5) / n, (k / (n * n) + 0.5) / n, 1.0 / n, uniform(random));
    const BodyArrays points = clustered(500), my_cells = part_of(cells), my_points = part_of(points);
    const double mass = total_mass(cells) + total_mass(points);
    for (const double softening : {0.01, 0.1}) {
        const EwaldSum among_cells(cells, 0.0), of_cells(cells, softening), of_points(points, softening);
        Expected at_cells, at_points;
        for (std::size_t k = 0; k < my_cells.size(); k += stride) {
            const Vector3 position{my_cells.x[k], my_cells.y[k], my_cells.z[k]};
            among_cells.add_to(position, at_cells.emplace_back());
            of_points.add_to(position, at_cells.back());
            at_cells.back()[0] -= cube_constant * my_cells.mass[k] / my_cells.dx[k];
        }
        for (std::size_t k = 0; k < my_points.size(); k += stride) {
            const Vector3 position{my_points.x[k], my_points.y[k], my_points.z[k]};
            of_cells.add_to(position, at_points.emplace_back());
            of_points.add_to(position, at_points.back());
        }
        for (const Setting& setting : {Setting{0.0}, Setting{0.5}, Setting{0.5, PeriodicMethod::table}}) {
            Result of_my_cells(my_cells.size()), of_my_points(my_points.size());
            Solver(MPI_COMM_WORLD, periodic(setting, softening, 4))
                .solve(my_cells.cells(), of_my_cells.fields(), my_points.points(), of_my_points.fields());
            const BoxErrors c = errors_of(of_my_cells, at_cells, stride, mass),
                            q = errors_of(of_my_points, at_points, stride, mass);
            expect_below(c, setting, {2e-11, 8e-7, 4e-4}, {4e-9, 6e-6, 1e-3}, softening);
            expect_below(q, setting, {2e-11, 2e-6, 3e-4}, {4e-9, 1.5e-5, 1e-4}, softening);
        }
    }
}

// A box of another size is the same one in other units, whatever power of two the solver's unit is next to it.
void expect_same_in_other_units(double theta, double softening, std::size_t n, const std::array<double, 2>& images,
                                const std::array<double, 2>& by_table) {
    for (const PeriodicMethod method : {PeriodicMethod::images, PeriodicMethod::table}) {
        const std::array<double, 2>& bound = method == PeriodicMethod::table ? by_table : images;
        Options options = periodic({theta, method}, softening);
        BodyArrays points = part_of(random_points(12, n));
        for (auto* const coordinate : {&points.x, &points.y, &points.z})
            for (double& x : *coordinate) x = (x + 0.2) / 1.4;
        Result one(points.size()), other(points.size());
        Solver(MPI_COMM_WORLD, options).solve(points.points(), one.fields());
        constexpr double by = 1.5;
        BodyArrays larger = points;
        for (auto* const coordinate : {&larger.x, &larger.y, &larger.z})
            for (double& x : *coordinate) x *= by;
        options.domain = Box{{0, 0, 0}, {by, by, by}};
        options.softening *= by;
        Solver(MPI_COMM_WORLD, options).solve(larger.points(), other.fields());
        double worst[2] = {}, most[2] = {};
        for (std::size_t i = 0; i < points.size(); ++i)
            for (std::size_t d = 0; d < 3; ++d) {
                const double a = one.acceleration[d][i];
                most[0] = std::max(most[0], std::abs(one.potential[i])), most[1] = std::max(most[1], std::abs(a));
                worst[1] = std::max(worst[1], std::abs(other.acceleration[d][i] * by * by - a));
                worst[0] = std::max(worst[0], std::abs(other.potential[i] * by - one.potential[i]));
            }
        EXPECT_LE(worst[0] / most[0], bound[0]) << to_string(method);
        EXPECT_LE(worst[1] / most[1], bound[1]) << to_string(method);
    }
}
TEST(PeriodicSoftening, OfABoxInOtherUnits) {
    expect_same_in_other_units(0.6, 0.05, 300, {8e-6, 1.2e-6}, {6e-8, 7e-8});
    expect_same_in_other_units(0.9, 0.02, 1500, {8e-6, 2.5e-6}, {1e-9, 3e-10});
}

}  // namespace
}  // namespace gravlet::test
