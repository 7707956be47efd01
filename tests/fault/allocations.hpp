// SPDX-License-Identifier: Apache-2.0
// Host memory that runs out: operator new in all its forms, and aligned_alloc as gravlet calls it (the link wraps it, so that MPI
// and HDF5, which use malloc, are not hit).
#pragma once

#include "tests/fault/countdown.hpp"

namespace gravlet::test {

Countdown& allocations();

}  // namespace gravlet::test
