// SPDX-License-Identifier: Apache-2.0
// Periodic and mixed boundaries: the tree against the direct sum, and both against what is known otherwise.
#include "tests/api/block_mesh.hpp"
#include "tests/api/periodic/boxes.hpp"

namespace gravlet::test {
namespace {

constexpr double lattice_constant = 2.8372974794806195;

TEST(Periodic, AmrMeshAgainstTheDirectSum) {
    struct Setting {
        double theta;
        int order;
        Errors potential, acceleration;
    };
    const Setting settings[] = {{0.5, 2, {2e-5, 5e-6}, {2.4e-3, 2.8e-4}}, {0.8, 4, {1.1e-5, 1.5e-6}, {1.4e-3, 1.5e-4}}};
    for (const bool elongated : {false, true}) {
        const Shape shape = elongated ? brick : cube;
        const BodyArrays all = elongated ? amr_mesh(shape, 3, 5) : amr_mesh(shape, 4, 6), mine = part_of(all);
        const double unit = potential_unit(all, shape);
        Errors isolated[2];
        for (const Boundaries& boundary : {iii, ppp, ppi, pii, elongated ? ipi : pip}) {
            const Result reference = sampled_sum(all, periodic(boundary, shape.domain()), all.size() / 300);
            for (std::size_t s = 0; s < 2; ++s) {
                const auto& [theta, order, potential, acceleration] = settings[s];
                const PeriodicErrors errors =
                    errors_of(solve(periodic(boundary, shape.domain(), theta, order), mine), reference, unit, mine.index);
                const std::string what =
                    name_of(boundary) + (elongated ? " 4:2:1" : " 1:1:1") + ", theta " + std::to_string(theta);
                expect_below(errors, potential.max, acceleration.max, what);
                EXPECT_LE(errors.potential.rms, potential.rms) << what;
                EXPECT_LE(errors.acceleration.rms, acceleration.rms) << what;
                if (boundary == iii) isolated[s] = errors.potential;
                EXPECT_LE(errors.potential.rms, 2.0 * isolated[s].rms) << what;
                EXPECT_LE(errors.potential.max, 8.0 * isolated[s].max) << what;
            }
        }
    }
}

// Sides that are no multiples of the solver's own pieces; long, flat and thin boxes.
TEST(Periodic, AnyShapeOfBox) {
    const struct {
        std::array<int, 3> cubes;
        int level;
    } shapes[] = {{{5, 4, 3}, 2}, {{10, 7, 6}, 0}, {{3, 1, 1}, 3}, {{1, 1, 20}, 2}, {{8, 8, 1}, 2}, {{1, 9, 10}, 1}};
    for (const auto& [cubes, level] : shapes) {
        const Shape shape{.cubes = cubes};
        const BodyArrays all = amr_mesh(shape, level, level + 1), mine = part_of(all);
        for (const Boundaries& boundary : {ppp, ipi}) {
            const Options options = periodic(boundary, shape.domain());
            const std::string what = name_of(boundary) + ' ' + testing::PrintToString(cubes);
            const Result reference = sampled_sum(all, options, all.size() / 50);
            expect_below(errors_of(solve(options, mine), reference, potential_unit(all, shape), mine.index), 4e-5, 5e-3, what);
        }
    }
}

TEST(Periodic, DirectSum) {
    const BodyArrays all = amr_mesh(cube, 3, 4), mine = part_of(all);
    for (const Boundaries& boundary : {ppp, ppi, ipi}) {
        const Options options = periodic(boundary, cube.domain());
        const Result reference = sampled_sum(all, options, 1);
        expect_below(errors_of(direct(options, mine), reference, potential_unit(all, cube), mine.index), 2e-14, 1e-14,
                     name_of(boundary) + " direct");
        expect_below(errors_of(solve(options, mine), reference, potential_unit(all, cube), mine.index), 8e-5, 6e-3,
                     name_of(boundary) + " tree");
    }
}

// Cells and points against the sum over images itself.
TEST(Periodic, FewBodiesAgainstEwald) {
    const Box domain = brick.domain();
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform;
    for (const int count : {1, 2, 12}) {
        BodyArrays cells, points;
        for (int n = 0; n < count; ++n) {
            std::array<double, 3> r{};
            for (std::size_t d = 0; d < 3; ++d)
                r[d] = domain.lower[d] + (std::floor(uniform(random) * 32.0) + 0.5) / 32.0 * (domain.upper[d] - domain.lower[d]);
            cells.add_cell(r[0], r[1], r[2], 0.01, 0.5 + uniform(random));
            if (count > 2) points.add_point(r[0] + 0.01, r[1], r[2], uniform(random));
        }
        BodyArrays all = cells;
        for (std::size_t k = 0; k < points.size(); ++k) all.add_point(points.x[k], points.y[k], points.z[k], points.mass[k]);
        const BodyArrays my_cells = part_of(cells), my_points = count > 2 ? part_of(points) : BodyArrays{};
        std::vector<std::size_t> mine = my_cells.index;
        for (const std::size_t k : my_points.index) mine.push_back(cells.size() + k);
        for (const auto& [boundary, softening] : {std::pair(ppp, 0.0), {ppi, 0.0}, {pii, 0.0}, {ppi, 0.1}, {pii, 0.1}}) {
            if (softening > 0.0 && points.size() == 0) continue;
            Options options = periodic(boundary, domain, 0.0, 4);
            const PeriodicBox box = Domain(options).box();
            options.softening = softening * box.shortest_period();
            const auto softening_of = [&](std::size_t t, std::size_t s) {
                return t < cells.size() && s < cells.size() ? 0.0 : options.softening;
            };
            std::vector<double> expected;
            for (const std::size_t t : mine) {
                const LatticeSum own(box, 0.0, 0.5 * box.shortest_period(), softening_of(t, t));
                double sum = all.mass[t] * own.value({0.0, 0.0, 0.0});
                if (t < cells.size()) sum += cube_constant * all.mass[t] / all.dx[t];
                for (std::size_t s = 0; s < all.size(); ++s)
                    if (s != t)
                        sum +=
                            all.mass[s] * periodic_potential(box, {all.x[t] - all.x[s], all.y[t] - all.y[s], all.z[t] - all.z[s]},
                                                             softening_of(t, s));
                expected.push_back(-sum);
            }
            for (const auto& [theta, method] : {std::pair(0.0, PeriodicMethod::images), std::pair(0.3, PeriodicMethod::images),
                                                std::pair(0.3, PeriodicMethod::table)}) {
                if (softening == 0.0 && method == PeriodicMethod::table) continue;
                options.theta = theta;
                options.periodic_method = method;
                Result result(my_cells.size()), at_points(my_points.size());
                Solver solver(MPI_COMM_WORLD, options);
                solver.solve(my_cells.cells(), result.fields(), my_points.points(), at_points.fields());
                auto& potential = result.potential;
                potential.insert(potential.end(), at_points.potential.begin(), at_points.potential.end());
                const double limit = theta == 0.0 ? 6e-10 : softening == 0.0 ? 4e-6 : 1.4e-5;
                for (std::size_t k = 0; k < mine.size(); ++k)
                    EXPECT_NEAR(potential[k], expected[k], limit * potential_unit(all, brick))
                        << count << ' ' << name_of(boundary) << ' ' << to_string(method) << ", theta " << theta << ", softening "
                        << softening;
            }
        }
    }
}

// The tree's error depends on where its nodes are: moved, it is another one.
TEST(Periodic, MovedMesh) {
    for (const Shape& shape : {cube, brick}) {
        const BodyArrays all = amr_mesh(shape, 3, 5), mine = part_of(all);
        const Box domain = shape.domain();
        for (const Boundaries& boundary : {ppp, ipi}) {
            const Options options = periodic(boundary, domain);
            const Result reference = sampled_sum(all, options, all.size() / 200), here = solve(options, mine);
            const double error = errors_of(here, reference, potential_unit(all, shape), mine.index).potential.rms;
            BodyArrays moved = mine;
            std::vector<double>* const coordinates[] = {&moved.x, &moved.y, &moved.z};
            for (std::size_t d = 0; d < 3; ++d) {
                if (boundary[d] == i) continue;
                for (double& x : *coordinates[d]) {
                    x += (3.0 + static_cast<double>(d)) / 8.0 * shape.side;  // whole cells
                    if (x > domain.upper[d]) x -= domain.upper[d] - domain.lower[d];
                }
            }
            const PeriodicErrors change = errors_of(solve(options, moved), here, potential_unit(all, shape));
            EXPECT_LE(change.potential.rms, 3.0 * error) << name_of(boundary);
        }
    }
}

// n^3 equal points are a lattice of boxes n times smaller.
TEST(Periodic, LatticeOfPoints) {
    constexpr double mass = 0.3, G = 2.0;
    for (const int n : {2, 4, 8}) {
        BodyArrays all;
        for (int k = 0; k < n * n * n; ++k)
            all.add_point((k % n + 0.5) / n, (k / n % n + 0.5) / n, (k / (n * n) + 0.5) / n, mass);
        const BodyArrays mine = part_of(all);
        for (const double theta : {0.0, 0.3, 0.8}) {
            Options options = periodic(ppp, unit_box, theta, 4);
            options.G = G;
            const Result result = solve(options, mine);
            double largest = 0.0, force = 0.0;
            for (std::size_t k = 0; k < mine.size(); ++k) {
                largest = std::max(largest, std::abs(result.potential[k] / (G * mass * n) - lattice_constant));
                force = std::max(force, std::abs(result.acceleration[0][k]) / (G * mass * n * n));
            }
            EXPECT_LE(force, theta == 0.0 ? 5e-15 : 2e-5) << n << ", theta " << theta;
            EXPECT_LE(largest, theta == 0.0 ? 2.5e-13 : 5e-5) << n << ", theta " << theta;
        }
    }
}

// Its correction knows nodes' masses only (docs/algorithm.md).
TEST(Periodic, TableMethod) {
    for (const Shape& shape : {cube, brick}) {
        const BodyArrays all = amr_mesh(shape, shape.cubes[0] == 1 ? 3 : 2, 4), mine = part_of(all);
        for (const Boundaries& boundary : {ppp, pip}) {
            const Result reference = sampled_sum(all, periodic(boundary, shape.domain()), all.size() / 200);
            for (const auto& [theta, order] : {std::pair(0.5, 2), std::pair(0.8, 4)}) {
                Options options = periodic(boundary, shape.domain(), theta, order);
                options.periodic_method = PeriodicMethod::table;
                expect_below(errors_of(solve(options, mine), reference, potential_unit(all, shape), mine.index), 4.5e-4, 3e-3,
                             name_of(boundary) + " table, theta " + std::to_string(theta));
            }
        }
    }
}

TEST(Periodic, CoarseMeshes) {
    for (const int level : {1, 2, 3}) {
        const BodyArrays all = amr_mesh(cube, level, level), mine = part_of(all);
        for (const Boundaries& boundary : {ppp, pii}) {
            const Options options = periodic(boundary, cube.domain());
            const PeriodicErrors errors = errors_of(solve(options, mine), direct(options, mine), potential_unit(all, cube));
            EXPECT_LE(errors.potential.max, 1.5e-6) << level << ' ' << name_of(boundary);
        }
    }
}

TEST(Periodic, Blocks) {
    const BlockMesh mesh({4, 3, 2});
    const BodyArrays mine = mesh.as_cells();
    for (const Boundaries& boundary : {ppp, ipi}) {
        const Options options = periodic(boundary, unit_box);
        const Result reference = direct(options, mine), cells = solve(options, mine);
        FlashArray memory(mesh, 1);
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(memory.blocks(mesh));
        Result result(mine.size());
        std::size_t n = 0;
        mesh.for_each_cell([&](std::size_t b, int x, int y, int z, std::size_t) {
            result.potential[n] = memory.at(1, x, y, z, b);
            for (int d = 0; d < 3; ++d) result.acceleration[static_cast<std::size_t>(d)][n] = memory.at(2 + d, x, y, z, b);
            ++n;
        });
        expect_below(errors_of(cells, reference, 0.5), 1e-5, 1.3e-3, "flat cells");
        expect_below(errors_of(result, cells, 0.5), 2e-14, 1e-14, "blocks");
    }
}

TEST(Periodic, AnyUnits) {
    constexpr double length = 3.1e21, mass = 2e33, G = 6.674e-8;
    BodyArrays mine = part_of(amr_mesh(cube, 3, 4));
    const double unit = G * mass / length;
    const Result expected = solve(periodic(ppi, cube.domain()), mine);
    Box domain = cube.domain();
    for (auto* corner : {&domain.lower, &domain.upper})
        for (double& x : *corner) x *= length;
    for (auto* values : {&mine.x, &mine.y, &mine.z, &mine.dx})
        for (double& x : *values) x *= length;
    for (double& m : mine.mass) m *= mass;
    Options options = periodic(ppi, domain);
    options.G = G;
    Result result = solve(options, mine);
    for (double& value : result.potential) value /= unit;
    for (auto& component : result.acceleration)
        for (double& value : component) value /= unit / length;
    expect_below(errors_of(result, expected, total_mass(amr_mesh(cube, 3, 4)) / cube.side), 2e-6, 1e-6, "cgs");
}

// Errors in the report are relative to the rms of the sample's potentials and accelerations.
TEST(Periodic, ReportedErrors) {
    const BodyArrays all = amr_mesh(cube, 3, 4), mine = part_of(all);
    Options options = periodic(ppp, cube.domain());
    options.error_samples = 1'000'000;
    Solver solver(MPI_COMM_WORLD, options);
    const Result result = solve(solver, mine), reference = direct(options, mine);
    const double rms = reduce_errors(MPI_COMM_WORLD, reference.potential).rms;
    const PeriodicErrors errors = errors_of(result, reference, rms);
    const Report& report = solver.report();
    EXPECT_EQ(report.potential_error->samples, static_cast<std::int64_t>(all.size()));
    EXPECT_NEAR(report.potential_error->rms / errors.potential.rms, 1.0, 3e-11);
    EXPECT_NEAR(report.potential_error->max / errors.potential.max, 1.0, 3e-11);
    EXPECT_NEAR(report.acceleration_error->rms / errors.acceleration.rms, 1.0, 1e-12);
    EXPECT_NEAR(report.acceleration_error->max / errors.acceleration.max, 1.0, 3e-12);
}

// Cells are points to each other: that, and their own potential, are of second order in their side.
TEST(Periodic, SineWaveConverges) {
    constexpr double mean = 2.0, amplitude = 0.8, k = 2.0 * pi;
    Errors before;
    double acceleration_before = 0.0;
    for (const int n : {16, 32, 64}) {
        BodyArrays all;
        const double h = 1.0 / n;
        for (int c = 0; c < n * n * n; ++c) {
            const double x = (c % n + 0.5) * h;
            all.add_cell(x, (c / n % n + 0.5) * h, (c / (n * n) + 0.5) * h, h,
                         mean * (1.0 + amplitude * std::cos(k * x)) * h * h * h);
        }
        const BodyArrays mine = part_of(all);
        const Result result = solve(periodic(ppp, unit_box, 0.5, 4), mine);
        std::vector<double> potential, acceleration;
        for (std::size_t c = 0; c < mine.size(); ++c) {
            potential.push_back(std::abs(result.potential[c] + 4.0 * pi * mean * amplitude / (k * k) * std::cos(k * mine.x[c])));
            acceleration.push_back(
                std::abs(result.acceleration[0][c] + 4.0 * pi * mean * amplitude / k * std::sin(k * mine.x[c])));
        }
        const Errors errors = reduce_errors(MPI_COMM_WORLD, potential);
        const double of_acceleration = reduce_errors(MPI_COMM_WORLD, acceleration).rms;
        if (n > 16) {
            EXPECT_GT(before.rms / errors.rms, 3.5) << n;
            EXPECT_GT(before.max / errors.max, 3.5) << n;
            EXPECT_GT(acceleration_before / of_acceleration, 3.5) << n;
        }
        before = errors;
        acceleration_before = of_acceleration;
    }
}

}  // namespace
}  // namespace gravlet::test
