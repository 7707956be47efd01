// SPDX-License-Identifier: Apache-2.0
// A host with a floating-point environment of its own (rounding, traps, flushing to zero), on all its threads or on some, gets
// the bits that any other gets, and keeps its environment and its flags.
#include "tests/api/body_arrays.hpp"

#include <gravlet/option_list.hpp>
#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <omp.h>

#include <cfenv>
#include <cstdint>
#include <vector>

namespace gravlet::test {
namespace {

constexpr int trapped = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW;

/// The control bits of a thread, flushing to zero among them.
auto& control(std::fenv_t& environment) {
#if defined(__x86_64__)
    return environment.__mxcsr;
#else
    return environment.__fpcr;
#endif
}
#if defined(__x86_64__)
constexpr std::uint32_t flush_to_zero = 0x8040;  // of results and of operands
#else
constexpr std::uint32_t flush_to_zero = 1u << 24;
#endif

struct Environment {
    int rounding = FE_TONEAREST;
    bool traps = false, flushes = false;

    /// Of the calling thread; one flag is up.
    void set() const {
        std::fesetenv(FE_DFL_ENV);
        if (flushes) {
            std::fenv_t environment;
            std::fegetenv(&environment);
            control(environment) |= flush_to_zero;
            std::fesetenv(&environment);
        }
        std::fesetround(rounding);
        std::feraiseexcept(FE_INEXACT);
        if (traps) feenableexcept(trapped);
    }
    [[nodiscard]] bool is_here() const {
        std::fenv_t environment;
        std::fegetenv(&environment);
        return std::fegetround() == rounding && fegetexcept() == (traps ? trapped : 0) &&
               std::fetestexcept(FE_ALL_EXCEPT) == FE_INEXACT && ((control(environment) & flush_to_zero) != 0) == flushes;
    }
};

std::vector<Environment> environments() {
    std::vector<Environment> all;
    for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
        for (const bool traps : {false, true})
            for (const bool flushes : {false, true}) all.push_back({rounding, traps, flushes});
    return all;
}
constexpr Environment strange{FE_UPWARD, true, true};

/// LLVM's OpenMP gives a team that begins the environment of the thread that begins it.
bool teams_keep_their_own() {
    bool kept = true;
#pragma omp parallel num_threads(2)
    (omp_get_thread_num() == 0 ? Environment{} : strange).set();
#pragma omp parallel num_threads(2) reduction(&& : kept)
    {
        kept = (omp_get_thread_num() == 0 ? Environment{} : strange).is_here();
        std::fesetenv(FE_DFL_ENV);
    }
    return kept;
}

/// All results of two solves. The input is made before, in the environment that there is then.
std::vector<double> solved(const Options& options) {
    static const BodyArrays mesh = part_of(random_mesh(9, 3)), points = part_of(random_points(10, 60));
    Solver solver(MPI_COMM_WORLD, options);
    std::vector<double> all;
    for (int solve = 0; solve < 2; ++solve) {
        Result of_mesh(mesh.size()), of_points(points.size());
        solver.solve(mesh.cells(), of_mesh.all_fields(), points.points(), of_points.all_fields());
        for (const Result* result : {&of_mesh, &of_points}) {
            all.insert(all.end(), result->potential.begin(), result->potential.end());
            for (const auto& axis : result->acceleration) all.insert(all.end(), axis.begin(), axis.end());
            for (const auto& component : result->tidal) all.insert(all.end(), component.begin(), component.end());
        }
    }
    return all;
}

/// `workers`: the environment of the host's other threads.
void expect_same(const Options& options, const std::vector<double>& expected, const Environment& host,
                 const Environment& workers) {
    const int threads = options.threads;
#pragma omp parallel num_threads(threads)
    (omp_get_thread_num() == 0 ? host : workers).set();
    const std::vector<double> got = solved(options);
    bool kept = true;
#pragma omp parallel num_threads(threads) reduction(&& : kept)
    {
        kept = (omp_get_thread_num() == 0 ? host : workers).is_here();
        std::fesetenv(FE_DFL_ENV);
    }
    static const bool may_differ = teams_keep_their_own();
    EXPECT_TRUE(kept || !may_differ);
    EXPECT_EQ(got, expected);
}

Options with(const Options& options, int threads) {
    Options out = options;
    out.threads = threads;
    return out;
}

constexpr Box box{{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};
constexpr Boundary isolated = Boundary::isolated, periodic = Boundary::periodic;

TEST(FloatEnvironment, OfAnyHost) {
    for (const int threads : {1, 4}) {
        const Options options = with({.theta = 0.5, .order = 4}, threads);
        const std::vector<double> expected = solved(options);
        for (const Environment& host : environments()) {
            SCOPED_TRACE(testing::Message() << threads << " threads, rounding " << host.rounding << ", traps " << host.traps
                                            << ", flushes " << host.flushes);
            expect_same(options, expected, host, host);
            expect_same(options, expected, host, {});
            expect_same(options, expected, {}, host);  // as where the host has reset its own thread since
        }
    }
}

TEST(FloatEnvironment, OfAnySolve) {
    constexpr PeriodicMethod table = PeriodicMethod::table;
    const std::array<Boundary, 3> all = {periodic, periodic, periodic}, two = {periodic, periodic, isolated};
    for (const Options& one :
         {Options{.redistribute = true}, Options{.criterion = Criterion::acceleration}, Options{.tolerance = 1e-3},
          Options{.softening = 0.01, .error_samples = 30}, Options{.boundary = two, .domain = box},
          Options{.boundary = all, .domain = box, .periodic_method = table, .ewald_nodes = 4, .ewald_order = 2},
          Options{.theta = 0.0}, Options{.boundary = all, .theta = 0.0, .domain = box}})
        for (const int threads : {1, 4}) {
            const Options options = with(one, threads);
            SCOPED_TRACE(to_string(options));
            const std::vector<double> expected = solved(options);
            expect_same(options, expected, strange, strange);
            expect_same(options, expected, {}, strange);
        }
}

/// A team that was smaller in between is of other threads.
// What is refused between solves is compared with limits: no number, too, whatever the host traps.
TEST(FloatEnvironment, OfWhatChangesBetweenSolves) {
    Solver solver(MPI_COMM_WORLD, {.tolerance = 1e-4});
    SteeringState state = solver.get_steering();
    state[0] = nan;
    const Environment host{FE_UPWARD, true, true};
    host.set();
    EXPECT_THROW(solver.set_G(nan), Error);
    EXPECT_THROW(solver.set_steering(state), Error);
    solver.set_G(2.0);
    EXPECT_EQ(solver.get_steering(), SteeringState{});
    EXPECT_TRUE(host.is_here());
    Environment{}.set();
    EXPECT_EQ(solver.options().G, 2.0);
}

TEST(FloatEnvironment, OfTeamsThatChange) {
    for (const int threads : {4, 2, 1, 4, 3}) {
        const Options options = with({}, threads);
        const std::vector<double> expected = solved(options);
        expect_same(options, expected, strange, strange);
        strange.set();
        const std::vector<double> got = solved(with({}, 5 - threads));
        const bool kept = strange.is_here();
        std::fesetenv(FE_DFL_ENV);
        EXPECT_TRUE(kept);
        EXPECT_EQ(got, solved(with({}, 5 - threads)));
    }
}

TEST(FloatEnvironment, OfTheReaderOfOptions) {
    for (const char* const text : {"0.1", "0.3", "1e-4", "0.7071067811865476"}) {
        Options right, strangely;
        set_option(right, "theta", text);
        strange.set();
        set_option(strangely, "theta", text);
        const bool kept = strange.is_here();
        std::fesetenv(FE_DFL_ENV);
        EXPECT_TRUE(kept);
        EXPECT_EQ(strangely.theta, right.theta);
    }
}

}  // namespace
}  // namespace gravlet::test
