// SPDX-License-Identifier: Apache-2.0
// From a YAML file and overrides of its keys to the Section that its sections are read from.
#pragma once

#include "tools/config/section.hpp"

#include <gravlet/error.hpp>

#include <mpi.h>

#include <string>
#include <vector>

namespace gravlet {

/// Collective. Rank 0 reads the file, so that all ranks see one text. Throws Error(file), the same on every rank.
[[nodiscard]] std::string load_text(MPI_Comm comm, const std::string& path);

/// Local. The text with the overrides ("solver.theta=0.3"; values are YAML) applied. Throws Error(invalid_option) that names what
/// is no YAML.
[[nodiscard]] YAML::Node parse_yaml(const std::string& text, const std::vector<std::string>& overrides, const std::string& name);

/// Local. Calls read(Section&) for the whole of it; `name` stands for the text in the messages of its Errors.
template <class Read>
void read_yaml(const std::string& text, const std::vector<std::string>& overrides, const std::string& name, const Read& read) {
    const YAML::Node root = parse_yaml(text, overrides, name);
    try {
        Section file(root, "");
        read(file);
    } catch (const Error& error) {
        throw Error(error.code(), name + ": " + error.what());
    }
}

}  // namespace gravlet
