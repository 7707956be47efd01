// SPDX-License-Identifier: Apache-2.0
// Names of the files of a snapshot in several: NAME.0.hdf5, NAME.1.hdf5 and so on, or NAME.0, NAME.1.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gravlet {

/// A path of such a name, without its number.
struct NumberedName {
    std::string before, after;

    [[nodiscard]] std::string with(int number) const { return before + std::to_string(number) + after; }
    /// Whether a path is one of these.
    [[nodiscard]] bool has(std::string_view path) const;
};

/// Local. Nothing: the path is not named so.
[[nodiscard]] std::optional<NumberedName> numbered(const std::string& path);

/// Local. Where `path` is named as one file of several of a snapshot: the files beside it that are named so too.
[[nodiscard]] std::vector<std::string> other_snapshot_files(const std::string& path);

}  // namespace gravlet
