// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gravlet {

/// Throws Error(invalid_option) "problem.<key> is <value>: <expected>" unless ok.
void require_range(bool ok, const char* key, double value, const char* expected);

}  // namespace gravlet
