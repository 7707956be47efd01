// SPDX-License-Identifier: Apache-2.0
// Host memory runs out while the command reads, runs and writes, on one rank: an error on all, and no hang.
#include "tests/fault/allocations.hpp"
#include "tests/fault/cases/command_cases.hpp"

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

class CommandFaults : public testing::TestWithParam<Case> {
    CommandFolder folder_;
};

// A stream whose buffer finds no memory is a file that cannot be read or written.
TEST_P(CommandFaults, AreErrorsEverywhere) {
    expect_safe(GetParam(), {allocations(), {ErrorCode::out_of_memory, ErrorCode::file}});
}

INSTANTIATE_TEST_SUITE_P(Command, CommandFaults, testing::ValuesIn(command_cases()), test_name);

}  // namespace
}  // namespace gravlet::test
