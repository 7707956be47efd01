// SPDX-License-Identifier: Apache-2.0
// Percentiles and the worst target over all ranks.
#include "physics/types.hpp"
#include "solver/errors/error_sample.hpp"
#include "solver/errors/error_statistics.hpp"
#include "tests/api/agreed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace gravlet::test {
namespace {

// That of this rank's lists; the same on every rank.
ErrorStatistics statistics_of(ErrorList&& list) {
    Stages stages(MPI_COMM_WORLD);
    ErrorStatistics out = statistics(stages, std::move(list));
    stages.agree();
    const Array3 position = out.worst;
    MPI_Bcast(out.worst.data(), 3, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    EXPECT_EQ(position, out.worst);
    return out;
}

// Errors 1e-6, 2e-6, ... n * 1e-6 in turn to all ranks, each rank's in falling order, at places (n, -n, 0.5).
ErrorStatistics statistics_to(int n) {
    ErrorList list;
    for (int i = n; i > 0; --i)
        if (i % world_size() == world_rank()) list.add(i * 1e-6, {1.0 * i, -1.0 * i, 0.5});
    return statistics_of(std::move(list));
}

TEST(ErrorStatistics, OverAllRanks) {
    const ErrorStatistics s = statistics_to(20000);
    EXPECT_EQ(s.samples, 20000);
    EXPECT_EQ(s.max, 20000 * 1e-6);
    EXPECT_EQ(s.p9999, 19998 * 1e-6);
    EXPECT_EQ(s.p999, 19980 * 1e-6);
    EXPECT_EQ(s.p99, 19800 * 1e-6);
    EXPECT_EQ(s.median, 10000 * 1e-6);
    EXPECT_NEAR(s.rms, 1e-6 * std::sqrt(20001.0 * 40001.0 / 6.0), 1e-17);
    EXPECT_EQ(s.worst, (Array3{20000.0, -20000.0, 0.5}));
}

// Norms of the difference and of the reference, or of all references together: a tensor's with its elements off the diagonal
// twice.
TEST(ErrorStatistics, OfAField) {
    using gravlet::Result;
    const Result reference{{-2.0, 3.0, 0.0, 4.0, 1.0, 2.0, 1.0, -3.0, 1.0, 2.0}};  // 2, 5, sqrt(26)
    for (std::size_t k = 0; k < result_count; ++k) {
        Result other = reference;
        other.component[k] += 0.1;
        const int field = k == 0 ? 0 : k < 4 ? 1 : 2;
        const bool twice = k == 5 || k == 6 || k == 8;
        const double norm = field == 0 ? 2.0 : field == 1 ? 5.0 : std::sqrt(26.0), by = twice ? std::sqrt(2.0) * 0.1 : 0.1;
        for (int d = 0; d < 3; ++d) {
            EXPECT_NEAR(field_error(d, other, reference, {}), d == field ? by / norm : 0.0, 2e-16);
            EXPECT_NEAR(field_error(d, other, reference, {{7.0, 8.0, 9.0}}), d == field ? by / (7.0 + d) : 0.0, 1.3e-16);
        }
    }
    Options options;
    Stages stages(MPI_COMM_WORLD);
    const std::vector<Result> mine(world_rank() == 0 ? 1 : 3, reference);
    for (const bool periodic : {false, true}) {
        if (periodic) options.boundary[1] = Boundary::periodic;
        ErrorScale scale;
        stages.collective([&](const Agreed& all) { scale = error_scale(all, options, mine); });
        EXPECT_DOUBLE_EQ(scale.of[0], periodic ? 2.0 : 0.0);
        EXPECT_DOUBLE_EQ(scale.of[1], periodic ? 5.0 : 0.0);
        EXPECT_NEAR(scale.of[2], periodic ? std::sqrt(26.0) : 0.0, 2.6e-15);
    }
    stages.agree();
}

TEST(ErrorStatistics, MeanOverAllRanks) {
    ErrorList list;
    list.add(1.0 + world_rank(), {});
    list.add_hunted(100.0, {});
    Stages stages(MPI_COMM_WORLD);
    EXPECT_DOUBLE_EQ(mean(stages, list), 0.5 * (1.0 + world_size()));
    EXPECT_EQ(mean(stages, {}), 0.0);
    stages.agree();
}

// Of 1, 2, ... n so many are larger than what a share exceeds as the share says, rounded down; of all, all but the least.
TEST(ErrorStatistics, ExceededByAShare) {
    const std::vector<double> shares{0.0, 0.001, 0.01, 0.5, 0.999, 1.0};
    for (const int n : {0, 1, 7, 1000, 2003}) {
        ErrorList list;
        for (int i = n; i > 0; --i)
            if (i * 7 % 5 % world_size() == world_rank()) list.add(i, {});
        list.add_hunted(1e6, {});
        Stages stages(MPI_COMM_WORLD);
        const std::vector<double> errors = exceeded_by(stages, list, shares);
        stages.agree();
        ASSERT_EQ(errors.size(), shares.size());
        for (std::size_t k = 0; k < shares.size() && n > 0; ++k)
            EXPECT_EQ(n - errors[k], std::min(std::floor(shares[k] * n), n - 1.0)) << n << ' ' << shares[k];
        for (std::size_t k = 0; k < shares.size() && n == 0; ++k) EXPECT_EQ(errors[k], 0.0);
    }
}

TEST(ErrorStatistics, PercentilesOfTooFewAreTheMaximum) {
    for (const auto& [n, p99, p999, p9999] : {std::array{99, 99, 99, 99},
                                              {100, 99, 100, 100},
                                              {999, 990, 999, 999},
                                              {1000, 990, 999, 1000},
                                              {9999, 9900, 9990, 9999},
                                              {10000, 9900, 9990, 9999}}) {
        const ErrorStatistics s = statistics_to(n);
        EXPECT_EQ(s.p99, p99 * 1e-6) << n;
        EXPECT_EQ(s.p999, p999 * 1e-6) << n;
        EXPECT_EQ(s.p9999, p9999 * 1e-6) << n;
    }
}

TEST(ErrorStatistics, OneRankHasAll) {
    ErrorList list;
    if (world_rank() == world_size() - 1)
        for (const double error : {3.0, 0.0, 1.0}) list.add(error, {error, 7.0, -8.0});
    const ErrorStatistics s = statistics_of(std::move(list));
    EXPECT_EQ(s.samples, 3);
    EXPECT_EQ(s.median, 1.0);
    EXPECT_EQ(s.p99, 3.0);
    EXPECT_EQ(s.worst, (Array3{3.0, 7.0, -8.0}));
}

TEST(ErrorStatistics, OfSeveralWorstTheFirst) {
    ErrorList list;
    for (const double second : {0.0, 1.0, 2.0})
        if (world_rank() + second > 0.0) list.add(second > 0.0 ? 5.0 : 4.0, {1.0 * world_rank(), second, 0.0});
    const ErrorStatistics s = statistics_of(std::move(list));
    EXPECT_EQ(s.max, 5.0);
    EXPECT_EQ(s.worst, (Array3{0.0, 1.0, 0.0}));
}

TEST(ErrorStatistics, NothingZerosAndNaN) {
    const ErrorStatistics nothing = statistics_of({});
    EXPECT_EQ(nothing.samples, 0);
    EXPECT_EQ(nothing.max, 0.0);
    EXPECT_EQ(nothing.p99, 0.0);
    EXPECT_EQ(nothing.rms, 0.0);
    EXPECT_EQ(nothing.worst, Array3{});

    ErrorList zeros;
    zeros.add(0.0, {2.0, 3.0, 4.0});
    const ErrorStatistics zero = statistics_of(std::move(zeros));
    EXPECT_EQ(zero.max, 0.0);
    EXPECT_EQ(zero.worst, (Array3{2.0, 3.0, 4.0}));

    ErrorList list;
    list.add(1.0, {});
    if (world_rank() == world_size() - 1) list.add(nan, {9.0, 9.0, 9.0});
    const ErrorStatistics s = statistics_of(std::move(list));
    EXPECT_EQ(s.max, infinity);
    EXPECT_EQ(s.p99, infinity);
    EXPECT_EQ(s.rms, infinity);
    EXPECT_EQ(s.worst, (Array3{9.0, 9.0, 9.0}));
}

TEST(ErrorStatistics, HuntedTargetsAreInTheMaximumAlone) {
    for (const double hunted : {0.5, 2.0, nan}) {
        ErrorList list;
        list.add(1.0, {1.0, 0.0, 0.0});
        if (world_rank() == world_size() - 1) list.add_hunted(hunted, {2.0, 0.0, 0.0});
        const ErrorStatistics s = statistics_of(std::move(list));
        EXPECT_EQ(s.samples, world_size());
        EXPECT_EQ(s.p9999, 1.0);
        EXPECT_EQ(s.median, 1.0);
        EXPECT_EQ(s.rms, 1.0);
        EXPECT_EQ(s.max, std::isnan(hunted) ? infinity : std::max(1.0, hunted));
        EXPECT_EQ(s.worst[0], hunted < 1.0 ? 1.0 : 2.0);
    }
}

TEST(OrderStatistic, OfAnyNumbers) {
    using Limits = std::numeric_limits<double>;
    std::vector<double> all{0.0, 0.0, Limits::denorm_min(), Limits::min(), 1e-300,  1e-6, 1e-6, 1.0, 1.0 + Limits::epsilon(), 3.0,
                            3.0, 3.0, Limits::max(),        infinity,      infinity};
    std::vector<double> mine;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (static_cast<int>(i % 3) % world_size() == world_rank()) mine.push_back(all[i]);
    Stages stages(MPI_COMM_WORLD);
    for (std::size_t i = 0; i < all.size(); ++i)
        stages.collective(
            [&](const Agreed& ranks) { EXPECT_EQ(order_statistic(ranks, mine, static_cast<long>(i) + 1), all[i]) << i; });
    stages.agree();
}

}  // namespace
}  // namespace gravlet::test
