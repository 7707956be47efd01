// SPDX-License-Identifier: Apache-2.0
// What `gravlet problems` and `gravlet help` print. All of it is said where the keys are read (tools/config/section.hpp).
#pragma once

#include "tools/config/section.hpp"

#include <string>
#include <vector>

namespace gravlet {

/// A key of the file, with all that say the same of it.
struct KeyHelp {
    std::string name;  ///< name, with its section
    KeyInfo key;
    std::vector<std::string> where;  ///< places: commands, or kinds of problems
};
/// Local. All keys, section by section.
[[nodiscard]] std::vector<KeyHelp> all_keys();

/// Local. All kinds of problems, a line each.
[[nodiscard]] std::string problems_text();
/// Local. One kind and its keys. Throws Error(invalid_option) on an unknown one, with the nearest.
[[nodiscard]] std::string problem_text(const std::string& kind);

/// Local. A key, as "solver.theta", or all keys of a section, as "evolve"; "": all there are, a line each. Throws
/// Error(invalid_option) on an unknown one, with the nearest.
[[nodiscard]] std::string help_text(const std::string& key);

}  // namespace gravlet
