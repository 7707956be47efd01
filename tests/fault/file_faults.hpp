// SPDX-License-Identifier: Apache-2.0
// Calls of the system's by which gravlet and, through its driver, HDF5 write files: they fail as on a full disk (ENOSPC), in
// place of the call, close() after it. Linked with -Wl,--wrap of each.
#pragma once

#include "tests/fault/countdown.hpp"

namespace gravlet::test {

Countdown& file_calls();

}  // namespace gravlet::test
