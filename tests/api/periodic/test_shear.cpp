// SPDX-License-Identifier: Apache-2.0
// Sheared boxes: against sums over the sheared lattice, which share nothing with the library's, and against boxes that are not
// sheared, but hold all that a sheared one repeats.
#include "tests/classical_sum.hpp"  // before boxes.hpp, whose names it shadows

#include "tests/api/agreed.hpp"
#include "tests/api/periodic/boxes.hpp"

#include <limits>

namespace gravlet::test {
namespace {

struct Sheared {
    const char* name;
    Boundaries boundary;
    std::array<double, 3> sides;
    double shear;
};
constexpr std::array cases{Sheared{"cube", ppp, {1, 1, 1}, 0.3},           Sheared{"layer", ppi, {1, 1, 1}, -0.21},
                           Sheared{"shearing box", ppp, {1, 4, 1}, 7.37},  Sheared{"flat", ppi, {2, 3, 0.5}, -0.05},
                           Sheared{"long in x", ppp, {3, 0.7, 1}, 0.3499}, Sheared{"half", ppp, {1, 2, 1}, 1.0}};

/// Half of them on several ranks, each of which makes its kernels and tables.
std::span<const Sheared> some_cases() { return std::span(cases).first(world_size() > 1 ? cases.size() / 2 : cases.size()); }

Box box_of(const Sheared& c) { return {{-1.7, 0.3, 2.0}, {-1.7 + c.sides[0], 0.3 + c.sides[1], 2.0 + c.sides[2]}}; }

Options options_of(const Sheared& c, double theta, int order) {
    Options options = periodic(c.boundary, box_of(c), theta, order);
    options.shear = c.shear;
    return options;
}

PeriodicBox lattice_of(const Sheared& c) {
    const double turns = std::round(c.shear / c.sides[1]);
    return {c.sides, {true, true, c.boundary[2] == p}, c.shear - turns * c.sides[1]};
}

/// Anywhere in the box, some near its faces.
BodyArrays points_in(const Box& box, int count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    BodyArrays points;
    for (int n = 0; n < count; ++n) {
        std::array<double, 3> x{};
        for (std::size_t d = 0; d < 3; ++d) {
            const double part = n % 4 == 0 ? 0.02 * uniform(random) + 0.98 * (n / 4 % 2) : uniform(random);
            x[d] = box.lower[d] + part * (box.upper[d] - box.lower[d]);
        }
        points.add_point(x[0], x[1], x[2], 0.5 + uniform(random));
    }
    return points;
}

/// What all ranks' points do at a place, by the classical sum's values and their differences. Collective.
std::array<double, 4> classical(const ClassicalSum& sum, const BodyArrays& mine, const Vector3& at) {
    constexpr double h = 2.5e-4;
    const auto value = [&](const Vector3& by) {
        double all = 0.0;
        for (std::size_t s = 0; s < mine.size(); ++s)
            all -= mine.mass[s] * sum({at.x - mine.x[s] + by.x, at.y - mine.y[s] + by.y, at.z - mine.z[s] + by.z});
        return all;
    };
    std::array<double, 4> out{value({})};
    for (std::size_t d = 0; d < 3; ++d) {
        const auto difference = [&](double step) {
            Vector3 by{};
            (d == 0 ? by.x : d == 1 ? by.y : by.z) = step;
            return value(by) - value({-by.x, -by.y, -by.z});
        };
        out[1 + d] = -(8.0 * difference(h) - difference(2.0 * h)) / (12.0 * h);
    }
    MPI_Allreduce(MPI_IN_PLACE, out.data(), 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return out;
}

/// At places that are no points', so that no pair is without softening at distance zero.
TEST(Shear, AgainstTheLatticeSum) {
    constexpr int few = 60, many = 1100;  // few ones of one rank act pair by pair, without a tree
    constexpr double softening = 0.04;
    struct Way {
        const char* name;
        double theta;
        int order;
        PeriodicMethod method;
        int count;
        double potential, field;
    };
    for (const Sheared& c : some_cases()) {
        const Box box = box_of(c);
        const BodyArrays places = points_in(box, 3, 2);
        const ClassicalSum sum(lattice_of(c), softening);
        int before = 0;
        std::vector<std::array<double, 4>> expected(places.size());
        for (const Way& way : {Way{"direct", 0.0, 2, PeriodicMethod::images, few, 6e-11, 2.5e-8},
                               Way{"table", 0.3, 2, PeriodicMethod::table, few, 8e-6, 5e-6},
                               Way{"pairs", 0.8, 2, PeriodicMethod::images, few, 3e-9, 4e-8},
                               Way{"coarse", 0.8, 2, PeriodicMethod::images, many, 1.8e-5, 1.7e-5},
                               Way{"medium", 0.5, 4, PeriodicMethod::images, many, 4e-7, 4.5e-7},
                               Way{"fine", 0.2, 4, PeriodicMethod::images, many, 3e-7, 4.5e-7}}) {
            const BodyArrays mine = part_of(points_in(box, way.count, 1));
            for (std::size_t k = 0; k < places.size() && way.count != before; ++k)
                expected[k] = classical(sum, mine, {places.x[k], places.y[k], places.z[k]});
            before = way.count;
            Options options = options_of(c, way.theta, way.order);
            options.softening = softening;
            options.periodic_method = way.method;
            Solver solver(MPI_COMM_WORLD, options);
            Result at_points(mine.size()), at_places(places.size());
            Probes probes{places.x, places.y, places.z, at_places.fields()};
            solver.solve(mine.points(), at_points.fields(), probes);
            std::array<double, 2> worst{}, scale{};
            for (std::size_t k = 0; k < places.size(); ++k) {
                const auto& [phi, x, y, z] = expected[k];
                const auto& a = at_places.acceleration;
                worst[0] = std::max(worst[0], std::abs(at_places.potential[k] - phi));
                worst[1] = std::max(worst[1], std::hypot(a[0][k] - x, a[1][k] - y, a[2][k] - z));
                scale[0] = std::max(scale[0], std::abs(phi)), scale[1] = std::max(scale[1], std::hypot(x, y, z));
            }
            std::cout << c.name << ' ' << way.name << ": " << worst[0] / scale[0] << ' ' << worst[1] / scale[1] << '\n';
            EXPECT_LE(worst[0] / scale[0], way.potential) << c.name << ' ' << way.name;
            EXPECT_LE(worst[1] / scale[1], way.field) << c.name << ' ' << way.name;
        }
    }
}

/// A box sheared by a k-th of its side in y is a k-th of one that is not: its copies beside each other in x, each moved on in y.
BodyArrays beside_each_other(const BodyArrays& mesh, const Box& box, double shear, int copies) {
    BodyArrays all;
    const double length = box.upper[1] - box.lower[1];
    for (int copy = 0; copy < copies; ++copy)
        for (std::size_t k = 0; k < mesh.size(); ++k) {
            double y = mesh.y[k] + copy * shear;
            y -= length * std::floor((y - box.lower[1]) / length);
            all.add_cell(mesh.x[k] + copy * (box.upper[0] - box.lower[0]), y, mesh.z[k], mesh.dx[k], mesh.mass[k]);
        }
    return all;
}

TEST(Shear, IsABoxOfMoreBoxes) {
    for (const Boundaries& boundary : {ppp, ppi}) {
        for (const auto& [part, copies] : {std::pair{0.5, 2}, std::pair{-0.25, 4}}) {
            const BodyArrays mesh = amr_mesh(cube, 3, 5), mine = part_of(mesh);
            const double shear = part * cube.side;
            Options options = periodic(boundary, cube.domain());
            options.shear = shear;
            const Result sheared = solve(options, mine);
            const BodyArrays more = part_of(beside_each_other(mesh, cube.domain(), shear, copies));
            Options plain = periodic(boundary, cube.domain());
            plain.domain->upper[0] = plain.domain->lower[0] + copies * cube.side;
            const Result whole = solve(plain, more);
            Result reference(mesh.size(), nan);
            std::vector<double> of_all(4 * mesh.size());
            for (std::size_t k = 0; k < more.size(); ++k) {
                const std::size_t at = more.index.empty() ? k : more.index[k];
                if (at >= mesh.size()) continue;
                of_all[4 * at] = whole.potential[k];
                for (std::size_t d = 0; d < 3; ++d) of_all[4 * at + 1 + d] = whole.acceleration[d][k];
            }
            MPI_Allreduce(MPI_IN_PLACE, of_all.data(), static_cast<int>(of_all.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            for (std::size_t k = 0; k < mesh.size(); ++k) {
                reference.potential[k] = of_all[4 * k];
                for (std::size_t d = 0; d < 3; ++d) reference.acceleration[d][k] = of_all[4 * k + 1 + d];
            }
            const PeriodicErrors errors = errors_of(sheared, reference, potential_unit(mesh, cube), mine.index);
            std::cout << name_of(boundary) << ' ' << part << ": " << errors.potential.max << ' ' << errors.acceleration.max
                      << '\n';
            expect_below(errors, 6e-5, 4.5e-3, name_of(boundary));
        }
    }
}

/// A cluster of cells, by itself: around a face, and as far from all faces as can be.
TEST(Shear, CellsAcrossAFace) {
    const Box box{{0, 0, 0}, {8, 8, 8}};
    constexpr double shear = 2.7183;
    for (const Boundaries& boundary : {ppp, ppi}) {
        BodyArrays inside, across;
        std::mt19937_64 random(3);
        std::uniform_real_distribution<double> uniform;
        for (int k = 0; k < 4; ++k)
            for (int j = 0; j < 4; ++j)
                for (int n = 0; n < 4; ++n) {
                    const double x = 4.5 + n, y = 3.5 + j, z = 2.5 + k, mass = uniform(random);
                    inside.add_cell(x, y, z, 1.0, mass);
                    const double moved = x + 2.0;  // two of four cells are beyond the upper face
                    const bool beyond = moved > 8.0;
                    across.add_cell(beyond ? moved - 8.0 : moved, beyond ? y - shear : y, z, 1.0, mass);
                }
        for (const double theta : {0.0, 0.3}) {
            Options options = periodic(boundary, box, theta, 4);
            options.shear = shear;
            const BodyArrays a = part_of(inside), b = part_of(across);
            const PeriodicErrors errors = errors_of(solve(options, b), solve(options, a), total_mass(inside) / 8.0);
            std::cout << name_of(boundary) << ' ' << theta << ": " << errors.potential.max << ' ' << errors.acceleration.max
                      << '\n';
            expect_below(errors, theta == 0.0 ? 1e-13 : 4e-6, theta == 0.0 ? 1e-13 : 1.2e-6, name_of(boundary));
        }
    }
}

TEST(Shear, ChangesBetweenSolves) {
    const BodyArrays mine = part_of(amr_mesh(cube, 3, 4));
    for (const PeriodicMethod method : {PeriodicMethod::images, PeriodicMethod::table}) {
        Options options = periodic(ppp, cube.domain());
        options.periodic_method = method;
        options.ewald_nodes = 8;
        const Result none = solve(options, mine);
        Solver solver(MPI_COMM_WORLD, options);
        EXPECT_EQ(solve(solver, mine), none);
        for (const double shear : {0.1, 0.2, -1.3}) {
            solver.set_shear(shear);
            EXPECT_EQ(solver.options().shear, shear);
            options.shear = shear;
            EXPECT_EQ(solve(solver, mine), solve(options, mine)) << shear;
        }
        solver.set_shear(-2.0 * cube.side);  // whole periods
        EXPECT_EQ(solve(solver, mine), none);
        const auto refused = [&](const std::function<void()>& call, const char* words) {
            const Caught caught = agreed(call);
            EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_option));
            EXPECT_TRUE(caught.names(words)) << caught.message;
        };
        refused([&] { solver.set_shear(std::numeric_limits<double>::quiet_NaN()); }, "shear is nan");
        refused([&] { solver.set_shear(std::numeric_limits<double>::infinity()); }, "shear is inf");
        EXPECT_EQ(solve(solver, mine), none);
    }
}

TEST(Shear, IsOfBoxesThatRepeat) {
    for (const Boundaries& boundary : {iii, pip, ipi, pii}) {
        const Caught caught = agreed([&] {
            Options options = periodic(boundary, unit_box);
            options.shear = 0.1;
            const Solver solver(MPI_COMM_WORLD, options);
        });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::invalid_option));
        EXPECT_TRUE(caught.names("must be periodic in x and y")) << caught.message;
    }
    const Caught caught = agreed([&] {
        Options options = periodic(ppp, {{0, 0, 0}, {1, 20, 1}});
        options.shear = 0.1;
        const Solver solver(MPI_COMM_WORLD, options);
    });
    EXPECT_TRUE(caught.names("with shear the latter must be at most 16 times")) << caught.message;
}

/// Points a few lattice vectors away are in the box, as far as y is good to them.
TEST(Shear, Wraps) {
    for (const Sheared& c : some_cases()) {
        const Box box = box_of(c);
        const BodyArrays inside = points_in(box, 1200, 4);
        BodyArrays outside = inside;
        for (std::size_t k = 0; k < outside.size(); ++k) {
            const int columns = static_cast<int>(k % 5) - 2, rows = static_cast<int>(k % 3) - 1;
            outside.x[k] += columns * c.sides[0];
            outside.y[k] += columns * lattice_of(c).shear + rows * c.sides[1];
            if (c.boundary[2] == p) outside.z[k] += (static_cast<int>(k % 7) - 3) * c.sides[2];
        }
        Options options = options_of(c, 0.5, 4);
        options.softening = 0.01;
        const Result expected = solve(options, part_of(inside));
        options.wrap = true;
        const PeriodicErrors errors =
            errors_of(solve(options, part_of(outside)), expected, total_mass(inside) / std::ranges::min(c.sides));
        std::cout << c.name << ": " << errors.potential.max << ' ' << errors.acceleration.max << '\n';
        expect_below(errors, 3e-13, 8e-13, c.name);
    }
}

TEST(Shear, NoGuardsBeyondItsFaces) {
    std::vector<double> density(6 * 6 * 6, 1.0), potential(density.size());
    Block block = block_with_guards({0, 0, 0}, {0.25, 0.25, 0.25}, {4, 4, 4}, 1, density.data(), potential.data());
    block.result_guards = {1, 0, 0};
    Options options = periodic(ppp, unit_box);
    options.shear = 0.1;
    const Caught caught = agreed([&] {
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(std::span<const Block>(&block, world_rank() == 0 ? 1 : 0));
    });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::not_available));
    EXPECT_TRUE(caught.names("block 0: no result_guards beyond the domain in direction 0, where its image is sheared"))
        << caught.message;
}

}  // namespace
}  // namespace gravlet::test
