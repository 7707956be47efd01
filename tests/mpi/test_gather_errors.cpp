// SPDX-License-Identifier: Apache-2.0
// What fails in a gathered solve is one error on every rank, in the words of a solve without gathering; results stay untouched
// and the engine usable.
#include "tests/mpi/gather.hpp"

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);
const Options options{.domain = Box{{0, 0, 0}, {1, 1, 1}}, .threads = 1};

bool on_last_rank() { return world_rank() == world_size() - 1; }

class GatherErrors : public testing::TestWithParam<int> {
protected:
    GatherErrors() : mesh_(part_of(random_mesh(1, 4))), points_(random_points(2, 10)) {}

    [[nodiscard]] Caught solve(Engine& engine, const BodyArrays& mesh, const BodyArrays& points, Result& result) const {
        return agreed(
            [&] { test::solve(engine, gathered_.comm, make_input(mesh.cells(), result.fields(), points.points(), {})); });
    }

    // Spoils what the last rank brings; returns the message.
    std::string expect_rejected(const std::function<void(BodyArrays& mesh, BodyArrays& points)>& spoil) {
        BodyArrays bad = mesh_, bad_points = points_;
        if (on_last_rank()) spoil(bad, bad_points);
        Result result(mesh_.size());
        const Caught caught = solve(*gathered_.engine, bad, bad_points, result);
        EXPECT_EQ(caught.code, invalid_input);
        EXPECT_EQ(result, Result(mesh_.size()));
        EXPECT_EQ(solve(*gathered_.engine, mesh_, points_, result).code, 0);
        EXPECT_NE(result, Result(mesh_.size()));
        return caught.message;
    }
    void expect_same_message(const std::function<void(BodyArrays& mesh, BodyArrays& points)>& spoil) {
        BodyArrays bad = mesh_, bad_points = points_;
        if (on_last_rank()) spoil(bad, bad_points);
        Result result(mesh_.size());
        const Caught plain = solve(*plain_, bad, bad_points, result);
        EXPECT_EQ(expect_rejected(spoil), plain.message);
        EXPECT_EQ(plain.message.starts_with("rank " + std::to_string(world_size() - 1) + ": "), world_size() > 1);
    }

    BodyArrays mesh_, points_;
    Gathered gathered_{groupings()[static_cast<std::size_t>(GetParam())], options};
    std::unique_ptr<Engine> plain_ = cpu_engine(gathered_.comm, options, 1);
};

TEST_P(GatherErrors, NameTheCell) {
    expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.mass[5] = nan; });
    expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.mass[5] = -1.0; });
    expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.y[3] = 1.5; });
    expect_same_message([](BodyArrays& mesh, BodyArrays&) { mesh.dx[3] = 0.0; });
    expect_same_message([](BodyArrays&, BodyArrays& points) { points.x[7] = infinity; });
    expect_same_message(
        [](BodyArrays& mesh, BodyArrays&) { mesh.x[5] = mesh.x[3], mesh.y[5] = mesh.y[3], mesh.z[5] = mesh.z[3]; });
    expect_same_message([](BodyArrays& mesh, BodyArrays&) {  // one in the other
        mesh.dx[5] = 0.25 * mesh.dx[3];
        mesh.x[5] = mesh.x[3] + mesh.dx[5], mesh.y[5] = mesh.y[3] + mesh.dx[5], mesh.z[5] = mesh.z[3] + mesh.dx[5];
    });
}

