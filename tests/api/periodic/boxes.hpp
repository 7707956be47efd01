// SPDX-License-Identifier: Apache-2.0
// What tests of periodic boxes share: boxes, meshes in them, and the sum that the tree is held to.
#pragma once

#include "ewald/domain.hpp"
#include "ewald/lattice_sum.hpp"
#include "ewald/table.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>
#include <optional>
#include <string>

namespace gravlet::test {

/// Into the nearest image.
inline double nearest_image(double x, double period) { return period > 0.0 ? x - period * std::rint(x / period) : x; }

using std::numbers::pi;
using Boundaries = std::array<Boundary, 3>;

inline constexpr Boundary p = Boundary::periodic, i = Boundary::isolated;

inline std::string name_of(const Boundaries& b) {
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
inline const Shape cube{}, brick{.cubes = {4, 2, 1}};

/// Leaf cells of octrees in the cubes, refined in two steps about a position at the domain's faces; densities between 0.5 and 1.5
/// times a smooth one, a tenth of the cells without mass.
inline BodyArrays amr_mesh(const Shape& shape, int min_level, int max_level, std::uint64_t seed = 1) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    BodyArrays mesh;
    constexpr std::array<double, 3> centre{0.1, 0.95, 0.6};  // in units of the domain
    const std::function<void(int, const std::array<double, 3>&)> refine = [&](int level, const std::array<double, 3>& lower) {
        const double side = std::ldexp(1.0, -level);
        std::array<double, 3> position{};
        double distance2 = 0.0;
        for (std::size_t d = 0; d < 3; ++d) {
            position[d] = (lower[d] + 0.5 * side) / shape.cubes[d];
            const double distance = position[d] - centre[d];
            distance2 += std::pow(distance - std::round(distance), 2);
        }
        if (level < min_level || (level < max_level && std::sqrt(distance2) < std::ldexp(0.39, min_level - level))) {
            for (int child = 0; child < 8; ++child)
                refine(level + 1, {lower[0] + 0.5 * side * (child & 1), lower[1] + 0.5 * side * (child >> 1 & 1),
                                   lower[2] + 0.5 * side * (child >> 2)});
            return;
        }
        const double wave = std::cos(2.0 * pi * position[0]) * std::sin(2.0 * pi * (position[1] + 2.0 * position[2]));
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
inline Result sampled_sum(const BodyArrays& all, const Options& options, std::size_t stride) {
    std::optional<EwaldTable> table;
    EwaldView view;
    double unit = 1.0;
    if (is_periodic(options)) {
        table.emplace(EwaldParameters{Domain(options).box_in_periods(), 24, 5}, 1);
        view = table->view();
        unit = Domain(options).box().shortest_period();
    }
    std::vector<double> sums;
    for (std::size_t t = 0; t < all.size(); t += stride) {
        std::array<double, 4> sum{};
        for (auto s = static_cast<std::size_t>(world_rank()); s < all.size(); s += static_cast<std::size_t>(world_size())) {
            if (all.mass[s] == 0.0) continue;
            const double x = nearest_image((all.x[t] - all.x[s]) / unit, view.period[0]),
                         y = nearest_image((all.y[t] - all.y[s]) / unit, view.period[1]),
                         z = nearest_image((all.z[t] - all.z[s]) / unit, view.period[2]);
            Jet<double, 1> f{};
            if (table) f = ewald_correction(view, x, y, z, false);
            if (s == t) {
                f.term[0] += cube_constant * unit / all.dx[s];
            } else {
                const double r_inverse = 1.0 / std::sqrt(x * x + y * y + z * z), r3 = r_inverse * r_inverse * r_inverse;
                f.term[0] += r_inverse;
                f.term[1] -= x * r3, f.term[2] -= y * r3, f.term[3] -= z * r3;
            }
            sum[0] -= all.mass[s] / unit * f.term[0];
            sum[1] += all.mass[s] / (unit * unit) * f.term[1];
            sum[2] += all.mass[s] / (unit * unit) * f.term[2];
            sum[3] += all.mass[s] / (unit * unit) * f.term[3];
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

inline double total_mass(const BodyArrays& all) { return std::reduce(all.mass.begin(), all.mass.end()); }

/// The unit of a mesh's potential: M/L, L the domain's shortest side.
inline double potential_unit(const BodyArrays& all, const Shape& shape) {
    return total_mass(all) / (shape.side * std::ranges::min(shape.cubes));
}

/// Of a potential in units of G M/L; of an acceleration relative to the rms of all.
struct PeriodicErrors {
    Errors potential, acceleration;
};

/// Of this rank's results, the bodies `index` of the reference (empty: all, in order); those without reference apart.
inline PeriodicErrors errors_of(const Result& got, const Result& reference, double unit,
                                std::span<const std::size_t> index = {}) {
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

inline void expect_below(const PeriodicErrors& e, double potential, double acceleration, const std::string& what) {
    EXPECT_LE(e.potential.max, potential) << what;
    EXPECT_LE(e.acceleration.max, acceleration) << what;
}

inline Result solve(Solver& solver, const BodyArrays& mine) {
    Result result(mine.size());
    if (mine.dx.empty()) {
        solver.solve(mine.points(), result.fields());
    } else {
        solver.solve(mine.cells(), result.fields());
    }
    return result;
}

inline Result solve(const Options& options, const BodyArrays& mine) {
    Solver solver(MPI_COMM_WORLD, options);
    return solve(solver, mine);
}

inline Result direct(Options options, const BodyArrays& mine) {
    options.theta = 0.0;
    return solve(options, mine);
}

// On one GPU the ranks share it, rather than gather: this is about their exchange.
inline Options periodic(const Boundaries& boundary, const Box& domain, double theta = 0.5, int order = 2) {
    return {.gpu_sharing = GpuSharing::share, .boundary = boundary, .theta = theta, .order = order, .domain = domain};
}

inline const Boundaries iii{}, ppp{p, p, p}, ppi{p, p, i}, pii{p, i, i}, pip{p, i, p}, ipi{i, p, i};
inline const Box unit_box{{0, 0, 0}, {1, 1, 1}};

}  // namespace gravlet::test
