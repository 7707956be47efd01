// SPDX-License-Identifier: Apache-2.0
// A leader's engine is given densities of blocks that it knows while they are still being written: all of them, as they are in
// the solve; and is let go of them if there is none, because some member has failed.
#include "tests/mpi/gather.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>

namespace gravlet::test {
namespace {

constexpr int side = 48, blocks_of_a_rank = 3;  // so that a block is sent on at a time
constexpr std::size_t cells_of_a_block = std::size_t{side} * side * side;

// What a member has written counts for the gathering that it was written in.
TEST(GatherProgress, OfThisGatheringAlone) {
    alignas(64) std::byte memory[256] = {};
    ASSERT_LE(GatherProgress::bytes(3), sizeof memory);
    const GatherProgress first(memory, 1), second(memory, 2);
    for (int member = 0; member < 3; ++member) EXPECT_EQ(first.written(member), 0u);
    first.wrote(1, 7);
    first.wrote(2, 0xffffffffu);
    EXPECT_EQ(first.written(0), 0u);
    EXPECT_EQ(first.written(1), 7u);
    EXPECT_EQ(first.written(2), 0xffffffffu);
    EXPECT_EQ(second.written(1), 0u);
    second.wrote(1, 3);
    EXPECT_EQ(second.written(1), 3u);
    EXPECT_EQ(second.written(2), 0u);
}

/// What a leader's engine has seen.
struct Seen {
    std::vector<double> densities;
    std::size_t parts = 0;
    bool under_way = false;
};

/// Doubles densities. Says that it takes them ahead in all solves but the first.
class Eager final : public Engine {
public:
    explicit Eager(Seen& seen) : seen_(seen) {}

    void solve(Stages& stages, const Input& input, Report& report) override {
        stages.local([&] {
            if (seen_.under_way) {
                EXPECT_TRUE(std::equal(seen_.densities.begin(), seen_.densities.end(), input.blocks[0].density.doubles()));
            }
            for (std::size_t b = 0; b < input.block_count; ++b)
                for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{cells_of_a_block}; ++i)
                    input.blocks[b].potential.set(i, 2.0 * input.blocks[b].density[i]);
            report.backend = "doubles";
        });
        seen_.under_way = false;
        solved_ = true;
    }
    void set_options(const Options&) override {}
    [[nodiscard]] SteeringState get_steering() const override { return {}; }
    void set_steering(const SteeringState&) override {}
    [[nodiscard]] int threads() const override { return 1; }
    [[nodiscard]] bool kept_tree() const override { return false; }
    [[nodiscard]] bool begin_ahead(const Input& input) override {
        input_ = input;
        seen_ = {std::vector<double>(input.cell_count, nan), 0, solved_};
        return solved_;
    }
    void bring_ahead(std::size_t first, std::size_t count) override {
        std::copy_n(input_.blocks[0].density.doubles() + first, count,
                    seen_.densities.begin() + static_cast<std::ptrdiff_t>(first));
        ++seen_.parts;
    }
    void end_ahead() noexcept override { seen_.under_way = false; }

private:
    Seen& seen_;
    Input input_;
    bool solved_ = false;
};

/// Of one rank, whose look at its arrays can be made to fail.
class Failing final : public DeviceAccess {
public:
    explicit Failing(const bool& fails) : fails_(fails) {}
    [[nodiscard]] bool on_device(const void*) const override {
        if (fails_) throw Error(ErrorCode::file, "the arrays are out of reach");
        return false;
    }

private:
    const bool& fails_;
};

struct Member {
    std::vector<double> density, potential;
    std::vector<Block> blocks;
    std::vector<std::size_t> begin;

    Member() : density(blocks_of_a_rank * cells_of_a_block), potential(density.size(), nan) {
        for (int b = 0; b < blocks_of_a_rank; ++b) {
            Block block{.lower = {1.0 * b, 1.0 * world_rank(), 0.0}, .cell_size = {1.0 / side, 1.0 / side, 1.0 / side}};
            block.n = {side, side, side};
            block.stride = {1, side, side * side};
            block.density = density.data() + static_cast<std::size_t>(b) * cells_of_a_block;
            block.potential = potential.data() + static_cast<std::size_t>(b) * cells_of_a_block;
            blocks.push_back(block);
        }
    }
    Input input(double start) {
        std::iota(density.begin(), density.end(), start + 1e6 * world_rank());
        Input out;
        out.blocks = blocks.data();
        out.block_count = blocks.size();
        lay_out_blocks(out, begin);
        out.blocks_version = 7;
        return out;
    }
    void expect_doubles() const {
        for (std::size_t i = 0; i < density.size(); ++i) ASSERT_EQ(potential[i], 2.0 * density[i]) << i;
    }
};

TEST(GatherAhead, AllDensitiesAndNoneAfterAFailure) {
    const Communicator comm(MPI_COMM_WORLD);
    Seen seen;
    bool fails = false;
    std::unique_ptr<GatherEngine> engine;
    {
        Stages stages(comm);
        engine = prepared_engine(
            stages,
            [&] {
                return std::make_unique<GatherEngine>(
                    comm, Options{.threads = 1}, 1,
                    [&](const Communicator&, int, Narrator&) { return std::make_unique<Eager>(seen); },
                    std::make_unique<Failing>(fails));
            },
            0);
    }
    const bool leads = world_rank() == 0;
    Member member;
    for (int turn = 0; turn < 6; ++turn) {
        fails = turn == 3 && world_rank() + 1 == world_size();
        const Input input = member.input(turn);
        if (turn == 3) {
            EXPECT_EQ(agreed([&] { solve(*engine, comm, input); }).code, static_cast<int>(ErrorCode::file));
            EXPECT_FALSE(seen.under_way);
            continue;
        }
        seen.parts = 0;
        solve(*engine, comm, input);
        member.expect_doubles();
        // The failure made the leader forget what it knew.
        const bool known = turn != 0 && turn != 4;
        if (leads) {
            if (known) {
                EXPECT_GE(seen.parts, static_cast<std::size_t>(world_size()));
            } else {
                EXPECT_EQ(seen.parts, 0u);
            }
        }
        EXPECT_FALSE(seen.under_way);
    }
}

}  // namespace
}  // namespace gravlet::test
