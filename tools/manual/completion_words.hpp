// SPDX-License-Identifier: Apache-2.0
// The words that completion offers, from what the command knows.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace gravlet {

/// Kinds of problems.
[[nodiscard]] std::vector<std::string> kinds();
/// The keys that a command's file may have, with what they mean.
[[nodiscard]] std::map<std::string, std::string> keys_of(const std::string& command);
/// What `gravlet help` takes.
[[nodiscard]] std::set<std::string> help_words();

struct Values {
    std::set<std::string> words{};
    bool path = false;
};
/// The words of each key that has some, or that it takes a path.
[[nodiscard]] std::map<std::string, Values> values();

}  // namespace gravlet
