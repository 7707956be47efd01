// SPDX-License-Identifier: Apache-2.0
// What an HDF5 file says of how it was made: attributes of its root, where neither FLASH nor GADGET has any, and their readers
// look for none.
#pragma once

#include "hdf5/hdf5_file.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gravlet {

/// Names and what they say, in order. Alike on all ranks; it is rank 0's that is written.
using Provenance = std::vector<std::pair<std::string, std::variant<std::string, double>>>;

/// Where a file says what its run began from , a line name=value each.
inline constexpr const char* input_attribute = "gravlet_input";

/// Bytes that start_hdf5() is to have for it, besides an object for each.
[[nodiscard]] std::uint64_t provenance_bytes(const Provenance& provenance);

/// Local. Writes it, replacing what the file has of these names. Throws Error(file).
void write_provenance(const Hdf5File& file, const Provenance& provenance);

}  // namespace gravlet
