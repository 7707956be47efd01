// SPDX-License-Identifier: Apache-2.0
// How HDF5 reads and writes an open file: by a driver of ours in place of its own. What HDF5 cannot write it keeps and tries
// again whenever it closes anything, at exit too, where it then loops or crashes. This driver never tells HDF5 that writing
// failed: it writes no more, and keeps the system's reason for whoever opened the file.
#pragma once

#include <hdf5.h>

#include <memory>

namespace gravlet {

/// Why the system did not read or write a file (errno); 0: it did.
using FileTrouble = std::shared_ptr<int>;

/// Local. H5Fopen() of a file that is open already, and stays so: flags as there. The trouble is that of all that HDF5 does with
/// it.
[[nodiscard]] hid_t open_hdf5(const char* path, unsigned flags, int file, const FileTrouble& trouble);

}  // namespace gravlet
