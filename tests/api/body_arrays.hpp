// SPDX-License-Identifier: Apache-2.0
// What the tests of the public API share: random AMR meshes and points, equal on every rank; parts of them; the answer by naive
// loops in double precision.
#pragma once

#include "physics/keys.hpp"
#include "tests/softened_pair.hpp"

#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <span>
#include <vector>

namespace gravlet::test {

inline int world_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

inline int world_size() {
    int size = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// Cells (cubes if dy is empty) or, with dx empty, points.
struct BodyArrays {
    std::vector<double> x, y, z, dx, dy, dz, mass;
    std::vector<double> softening;   ///< of points, if they have lengths of their own
    std::vector<std::size_t> index;  ///< of each body in the whole, if this is a part

    [[nodiscard]] std::size_t size() const { return x.size(); }
    [[nodiscard]] Cells cells() const { return {x, y, z, dx, dy, dz, mass}; }
    [[nodiscard]] Points points() const { return {x, y, z, mass, {}, softening}; }

    void add_cell(double cx, double cy, double cz, double side, double m) {
        add_point(cx, cy, cz, m);
        dx.push_back(side);
    }
    void add_point(double px, double py, double pz, double m) {
        x.push_back(px);
        y.push_back(py);
        z.push_back(pz);
        mass.push_back(m);
    }
};

/// Leaf cells of an octree over the unit cube, in Morton order: random refinement down to `levels`, a dense blob, and a fifth of
/// the cells without mass.
inline BodyArrays random_mesh(std::uint64_t seed, int levels) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    BodyArrays mesh;
    const std::function<void(int, double, double, double)> refine = [&](int level, double x, double y, double z) {
        const double side = std::ldexp(1.0, -level);
        if (level < 2 || (level < levels && uniform(random) < 0.4)) {
            for (int child = 0; child < 8; ++child) {
                refine(level + 1, x + 0.5 * side * (child & 1), y + 0.5 * side * (child >> 1 & 1), z + 0.5 * side * (child >> 2));
            }
            return;
        }
        x += 0.5 * side, y += 0.5 * side, z += 0.5 * side;
        const double blob = std::exp(-25.0 * (std::pow(x - 0.4, 2) + std::pow(y - 0.6, 2) + std::pow(z - 0.5, 2)));
        const double density = (0.05 + blob) * (0.5 + uniform(random));
        mesh.add_cell(x, y, z, side, uniform(random) < 0.2 ? 0.0 : density * side * side * side);
    };
    refine(0, 0.0, 0.0, 0.0);
    return mesh;
}

/// In [-0.2, 1.2]^3: also outside the mesh.
inline BodyArrays random_points(std::uint64_t seed, std::size_t n) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(-0.2, 1.2);
    BodyArrays points;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = uniform(random), y = uniform(random), z = uniform(random);
        points.add_point(x, y, z, 0.01 * (1.5 + uniform(random)) / static_cast<double>(n));
    }
    return points;
}

/// Points without lengths of their own, along a space-filling curve.
inline BodyArrays along_curve(const BodyArrays& points) {
    const double reach = std::ranges::max(points.x, {}, [](double x) { return std::abs(x); });
    const auto place = [reach](double x) { return 0.5 + 0.4 * x / reach; };
    std::vector<std::pair<key_type, std::size_t>> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        order.emplace_back(hilbert_key(place(points.x[i]), place(points.y[i]), place(points.z[i])), i);
    std::ranges::sort(order);
    BodyArrays sorted;
    for (const auto& [key, i] : order) sorted.add_point(points.x[i], points.y[i], points.z[i], points.mass[i]);
    return sorted;
}

/// Flags of a rank's n bodies, about such a share of them 1.
inline std::vector<std::uint8_t> draw_flags(std::size_t n, double share, std::uint64_t seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(world_rank()) + seed);
    std::uniform_real_distribution<double> uniform;
    std::vector<std::uint8_t> flags(n);
    for (std::uint8_t& flag : flags) flag = uniform(random) < share ? 1 : 0;
    return flags;
}

/// The bodies i with owner(i) == this rank.
inline BodyArrays part_of(const BodyArrays& all, const std::function<int(std::size_t)>& owner) {
    BodyArrays part;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (owner(i) != world_rank()) continue;
        part.add_point(all.x[i], all.y[i], all.z[i], all.mass[i]);
        if (!all.dx.empty()) part.dx.push_back(all.dx[i]);
        if (!all.dy.empty()) part.dy.push_back(all.dy[i]);
        if (!all.dz.empty()) part.dz.push_back(all.dz[i]);
        if (!all.softening.empty()) part.softening.push_back(all.softening[i]);
        part.index.push_back(i);
    }
    return part;
}

/// Runs of a space-filling curve, one a rank.
inline BodyArrays part_of(const BodyArrays& all) {
    const std::size_t ranks = static_cast<std::size_t>(world_size());
    return part_of(all, [&](std::size_t i) { return static_cast<int>(i * ranks / all.size()); });
}

struct Result {
    std::vector<double> potential;
    std::array<std::vector<double>, 3> acceleration;
    std::array<std::vector<double>, 6> tidal;

    static constexpr double untouched = 99.0;

