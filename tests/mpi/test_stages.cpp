// SPDX-License-Identifier: Apache-2.0
// Stages: what fails on some ranks is one error on all, and nobody communicates after it.
#include "mpi/agreement.hpp"
#include "mpi/stages.hpp"
#include "tests/api/agreed.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace gravlet::test {
namespace {

std::string named(int rank, const std::string& message) {
    return (world_size() > 1 ? "rank " + std::to_string(rank) + ": " : "") + message;
}

TEST(Stages, WithoutAFailureAllRun) {
    Stages stages(MPI_COMM_WORLD);
    int locals = 0, sum = 0;
    for (int turn = 0; turn < 3; ++turn) {
        stages.local([&] { ++locals; });
        stages.collective([&](const Agreed& all) { sum += all.all_reduce(1, MPI_SUM); });
    }
    stages.agree();
    stages.finish();
    EXPECT_EQ(locals, 3);
    EXPECT_EQ(sum, 3 * world_size());
}

TEST(Stages, TheLowestRankThatFailedSpeaks) {
    for (int lowest = 0; lowest < world_size(); ++lowest) {
        Stages stages(MPI_COMM_WORLD);
        bool later = false, communicated = false;
        const Caught caught = agreed([&] {
            stages.local([&] {
                if (world_rank() >= lowest) throw Error(ErrorCode::file, "no file on " + std::to_string(world_rank()));
            });
            EXPECT_EQ(stages.failed(), world_rank() >= lowest);
            stages.local([&] { later = true; });
            stages.collective([&](const Agreed&) { communicated = true; });
        });
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::file));
        EXPECT_EQ(caught.message, named(lowest, "no file on " + std::to_string(lowest)));
        EXPECT_EQ(later, world_rank() < lowest);
        EXPECT_FALSE(communicated);
        EXPECT_FALSE(stages.failed());  // they can go on
        stages.agree();
    }
}

TEST(Stages, AnErrorKnowsItsRank) {
    const int last = world_size() - 1;
    const auto fail = [&](Stages& stages, const char* text) {
        stages.local([&] {
            if (world_rank() == last) throw Error(ErrorCode::file, text);
        });
        stages.agree();
    };
    Stages stages(MPI_COMM_WORLD);
    for (const char* text : {"no file", "rank 7: no file", ""}) {
        try {
            fail(stages, text);
            ADD_FAILURE();
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.rank(), world_size() > 1 ? last : no_rank);
            EXPECT_STREQ(error.text(), text);
            EXPECT_EQ(error.what(), named(last, text));
        }
    }
}

TEST(Stages, ItsOwnerIsNamed) {
    const int last = world_size() - 1;
    for (const int owner : {no_rank, 0, 7}) {
        try {
            agree(MPI_COMM_WORLD, [&] {
                if (world_rank() == last) throw OwnedError(ErrorCode::invalid_input, "cell 5 is bad", owner);
            });
            ADD_FAILURE();
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.rank(), world_size() > 1 ? last : no_rank);
            EXPECT_EQ(error.owner(), owner);
            EXPECT_EQ(error.what(),
                      owner == no_rank ? named(last, "cell 5 is bad") : "rank " + std::to_string(owner) + ": cell 5 is bad");
        }
    }
}

TEST(Stages, RowsInRowsNameBothRanks) {
    const int last = world_size() - 1;
    Stages stages(MPI_COMM_WORLD);
    stages.collective([&](const Agreed& all) {
        agree(all.get(), [&] {
            if (world_rank() == last) throw Error(ErrorCode::file, "no file");
        });
    });
    const Caught caught = agreed([&] { stages.agree(); });
    EXPECT_EQ(caught.message, named(0, named(last, "no file")));
}

TEST(Stages, WhatMpiReportsOnOneRankOfCommunicateIsThrownOnAll) {
    const int last = world_size() - 1;
    long before = -1;
    const Caught caught = agreed([&] {
        communicate(MPI_COMM_WORLD, [&](const Agreed& all) {
            all.check(all.rank() == last ? MPI_ERR_COUNT : MPI_SUCCESS, "MPI_Imagined");
            before = all.sum_before(all.rank() + 1);
        });
    });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::communication));
    EXPECT_EQ(caught.message.rfind(named(last, "MPI_Imagined: "), 0), 0U) << caught.message;
    EXPECT_EQ(before, world_rank() * (world_rank() + 1) / 2);
}

TEST(Stages, WhatACollectiveOneCatchesIsKeptForTheNext) {
    Stages stages(MPI_COMM_WORLD);
    const int last = world_size() - 1;
    int sum = 0;
    stages.collective([&](const Agreed& all) {
        if (all.rank() == last) all.check(MPI_ERR_COUNT, "MPI_Imagined");
        sum = all.all_reduce(1, MPI_SUM);  // the others are in it
    });
    EXPECT_EQ(sum, world_size());
    const Caught caught = agreed([&] { stages.agree(); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::communication));
    EXPECT_TRUE(caught.message.starts_with(named(last, "MPI_Imagined: "))) << caught.message;
}

// A stage in several parts is one to who listens.
TEST(Narrator, TellsAStageOnce) {
    struct Heard : Listener {
        std::string all;
        void begin_stage(const char* name) override { all += std::string("<") + name; }
        void end_stage(const char* name) override { all += std::string(">") + name; }
    } heard;
    {
        Narrator narrator(&heard);
        narrator.begin_stage("sort");
        narrator.begin_stage(std::string("sort").c_str());
        narrator.begin_stage("build");
        narrator.end_stage();
        narrator.end_stage();
        narrator.begin_stage("build");
    }
    EXPECT_EQ(heard.all, "<sort>sort<build>build<build>build");
}

TEST(Stages, EveryExceptionHasACode) {
    const auto code_of = [](const auto& thrown) { return agreed([&] { agree(MPI_COMM_WORLD, [&] { throw thrown; }); }).code; };
    EXPECT_EQ(code_of(std::bad_alloc()), static_cast<int>(ErrorCode::out_of_memory));
    EXPECT_EQ(code_of(std::length_error("vector")), static_cast<int>(ErrorCode::out_of_memory));
    EXPECT_EQ(code_of(std::runtime_error("?")), static_cast<int>(ErrorCode::internal));
    EXPECT_EQ(code_of(7), static_cast<int>(ErrorCode::internal));
}

TEST(Stages, ErrorsHoldTheirText) {
    std::string text = "cell 5: mass is NaN";
    const Error error(ErrorCode::invalid_input, text);
    const Error copy = error;
    text.assign(text.size(), '?');
    try {
        throw copy;
    } catch (const std::runtime_error& caught) {
        EXPECT_STREQ(caught.what(), "cell 5: mass is NaN");
        EXPECT_NE(caught.what(), error.what());
    }
    EXPECT_EQ(Error(ErrorCode::internal, std::string(Error::room + 9, 'x')).what(), std::string(Error::room, 'x'));
}

TEST(Stages, LongMessagesAreCut) {
    const std::string text(5000, 'x');
    const Caught caught = agreed([&] { agree(MPI_COMM_WORLD, [&] { throw Error(ErrorCode::invalid_input, text); }); });
    EXPECT_GT(caught.message.size(), 2000u);
    EXPECT_EQ(caught.message, named(0, text).substr(0, caught.message.size()));
}

}  // namespace
}  // namespace gravlet::test
