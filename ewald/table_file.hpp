// SPDX-License-Identifier: Apache-2.0
// Ewald tables in files, kept between runs. Where gravlet was built without HDF5, both throw Error(not_available).
#pragma once

#include "ewald/table.hpp"

#include <string>

namespace gravlet {

/// Local. The table of these parameters in a file. Throws Error(file) if the file is of others, damaged, or cannot be read.
EwaldTable read_table(const std::string& path, const EwaldParameters& parameters);

/// Local. Throws Error(file) if it cannot be written, and leaves no half of it.
void write_table(const std::string& path, const EwaldParameters& parameters, const EwaldTable& table);

}  // namespace gravlet
