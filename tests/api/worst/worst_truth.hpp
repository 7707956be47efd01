// SPDX-License-Identifier: Apache-2.0
// How far a solve of masses that are dealt out to hurt is from naive sums in double precision: at a sample of the targets, and
// where a tighter solve differs most.
#pragma once

#include "tests/api/worst/worst_cases.hpp"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace gravlet::test {

/// The largest errors, and what 99% of the accelerations' are within.
struct Worst {
    double potential = 0.0, p99 = 0.0, acceleration = 0.0;
};

/// What is promised of the defaults, where accelerations are asked for: of the local field, or where that vanishes between pulls
/// from all sides, of a tenth of those pulls.
inline constexpr Worst promise{1e-4, 1e-3, 1e-2};

inline void expect_within(const Worst& bounds, const Worst& got, const std::string& what) {
    testing::Test::RecordProperty(what, fmt::format("{:.1e} {:.1e} {:.1e}", got.potential, got.p99, got.acceleration));
    EXPECT_LE(got.potential, bounds.potential) << what;
    EXPECT_LE(got.p99, bounds.p99) << what;
    EXPECT_LE(got.acceleration, bounds.acceleration) << what;
}

/// Of a case this rank's part, and what a solve says of it.
struct Solved {
    BodyArrays cells, points;
    Result at_cells, at_points;
};

struct Asked {
    bool scattered = false;  ///< over the ranks; else runs of the case's order
    bool accelerations = true;
};

/// Collective.
inline Solved solve(const WorstCase& c, Options options, const Asked& asked = {}) {
    options.self_potential = false;
    const auto mine = [&](const BodyArrays& all) {
        return asked.scattered ? part_of(all, [](std::size_t i) { return static_cast<int>(i) % world_size(); }) : part_of(all);
    };
    Solved solved{mine(c.cells), mine(c.points), Result(0), Result(0)};
    solved.at_cells = Result(solved.cells.size()), solved.at_points = Result(solved.points.size());
    const auto fields = [&](Result& result) { return asked.accelerations ? result.fields() : result.potential_only(); };
    Solver(MPI_COMM_WORLD, options)
        .solve(solved.cells.cells(), fields(solved.at_cells), solved.points.points(), fields(solved.at_points));
    return solved;
}

/// What is relative to the sums at a target.
struct TargetErrors {
    double potential = 0.0, acceleration = 0.0;
};

/// Naive sums over all bodies.
class NaiveSums {
public:
    explicit NaiveSums(const WorstCase& c) {
        for (const BodyArrays* const bodies : {&c.cells, &c.points})
            for (std::size_t i = 0; i < bodies->size(); ++i)
                if (bodies->mass[i] > 0.0)
                    x_.push_back(bodies->x[i]), y_.push_back(bodies->y[i]), z_.push_back(bodies->z[i]),
                        mass_.push_back(bodies->mass[i]);
    }
    struct Field {
        double potential = 0.0, g[3] = {}, pulls = 0.0;

        [[nodiscard]] TargetErrors errors(const Result& got, std::size_t i) const {
            const auto& [ax, ay, az] = got.acceleration;
            const double off = std::hypot(ax[i] - g[0], ay[i] - g[1], az[i] - g[2]);
            return {std::abs(got.potential[i] / potential - 1.0), off / std::max(std::hypot(g[0], g[1], g[2]), 0.1 * pulls)};
        }
    };
    [[nodiscard]] Field at(double to_x, double to_y, double to_z) const {
        Field sum;
        auto& [potential, g, pulls] = sum;
        // Plain pointers: under sanitizers this is compiled without optimisation.
        const double *const x = x_.data(), *const y = y_.data(), *const z = z_.data(), *const mass = mass_.data();
        const std::size_t n = x_.size();
        for (std::size_t s = 0; s < n; ++s) {
            const double dx = x[s] - to_x, dy = y[s] - to_y, dz = z[s] - to_z, r2 = dx * dx + dy * dy + dz * dz;
            const double over_r = r2 > 0.0 ? 1.0 / std::sqrt(r2) : 0.0, of = mass[s] * over_r, pull = of * over_r;
            potential -= of, pulls += pull;
            g[0] += pull * over_r * dx, g[1] += pull * over_r * dy, g[2] += pull * over_r * dz;
        }
        return sum;
    }

private:
    std::vector<double> x_, y_, z_, mass_;
};

