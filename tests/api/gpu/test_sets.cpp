// SPDX-License-Identifier: Apache-2.0
// Ranks with so many groups that the GPU walks the upper part of the tree for sets of them (gpu_set_entries), which the other
// tests' ranks do not have: every target, against a second solve, tighter and without sets (theta is too small for them).
#include "physics/walk_rules.hpp"
#include "tests/api/worst/worst_cases.hpp"

#include <fmt/format.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace gravlet::test {
namespace {

constexpr int group_size = 32;  // the smallest, for as many groups as may be
constexpr double tighter = 0.35;

std::size_t points_of_all_ranks() { return 420'000 * static_cast<std::size_t>(world_size()); }

/// The largest over all ranks' targets.
struct Worst {
    double potential = 0.0, acceleration = 0.0, tide = 0.0;

    void agree() { MPI_Allreduce(MPI_IN_PLACE, this, 3, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); }
};

template <std::size_t N>
double norm(const std::array<std::vector<double>, N>& v, std::size_t i) {
    double sum = 0.0;
    for (const std::vector<double>& component : v) sum += component[i] * component[i];
    return std::sqrt(sum);
}

template <std::size_t N>
double distance(const std::array<std::vector<double>, N>& a, const std::array<std::vector<double>, N>& b, std::size_t i) {
    double sum = 0.0;
    for (std::size_t k = 0; k < N; ++k) sum += std::pow(a[k][i] - b[k][i], 2);
    return std::sqrt(sum);
}

/// Where the field vanishes between pulls from all sides, a tenth of these counts, as in test_worst.
double tenth_of_pulls(const BodyArrays& all, const BodyArrays& mine, std::size_t i) {
    double pulls = 0.0;
    for (std::size_t s = 0; s < all.size(); ++s) {
        const double dx = all.x[s] - mine.x[i], dy = all.y[s] - mine.y[i], dz = all.z[s] - mine.z[i];
        const double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 > 0.0) pulls += all.mass[s] / r2;
    }
    return 0.1 * pulls;
}

Worst compare(const BodyArrays& all, const BodyArrays& mine, const Result& got, const Result& truth, bool tides) {
    Worst worst;
    std::vector<std::pair<double, std::size_t>> errors;
    double tide = 0.0;
    for (std::size_t i = 0; tides && i < mine.size(); ++i) tide += norm(truth.tidal, i) / static_cast<double>(mine.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
        worst.potential = std::max(worst.potential, std::abs(got.potential[i] / truth.potential[i] - 1.0));
        errors.emplace_back(distance(got.acceleration, truth.acceleration, i), i);
        if (tides) worst.tide = std::max(worst.tide, distance(got.tidal, truth.tidal, i) / std::max(tide, norm(truth.tidal, i)));
    }
    const auto relative = [&](const auto& error) { return error.first / norm(truth.acceleration, error.second); };
    std::ranges::sort(errors, std::ranges::greater{}, relative);
    for (const auto& error : errors) {
        if (relative(error) <= worst.acceleration) break;  // pulls make none of the others larger
        const double field = std::max(norm(truth.acceleration, error.second), tenth_of_pulls(all, mine, error.second));
        worst.acceleration = std::max(worst.acceleration, error.first / field);
    }
    worst.agree();
    return worst;
}

Options usual() { return {.gpu_sharing = GpuSharing::share, .self_potential = false, .group_size = group_size}; }

Result solve(const BodyArrays& mine, const Options& options, bool tides) {
    Solver solver(MPI_COMM_WORLD, options);
    Result result(mine.size());
    const Fields fields = tides ? result.all_fields() : result.fields();
    if (mine.dx.empty())
        solver.solve(mine.points(), fields);
    else
        solver.solve(mine.cells(), fields);
    return result;
}

/// Against `truth`: a small opening angle, or 0, the direct sum.
Worst errors_of(const BodyArrays& all, const Options& options, bool tides = false, double truth = tighter) {
    const BodyArrays mine = part_of(all);
    EXPECT_GT(gpu_set_entries(mine.size() / group_size, 0.8), 0u) << "there are no sets";
    Options tight = options;
    tight.theta = truth, tight.order = 4;
    return compare(all, mine, solve(mine, options, tides), solve(mine, tight, tides), tides);
}

const BodyArrays& bodies_of(const WorstCase& c) { return c.cells.size() > 0 ? c.cells : c.points; }

void expect_within(const Worst& bounds, const Worst& got, const std::string& what) {
    testing::Test::RecordProperty(what, fmt::format("{:.2e} {:.2e} {:.2e}", got.potential, got.acceleration, got.tide));
    EXPECT_LE(got.potential, bounds.potential) << what;
    EXPECT_LE(got.acceleration, bounds.acceleration) << what;
    EXPECT_LE(got.tide, bounds.tide) << what;
}

TEST(Sets, DefaultsKeepTheirPromise) {
    using namespace worst;
    const std::size_t n = points_of_all_ranks();
    for (const WorstCase& c : {plummer(n), uniform_sphere(n), star_in_disc(n), exponential_disc(n), contrast(7), heavy_cell(7)})
        expect_within({1e-4, 1e-2}, errors_of(bodies_of(c), usual()), c.name);
}

/// Of so many targets the worst is beyond what is promised, with sets or without, on GPUs and CPUs:
/// docs/notebook/2026-11-accuracy.md.
TEST(Sets, WhereTheDefaultsDoNot) {
    const std::size_t n = points_of_all_ranks();
    expect_within({5e-4, 8e-2}, errors_of(worst::levy_flight(n).points, usual()), "Levy flight");
    expect_within({4e-5, 5e-2}, errors_of(worst::thin_shell(n).points, usual()), "thin shell");
}

TEST(Sets, EveryOrder) {
    const BodyArrays all = worst::plummer(points_of_all_ranks()).points;
    constexpr Worst bounds[] = {{3e-4, 2e-2}, {1e-4, 8e-3}, {4e-5, 4e-3}, {1e-5, 1e-3}};
    for (const int order : {1, 2, 3, 4}) {
        Options options = usual();
        options.theta = 0.8, options.order = order;
        expect_within(bounds[order - 1], errors_of(all, options), fmt::format("order {}", order));
    }
}

TEST(Sets, TidesAndSoftening) {
    const BodyArrays all = worst::plummer(points_of_all_ranks()).points;
    for (const SofteningKernel kernel : {SofteningKernel::plummer, SofteningKernel::spline}) {
        Options options = usual();
        options.softening = 0.02, options.softening_kernel = kernel;
        expect_within({1e-5, 5e-4, 4e-3}, errors_of(all, options, true), to_string(kernel));
    }
}

/// The longest length of a set's groups counts, whichever of them has it. Groups of long ones among groups of short ones, around
/// a ball without lengths, whose nodes have none to be known by: what is far from a set is softened for the long ones alone. So
/// few masses that groups do not give up and begin again at the root.
TEST(Sets, LengthsThatGroupsDoNotShare) {
    BodyArrays all = random_points(8, points_of_all_ranks());
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto part = [](double x) { return static_cast<int>(std::floor(12.0 * x)); };
        const bool is_long = (part(all.x[i]) + part(all.y[i]) + part(all.z[i])) % 2 != 0, in_ball = i % 128 == 0;
        for (std::vector<double>* x : {&all.x, &all.y, &all.z}) (*x)[i] = in_ball ? 0.3 * (*x)[i] : 0.45 + 0.55 * (*x)[i];
        all.softening.push_back(is_long && !in_ball ? 0.3 : 0.0);
        if (!in_ball) all.mass[i] = 0.0;
    }
    Options options = usual();
    options.softening_kernel = SofteningKernel::spline;
    expect_within({1e-4, 1e-2}, errors_of(all, options, false, 0.0), "lengths");
}

