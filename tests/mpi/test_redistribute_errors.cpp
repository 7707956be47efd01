// SPDX-License-Identifier: Apache-2.0
// What fails in a redistributed solve is one error on every rank, and bodies are called what their own rank calls them; results
// stay untouched and the engine usable.
#include "tests/mpi/gather.hpp"

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);

Options with_redistribute() {
    Options options{.domain = Box{{0, 0, 0}, {1, 1, 1}}, .threads = 1};
    options.redistribute = true;
    return options;
}

bool on_last_rank() { return world_rank() == world_size() - 1; }
int scattered(std::size_t i) { return static_cast<int>(i) % world_size(); }

/// Groups of ranks may gather before: 0 to 4; or not: -1.
class RedistributeErrors : public testing::TestWithParam<int> {
protected:
    using Spoil = std::function<void(BodyArrays& mesh, BodyArrays& points)>;

    RedistributeErrors() : mesh_(part_of(random_mesh(1, 4), scattered)), points_(random_points(2, 10)) {
        const Options options = with_redistribute();
        if (GetParam() < 0) {
            engine_ = cpu_engine(comm_, options, 1);
        } else {
            engine_ =
                gather_engine(comm_, options, groupings()[static_cast<std::size_t>(GetParam())].colour(world_rank()),
                              [=](const Communicator& leaders, int threads) { return cpu_engine(leaders, options, threads); });
        }
        Options without = options;
        without.redistribute = false;
        plain_ = cpu_engine(comm_, without, 1);
    }

    [[nodiscard]] Caught solve(Engine& engine, const BodyArrays& mesh, const BodyArrays& points, Result& result) const {
        return agreed([&] { test::solve(engine, comm_, make_input(mesh.cells(), result.fields(), points.points(), {})); });
    }

    // Spoils what the last rank brings; returns the message.
    std::string expect_rejected(const Spoil& spoil) {
        BodyArrays bad = mesh_, bad_points = points_;
        if (on_last_rank()) spoil(bad, bad_points);
        Result result(mesh_.size());
        const Caught caught = solve(*engine_, bad, bad_points, result);
        EXPECT_EQ(caught.code, invalid_input);
        EXPECT_EQ(result, Result(mesh_.size()));
        EXPECT_EQ(solve(*engine_, mesh_, points_, result).code, 0);
        EXPECT_NE(result, Result(mesh_.size()));
        return caught.message;
    }
    void expect_same_message(const Spoil& spoil) {
        BodyArrays bad = mesh_, bad_points = points_;
        if (on_last_rank()) spoil(bad, bad_points);
        Result result(mesh_.size());
        const Caught plain = solve(*plain_, bad, bad_points, result);
        EXPECT_EQ(expect_rejected(spoil), plain.message);
        EXPECT_EQ(plain.message.starts_with("rank " + std::to_string(world_size() - 1) + ": "), world_size() > 1);
    }

    Communicator comm_{MPI_COMM_WORLD};
    BodyArrays mesh_, points_;
    std::unique_ptr<Engine> engine_, plain_;
};

TEST_P(RedistributeErrors, NameTheBody) {
    expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.mass[5] = nan; });
    expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.mass[5] = -1.0; });
    expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.y[3] = 1.5; });
    expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.dx[3] = 0.0; });
    expect_same_message([](BodyArrays&, BodyArrays& points) { points.x[7] = infinity; });
    // These two are found by the rank that solves for them.
    expect_same_message(
        [](BodyArrays& mesh, BodyArrays&) { mesh.x[5] = mesh.x[3], mesh.y[5] = mesh.y[3], mesh.z[5] = mesh.z[3]; });
    expect_same_message([](BodyArrays& mesh, BodyArrays&) {
        mesh.dx[5] = 0.25 * mesh.dx[3];
        mesh.x[5] = mesh.x[3] + mesh.dx[5], mesh.y[5] = mesh.y[3] + mesh.dx[5], mesh.z[5] = mesh.z[3] + mesh.dx[5];
    });
}

TEST_P(RedistributeErrors, EqualCellsOnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    if (GetParam() >= 0 && groupings()[static_cast<std::size_t>(GetParam())].name == "all in one") GTEST_SKIP() << "one leader";
    std::array<double, 3> position = {mesh_.x[2], mesh_.y[2], mesh_.z[2]};  // cell 2 of rank 0
    MPI_Bcast(position.data(), 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const std::string message = expect_rejected(
        [&](BodyArrays& mesh, BodyArrays&) { mesh.x[5] = position[0], mesh.y[5] = position[1], mesh.z[5] = position[2]; });
    const std::string other = "cell 5 of rank " + std::to_string(world_size() - 1);
    EXPECT_NE(message.find("cell 2 of rank 0"), std::string::npos) << message;
    EXPECT_NE(message.find(other), std::string::npos) << message;
    EXPECT_NE(message.find("are at the same place"), std::string::npos) << message;
}

TEST_P(RedistributeErrors, Block) {
    std::vector<double> density(24, 1.0), potential(24, Result::untouched);
    const double x = 0.5 * world_rank() / world_size();
    std::vector<Block> blocks;
    for (const double z : {0.0, 0.5})
        blocks.push_back(block_with_guards({x, 0.0, z}, {0.01, 0.1, 0.1}, {4, 3, 2}, 0, density.data(), potential.data()));
    Input input;
    input.blocks = blocks.data();
    input.block_count = blocks.size();
    std::vector<std::size_t> begin;
    lay_out_blocks(input, begin);
    const auto expect = [&](const std::string& what) {
        const std::string message = agreed([&] { test::solve(*engine_, comm_, input); }).message;
        EXPECT_TRUE(message.find(what) != std::string::npos) << message;
        EXPECT_EQ(message, agreed([&] { test::solve(*plain_, comm_, input); }).message);
    };
    if (on_last_rank()) blocks[1].lower[2] = 2.0;
    expect("cell (0, 0, 0) of block 1: at");
    if (on_last_rank()) density[2 + 4 * (1 + 3 * 1)] = nan;
    expect("cell (2, 1, 1) of block 0: mass is NaN");
    density.assign(24, 1.0);
    if (on_last_rank()) blocks[1].lower[2] = 0.0;
    expect("of block 1 are at the same place");
    EXPECT_EQ(potential, std::vector<double>(24, Result::untouched));
}

INSTANTIATE_TEST_SUITE_P(Groups, RedistributeErrors, testing::Range(-1, 5));

}  // namespace
}  // namespace gravlet::test
