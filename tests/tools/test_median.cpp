// SPDX-License-Identifier: Apache-2.0
#include "tools/median.hpp"

#include <gtest/gtest.h>

namespace gravlet {
namespace {

TEST(Median, OfOddEvenAndNone) {
    EXPECT_EQ(median({3.0, 1.0, 2.0}), 2.0);
    EXPECT_EQ(median({4.0, 1.0, 2.0, 3.0}), 2.5);
    EXPECT_EQ(median({}), 0.0);
}

TEST(Median, OfEachStageOverAllReports) {
    std::vector<Report> reports(3);
    for (std::size_t i = 0; i < 3; ++i) {
        const double seconds = i == 0 ? 9.0 : static_cast<double>(i);
        reports[i].stages = {{"sort", seconds, 0.5 * seconds}, {"walk", 10.0 * seconds, seconds}};
    }
    const std::vector<StageTime> stages = median_stages(reports);
    ASSERT_EQ(stages.size(), 2U);
    EXPECT_EQ(stages[0].name, "sort");
    EXPECT_EQ(stages[0].max, 2.0);
    EXPECT_EQ(stages[0].mean, 1.0);
    EXPECT_EQ(stages[1].max, 20.0);
}

TEST(Median, OfAStageThatNotAllHave) {
    std::vector<Report> reports(3);
    for (Report& report : reports) report.stages = {{"walk", 1.0, 1.0}, {"stage_out", 2.0, 2.0}};
    reports[1].stages.insert(reports[1].stages.begin() + 1, {"tolerance", 5.0, 5.0});
    const std::vector<StageTime> stages = median_stages(reports);
    ASSERT_EQ(stages.size(), 3U);
    EXPECT_EQ(stages[1].name, "tolerance");
    EXPECT_EQ(stages[1].max, 0.0);
    EXPECT_EQ(stages[2].max, 2.0);
}

}  // namespace
}  // namespace gravlet
