// SPDX-License-Identifier: Apache-2.0
// Repeated solves: a rank whose bodies are where they were keeps its order and its tree, and gets the same bits as if it had not;
// any change is noticed.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace gravlet::test {
namespace {

class Unchanged : public testing::TestWithParam<Options> {
protected:
    // Changes the bodies of all ranks and solves again, keeping and not keeping. kept_ranks < 0: as many as the solver finds.
    void expect_same_bits(int kept_ranks, const std::function<void(BodyArrays&, BodyArrays&)>& change) {
        Options always = GetParam();
        always.keep_tree = false;
        Solver keeping(MPI_COMM_WORLD, GetParam()), building(MPI_COMM_WORLD, always);
        BodyArrays mesh = part_of(random_mesh(5, 4)), points = part_of(random_points(6, 300));
        Result cells(mesh.size()), masses(points.size());
        keeping.solve(mesh.cells(), cells.fields(), points.points(), masses.fields());
        EXPECT_EQ(keeping.report().unchanged_ranks, 0);
        change(mesh, points);
        Result kept(mesh.size()), kept_points(points.size()), built(mesh.size()), built_points(points.size());
        keeping.solve(mesh.cells(), kept.fields(), points.points(), kept_points.fields());
        building.solve(mesh.cells(), built.fields(), points.points(), built_points.fields());
        EXPECT_EQ(kept, built);
        EXPECT_EQ(kept_points, built_points);
        if (kept_ranks >= 0) {
            EXPECT_EQ(keeping.report().unchanged_ranks, kept_ranks);
        }
        EXPECT_EQ(building.report().unchanged_ranks, 0);
        EXPECT_EQ(keeping.report().node_interactions, building.report().node_interactions);
    }
    static bool changes() { return world_rank() == 0; }
};

TEST_P(Unchanged, Nothing) {
    expect_same_bits(world_size(), [](BodyArrays&, BodyArrays&) {});
}

TEST_P(Unchanged, Masses) {
    expect_same_bits(world_size(), [](BodyArrays& mesh, BodyArrays& points) {
        for (std::size_t i = 0; i < mesh.size(); ++i) mesh.mass[i] *= 3.0 + static_cast<double>(i % 7);
        for (double& mass : points.mass) mass *= 0.01;
    });
}

TEST_P(Unchanged, AMassThatComesOrGoes) {
    for (const double mass : {0.0, 1e-3}) {
        expect_same_bits(world_size() - 1, [=](BodyArrays& mesh, BodyArrays&) {
            if (!changes()) return;
            const auto other = std::ranges::find_if(mesh.mass, [=](double m) { return (m > 0.0) != (mass > 0.0); });
            ASSERT_NE(other, mesh.mass.end());
            *other = mass;
        });
    }
}

TEST_P(Unchanged, APlace) {
    expect_same_bits(world_size() - 1, [](BodyArrays& mesh, BodyArrays&) {
        if (changes()) mesh.x[mesh.size() / 2] += 1e-13;
    });
    expect_same_bits(world_size() - 1, [](BodyArrays&, BodyArrays& points) {
        if (changes()) points.z[7] += 1e-13;
    });
}

TEST_P(Unchanged, ASize) {
    // A cell in its place, smaller: the walk takes more care of its group, unless there is a point in that.
    expect_same_bits(-1, [](BodyArrays& mesh, BodyArrays&) {
        const std::size_t smallest = static_cast<std::size_t>(std::ranges::min_element(mesh.dx) - mesh.dx.begin());
        mesh.dx[smallest] *= 0.25;
    });
    expect_same_bits(world_size() - 1, [](BodyArrays& mesh, BodyArrays&) {
        if (changes()) *std::ranges::max_element(mesh.dx) *= 0.75;
    });
}

TEST_P(Unchanged, ASoftening) {
    const double longest = GetParam().softening;
    expect_same_bits(world_size() - (longest > 0.0 ? 1 : 0), [=](BodyArrays&, BodyArrays& points) {
        points.softening.assign(points.size(), longest);
        if (changes()) points.softening[5] *= 0.5;
    });
}

TEST_P(Unchanged, OneBodyMore) {
    expect_same_bits(world_size() - 1, [](BodyArrays& mesh, BodyArrays&) {
        if (!changes()) return;
        std::rotate(mesh.x.begin(), mesh.x.begin() + 1, mesh.x.end());
        std::rotate(mesh.y.begin(), mesh.y.begin() + 1, mesh.y.end());
        std::rotate(mesh.z.begin(), mesh.z.begin() + 1, mesh.z.end());
        std::rotate(mesh.dx.begin(), mesh.dx.begin() + 1, mesh.dx.end());
    });
}

TEST_P(Unchanged, AfterAnError) {
    Solver solver(MPI_COMM_WORLD, GetParam());
    const BodyArrays mesh = part_of(random_mesh(5, 4));
    BodyArrays bad = mesh;
    bad.mass[1] = -1.0;
    Result first(mesh.size()), second(mesh.size());
    solver.solve(mesh.cells(), first.fields());
    EXPECT_NE(agreed([&] { solver.solve(bad.cells(), second.fields()); }).code, 0);
    solver.solve(mesh.cells(), second.fields());
    EXPECT_EQ(first, second);
    // Other fields, another kind of body in the same places.
    Result potential(mesh.size());
    solver.solve(mesh.cells(), potential.potential_only());
    solver.solve(mesh.cells(), second.fields());
    EXPECT_EQ(first, second);
    Result points(mesh.size());
    solver.solve(mesh.points(), points.fields());
    solver.solve(mesh.cells(), second.fields());
    EXPECT_EQ(first, second);
}

INSTANTIATE_TEST_SUITE_P(Solves, Unchanged,
                         testing::Values(Options{.gpu_sharing = GpuSharing::share,
                                                 .theta = 0.5,
                                                 .softening = 1e-3,
                                                 .domain = Box{{0, 0, 0}, {1, 1, 1}}},
                                         Options{.gpu_sharing = GpuSharing::share,
                                                 .boundary = {Boundary::periodic, Boundary::periodic, Boundary::isolated},
                                                 .domain = Box{{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}}}));

}  // namespace
}  // namespace gravlet::test
