// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gravlet {

/// Local. The commit that the command was built of, as git describes it: with "-dirty" if files were changed since; "unknown"
/// where there is no repository.
[[nodiscard]] const char* commit();

}  // namespace gravlet
