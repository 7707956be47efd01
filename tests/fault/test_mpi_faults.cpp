// SPDX-License-Identifier: Apache-2.0
// An MPI call fails on one rank: an error on all, no hang, nothing touched. Should it be the all-reduce by which ranks agree, the
// others may not hear of it: then it is an error of that rank alone, at the end of the call.
#include "tests/fault/cases/command_cases.hpp"
#include "tests/fault/cases/solver_cases.hpp"
#include "tests/fault/mpi_faults.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gravlet::test {
namespace {

class MpiFaults : public testing::TestWithParam<Case> {};

TEST_P(MpiFaults, AfterTheCall) { expect_safe(GetParam(), {mpi_failing_after(), {ErrorCode::communication}, "MPI_Allreduce"}); }

TEST_P(MpiFaults, InsteadOfTheCall) { expect_safe(GetParam(), {mpi_failing_instead(), {ErrorCode::communication}}); }

INSTANTIATE_TEST_SUITE_P(Solver, MpiFaults, testing::ValuesIn(few_solver_cases()), test_name);

class CommandMpiFaults : public testing::TestWithParam<Case> {
    CommandFolder folder_;
};

TEST_P(CommandMpiFaults, AfterTheCall) {
    expect_safe(GetParam(), {mpi_failing_after(), {ErrorCode::communication}, "MPI_Allreduce"});
}

/// Without those on a p4est mesh: p4est ends the program where MPI reports an error.
std::vector<Case> cases_without_p4est() {
    std::vector<Case> cases = command_cases();
    std::erase_if(cases, [](const Case& one) { return one.name == "run cube"; });
    return cases;
}

INSTANTIATE_TEST_SUITE_P(Command, CommandMpiFaults, testing::ValuesIn(cases_without_p4est()), test_name);

}  // namespace
}  // namespace gravlet::test
