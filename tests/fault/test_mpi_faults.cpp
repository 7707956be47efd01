// SPDX-License-Identifier: Apache-2.0
// An MPI call fails on one rank: an error on all, no hang, nothing touched. Should it be the all-reduce by which ranks agree, the
// others may not hear of it: then it is an error of that rank alone, at the end of the call.
#include "tests/fault/mpi_faults.hpp"
#include "tests/fault/solver_cases.hpp"

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

class MpiFaults : public testing::TestWithParam<Case> {};

TEST_P(MpiFaults, AfterTheCall) { expect_safe(GetParam(), {mpi_failing_after(), {ErrorCode::communication}, "MPI_Allreduce"}); }

TEST_P(MpiFaults, InsteadOfTheCall) { expect_safe(GetParam(), {mpi_failing_instead(), {ErrorCode::communication}}); }

INSTANTIATE_TEST_SUITE_P(Solver, MpiFaults, testing::ValuesIn(few_solver_cases()), test_name);

}  // namespace
}  // namespace gravlet::test
