// SPDX-License-Identifier: Apache-2.0
// XDMF: a text beside an HDF5 file that says where its arrays are, for ParaView and VisIt (xdmf.org, version 2). It holds names
// and shapes, no values but the corners and cell sizes of blocks.
//   FLASH's layout    a spatial collection of one rectilinear grid a leaf; all variables, a value a cell
//   points, snapshots vertices; all data sets of one value or three a point
#pragma once

#include <span>
#include <string>

namespace gravlet {

/// Local. Writes `xdmf` for HDF5 files that are there: of one, its grid; of several, their grids as a series in time. Paths in it
/// are relative to its folder. Throws Error(file) that names the file and what is wrong with it, and an old `xdmf` then stays as
/// it is.
void write_xdmf(std::span<const std::string> hdf5, const std::string& xdmf);

}  // namespace gravlet
