// SPDX-License-Identifier: Apache-2.0
// What HDF5 1.10 takes from a damaged file as it stands, and crashes on when values are read.
#pragma once

#include <hdf5.h>

namespace gravlet {

/// Local. What is wrong about how a data set keeps its values; nullptr: nothing that is known here.
[[nodiscard]] const char* damage_of_set(hid_t set);
/// Local. What is wrong about how an attribute keeps its values; nullptr: nothing that is known here.
[[nodiscard]] const char* damage_of_attribute(hid_t attribute);

}  // namespace gravlet