    explicit Result(std::size_t n, double value = untouched) : potential(n, value) {
        acceleration.fill(std::vector<double>(n, value));
        tidal.fill(std::vector<double>(n, value));
    }
    /// Zeros where fields() puts them.
    [[nodiscard]] static Result zeros(std::size_t n) {
        Result out(n, 0.0);
        out.tidal = Result(n).tidal;
        return out;
    }
    [[nodiscard]] std::size_t size() const { return potential.size(); }
    [[nodiscard]] Fields potential_only() { return {potential, {}}; }
    [[nodiscard]] Fields fields() { return {potential, {acceleration[0], acceleration[1], acceleration[2]}}; }
    [[nodiscard]] Fields all_fields() {
        Fields all = fields();
        std::ranges::copy(tidal, all.tidal.begin());
        return all;
    }
    friend bool operator==(const Result&, const Result&) = default;
};

/// The report's pairs at distance zero of so many unsoftened points with mass at one place, `mine` of them this rank's, each rank
/// having more than a leaf holds, by a tree: another rank's are one.
inline std::int64_t crowd_pairs(std::int64_t all, std::size_t mine) {
    const std::int64_t own = static_cast<std::int64_t>(mine);
    std::int64_t within = own * (own - 1);
    MPI_Allreduce(MPI_IN_PLACE, &within, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return within + all * (world_size() - 1);
}

inline constexpr double cube_constant = 2.3800773639795536;

/// All pairs of cells and points, with the conventions of options.hpp. Cells must be cubes if options.self_potential. With a
/// stride, only for cells 0, stride, ...; the others' potentials are NaN: no reference.
struct Naive {
    Result cells, points;
    std::int64_t coincident_pairs = 0;

    Naive(const BodyArrays& mesh, const BodyArrays& masses, const Options& options, std::size_t stride = 1)
        : cells(mesh.size(), 0.0), points(masses.size(), 0.0) {
        for (std::size_t i = 0; i < mesh.size(); ++i) {
            if (i % stride != 0) {
                cells.potential[i] = nan;
                continue;
            }
            if (options.self_potential) cells.potential[i] -= options.G * cube_constant * mesh.mass[i] / mesh.dx[i];
            add(mesh, i, mesh, options, i, cells);
            add(mesh, i, masses, options, none, cells);
        }
        for (std::size_t i = 0; i < masses.size(); ++i) {
            add(masses, i, mesh, options, none, points);
            add(masses, i, masses, options, i, points);
        }
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    // All sources but `except` at target i.
    void add(const BodyArrays& targets, std::size_t i, const BodyArrays& sources, const Options& options, std::size_t except,
             Result& result) {
        const double own = softening_of(targets, i, options);
        for (std::size_t j = 0; j < sources.size(); ++j) {
            if (j == except || sources.mass[j] == 0.0) continue;
            const std::array<double, 3> d = {sources.x[j] - targets.x[i], sources.y[j] - targets.y[i],
                                             sources.z[j] - targets.z[i]};
            const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], Gm = options.G * sources.mass[j],
                         softening = std::max(own, softening_of(sources, j, options));
            if (r2 == 0.0 && softening == 0.0) {
                ++coincident_pairs;
                continue;
            }
            const auto pair = softened_pair(r2, softening, options.softening_kernel);
            result.potential[i] -= Gm * pair.potential;
            for (std::size_t axis = 0; axis < 3; ++axis) result.acceleration[axis][i] += Gm * d[axis] * pair.field;
        }
    }

    static double softening_of(const BodyArrays& bodies, std::size_t i, const Options& options) {
        return !bodies.dx.empty() ? 0.0 : bodies.softening.empty() ? options.softening : bodies.softening[i];
    }
};

/// Relative errors over all ranks of `comm`; the targets are the bodies `index` of the reference (empty: all, in order),
/// those without reference apart.
struct Errors {
    double max = 0.0, rms = 0.0;
};

inline Errors reduce_errors(MPI_Comm comm, std::span<const double> errors) {
    double max = 0.0, sum = 0.0, count = static_cast<double>(errors.size());
    for (const double value : errors) {
        const double error = std::isnan(value) ? infinity : value;
        max = std::max(max, error);
        sum += error * error;
    }
    MPI_Allreduce(MPI_IN_PLACE, &max, 1, MPI_DOUBLE, MPI_MAX, comm);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_DOUBLE, MPI_SUM, comm);
    return {max, count > 0.0 ? std::sqrt(sum / count) : 0.0};
}

inline Errors potential_errors(const Result& got, const Result& reference, std::span<const std::size_t> index = {},
                               MPI_Comm comm = MPI_COMM_WORLD) {
    std::vector<double> errors;
    for (std::size_t k = 0; k < got.size(); ++k) {
        const std::size_t i = index.empty() ? k : index[k];
        if (std::isnan(reference.potential[i])) continue;
        errors.push_back(std::abs(got.potential[k] / reference.potential[i] - 1.0));
    }
    return reduce_errors(comm, errors);
}

inline Errors acceleration_errors(const Result& got, const Result& reference, std::span<const std::size_t> index = {},
                                  MPI_Comm comm = MPI_COMM_WORLD) {
    std::vector<double> errors;
    for (std::size_t k = 0; k < got.size(); ++k) {
        const std::size_t i = index.empty() ? k : index[k];
        if (std::isnan(reference.potential[i])) continue;
        double difference2 = 0.0, norm2 = 0.0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            difference2 += std::pow(got.acceleration[axis][k] - reference.acceleration[axis][i], 2);
            norm2 += std::pow(reference.acceleration[axis][i], 2);
        }
        errors.push_back(std::sqrt(difference2 / norm2));
    }
    return reduce_errors(comm, errors);
}

}  // namespace gravlet::test
