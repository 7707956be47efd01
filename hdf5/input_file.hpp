// SPDX-License-Identifier: Apache-2.0
// A file that is read, of any format: a regular one, also behind links. Whoever opens a pipe may wait for ever, and a device or a
// folder holds no values.
#pragma once

#include "hdf5/descriptor.hpp"

#include <string>

namespace gravlet {

enum class Access { read, read_and_write };

/// Local. Throws Error(file) that names `shown` and says what there is in place of a file, or why it cannot be opened, or, if it
/// is to be read, that it is empty.
[[nodiscard]] Descriptor open_file(const std::string& path, Access access, const std::string& shown);

/// Local. Throws what opening it for reading throws.
void require_file(const std::string& path);

}  // namespace gravlet
