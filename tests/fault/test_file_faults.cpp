// SPDX-License-Identifier: Apache-2.0
// A file that one rank writes does not take it: an error on all, with the system's reason, the old file, and a process that goes
// on and ends as ever, by its exit code. (HDF5, were it told, would try again at exit and crash.)
#include "tests/fault/cases/command_cases.hpp"
#include "tests/fault/file_faults.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

namespace gravlet::test {
namespace {

class FileFaults : public testing::TestWithParam<Case> {
    CommandFolder folder_;
};

TEST_P(FileFaults, AreErrorsEverywhere) {
    Fault fault{file_calls(), {ErrorCode::file}};
    fault.reason = std::strerror(ENOSPC);
    expect_safe(GetParam(), fault);
}

INSTANTIATE_TEST_SUITE_P(Command, FileFaults, testing::ValuesIn(command_cases()), test_name);

}  // namespace
}  // namespace gravlet::test
