// SPDX-License-Identifier: Apache-2.0
// Periodic and mixed boundaries on any number of ranks: the tree against the direct sum, and both against what is known
// otherwise.
#include "ewald/lattice_sum.hpp"
#include "ewald/table.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/bodies.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>
#include <optional>
#include <string>

namespace gravlet::test {
namespace {

/// Into the nearest image.
double nearest_image(double x, double period) { return period > 0.0 ? x - period * std::rint(x / period) : x; }

using std::numbers::pi;
using Boundaries = std::array<Boundary, 3>;

constexpr Boundary p = Boundary::periodic, i = Boundary::isolated;
constexpr double lattice_constant = 2.8372974794806195;

std::string name_of(const Boundaries& b) {
    std::string name;
    for (const Boundary boundary : b) name += boundary == p ? 'p' : 'i';
    return name;
}

/// A row of equal cubes.
struct Shape {
    std::array<int, 3> cubes{1, 1, 1};
    std::array<double, 3> lower{-4.1, 2.3, 11.0};
    double side = 3.0;  ///< of a cube

    [[nodiscard]] Box domain() const {
        Box box{lower, lower};
        for (std::size_t d = 0; d < 3; ++d) box.upper[d] += cubes[d] * side;
        return box;
    }
};
const Shape cube{}, brick{.cubes = {4, 2, 1}};

/// Leaf cells of octrees in the cubes, refined in two steps about a place at the domain's faces; densities between 0.5 and 1.5
/// times a smooth one, a tenth of the cells without mass.
Bodies amr_mesh(const Shape& shape, int min_level, int max_level, std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    Bodies mesh;
    constexpr std::array<double, 3> centre{0.1, 0.95, 0.6};  // in units of the domain
    const std::function<void(int, const std::array<double, 3>&)> refine = [&](int level, const std::array<double, 3>& lower) {
        const double side = std::ldexp(1.0, -level);
        std::array<double, 3> place{};
        double distance2 = 0.0;
        for (std::size_t d = 0; d < 3; ++d) {
            place[d] = (lower[d] + 0.5 * side) / shape.cubes[d];
            const double distance = place[d] - centre[d];
            distance2 += std::pow(distance - std::round(distance), 2);
        }
        if (level < min_level || (level < max_level && std::sqrt(distance2) < std::ldexp(0.39, min_level - level))) {
            for (int child = 0; child < 8; ++child)
                refine(level + 1, {lower[0] + 0.5 * side * (child & 1), lower[1] + 0.5 * side * (child >> 1 & 1),
                                   lower[2] + 0.5 * side * (child >> 2)});
            return;
        }
        const double wave = std::cos(2.0 * pi * place[0]) * std::sin(2.0 * pi * (place[1] + 2.0 * place[2]));
        const double density = (1.0 + 0.7 * wave + 4.0 * std::exp(-40.0 * distance2)) * (0.5 + uniform(random));
        const double size = shape.side * side, mass = uniform(random) < 0.1 ? 0.0 : density * size * size * size;
        const auto at = [&](std::size_t d) { return shape.lower[d] + shape.side * (lower[d] + 0.5 * side); };
        mesh.add_cell(at(0), at(1), at(2), size, mass);
    };
    for (int z = 0; z < shape.cubes[2]; ++z)
        for (int y = 0; y < shape.cubes[1]; ++y)
            for (int x = 0; x < shape.cubes[0]; ++x)
                refine(0, {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
    return mesh;
}

/// Collective over MPI_COMM_WORLD, which shares the work: at every stride-th cell the sum over all sources' nearest images and
/// the Ewald table's correction. NaN at the others. G = 1.
Result sampled_sum(const Bodies& all, const Options& options, std::size_t stride) {
    std::optional<EwaldTable> table;
    EwaldView view;
    double unit = 1.0;
    if (is_periodic(options)) {
        table.emplace(EwaldParameters{periodic_box(options), 24, 5}, 1);
        view = table->view();
        unit = domain_box(options).shortest_period();
    }
    std::vector<double> sums;
    for (std::size_t t = 0; t < all.size(); t += stride) {
        std::array<double, 4> sum{};
        for (auto s = static_cast<std::size_t>(world_rank()); s < all.size(); s += static_cast<std::size_t>(world_size())) {
            if (all.mass[s] == 0.0) continue;
            const double x = nearest_image((all.x[t] - all.x[s]) / unit, view.period[0]),
                         y = nearest_image((all.y[t] - all.y[s]) / unit, view.period[1]),
                         z = nearest_image((all.z[t] - all.z[s]) / unit, view.period[2]);
            Polynomial<double> f{};
            if (table) f = ewald_correction(view, x, y, z, false);
            if (s == t) {
                f.value += cube_constant * unit / all.dx[s];
            } else {
                const double r_inverse = 1.0 / std::sqrt(x * x + y * y + z * z), r3 = r_inverse * r_inverse * r_inverse;
                f.value += r_inverse;
                f.x -= x * r3, f.y -= y * r3, f.z -= z * r3;
            }
            sum[0] -= all.mass[s] / unit * f.value;
            sum[1] += all.mass[s] / (unit * unit) * f.x;
            sum[2] += all.mass[s] / (unit * unit) * f.y;
            sum[3] += all.mass[s] / (unit * unit) * f.z;
        }
        sums.insert(sums.end(), sum.begin(), sum.end());
    }
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    Result result(all.size(), nan);
    for (std::size_t k = 0; 4 * k < sums.size(); ++k) {
        result.potential[k * stride] = sums[4 * k];
        for (std::size_t d = 0; d < 3; ++d) result.acceleration[d][k * stride] = sums[4 * k + 1 + d];
    }
    return result;
}

double total_mass(const Bodies& all) { return std::reduce(all.mass.begin(), all.mass.end()); }

/// The unit of a mesh's potential: M/L, L the domain's shortest side.
double potential_unit(const Bodies& all, const Shape& shape) {
    return total_mass(all) / (shape.side * std::ranges::min(shape.cubes));
}

/// Of a potential in units of G M/L; of an acceleration relative to the rms of all.
struct PeriodicErrors {
    Errors potential, acceleration;
};

/// Of this rank's results, the bodies `index` of the reference (empty: all, in order); those without reference apart.
PeriodicErrors errors_of(const Result& got, const Result& reference, double unit, std::span<const std::size_t> index = {}) {
    std::vector<double> potential, acceleration, norm;
    for (std::size_t k = 0; k < got.size(); ++k) {
        const std::size_t at = index.empty() ? k : index[k];
        if (std::isnan(reference.potential[at])) continue;
        potential.push_back(std::abs(got.potential[k] - reference.potential[at]) / unit);
        const auto& [gx, gy, gz] = got.acceleration;
        const auto& [rx, ry, rz] = reference.acceleration;
        acceleration.push_back(std::hypot(gx[k] - rx[at], gy[k] - ry[at], gz[k] - rz[at]));
        norm.push_back(std::hypot(rx[at], ry[at], rz[at]));
    }
    const double scale = std::max(reduce_errors(MPI_COMM_WORLD, norm).rms, 1e-300);
    PeriodicErrors errors{reduce_errors(MPI_COMM_WORLD, potential), reduce_errors(MPI_COMM_WORLD, acceleration)};
    errors.acceleration.max /= scale, errors.acceleration.rms /= scale;
    return errors;
}

void expect_below(const PeriodicErrors& e, double potential, double acceleration, const std::string& what) {
    EXPECT_LE(e.potential.max, potential) << what;
    EXPECT_LE(e.acceleration.max, acceleration) << what;
}

Result solve(Solver& solver, const Bodies& mine) {
    Result result(mine.size());
    if (mine.dx.empty()) {
        solver.solve(mine.points(), result.fields());
    } else {
        solver.solve(mine.cells(), result.fields());
    }
    return result;
}

Result solve(const Options& options, const Bodies& mine) {
    Solver solver(MPI_COMM_WORLD, options);
    return solve(solver, mine);
}

Result direct(Options options, const Bodies& mine) {
    options.theta = 0.0;
    return solve(options, mine);
}

// On one GPU the ranks share it, rather than gather: this is about their exchange.
Options periodic(const Boundaries& boundary, const Box& domain, double theta = 0.5, int order = 2) {
    return {.gpu_sharing = GpuSharing::share, .boundary = boundary, .theta = theta, .order = order, .domain = domain};
}

const Boundaries iii{}, ppp{p, p, p}, ppi{p, p, i}, pii{p, i, i}, pip{p, i, p}, ipi{i, p, i};
const Box unit_box{{0, 0, 0}, {1, 1, 1}};

TEST(Periodic, AmrMeshAgainstTheDirectSum) {
    struct Setting {
        double theta;
        int order;
        Errors potential, acceleration;
    };
    const Setting settings[] = {{0.5, 2, {2e-5, 5e-6}, {2.4e-3, 2.8e-4}}, {0.8, 4, {1.1e-5, 1.5e-6}, {1.4e-3, 1.5e-4}}};
    for (const bool elongated : {false, true}) {
        const Shape shape = elongated ? brick : cube;
        const Bodies all = elongated ? amr_mesh(shape, 3, 5) : amr_mesh(shape, 4, 6), mine = piece_of(all);
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
        const Bodies all = amr_mesh(shape, level, level + 1), mine = piece_of(all);
        for (const Boundaries& boundary : {ppp, ipi}) {
            const Options options = periodic(boundary, shape.domain());
            const std::string what = name_of(boundary) + ' ' + testing::PrintToString(cubes);
            const Result reference = sampled_sum(all, options, all.size() / 50);
            expect_below(errors_of(solve(options, mine), reference, potential_unit(all, shape), mine.index), 4e-5, 5e-3, what);
        }
    }
}

TEST(Periodic, DirectSum) {
    const Bodies all = amr_mesh(cube, 3, 4), mine = piece_of(all);
    for (const Boundaries& boundary : {ppp, ppi, ipi}) {
        const Options options = periodic(boundary, cube.domain());
        const Result reference = sampled_sum(all, options, 1);
        expect_below(errors_of(direct(options, mine), reference, potential_unit(all, cube), mine.index), 1e-12, 1e-12,
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
        Bodies cells, points;
        for (int n = 0; n < count; ++n) {
            std::array<double, 3> r{};
            for (std::size_t d = 0; d < 3; ++d)
                r[d] = domain.lower[d] + (std::floor(uniform(random) * 32.0) + 0.5) / 32.0 * (domain.upper[d] - domain.lower[d]);
            cells.add_cell(r[0], r[1], r[2], 0.01, 0.5 + uniform(random));
            if (count > 2) points.add_point(r[0] + 0.01, r[1], r[2], uniform(random));
        }
        Bodies all = cells;
        for (std::size_t k = 0; k < points.size(); ++k) all.add_point(points.x[k], points.y[k], points.z[k], points.mass[k]);
        const Bodies my_cells = piece_of(cells), my_points = count > 2 ? piece_of(points) : Bodies{};
        std::vector<std::size_t> mine = my_cells.index;
        for (const std::size_t k : my_points.index) mine.push_back(cells.size() + k);
        for (const auto& [boundary, softening] : {std::pair(ppp, 0.0), {ppi, 0.0}, {pii, 0.0}, {ppi, 0.1}, {pii, 0.1}}) {
            if (softening > 0.0 && points.size() == 0) continue;
            Options options = periodic(boundary, domain, 0.0, 4);
            const PeriodicBox box = domain_box(options);
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
                const double limit = theta == 0.0 ? 1e-9 : softening == 0.0 ? 2e-5 : 5e-5;
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
        const Bodies all = amr_mesh(shape, 3, 5), mine = piece_of(all);
        const Box domain = shape.domain();
        for (const Boundaries& boundary : {ppp, ipi}) {
            const Options options = periodic(boundary, domain);
            const Result reference = sampled_sum(all, options, all.size() / 200), here = solve(options, mine);
            const double error = errors_of(here, reference, potential_unit(all, shape), mine.index).potential.rms;
            Bodies moved = mine;
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
        Bodies all;
        for (int k = 0; k < n * n * n; ++k)
            all.add_point((k % n + 0.5) / n, (k / n % n + 0.5) / n, (k / (n * n) + 0.5) / n, mass);
        const Bodies mine = piece_of(all);
        for (const double theta : {0.0, 0.3, 0.8}) {
            Options options = periodic(ppp, unit_box, theta, 4);
            options.G = G;
            const Result result = solve(options, mine);
            double largest = 0.0, force = 0.0;
            for (std::size_t k = 0; k < mine.size(); ++k) {
                largest = std::max(largest, std::abs(result.potential[k] / (G * mass * n) - lattice_constant));
                force = std::max(force, std::abs(result.acceleration[0][k]) / (G * mass * n * n));
            }
            EXPECT_LE(force, theta == 0.0 ? 1e-12 : 1.2e-3) << n << ", theta " << theta;
            EXPECT_LE(largest, theta == 0.0 ? 1e-12 : 5e-5) << n << ", theta " << theta;
        }
    }
}

// Its correction knows nodes' masses only (docs/algorithm.md).
TEST(Periodic, TableMethod) {
    for (const Shape& shape : {cube, brick}) {
        const Bodies all = amr_mesh(shape, shape.cubes[0] == 1 ? 3 : 2, 4), mine = piece_of(all);
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

// Points in a mesh, some without mass, and alone: the tree against the direct sum.
void expect_points_like_direct(const Boundaries& boundary, double softening) {
    const Bodies mesh = amr_mesh(cube, 3, 4), my_cells = piece_of(mesh);
    Bodies points;
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform;
    const auto place = [&](std::size_t d) { return cube.lower[d] + cube.side * uniform(random); };
    const double mass = 0.1 * total_mass(mesh) / 300.0;
    for (int n = 0; n < 300; ++n) {
        const double x = place(0), y = place(1), z = place(2);
        points.add_point(x, y, z, n % 5 == 0 ? 0.0 : mass * (0.5 + uniform(random)));
    }
    const Bodies my_points = piece_of(points);
    const auto solve_both = [&](const Options& options) {
        std::pair<Result, Result> results(my_cells.size(), my_points.size());
        Solver(MPI_COMM_WORLD, options)
            .solve(my_cells.cells(), results.first.fields(), my_points.points(), results.second.fields());
        return results;
    };
    Options options = periodic(boundary, cube.domain(), 0.0);
    options.softening = softening * cube.side;
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

TEST(Periodic, Points) {
    for (const Boundaries& boundary : {ppp, pii}) expect_points_like_direct(boundary, 0.0);
}

TEST(Periodic, SoftenedPoints) {
    for (const double softening : {0.0003, 0.1}) expect_points_like_direct(ppp, softening);
}

// Two points on opposite faces are as near each other as if both were on one.
TEST(Periodic, PointsOnTheFaces) {
    for (const Box& domain : {unit_box, cube.domain()}) {
        const double size = domain.upper[0] - domain.lower[0];
        const auto place = [&](std::size_t d, double fraction) {
            return fraction == 1.0 ? domain.upper[d] : domain.lower[d] + fraction * size;
        };
        Bodies points;
        const auto add = [&](double x, double y, double z) { points.add_point(place(0, x), place(1, y), place(2, z), 1.0); };
        add(0.0, 0.5, 0.5), add(1.0, 0.5, 0.625);
        add(0.25, 1.0, 0.125), add(0.25, 0.0, 0.25);
        add(1.0, 1.0, 1.0), add(0.0, 0.0625, 1.0);
        Bodies inside = points;  // all on the lower faces
        for (std::size_t k = 0; k < points.size(); ++k) {
            if (inside.x[k] == domain.upper[0]) inside.x[k] = domain.lower[0];
            if (inside.y[k] == domain.upper[1]) inside.y[k] = domain.lower[1];
            if (inside.z[k] == domain.upper[2]) inside.z[k] = domain.lower[2];
        }
        const Bodies mine = piece_of(points), my_inside = piece_of(inside);
        const double unit = total_mass(points) / size;
        const Result reference = direct(periodic(ppp, domain), mine);
        expect_below(errors_of(direct(periodic(ppp, domain), my_inside), reference, unit), 1e-12, 1e-12,
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
TEST(Periodic, CoincidentPoints) {
    Bodies points;
    points.add_point(0.0, 0.5, 0.5, 1.0);
    points.add_point(1.0, 0.5, 0.5, 2.0);
    points.add_point(0.25, 0.75, 0.5, 3.0);
    points.add_point(0.625, 0.25, 0.375, 1.0);
    points.add_point(0.625, 0.25, 0.375, 2.0);
    const Bodies mine = piece_of(points);
    for (const double softening : {0.0, 0.0005}) {
        for (const Boundaries& boundary : {ppp, pii}) {
            Result reference(0);
            for (const auto& [theta, method] : {std::pair(0.0, PeriodicMethod::images), std::pair(0.5, PeriodicMethod::images),
                                                std::pair(0.5, PeriodicMethod::table)}) {
                Options options = periodic(boundary, unit_box, theta);
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

TEST(Periodic, CoarseMeshes) {
    for (const int level : {1, 2, 3}) {
        const Bodies all = amr_mesh(cube, level, level), mine = piece_of(all);
        for (const Boundaries& boundary : {ppp, pii}) {
            const Options options = periodic(boundary, cube.domain());
            const PeriodicErrors errors = errors_of(solve(options, mine), direct(options, mine), potential_unit(all, cube));
            EXPECT_LE(errors.potential.max, 1.5e-6) << level << ' ' << name_of(boundary);
        }
    }
}

struct Distribution {
    const char* name;
    int (*owner)(std::size_t i, std::size_t n);
};

TEST(Periodic, AnyDistribution) {
    const Distribution distributions[] = {
        {"all on one", [](std::size_t, std::size_t) { return world_size() / 2; }},
        {"scattered",
         [](std::size_t k, std::size_t) { return static_cast<int>(k * 7919 % static_cast<unsigned>(world_size())); }},
        {"some have none", [](std::size_t k, std::size_t n) { return static_cast<int>(2 * (k * 3 / n)) % world_size(); }}};
    const Bodies all = amr_mesh(cube, 3, 5);
    for (const Boundaries& boundary : {ppp, ppi}) {
        const Options options = periodic(boundary, cube.domain());
        const Result reference = sampled_sum(all, options, all.size() / 200);
        for (const Distribution& distribution : distributions) {
            const Bodies mine = part_of(all, [&](std::size_t k) { return distribution.owner(k, all.size()); });
            expect_below(errors_of(solve(options, mine), reference, potential_unit(all, cube), mine.index), 9e-5, 4.5e-3,
                         distribution.name);
        }
    }
}

TEST(Periodic, SameBitsAndTwoMeshes) {
    const Bodies first = piece_of(amr_mesh(cube, 3, 5)), second = piece_of(amr_mesh(cube, 3, 4, 2));
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

TEST(Periodic, Blocks) {
    const BlockMesh mesh({4, 3, 2});
    const Bodies mine = mesh.as_cells();
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
        expect_below(errors_of(result, cells, 0.5), 1e-12, 1e-12, "blocks");
    }
}

TEST(Periodic, AnyUnits) {
    constexpr double length = 3.1e21, mass = 2e33, G = 6.674e-8;
    Bodies mine = piece_of(amr_mesh(cube, 3, 4));
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
    const Bodies all = amr_mesh(cube, 3, 4), mine = piece_of(all);
    Options options = periodic(ppp, cube.domain());
    options.error_samples = 1'000'000;
    Solver solver(MPI_COMM_WORLD, options);
    const Result result = solve(solver, mine), reference = direct(options, mine);
    const double rms = reduce_errors(MPI_COMM_WORLD, reference.potential).rms;
    const PeriodicErrors errors = errors_of(result, reference, rms);
    const Report& report = solver.report();
    EXPECT_EQ(report.potential_error->samples, static_cast<std::int64_t>(all.size()));
    EXPECT_NEAR(report.potential_error->rms / errors.potential.rms, 1.0, 1e-6);
    EXPECT_NEAR(report.potential_error->max / errors.potential.max, 1.0, 1e-6);
    EXPECT_NEAR(report.acceleration_error->rms / errors.acceleration.rms, 1.0, 1e-6);
    EXPECT_NEAR(report.acceleration_error->max / errors.acceleration.max, 1.0, 1e-6);
}

// Cells are points to each other: that, and their own potential, are of second order in their side.
TEST(Periodic, SineWaveConverges) {
    constexpr double mean = 2.0, amplitude = 0.8, k = 2.0 * pi;
    Errors before;
    double acceleration_before = 0.0;
    for (const int n : {16, 32, 64}) {
        Bodies all;
        const double h = 1.0 / n;
        for (int c = 0; c < n * n * n; ++c) {
            const double x = (c % n + 0.5) * h;
            all.add_cell(x, (c / n % n + 0.5) * h, (c / (n * n) + 0.5) * h, h,
                         mean * (1.0 + amplitude * std::cos(k * x)) * h * h * h);
        }
        const Bodies mine = piece_of(all);
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
