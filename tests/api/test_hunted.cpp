// SPDX-License-Identifier: Apache-2.0
// The worst of all targets of masses dealt out to find it (hunted_cases.hpp): what is promised of the defaults holds for it too.
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

TEST(Hunted, DefaultsKeepTheirPromise) {
    using namespace worst;
    for (const auto& [what, bounds] : std::vector<Bounded>{{filament(50'000), promise},
                                                           {clusters_in_halo(60'000), promise},
                                                           {web(60'000), promise},
                                                           {thin_web(500'000), promise},
                                                           {nested_clusters(50'000), promise},
                                                           {log_line(20'000), promise},
                                                           {sheet(50'000), promise},
                                                           {dumbbell(60'000), promise},
                                                           {subhaloes(500'000), promise},
                                                           {dense_clumps(), promise},
                                                           {deep_mesh(), promise}})
        expect_within(bounds, errors_of(what), what.name);
}

/// By theta 0.8 and order 2. Accelerations are not there to look at.
TEST(Hunted, PotentialsAlone) {
    using namespace worst;
    for (const WorstCase& c : {filament(50'000), clusters_in_halo(60'000), web(60'000), thin_web(60'000), nested_clusters(50'000),
                               log_line(20'000), sheet(50'000), dumbbell(60'000), subhaloes(60'000), dense_clumps(), deep_mesh()})
        expect_within({promise.potential, infinity, infinity}, errors_of(c, {.accelerations = false}), c.name);
}

TEST(Hunted, RunsOfACurveAndScatteredOverRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    for (const WorstCase& c : {worst::thin_web(100'000), worst::deep_mesh()})
        for (const bool scattered : {false, true})
            expect_within(promise, errors_of(c, {.scattered = scattered}), c.name + (scattered ? ", scattered" : ", runs"));
}

}  // namespace
}  // namespace gravlet::test
