// SPDX-License-Identifier: Apache-2.0
// What fails in a redistributed solve is one error on every rank, and bodies are called what their own rank calls them; results
// stay untouched and the engine usable.
#include "tests/mpi/engine_errors.hpp"

namespace gravlet::test {
namespace {

int scattered(std::size_t i) { return static_cast<int>(i) % world_size(); }

/// Groups of ranks may gather before: 0 to 4; or not: -1.
class RedistributeErrors : public EngineErrors {
protected:
    RedistributeErrors() : EngineErrors(part_of(random_mesh(1, 4), scattered)) {
        Options options{.domain = Box{{0, 0, 0}, {1, 1, 1}}, .threads = 1};
        plain_ = cpu_engine(comm_, options, 1);
        options.redistribute = true;
        engine_ =
            GetParam() < 0 ? cpu_engine(comm_, options, 1) : gathered(groupings()[static_cast<std::size_t>(GetParam())], options);
    }
};

TEST_P(RedistributeErrors, NameTheBody) { expect_bodies_named(); }

TEST_P(RedistributeErrors, EqualCellsOnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    if (GetParam() >= 0 && groupings()[static_cast<std::size_t>(GetParam())].name == "all in one") GTEST_SKIP() << "one leader";
    const std::string message = expect_equal_cells_rejected();
    for (const std::string& part : {std::string("cell 2 of rank 0"), "cell 5 of rank " + std::to_string(world_size() - 1),
                                    std::string("are at the same place")})
        EXPECT_NE(message.find(part), std::string::npos) << message;
}

TEST_P(RedistributeErrors, Block) { expect_block_cells_named(); }

INSTANTIATE_TEST_SUITE_P(Groups, RedistributeErrors, testing::Range(-1, 5));

}  // namespace
}  // namespace gravlet::test
