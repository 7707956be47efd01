// SPDX-License-Identifier: Apache-2.0
// Host memory runs out at every place of every call, on one rank: an error on all, no hang, nothing touched.
#include "tests/fault/allocations.hpp"
#include "tests/fault/cases/solver_cases.hpp"

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

class AllocationFaults : public testing::TestWithParam<Case> {};

TEST_P(AllocationFaults, AreErrorsEverywhere) { expect_safe(GetParam(), {allocations(), {ErrorCode::out_of_memory}}); }

/// The rank has no memory any more, not even for what it says of that.
TEST_P(AllocationFaults, AreErrorsEverywhereForGood) {
    expect_safe(GetParam(), {allocations(), {ErrorCode::out_of_memory}, "", false, true});
}

INSTANTIATE_TEST_SUITE_P(Solver, AllocationFaults, testing::ValuesIn(solver_cases()), test_name);

}  // namespace
}  // namespace gravlet::test
