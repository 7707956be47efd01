// SPDX-License-Identifier: Apache-2.0
// A solve of which the host says what has changed since the last one (Solver::only_changed()).
#pragma once

#include "tests/fault/trial.hpp"

#include <gravlet/options.hpp>

#include <memory>

namespace gravlet::test {

[[nodiscard]] std::unique_ptr<Trial> make_told(const Options& options);

}  // namespace gravlet::test
