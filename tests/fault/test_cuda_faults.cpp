// SPDX-License-Identifier: Apache-2.0
// Memory of the device runs out, or the device fails, on one rank: an error on all ranks, no hang, nothing touched.
#include "tests/fault/cases/solver_cases.hpp"
#include "tests/fault/cuda_faults.hpp"

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

class CudaFaults : public testing::TestWithParam<Case> {};

TEST_P(CudaFaults, NoMemory) { expect_safe(GetParam(), {device_allocations(), {ErrorCode::out_of_memory}}); }

TEST_P(CudaFaults, NoDevice) {
    expect_safe(GetParam(), {device_calls(), {ErrorCode::internal, ErrorCode::not_available}, "", true});
}

INSTANTIATE_TEST_SUITE_P(Solver, CudaFaults, testing::ValuesIn(solver_cases()), test_name);

}  // namespace
}  // namespace gravlet::test