TEST_P(GatherErrors, EqualCellsOnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    std::array<double, 3> position = {mesh_.x[2], mesh_.y[2], mesh_.z[2]};  // cell 2 of rank 0
    MPI_Bcast(position.data(), 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    const std::string message = expect_rejected(
        [&](BodyArrays& mesh, BodyArrays&) { mesh.x[5] = position[0], mesh.y[5] = position[1], mesh.z[5] = position[2]; });
    const std::string first = "cell 2 of rank 0", second = "cell 5 of rank " + std::to_string(world_size() - 1);
    const Grouping grouping = groupings()[static_cast<std::size_t>(GetParam())];
    if (grouping.colour(0) == grouping.colour(world_size() - 1)) {
        EXPECT_TRUE(message.starts_with(first + " and " + second + " are at the same place")) << message;
    } else {
        EXPECT_TRUE(message.starts_with("rank 0: cell 2 is at the same place")) << message;
    }
}

TEST_P(GatherErrors, Block) {
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
        const std::string message = agreed([&] { gathered_.solve(input); }).message;
        EXPECT_TRUE(message.find(what) != std::string::npos) << message;
        return message == agreed([&] { test::solve(*plain_, gathered_.comm, input); }).message;
    };
    if (on_last_rank()) blocks[1].lower[2] = 2.0;
    EXPECT_TRUE(expect("cell (0, 0, 0) of block 1: at"));
    if (on_last_rank()) density[2 + 4 * (1 + 3 * 1)] = nan;
    EXPECT_TRUE(expect("cell (2, 1, 1) of block 0: mass is NaN"));
    density.assign(24, 1.0);
    if (on_last_rank()) blocks[1].lower[2] = 0.0;
    EXPECT_TRUE(expect("of block 1 are at the same place"));
    EXPECT_EQ(potential, std::vector<double>(24, Result::untouched));
}

TEST_P(GatherErrors, BlocksAndCells) {
    const Grouping grouping = groupings()[static_cast<std::size_t>(GetParam())];
    if (world_size() == 1 || grouping.name != "all in one") GTEST_SKIP() << "needs ranks that differ in a group";
    std::vector<double> density(1, 1.0);
    const Block block = block_with_guards({0, 0, 0}, {0.1, 0.1, 0.1}, {1, 1, 1}, 0, density.data(), nullptr);
    Input input = make_input(mesh_.cells(), {}, {}, {});
    if (on_last_rank()) {
        input = {};
        input.blocks = &block;
        input.block_count = 1;
    }
    std::vector<std::size_t> begin;
    lay_out_blocks(input, begin);
    EXPECT_EQ(agreed([&] { gathered_.solve(input); }).code, invalid_input);
    Result result(mesh_.size());
    EXPECT_EQ(solve(*gathered_.engine, mesh_, points_, result).code, 0);
}

INSTANTIATE_TEST_SUITE_P(Groups, GatherErrors, testing::Range(0, 5));

/// Fails as a device does whose memory is full: on one leader.
class FullEngine : public Engine {
public:
    explicit FullEngine(const Communicator& leaders) : leaders_(leaders) {}
    void solve(Stages& stages, const Input&, Report&) override {
        stages.local([&] {
            if (leaders_.rank() == leaders_.size() - 1) throw Error(ErrorCode::out_of_memory, "no room");
        });
        stages.agree();
    }
    [[nodiscard]] bool kept_tree() const override { return false; }

private:
    const Communicator& leaders_;
};

TEST(GatherEngineErrors, NameTheLeader) {
    const Communicator comm(MPI_COMM_WORLD);
    for (const Grouping& grouping : groupings()) {
        int last_leader = 0;
        for (int r = 0; r < world_size(); ++r)
            if (grouping.leads(r)) last_leader = r;
        const auto engine = gather_engine(comm, options, grouping.colour(world_rank()),
                                          [](const Communicator& leaders, int) { return std::make_unique<FullEngine>(leaders); });
        const Caught caught = agreed([&] { solve(*engine, comm, Input{}); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::out_of_memory));
        EXPECT_EQ(caught.message, (world_size() > 1 ? "rank " + std::to_string(last_leader) + ": " : "") + "no room");
    }
}

TEST(GatherEngineErrors, NoEngine) {
    const Communicator comm(MPI_COMM_WORLD);
    for (const Grouping& grouping : groupings()) {
        const auto refuse = [](const Communicator& leaders, int) -> std::unique_ptr<Engine> {
            if (leaders.rank() == 0) throw Error(ErrorCode::not_available, "no device");
            return nullptr;
        };
        const Caught caught = agreed([&] { gather_engine(comm, options, grouping.colour(world_rank()), refuse); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::not_available));
        EXPECT_TRUE(caught.message.ends_with("no device")) << caught.message;
    }
}

}  // namespace
}  // namespace gravlet::test
