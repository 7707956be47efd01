// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gravlet/export.h>
#include <gravlet/version.h>
#include <gravlet/standard.hpp>

#include <string>
#include <vector>

namespace gravlet {

/// "major.minor.patch" of the library; GRAVLET_VERSION_MAJOR and so on are those of the headers.
[[nodiscard]] GRAVLET_API std::string version();
/// The backends that this build has and this machine can run: GPUs first, one a
/// device; "cpu (AVX3)", the last, names the instruction set that the walk will use.
[[nodiscard]] GRAVLET_API std::vector<std::string> backends();

}  // namespace gravlet
