// SPDX-License-Identifier: Apache-2.0
// Planes of symmetry: against sums over bodies and images that are bodies, in random combinations; guard cells, faces, probes and
// near cells against a solve in which the images are blocks and cells.
#include "tests/api/agreed.hpp"
#include "tests/api/mirror/images.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace gravlet::test {
namespace {

Components components_of(const Result& result, std::size_t i) {
    Components all{result.potential[i]};
    for (std::size_t a = 0; a < 3; ++a) all[1 + a] = result.acceleration[a][i];
    for (std::size_t k = 0; k < 6; ++k) all[4 + k] = result.tidal[k][i];
    return all;
}

/// The errors of all components of all ranks' bodies, by field, over the field's rms.
class FieldErrors {
public:
    void add(const Components& got, const Components& expected) {
        for (std::size_t k = 0; k < got.size(); ++k) {
            const std::size_t field = k == 0 ? 0 : k < 4 ? 1 : 2;
            const double error = std::abs(got[k] - expected[k]);
            most_[field] = std::max(most_[field], std::isnan(error) ? infinity : error);
            sum_[field] += expected[k] * expected[k];
        }
        ++count_;
    }
    /// Collective. The largest of each field.
    [[nodiscard]] std::array<double, 3> most() {
        MPI_Allreduce(MPI_IN_PLACE, most_.data(), 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, sum_.data(), 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(MPI_IN_PLACE, &count_, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        std::array<double, 3> out{};
        for (std::size_t f = 0; f < 3; ++f) out[f] = sum_[f] > 0.0 ? most_[f] / std::sqrt(sum_[f] / count_) : 0.0;
        return out;
    }

private:
    std::array<double, 3> most_{}, sum_{};
    double count_ = 0.0;
};

/// Expects errors below these bounds, of the potential, the acceleration and the tidal tensor.
void expect_below(FieldErrors& errors, const std::array<double, 3>& bounds, const std::string& what) {
    const std::array<double, 3> most = errors.most();
    for (std::size_t f = 0; f < 3; ++f) EXPECT_LE(most[f], bounds[f]) << what << ", field " << f;
}

struct Case {
    Planes planes;
    Options options;
    BodyArrays mesh, points;
    std::vector<std::uint8_t> active;  // of this rank's points
};

Case draw(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto one_of = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    Case c;
    while (c.planes.of == std::array<int, 3>{})
        for (int& plane : c.planes.of) plane = static_cast<int>(one_of(3)) - 1;
    const std::array<Options, 8> all = {Options{},
                                        Options{.theta = 0.0},
                                        Options{.theta = 0.5, .order = 4},
                                        Options{.theta = 0.5, .precision = Precision::double_},
                                        Options{.theta = 0.5, .redistribute = true},
                                        Options{.theta = 0.5, .error_samples = 30},
                                        Options{.criterion = Criterion::acceleration},
                                        Options{.theta = 0.6, .order = 3, .keep_moved = true}};
    c.options = c.planes.options(all[one_of(all.size())]);
    c.options.G = one_of(2) == 0 ? 1.0 : 6.67e-8;
    c.options.softening_kernel = one_of(2) == 0 ? SofteningKernel::plummer : SofteningKernel::spline;
    c.options.softening = one_of(3) == 0 ? 0.0 : 0.02;
    c.options.self_potential = one_of(2) == 0;
    const std::size_t bodies = one_of(3);
    if (bodies != 1) c.mesh = random_mesh(seed, 3);
    if (bodies != 0) c.points = points_before(c.planes, seed, bodies == 1 ? 600 : 40);
    if (one_of(3) == 0)
        for (std::size_t i = 0; i < c.points.size(); ++i) c.points.softening.push_back(0.01 * static_cast<double>(i % 4));
    return c;
}

/// Expects of this rank's cells and points what all bodies and images do to them.
void expect_sums(const Case& c, const std::array<double, 3>& bounds, std::uint64_t seed) {
    SCOPED_TRACE(to_string(c.options));
    const auto part = [&](const BodyArrays& all) { return all.size() > 0 ? part_of(all) : all; };
    const BodyArrays mesh = part(c.mesh), points = part(c.points);
    const std::vector<std::uint8_t> active =
        seed % 2 == 0 ? draw_flags(points.size(), 0.3, seed) : std::vector<std::uint8_t>(points.size(), 1);
    Result cells(mesh.size()), sinks(points.size());
    Solver solver(MPI_COMM_WORLD, c.options);
    Points given = points.points();
    if (seed % 2 == 0) given.active = active;
    for (int again = 0; again < 2; ++again) {  // the second one keeps the tree
        solver.solve(mesh.cells(), cells.all_fields(), given, sinks.all_fields());
        if (const auto& error = solver.report().potential_error; error.has_value()) {
            EXPECT_LT(error->max, 1e-5);
        }
        const BodyArrays all_cells = c.planes.with_images(c.mesh), all_points = c.planes.with_images(c.points);
        FieldErrors errors;
        const auto add = [&](const BodyArrays& targets, const Result& got, bool are_cells) {
            for (std::size_t k = 0; k < targets.size(); ++k) {
                if (!are_cells && active[k] == 0) {
                    EXPECT_EQ(got.potential[k], Result::untouched);
                    continue;
                }
                const double own = are_cells ? 0.0 : targets.softening.empty() ? c.options.softening : targets.softening[k];
                const std::array<double, 3> at{targets.x[k], targets.y[k], targets.z[k]};
                const std::size_t none = static_cast<std::size_t>(-1);
                Components expected{};
                add_pairs(expected, at, own, all_cells, are_cells ? targets.index[k] : none, c.options);
                add_pairs(expected, at, own, all_points, are_cells ? none : targets.index[k], c.options);
                if (are_cells && c.options.self_potential)
                    expected[0] -= c.options.G * cube_constant * targets.mass[k] / targets.dx[k];
                errors.add(components_of(got, k), expected);
            }
        };
        add(mesh, cells, true);
        add(points, sinks, false);
        expect_below(errors, bounds, "seed " + std::to_string(seed) + " theta " + std::to_string(c.options.theta));
    }
}

TEST(Mirror, RandomCombinations) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        const Case c = draw(seed);
        const bool exact = c.options.theta == 0.0, in_double = c.options.precision == Precision::double_;
        expect_sums(c,
                    exact       ? std::array{1e-12, 1e-12, 1e-11}
                    : in_double ? std::array{1e-6, 1e-5, 1e-4}
                                : std::array{1.0, 1.0, 1.0},
                    seed);
    }
}

/// Points may be beyond all faces but the planes, cells beyond none; a solver goes on.
TEST(Mirror, BodiesBeyondAPlane) {
    const Planes planes{{0, 1, -1}};
    Solver solver(MPI_COMM_WORLD, planes.options({}));
    const auto refused = [&](const std::array<double, 3>& at, bool is_cell) {
        BodyArrays bodies;
        if (world_rank() == 0)
            is_cell ? bodies.add_cell(at[0], at[1], at[2], 0.25, 1.0) : bodies.add_point(at[0], at[1], at[2], 1.0);
        Result result(bodies.size());
        const Caught caught = agreed(
            [&] { is_cell ? solver.solve(bodies.cells(), result.fields()) : solver.solve(bodies.points(), result.fields()); });
        EXPECT_TRUE(caught.code == 0 || caught.code == static_cast<int>(ErrorCode::invalid_input)) << caught.message;
        if (caught.code != 0) {
            EXPECT_NE(caught.message.find("outside the domain"), std::string::npos) << caught.message;
            EXPECT_EQ(result, Result(bodies.size()));
        }
        return caught.code != 0;
    };
    for (const std::array<double, 3>& at : {std::array{-3.0, 0.5, 0.5}, std::array{4.0, -7.0, 0.5}, std::array{0.5, 0.5, 1e9}})
        EXPECT_FALSE(refused(at, false));
    for (const std::array<double, 3>& at : {std::array{0.5, 1.001, 0.5}, std::array{-3.0, 0.5, -1e-9}})
        EXPECT_TRUE(refused(at, false));
    EXPECT_TRUE(refused({0.5, 0.5, 0.1}, true));
    EXPECT_TRUE(refused({-0.5, 0.5, 0.5}, true));
    EXPECT_FALSE(refused({0.5, 0.875, 0.125}, true));
}

/// Of one on a plane the image is itself; of two next to it each is next to its own image, and that pair is exact.
TEST(Mirror, CloseToAPlane) {
    const Planes planes{{-1, 0, 0}};
    for (const double x : {0.0, 1e-12, 1e-6}) {
        BodyArrays points;
        if (world_rank() == 0) points.add_point(x, 0.5, 0.5, 3.0), points.add_point(0.75, 0.5, 0.5, 1.0);
        Result result(points.size());
        Solver solver(MPI_COMM_WORLD, planes.options({.theta = 0.8}));
        solver.solve(points.points(), result.fields());
        EXPECT_FALSE(solver.report().net_force) << "images pull, and are not pulled";
        if (world_rank() != 0) continue;
        const auto pull = [](double mass, double distance) { return mass / (distance * distance); };
        const double to_image = x > 0.0 ? pull(3.0, 2.0 * x) : 0.0, away = pull(1.0, 0.75 - x) - pull(1.0, 0.75 + x);
        EXPECT_NEAR(result.acceleration[0][0], away - to_image, 1e-6 * std::max(to_image, 1.0)) << x;
        EXPECT_NEAR(result.acceleration[0][1], -pull(3.0, 0.75 - x) - pull(3.0, 0.75 + x) - pull(1.0, 1.5), 1e-5) << x;
    }
}

}  // namespace
}  // namespace gravlet::test
