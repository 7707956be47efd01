// SPDX-License-Identifier: Apache-2.0
// The worst of all targets of masses dealt out to find it (hunted_cases.hpp): it keeps what is promised of the defaults, but for
// two potentials that are beyond 1e-4 by a tenth at most, and have bounds of their own here.
// Where masses crowd on threads, sheets and cusps, nodes that make much of what pulls at their place are opened wider
// (solver/criterion/widen.hpp).
#include "tests/api/hunted_cases.hpp"
#include "tests/api/worst_truth.hpp"

namespace gravlet::test {
namespace {

const Options defaults{.criterion = Criterion::opening};

Worst errors_of(const WorstCase& c, const Asked& asked = {}) {
    const Solved got = solve(c, defaults, asked), tighter = solve(c, {.theta = 0.3, .order = 4}, asked);
    Truth truth(c);
    truth.sample(got, 1500);
    truth.hunt(got, tighter, 50, asked.accelerations ? 100 : 0);
    return truth.worst();
}

struct Bounded {
    WorstCase what;
    Worst bounds;
};

/// The worst target of twelve draws of the deep mesh: 1.05e-4 (one of its cells is beyond 8e-5), of the others 3.3e-5 to 5.7e-5.
constexpr double deep_potential = 1.5e-4;

/// Two to three times the largest of one to three ranks, or what is promised where that is less.
TEST(Hunted, DefaultsKeepTheirPromise) {
    using namespace worst;
    for (const auto& [what, bounds] : std::vector<Bounded>{{filament(50'000), {7e-5, 3e-4, 2e-3}},
                                                           {clusters_in_halo(60'000), {1e-4, 3e-4, 2e-3}},
                                                           {web(60'000), {4e-5, 5e-4, 4e-3}},
                                                           {thin_web(500'000), {6e-5, 6e-4, 9e-3}},
                                                           {nested_clusters(50'000), {1e-4, 1.5e-4, 5e-3}},
                                                           {log_line(20'000), {1e-4, 5e-4, 5e-3}},
                                                           {sheet(50'000), {3e-5, 1e-3, 4e-3}},
                                                           {dumbbell(60'000), {5e-5, 4e-4, 2e-3}},
                                                           {subhaloes(500'000), {1e-4, 5e-4, 4e-3}},
                                                           {dense_clumps(), {4e-5, 5e-4, 4e-3}},
                                                           {deep_mesh(), {deep_potential, 6e-4, 1e-2}}})
        expect_within(bounds, errors_of(what), what.name);
}

/// By theta 0.8 and order 2: 3.5e-5 to 8.5e-5, of the line 1.1e-4 on two ranks. Accelerations are not there to look at.
TEST(Hunted, PotentialsAlone) {
    using namespace worst;
    const auto expect = [](const WorstCase& c, double bound) {
        expect_within({bound, infinity, infinity}, errors_of(c, {.accelerations = false}), c.name);
    };
    for (const WorstCase& c : {filament(50'000), clusters_in_halo(60'000), web(60'000), thin_web(60'000), nested_clusters(50'000),
                               sheet(50'000), dumbbell(60'000), subhaloes(60'000), dense_clumps(), deep_mesh()})
        expect(c, promise.potential);
    expect(log_line(20'000), 1.5e-4);
}

TEST(Hunted, RunsOfACurveAndScatteredOverRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    for (const auto& [what, bounds] :
         std::vector<Bounded>{{worst::thin_web(100'000), {6e-5, 7e-4, 6e-3}}, {worst::deep_mesh(), {deep_potential, 6e-4, 1e-2}}})
        for (const bool scattered : {false, true})
            expect_within(bounds, errors_of(what, {.scattered = scattered}), what.name + (scattered ? ", scattered" : ", runs"));
}

}  // namespace
}  // namespace gravlet::test
