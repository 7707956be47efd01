// SPDX-License-Identifier: Apache-2.0
// The worst target of masses that are dealt out to hurt a tree code (worst_cases.hpp), against naive sums in double precision.
// What is promised of the defaults (worst_truth.hpp) holds for all of these. Others: test_hunted.cpp; a million
// targets, not each of which keeps it: docs/notebook/2026-11-accuracy.md, tests/api/gpu/test_sets.cpp.
#include "tests/api/worst/worst_truth.hpp"

namespace gravlet::test {
namespace {

Worst errors_of(const WorstCase& c, const Options& options, bool scattered = false) {
    Truth truth(c);
    truth.sample(solve(c, options, {.scattered = scattered}), 4000);
    return truth.worst();
}

std::vector<WorstCase> all_cases() {
    using namespace worst;
    return {star_in_disc(10'000),
            heavy_cell(5),
            two_sinks(5),
            coarse_spheroid(),
            diagonal(10'000),
            exponential_disc(20'000),
            thin_shell(20'000),
            levy_flight(20'000),
            plummer(20'000),
            uniform_sphere(20'000),
            nested_mesh(20),
            contrast(5),
            bricks(12),
            few(2),
            few(3),
            few(10),
            few(100)};
}

/// The default theta and order, in a tree: few bodies on a GPU would act one by one (gpu/test_few.cpp).
const Options defaults{.criterion = Criterion::opening};

TEST(Worst, DefaultsKeepTheirPromise) {
    for (const WorstCase& c : all_cases()) expect_within(promise, errors_of(c, defaults), c.name);
}

/// What heavy bodies did to far targets was wrong by a tenth at any order.
TEST(Worst, HeavyBodiesAtOrder2) {
    for (const WorstCase& c : {worst::star_in_disc(10'000), worst::star_in_disc(900), worst::heavy_cell(5), worst::two_sinks(5)})
        expect_within({1e-4, 2e-3, 5e-3}, errors_of(c, {.theta = 0.8, .order = 2}),
                      fmt::format("{}, {} bodies", c.name, c.cells.size() + c.points.size()));
}

TEST(Worst, ScatteredOverRanks) {
    for (const WorstCase& c : {worst::heavy_cell(5), worst::coarse_spheroid(), worst::contrast(5), worst::plummer(10'000)})
        expect_within(promise, errors_of(c, defaults, true), c.name);
}

}  // namespace
}  // namespace gravlet::test
