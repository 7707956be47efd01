// SPDX-License-Identifier: Apache-2.0
// C's report is that of C++, number by number, of a solve of which no two are alike: on more than one rank, after points have
// moved, with errors at enough targets to tell one in a hundred from one in a thousand and the worst.
#include "amr_adapter/c/handle.hpp"
#include "tests/hosts/c/c_arrays.hpp"

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

void expect_same(const gravlet_error_statistics& c, const ErrorStatistics& cpp) {
    EXPECT_EQ(c.samples, cpp.samples);
    const double ours[] = {cpp.max, cpp.p9999, cpp.p999, cpp.p99, cpp.median, cpp.rms, cpp.worst[0], cpp.worst[1], cpp.worst[2]};
    const double theirs[] = {c.max, c.p9999, c.p999, c.p99, c.median, c.rms, c.worst[0], c.worst[1], c.worst[2]};
    for (std::size_t k = 0; k < std::size(ours); ++k) EXPECT_EQ(theirs[k], ours[k]) << k;
}

TEST(CReport, EveryNumber) {
    gravlet_options options = c_options();
    options.error_samples = 2000;
    options.keep_moved = 1;
    options.theta = 0.6;
    const CSolver solver(options);
    BodyArrays bodies = part_of(random_points(7, 3000));
    // On one rank more than on the others.
    if (world_rank() > 0)
        for (auto* array : {&bodies.x, &bodies.y, &bodies.z, &bodies.mass}) array->resize(bodies.size() / 3);
    Result result(bodies.size());
    const gravlet_fields fields = all_c_fields(result);
    for (int solve = 0; solve < 2; ++solve) {
        for (double& x : bodies.x) x += 1e-4;
        const gravlet_points points = c_points(bodies);
        ASSERT_EQ(gravlet_solve_points(solver, &points, &fields, nullptr), 0) << gravlet_error_message();
    }
    const gravlet_solver* const handle = solver;
    const Report& cpp = handle->solver->report();
    gravlet_report c;
    ASSERT_EQ(gravlet_get_report(solver, &c), 0);

    EXPECT_EQ(c.moved_ranks, world_size());
    EXPECT_EQ(c.unchanged_ranks, 0);
    const std::int64_t ours[] = {cpp.targets,           cpp.sources,           cpp.ranks,
                                 cpp.threads,           cpp.unchanged_ranks,   cpp.moved_ranks,
                                 cpp.node_interactions, cpp.cell_interactions, cpp.far_interactions,
                                 cpp.coincident_pairs,  cpp.bytes_sent,        cpp.nodes_imported,
                                 cpp.cells_imported,    cpp.peak_bytes,        static_cast<std::int64_t>(cpp.stages.size())};
    const std::int64_t theirs[] = {c.targets,           c.sources,           c.ranks,
                                   c.threads,           c.unchanged_ranks,   c.moved_ranks,
                                   c.node_interactions, c.cell_interactions, c.far_interactions,
                                   c.coincident_pairs,  c.bytes_sent,        c.nodes_imported,
                                   c.cells_imported,    c.peak_bytes,        c.stages};
    for (std::size_t k = 0; k < std::size(ours); ++k) EXPECT_EQ(theirs[k], ours[k]) << k;
    if (world_size() > 1) {
        EXPECT_NE(c.nodes_imported, c.cells_imported);
        EXPECT_GT(c.bytes_sent, 0);
    }
    EXPECT_EQ(c.seconds, cpp.seconds);
    EXPECT_EQ(c.net_force, cpp.net_force.value());
    EXPECT_EQ(c.net_torque, cpp.net_torque.value());
    EXPECT_NE(c.net_force, c.net_torque);
    expect_same(c.potential_error, cpp.potential_error.value());
    expect_same(c.acceleration_error, cpp.acceleration_error.value());
    expect_same(c.tidal_error, cpp.tidal_error.value());
    EXPECT_LT(c.acceleration_error.p999, c.acceleration_error.p9999);
    EXPECT_LT(c.acceleration_error.p99, c.acceleration_error.p999);

    bool any_faster = false;
    for (std::int32_t s = 0; s < c.stages; ++s) {
        gravlet_stage_time stage;
        ASSERT_EQ(gravlet_get_stage(solver, s, &stage), 0);
        const StageTime& same = cpp.stages[static_cast<std::size_t>(s)];
        EXPECT_EQ(stage.name, same.name);
        EXPECT_EQ(stage.max, same.max);
        EXPECT_EQ(stage.mean, same.mean);
        any_faster = any_faster || stage.mean < stage.max;
    }
    EXPECT_TRUE(any_faster || world_size() == 1);
}

}  // namespace
}  // namespace gravlet::test
