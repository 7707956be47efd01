// SPDX-License-Identifier: Apache-2.0
// Groups of an HDF5 file and the numbers that are kept as their attributes, as formats with a header do. All of it is local;
// every failure throws Error(file) that names the file, the group and the attribute.
#pragma once

#include "hdf5/hdf5_file.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gravlet {

/// Makes a group. start_hdf5() has room for it as for a data set.
void create_group(const Hdf5File& file, const std::string& group);

// Each makes an attribute, a list of this length. start_hdf5() has room for it as for a data set.
void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name, std::span<const double> values);
void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name,
                     std::span<const std::uint32_t> values);
void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name,
                     std::span<const std::uint64_t> values);
// Each makes an attribute of one value.
void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name, double value);
void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name, int value);
/// Makes an attribute of a text in UTF-8, of which HDF5 keeps 64 kB at most: the rest is cut off. start_hdf5() has room for it as
/// for a data set of its bytes.
void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name, std::string_view text);

/// Names of a group's attributes, sorted.
[[nodiscard]] std::vector<std::string> attribute_names(const Hdf5File& file, const std::string& group);
[[nodiscard]] bool has_attribute(const Hdf5File& file, const std::string& group, const std::string& name);
/// An attribute of numbers of any type: one value, or a list.
[[nodiscard]] std::vector<double> read_attribute(const Hdf5File& file, const std::string& group, const std::string& name);
/// An attribute of one text, as write_attribute() makes them; "": there is none.
[[nodiscard]] std::string read_text_attribute(const Hdf5File& file, const std::string& group, const std::string& name);

}  // namespace gravlet
