// SPDX-License-Identifier: Apache-2.0
// Periodic and mixed boundaries on any number of ranks, with any distribution of the bodies, and with fewer bodies than ranks.
#include "tests/api/periodic/boxes.hpp"

namespace gravlet::test {
namespace {

struct Distribution {
    const char* name;
    int (*owner)(std::size_t i, std::size_t n);
};

TEST(PeriodicRanks, AnyDistribution) {
    const Distribution distributions[] = {
        {"runs", [](std::size_t k, std::size_t n) { return static_cast<int>(k * static_cast<std::size_t>(world_size()) / n); }},
        {"all on one", [](std::size_t, std::size_t) { return world_size() / 2; }},
        {"scattered",
         [](std::size_t k, std::size_t) { return static_cast<int>(k * 7919 % static_cast<unsigned>(world_size())); }},
        {"some have none", [](std::size_t k, std::size_t n) { return static_cast<int>(2 * (k * 3 / n)) % world_size(); }}};
    for (const Shape& shape : {cube, brick}) {
        const bool elongated = shape.cubes[0] > 1;
        const BodyArrays all = elongated ? amr_mesh(shape, 2, 4) : amr_mesh(shape, 3, 5);
        for (const Boundaries& boundary : {ppp, elongated ? ipi : ppi}) {
            const Options options = periodic(boundary, shape.domain());
            const Result reference = sampled_sum(all, options, all.size() / 200);
            for (const Distribution& distribution : distributions) {
                const BodyArrays mine = part_of(all, [&](std::size_t k) { return distribution.owner(k, all.size()); });
                expect_below(errors_of(solve(options, mine), reference, potential_unit(all, shape), mine.index), 9e-5, 4.5e-3,
                             name_of(boundary) + ' ' + distribution.name);
            }
        }
    }
}

TEST(PeriodicRanks, SameBitsAndTwoMeshes) {
    const BodyArrays first = part_of(amr_mesh(cube, 3, 5)), second = part_of(amr_mesh(cube, 3, 4, 2));
    for (const Boundaries& boundary : {ppp, pii}) {
        const Options options = periodic(boundary, cube.domain());
        Solver solver(MPI_COMM_WORLD, options);
        const Result result = solve(solver, first);
        EXPECT_EQ(solve(solver, first), result);
        const Result other = solve(solver, second);
        EXPECT_EQ(other, solve(options, second));
        EXPECT_EQ(solve(solver, first), result);
        EXPECT_EQ(solve(solver, second), other);
        Result potential_only(first.size());
        solver.solve(first.cells(), potential_only.potential_only());
        EXPECT_LE(errors_of({potential_only}, result, total_mass(amr_mesh(cube, 3, 5)) / cube.side).potential.max, 1e-4);
    }
}

// Points in a mesh, some without mass, and alone: the tree against the direct sum.
void expect_points_like_direct(const Boundaries& boundary, double softening) {
    const BodyArrays mesh = amr_mesh(cube, 3, 4), my_cells = part_of(mesh);
    BodyArrays points;
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform;
    const auto coordinate = [&](std::size_t d) { return cube.lower[d] + cube.side * uniform(random); };
    const double mass = 0.1 * total_mass(mesh) / 300.0;
    for (int n = 0; n < 300; ++n) {
        const double x = coordinate(0), y = coordinate(1), z = coordinate(2);
        points.add_point(x, y, z, n % 5 == 0 ? 0.0 : mass * (0.5 + uniform(random)));
    }
    const BodyArrays my_points = part_of(points);
    const auto solve_both = [&](const Options& options) {
        std::pair<Result, Result> results(my_cells.size(), my_points.size());
        Solver(MPI_COMM_WORLD, options)
            .solve(my_cells.cells(), results.first.fields(), my_points.points(), results.second.fields());
        return results;
    };
    Options options = periodic(boundary, cube.domain(), 0.0);
    options.softening = softening * cube.side;
    options.ewald_nodes = 12;  // enough here, and each rank makes its tables
    const auto [cells_direct, points_direct] = solve_both(options);
    const Result direct_alone = solve(options, my_points);
    options.theta = 0.5;
    for (const PeriodicMethod method : {PeriodicMethod::images, PeriodicMethod::table}) {
        options.periodic_method = method;
        const auto [at_cells, at_points] = solve_both(options);
        const std::string what = name_of(boundary) + ' ' + to_string(method) + ", softening " + std::to_string(softening);
        expect_below(errors_of(at_cells, cells_direct, potential_unit(mesh, cube)), 1.5e-4, 7e-3, what + ", cells");
        expect_below(errors_of(at_points, points_direct, potential_unit(mesh, cube)), 1.2e-4, 2.4e-3, what + ", points");
        expect_below(errors_of(solve(options, my_points), direct_alone, total_mass(points) / cube.side), 2e-4, 5e-3,
                     what + ", points alone");
    }
}

TEST(PeriodicRanks, Points) {
    for (const Boundaries& boundary : {ppp, pii}) expect_points_like_direct(boundary, 0.0);
}

TEST(PeriodicRanks, SoftenedPoints) {
    for (const double softening : {0.0003, 0.1}) expect_points_like_direct(ppp, softening);
}

// Two points on opposite faces are as near each other as if both were on one.
TEST(PeriodicRanks, PointsOnTheFaces) {
    for (const Box& domain : {unit_box, cube.domain()}) {
        const double size = domain.upper[0] - domain.lower[0];
        const auto coordinate = [&](std::size_t d, double fraction) {
            return fraction == 1.0 ? domain.upper[d] : domain.lower[d] + fraction * size;
        };
        BodyArrays points;
        const auto add = [&](double x, double y, double z) {
            points.add_point(coordinate(0, x), coordinate(1, y), coordinate(2, z), 1.0);
        };
        add(0.0, 0.5, 0.5), add(1.0, 0.5, 0.625);
        add(0.25, 1.0, 0.125), add(0.25, 0.0, 0.25);
        add(1.0, 1.0, 1.0), add(0.0, 0.0625, 1.0);
        BodyArrays inside = points;  // all on the lower faces
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (inside.x[k] == domain.upper[0]) inside.x[k] = domain.lower[0];
            if (inside.y[k] == domain.upper[1]) inside.y[k] = domain.lower[1];
            if (inside.z[k] == domain.upper[2]) inside.z[k] = domain.lower[2];
        }
        const BodyArrays mine = part_of(points), my_inside = part_of(inside);
        const double unit = total_mass(points) / size;
        const Result reference = direct(periodic(ppp, domain), mine);
        expect_below(errors_of(direct(periodic(ppp, domain), my_inside), reference, unit), 2e-14, 1e-14,
                     "on lower faces, direct");
        expect_below(errors_of(solve(periodic(ppp, domain), mine), reference, unit), 6e-6, 7e-5, "on faces");
        expect_below(errors_of(solve(periodic(ppp, domain), my_inside), reference, unit), 6e-6, 7e-5, "on lower faces");
        Options table = periodic(ppp, domain);
        table.periodic_method = PeriodicMethod::table;
        expect_below(errors_of(solve(table, mine), reference, unit), 6e-6, 7e-5, "on faces, table");
        const Result slab = direct(periodic(ppi, domain), mine);
        expect_below(errors_of(solve(periodic(ppi, domain), mine), slab, unit), 6e-6, 7e-5, "on faces, slab");
    }
}

// Two points at one place, or but for a period, are left out unless softened.
TEST(PeriodicRanks, CoincidentPoints) {
    BodyArrays points;
    points.add_point(0.0, 0.5, 0.5, 1.0);
    points.add_point(1.0, 0.5, 0.5, 2.0);
    points.add_point(0.25, 0.75, 0.5, 3.0);
    points.add_point(0.625, 0.25, 0.375, 1.0);
    points.add_point(0.625, 0.25, 0.375, 2.0);
    const BodyArrays mine = part_of(points);
    for (const double softening : {0.0, 0.0005}) {
        for (const Boundaries& boundary : {ppp, pii}) {
            Result reference(0);
            for (const auto& [theta, method] : {std::pair(0.0, PeriodicMethod::images), std::pair(0.5, PeriodicMethod::images),
                                                std::pair(0.5, PeriodicMethod::table)}) {
                Options options = periodic(boundary, unit_box, theta);
                options.ewald_nodes = 12;
                options.softening = softening;
                options.periodic_method = method;
                Solver solver(MPI_COMM_WORLD, options);
                const Result result = solve(solver, mine);
                if (theta == 0.0) reference = result;
                const std::string what = name_of(boundary) + ' ' + to_string(method) + ", softening " + std::to_string(softening);
                expect_below(errors_of(result, reference, total_mass(points)), 3e-5, 2.2e-3, "coincident, " + what);
                EXPECT_EQ(solver.report().coincident_pairs, softening > 0.0 ? 0 : 4) << what;
            }
        }
    }
}

}  // namespace
}  // namespace gravlet::test
