// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gravlet/options.hpp>

namespace gravlet {

/// The same with half of theta (0.1 at least) and the highest order.
[[nodiscard]] Options tighter(const Options& options);

/// Whether tighter() is.
[[nodiscard]] bool can_be_tighter(const Options& options);

}  // namespace gravlet
