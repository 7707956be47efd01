// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gravlet/options.hpp>

namespace gravlet {

/// Local. Checks each option by itself: throws Error(invalid_option) on the first that is out of its range.
void check_each(const Options& options);

}  // namespace gravlet
