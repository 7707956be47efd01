// SPDX-License-Identifier: Apache-2.0
// The picture of a run's HDF5 file, drawn by tools/plot.py with matplotlib.
#pragma once

#include <string>

namespace gravlet {

/// Local. relative_to_rms: how errors are measured (tools/compare/compare.hpp), for the label. Throws Error(not_available) if
/// Python, matplotlib or h5py is missing, Error(file) if the script cannot draw the file.
void draw_picture(const std::string& hdf5, const std::string& picture, bool relative_to_rms);

}  // namespace gravlet