/// Potentials are about zero in the mean, so nothing is relative to them.
TEST(Sets, Periodic) {
    const BodyArrays all = random_points(5, points_of_all_ranks());
    for (const bool mixed : {false, true}) {
        Options options = usual();
        options.domain = {{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};
        options.boundary.fill(Boundary::periodic);
        if (mixed) options.boundary[2] = Boundary::isolated;
        expect_within({infinity, 7e-3}, errors_of(all, options), mixed ? "mixed" : "periodic");
    }
}

/// Whoever else is active: a set is of all groups along the curve.
TEST(Sets, ActiveTargetsGetTheSameBits) {
    const BodyArrays mine = part_of(worst::plummer(points_of_all_ranks()).points);
    Options options = usual();
    options.active_bits = ActiveBits::same;
    const Result everyone = solve(mine, options, false);
    for (const std::size_t stride : {2, 1000}) {
        std::vector<std::uint8_t> active(mine.size(), 0);
        for (std::size_t i = 0; i < mine.size(); ++i) active[i] = i / 500 % stride == 0;
        Points points = mine.points();
        points.active = active;
        Result some(mine.size());
        Solver(MPI_COMM_WORLD, options).solve(points, some.fields());
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            if (active[i] == 0) continue;
            bool same = some.potential[i] == everyone.potential[i];
            for (std::size_t k = 0; k < 3; ++k) same = same && some.acceleration[k][i] == everyone.acceleration[k][i];
            if (!same) ++wrong;
        }
        EXPECT_EQ(wrong, 0u) << stride;
    }
}

}  // namespace
}  // namespace gravlet::test
