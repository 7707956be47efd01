// SPDX-License-Identifier: Apache-2.0
// only_changed(): what a host says of its bodies since the last solve is relied upon, and results are the bits of a new solver's
// that looks at all; whatever changes in which order, drawn at random. A body that has changed without a word is named.
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

enum class Form { blocks, cells, points };

/// A rank's bodies, which change by chance: those that do have flags.
class Host {
public:
    explicit Host(Form form)
        : form_(form),
          random_(static_cast<std::uint64_t>(world_rank()) + 17),
          mesh_({4, 4, 4}),
          cells_(form == Form::cells ? part_of(random_mesh(5, 4)) : BodyArrays()),
          points_(part_of(random_points(6, form == Form::points ? 4000 : 300))) {
        active_.assign(points_.size(), 1);
    }

    /// Changes some of the bodies, or none.
    void step() {
        const double share = draw() < 0.3 ? 0.0 : draw() < 0.5 ? 0.02 : draw();
        const std::size_t first = form_ == Form::blocks ? mesh_.lower.size() : cells_.size();
        flags_.assign(first + points_.size(), 0);
        for (std::uint8_t& flag : flags_) flag = draw() < share ? 1 : 0;
        const bool moves = draw() < 0.2, vanishes = draw() < 0.2;
        for (std::size_t b = 0; b < first; ++b) {
            if (flags_[b] == 0 || draw() < 0.3) continue;  // said, and not done
            if (form_ == Form::blocks)
                for (double& value : mesh_.density[b]) value = value > 0.0 || vanishes ? draw() + (vanishes ? -0.2 : 0.0) : 0.0;
            else if (cells_.mass[b] > 0.0 || vanishes)
                cells_.mass[b] *= 0.5 + draw();
            if (form_ == Form::blocks)
                for (double& value : mesh_.density[b]) value = std::max(value, 0.0);
        }
        for (std::size_t p = 0; p < points_.size(); ++p) {
            if (flags_[first + p] == 0 || draw() < 0.3) continue;
            points_.mass[p] *= vanishes && draw() < 0.1 ? 0.0 : 0.5 + draw();
            if (moves) points_.x[p] += 1e-3 * draw();
        }
        if (draw() < 0.5)
            for (std::uint8_t& flag : active_) flag = draw() < 0.4 ? 1 : 0;
        if (draw() < 0.1) points_.add_point(draw(), draw(), draw(), 1e-5), active_.push_back(1), flags_.push_back(0);
    }
    void say(Solver& solver) const {
        const bool any = std::ranges::any_of(flags_, [](std::uint8_t flag) { return flag != 0; });
        any ? solver.only_changed(flags_) : solver.only_changed();
    }
    /// A mass of the last body changes, and nobody is told.
    void change_in_secret() { points_.mass.back() *= 1.25; }

    struct Results {
        std::vector<double> blocks;
        Result cells{0}, points{0};
        friend bool operator==(const Results&, const Results&) = default;
    };
    Results solve(Solver& solver) {
        Results out{{}, Result(cells_.size()), Result(points_.size())};
        Points points = points_.points();
        points.active = active_;
        if (form_ == Form::blocks) {
            FlashArray memory(mesh_, 1);
            std::vector<Block> blocks = memory.blocks(mesh_);
            for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].active = active_[b % active_.size()] != 0;
            solver.solve(blocks, points, out.points.fields());
            out.blocks = memory.data;
        } else if (form_ == Form::cells) {
            solver.solve(cells_.cells(), out.cells.fields(), points, out.points.fields());
        } else {
            solver.solve(points, out.points.fields());
        }
        return out;
    }
    [[nodiscard]] std::size_t count_of_points() const { return points_.size(); }

private:
    double draw() { return uniform_(random_); }

    Form form_;
    std::mt19937_64 random_;
    std::uniform_real_distribution<double> uniform_;
    BlockMesh mesh_;
    BodyArrays cells_, points_;
    std::vector<std::uint8_t> flags_, active_;
};

