// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace gravlet {

// What a shell completes: commands, their options, keys of --set and their words, kinds of problems, as the command knows them.
// It starts no process to find them.

/// Local. A script for bash, without the package bash-completion.
[[nodiscard]] std::string bash_completion();
/// Local. A script for fish.
[[nodiscard]] std::string fish_completion();
/// Local. A function for zsh, `_gravlet` of its `fpath`.
[[nodiscard]] std::string zsh_completion();

}  // namespace gravlet