/// Naive sums at some targets.
class Truth {
public:
    explicit Truth(const WorstCase& c) : sums_(c), targets_(c.cells.size() + c.points.size()) {}

    /// About so many of all ranks' targets, evenly. Of these are 99%.
    void sample(const Solved& got, std::size_t targets) {
        const std::size_t stride = (targets_ + targets - 1) / targets;
        const auto some = [&](const BodyArrays& part, const Result& result) {
            for (std::size_t i = 0; i < part.size(); ++i)
                if (part.index[i] % stride == 0) add(part, i, result, sampled_);
        };
        some(got.cells, got.at_cells);
        some(got.points, got.at_points);
    }

    /// So many of this rank's cells and of its points, where potentials and where accelerations differ most.
    void hunt(const Solved& got, const Solved& tighter, std::size_t potentials, std::size_t accelerations) {
        hunt(got.cells, got.at_cells, tighter.at_cells, potentials, accelerations);
        hunt(got.points, got.at_points, tighter.at_points, potentials, accelerations);
    }

    /// Collective.
    [[nodiscard]] Worst worst() const {
        int count = static_cast<int>(sampled_.acceleration.size()), total = 0;
        std::vector<int> counts(static_cast<std::size_t>(world_size())), offsets(counts.size(), 0);
        MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
        for (std::size_t r = 0; r < counts.size(); ++r) offsets[r] = total, total += counts[r];
        std::vector<double> all(static_cast<std::size_t>(total));
        MPI_Allgatherv(sampled_.acceleration.data(), count, MPI_DOUBLE, all.data(), counts.data(), offsets.data(), MPI_DOUBLE,
                       MPI_COMM_WORLD);
        std::ranges::sort(all);
        const auto largest = [](const std::vector<double>& a, const std::vector<double>& b) {
            return std::max(reduce_errors(MPI_COMM_WORLD, a).max, reduce_errors(MPI_COMM_WORLD, b).max);
        };
        return {largest(sampled_.potential, hunted_.potential), all[(all.size() - 1) * 99 / 100],
                largest(sampled_.acceleration, hunted_.acceleration)};
    }

private:
    struct RelativeErrors {
        std::vector<double> potential, acceleration;
    };

    void add(const BodyArrays& part, std::size_t i, const Result& got, RelativeErrors& to) const {
        const auto [potential, acceleration] = sums_.at(part.x[i], part.y[i], part.z[i]).errors(got, i);
        to.potential.push_back(potential);
        to.acceleration.push_back(acceleration);
    }

    void hunt(const BodyArrays& part, const Result& got, const Result& tighter, std::size_t potentials,
              std::size_t accelerations) {
        const auto& [x, y, z] = got.acceleration;
        const auto& [tx, ty, tz] = tighter.acceleration;
        add_worst(part, got, potentials, [&](std::size_t i) { return std::abs(got.potential[i] / tighter.potential[i] - 1.0); });
        add_worst(part, got, accelerations, [&, &x = x, &y = y, &z = z, &tx = tx, &ty = ty, &tz = tz](std::size_t i) {
            return std::hypot(x[i] - tx[i], y[i] - ty[i], z[i] - tz[i]) / std::hypot(tx[i], ty[i], tz[i]);
        });
    }

    /// The `count` targets of the largest error(i).
    template <class Error>
    void add_worst(const BodyArrays& part, const Result& got, std::size_t count, const Error& error) {
        std::vector<std::pair<double, std::size_t>> errors;
        for (std::size_t i = 0; i < part.size(); ++i) errors.emplace_back(error(i), i);
        count = std::min(count, errors.size());
        std::ranges::partial_sort(errors, errors.begin() + static_cast<std::ptrdiff_t>(count), std::ranges::greater{});
        for (std::size_t k = 0; k < count; ++k) add(part, errors[k].second, got, hunted_);
    }

    NaiveSums sums_;
    std::size_t targets_;
    RelativeErrors sampled_, hunted_;
};

}  // namespace gravlet::test
