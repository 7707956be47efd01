// SPDX-License-Identifier: Apache-2.0
// Message rounds: what has been polled for in vain still arrives, and what is sent after an error is nobody's from before it.
#include "mpi/agreement.hpp"
#include "mpi/message_rounds.hpp"
#include "tests/api/agreed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

namespace gravlet::test {
namespace {

struct Number {
    double value;
};

// More than MPI sends on its own, so that a receive ends no sooner than its send begins.
constexpr std::size_t many = std::size_t{1} << 20;

TEST(MessageRounds, PolledInVain) {
    const Communicator comm(MPI_COMM_WORLD);
    const RecordType type(sizeof(Number));
    MessageRounds rounds(comm);
    const int left = (comm.rank() + comm.size() - 1) % comm.size(), right = (comm.rank() + 1) % comm.size();
    std::vector<Number> coming(many, {-1.0}), going(many, {1.0 + comm.rank()});
    bool came = false;
    communicate(comm.get(), [&](const Agreed& all) {  // in one, so that ranks do not meet in between
        rounds.open(all);
        rounds.receive(left, coming.data(), many, type, Tag::nodes);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int turn = 0; turn < 100; ++turn) rounds.poll();
        if (comm.rank() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
        rounds.send(right, going.data(), many, type, Tag::nodes);
        rounds.posted();
        rounds.poll();
        rounds.finish(all);
        came = std::ranges::all_of(coming, [&](const Number& one) { return one.value == 1.0 + left; });
    });
    EXPECT_TRUE(came);
}

}  // namespace
}  // namespace gravlet::test
