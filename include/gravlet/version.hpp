// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gravlet {

/// "major.minor.patch".
[[nodiscard]] std::string version();
/// The backends that this build has and this machine can run: GPUs first, one a
/// device; "cpu (AVX3)", the last, names the instruction set that the walk will use.
[[nodiscard]] std::vector<std::string> backends();

}  // namespace gravlet
