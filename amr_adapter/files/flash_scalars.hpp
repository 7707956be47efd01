// SPDX-License-Identifier: Apache-2.0
// What the FLASH reader and writers share: lists of names and values, `integer scalars` among them, and runs of consecutive rows.
#pragma once

#include "hdf5/hdf5_file.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

struct FlashScalars {
    std::array<int, 3> n{};  ///< nxb, nyb, nzb
    int dimensionality = 0;
    std::int64_t blocks = 0;  ///< written only
};

/// Names and values: int, double or std::string. Names and strings have up to 80 characters.
template <class T>
using FlashList = std::vector<std::pair<std::string, T>>;

void write_flash_list(const Hdf5File& file, const std::string& data_set, const FlashList<int>& list);
void write_flash_list(const Hdf5File& file, const std::string& data_set, const FlashList<double>& list);
void write_flash_list(const Hdf5File& file, const std::string& data_set, const FlashList<std::string>& list);

[[nodiscard]] FlashScalars read_scalars(const Hdf5File& file);
void write_scalars(const Hdf5File& file, const FlashScalars& scalars);

/// Calls f(first, count) for each run of consecutive rows: indices into `rows`, so that each run is one read or write.
template <class F>
void for_each_run(const std::vector<std::int64_t>& rows, F&& f) {
    for (std::size_t first = 0; first < rows.size();) {
        std::size_t end = first + 1;
        while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
        f(first, end - first);
        first = end;
    }
}

}  // namespace gravlet
