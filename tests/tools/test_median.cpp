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

}  // namespace
}  // namespace gravlet
