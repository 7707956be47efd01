// SPDX-License-Identifier: Apache-2.0
// Numbered files: NAME_0000.hdf5, NAME_0001.hdf5, ...
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

[[nodiscard]] std::string series_path(const std::string& name, std::int64_t number);

/// The file beside a series that a run which is stopped leaves to go on from: of no number, as it is of no time that a number is
/// of.
[[nodiscard]] std::string stopped_path(const std::string& name);

/// Local. Whether a file of this name, wherever it is, is one of the series.
[[nodiscard]] bool is_of_series(const std::string& name, const std::string& file_name);

/// Local. Number and path of all that are there, those of former runs too.
[[nodiscard]] std::vector<std::pair<std::int64_t, std::string>> series_files(const std::string& name);

}  // namespace gravlet
