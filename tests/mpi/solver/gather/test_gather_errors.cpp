// SPDX-License-Identifier: Apache-2.0
// What fails in a gathered solve (engine_errors.hpp).
#include "tests/mpi/engine_errors.hpp"

namespace gravlet::test {
namespace {

const Options options{.domain = Box{{0, 0, 0}, {1, 1, 1}}, .threads = 1};

class GatherErrors : public EngineErrors {
protected:
    GatherErrors() : EngineErrors(part_of(random_mesh(1, 4))) {
        engine_ = gathered(grouping_, options);
        plain_ = cpu_engine(comm_, options, 1);
    }

    const Grouping grouping_ = groupings()[static_cast<std::size_t>(GetParam())];
};

TEST_P(GatherErrors, NameTheCell) { expect_bodies_named(); }

TEST_P(GatherErrors, EqualCellsOnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    const std::string message = expect_equal_cells_rejected();
    const std::string first = "cell 2 of rank 0", second = "cell 5 of rank " + std::to_string(world_size() - 1);
    if (grouping_.colour(0) == grouping_.colour(world_size() - 1)) {
        EXPECT_TRUE(message.starts_with(first + " and " + second + " are at the same place")) << message;
    } else {
        EXPECT_TRUE(message.starts_with("rank 0: cell 2 is at the same place")) << message;
    }
}

TEST_P(GatherErrors, Block) { expect_block_cells_named(); }

// Of ranks without cells.
TEST_P(GatherErrors, PointsAlone) {
    BodyArrays bad = random_points(2, 10);
    if (on_last_rank()) bad.x[7] = infinity;
    const Caught caught = solve(*engine_, make_input({}, {}, bad.points(), {})),
                 plain = solve(*plain_, make_input({}, {}, bad.points(), {}));
    EXPECT_EQ(caught.code, invalid_input);
    EXPECT_EQ(caught.message, plain.message);
}

TEST_P(GatherErrors, BlocksAndCells) {
    if (world_size() == 1 || grouping_.name != "all in one") GTEST_SKIP() << "needs ranks that differ in a group";
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
    EXPECT_EQ(solve(*engine_, input).code, invalid_input);
    Result result(mesh_.size());
    EXPECT_EQ(solve(*engine_, mesh_, points_, result).code, 0);
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
    void set_options(const Options&) override {}
    [[nodiscard]] SteeringState get_steering() const override { return {}; }
    void set_steering(const SteeringState&) override {}
    [[nodiscard]] int threads() const override { return 1; }
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
        const auto engine =
            gather_engine(comm, options, grouping.colour(world_rank()),
                          [](const Communicator& leaders, int, Narrator&) { return std::make_unique<FullEngine>(leaders); });
        const Caught caught = agreed([&] { solve(*engine, comm, Input{}); });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::out_of_memory));
        EXPECT_EQ(caught.message, (world_size() > 1 ? "rank " + std::to_string(last_leader) + ": " : "") + "no room");
    }
}

TEST(GatherEngineErrors, NoEngine) {
    const Communicator comm(MPI_COMM_WORLD);
    for (const Grouping& grouping : groupings()) {
        const auto refuse = [](const Communicator& leaders, int, Narrator&) -> std::unique_ptr<Engine> {
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