std::vector<Options> cases() {
    constexpr std::array<Boundary, 3> periodic = {Boundary::periodic, Boundary::periodic, Boundary::periodic};
    constexpr Box around{{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};
    std::vector<Options> all = {{.theta = 0.7, .order = 2},
                                {.theta = 0.6, .order = 4, .softening = 0.003},
                                {.boundary = periodic, .order = 2, .domain = around},
                                {.order = 2, .criterion = Criterion::acceleration, .alpha = 0.005},
                                {.theta = 0.5, .order = 3, .near_cells = NearCells::cuboid},
                                {.theta = 0.6, .keep_tree = false},
                                {.theta = 0.6, .order = 5, .precision = Precision::double_},
                                {.theta = 0.7, .order = 2, .redistribute = true},
                                {.theta = 0.0},
                                {}};
    for (Options& options : all) options.gpu_sharing = GpuSharing::share;
    return all;
}

class Changed : public testing::TestWithParam<Form> {};

TEST_P(Changed, TheBitsOfANewSolver) {
    for (const Options& options : cases()) {
        Host host(GetParam());
        Solver told(MPI_COMM_WORLD, options);
        int unchanged = 0;
        for (int step = 0; step < 12; ++step) {
            if (step > 0) host.step(), host.say(told);
            Solver fresh(MPI_COMM_WORLD, options);
            const Host::Results expected = host.solve(fresh), got = host.solve(told);
            EXPECT_EQ(got, expected) << "step " << step << ", theta " << options.theta << ", order " << options.order;
            unchanged += told.report().unchanged_ranks;
        }
        if (options.keep_tree && options.theta != 0.0 && !options.redistribute) {
            EXPECT_GT(unchanged, 0);
        }
    }
}

// A solve that fails, one that says nothing, another kind of bodies: what was said of them holds for the next solve alone.
TEST_P(Changed, HoldsForOneSolve) {
    const Options options{.gpu_sharing = GpuSharing::share, .theta = 0.7, .order = 2};
    Host host(GetParam());
    Solver told(MPI_COMM_WORLD, options);
    host.solve(told);
    told.only_changed();
    host.solve(told);
    host.change_in_secret();
    const auto expect_all = [&] {
        Solver fresh(MPI_COMM_WORLD, options);
        EXPECT_EQ(host.solve(told), host.solve(fresh));
    };
    expect_all();
    host.change_in_secret();
    BodyArrays bad = part_of(random_points(6, 100));
    if (world_rank() == 0) bad.mass[1] = -1.0;
    Result none(bad.size());
    EXPECT_NE(agreed([&] { told.solve(bad.points(), none.fields()); }).code, 0);
    told.only_changed();
    expect_all();
    told.only_changed();
    Result other(bad.size());
    bad.mass.assign(bad.size(), 1.0);
    told.solve(bad.points(), other.fields());
    told.only_changed();
    expect_all();
}

// A rank that cannot bring its bodies to a solve has had one all the same: what changed before it is not said again.
TEST_P(Changed, AnAbandonedSolveIsOne) {
    const Options options{.gpu_sharing = GpuSharing::share, .theta = 0.7, .order = 2};
    Host host(GetParam());
    Solver told(MPI_COMM_WORLD, options);
    const auto expect_all = [&] {
        Solver fresh(MPI_COMM_WORLD, options);
        EXPECT_EQ(host.solve(told), host.solve(fresh));
    };
    const auto abandon = [&] {
        const auto error = agreed([&] {
            if (world_rank() == 0) told.abandon("no bodies");
            host.solve(told);
        });
        EXPECT_EQ(error.code, static_cast<int>(ErrorCode::invalid_input));
    };
    host.solve(told);
    host.change_in_secret();
    abandon();
    told.only_changed();
    expect_all();
    told.only_changed();
    abandon();
    host.change_in_secret();
    expect_all();
}

TEST_P(Changed, WhatIsNotSaidIsNamed) {
    Host host(GetParam());
    Solver told(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share, .theta = 0.7, .order = 2, .check_changed = true});
    host.solve(told);
    told.only_changed();
    host.solve(told);
    const std::string point = "point " + std::to_string(host.count_of_points() - 1);
    if (world_rank() == world_size() - 1) host.change_in_secret();
    told.only_changed();
    const auto error = agreed([&] { host.solve(told); });
    EXPECT_EQ(error.code, static_cast<int>(ErrorCode::invalid_input));
    if (world_rank() == world_size() - 1) {
        EXPECT_NE(error.message.find(point + " has changed"), std::string::npos) << error.message;
    }
    Solver fresh(MPI_COMM_WORLD, told.options());
    EXPECT_EQ(host.solve(told), host.solve(fresh));
}

TEST_P(Changed, FlagsOfAnotherNumber) {
    Host host(GetParam());
    Solver solver(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share, .theta = 0.7});
    const Host::Results before = host.solve(solver);
    const std::vector<std::uint8_t> flags(7, 1);
    if (world_rank() == 0) solver.only_changed(flags);
    const auto error = agreed([&] { host.solve(solver); });
    EXPECT_EQ(error.code, static_cast<int>(ErrorCode::invalid_input));
    EXPECT_NE(error.message.find("7 flags of what has changed"), std::string::npos) << error.message;
    EXPECT_EQ(host.solve(solver), before);
}

/// Whether this rank's masses change: the last one's of several.
bool changes() { return world_size() > 1 && world_rank() == world_size() - 1; }

// Where this rank says that nothing has changed, others' masses make its nodes open wider, or less.
TEST(ChangedElsewhere, NodesOpenAsOthersPull) {
    const Options options{.gpu_sharing = GpuSharing::share, .theta = 0.7, .order = 2};
    BodyArrays all = random_points(6, 4000);
    for (std::size_t i = 0; i < all.size(); i += 3)  // a clump, that pulls by itself
        for (auto* x : {&all.x, &all.y, &all.z}) (*x)[i] *= 1e-3;
    for (double& mass : all.mass) mass = 0.7 / 4000.0;  // the solver's unit of masses stays
    BodyArrays points = part_of(along_curve(all));
    Solver told(MPI_COMM_WORLD, options);
    const auto solve = [&](Solver& solver) {
        Result result(points.size());
        solver.solve(points.points(), result.fields());
        return result;
    };
    const auto expect_as_new = [&] {
        const std::vector<std::uint8_t> each(points.size(), 1);
        changes() ? told.only_changed(each) : told.only_changed();
        Solver fresh(MPI_COMM_WORLD, options);
        EXPECT_EQ(solve(told), solve(fresh));
    };
    solve(told);
    expect_as_new();
    for (double& mass : points.mass) mass *= changes() ? 0.8 : 1.0;
    expect_as_new();
    for (std::size_t i = 0; changes() && i < points.size(); ++i)  // the mass of all stays, not what it pulls by
        points.mass[i] *= i < points.size() / 2 ? 0.5 : 1.5;
    expect_as_new();
}

INSTANTIATE_TEST_SUITE_P(Forms, Changed, testing::Values(Form::blocks, Form::cells, Form::points));

}  // namespace
}  // namespace gravlet::test
