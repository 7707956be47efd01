// SPDX-License-Identifier: Apache-2.0
// Calls through C.
#pragma once

#include "tests/fault/trial.hpp"

#include <memory>

namespace gravlet::test {

enum class CCall { create, cells, blocks, points };
[[nodiscard]] std::unique_ptr<Trial> make_in_c(CCall call);

}  // namespace gravlet::test
