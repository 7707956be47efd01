// SPDX-License-Identifier: Apache-2.0
// The worst of all targets of masses dealt out to find it (hunted_cases.hpp): it keeps what is promised of the defaults, but for
// two potentials that are beyond 1e-4 by a tenth at most, and have bounds of their own here.
// Where masses crowd on threads, sheets and cusps, nodes that make much of what pulls at their place are opened wider
// (solver/criterion/widen.hpp).
#include "tests/api/worst/hunted_bounds.hpp"

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

TEST(Hunted, DefaultsKeepTheirPromise) {
    for (const auto& [what, bounds] : hunted(500'000)) expect_within(bounds, errors_of(what), what.name);
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
