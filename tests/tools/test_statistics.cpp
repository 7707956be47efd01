// SPDX-License-Identifier: Apache-2.0
#include "tools/statistics.hpp"

#include <gtest/gtest.h>

#include <mpi.h>

#include <cmath>
#include <limits>

namespace gravlet {
namespace {

struct World {
    int rank = 0;
    int size = 1;
    World() {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
};

TEST(Statistics, QuantilesOverAllRanks) {
    const World world;
    std::vector<double> mine;
    for (int i = 1; i <= 1000; ++i)
        if (i % world.size == world.rank) mine.push_back(i * 1e-6);
    const ErrorStatistics statistics = summarize(MPI_COMM_WORLD, mine);
    EXPECT_EQ(statistics.samples, 1000);
    EXPECT_EQ(statistics.max, 1000 * 1e-6);
    EXPECT_EQ(statistics.p99, 990 * 1e-6);
    EXPECT_EQ(statistics.median, 500 * 1e-6);
    EXPECT_NEAR(statistics.rms, 1e-6 * std::sqrt(1001.0 * 2001.0 / 6.0), 1e-15);
}

TEST(Statistics, OneRankHasAll) {
    const World world;
    const ErrorStatistics statistics =
        summarize(MPI_COMM_WORLD, world.rank == 0 ? std::vector{3.0, 0.0, 1.0} : std::vector<double>{});
    EXPECT_EQ(statistics.samples, 3);
    EXPECT_EQ(statistics.median, 1.0);
    EXPECT_EQ(statistics.p99, 3.0);
}

TEST(Statistics, NothingAndNaN) {
    EXPECT_EQ(summarize(MPI_COMM_WORLD, {}).samples, 0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(std::isinf(summarize(MPI_COMM_WORLD, {nan, 1.0}).max));
}

TEST(Statistics, RmsRelativeErrorAndMedian) {
    const World world;
    EXPECT_NEAR(root_mean_square(MPI_COMM_WORLD, world.rank == 0 ? std::vector{3.0, -4.0} : std::vector<double>{}),
                std::sqrt(12.5), 1e-15);
    EXPECT_EQ(root_mean_square(MPI_COMM_WORLD, {}), 0.0);
    EXPECT_EQ(relative_error(0.0, 0.0), 0.0);
    EXPECT_EQ(relative_error(-1.5, -1.0), 0.5);
    EXPECT_TRUE(std::isinf(relative_error(1.0, 0.0)));
    EXPECT_EQ(median({3.0, 1.0, 2.0}), 2.0);
    EXPECT_EQ(median({4.0, 1.0, 2.0, 3.0}), 2.5);
    EXPECT_EQ(median({}), 0.0);
}

}  // namespace
}  // namespace gravlet
