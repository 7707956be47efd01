// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/provenance.hpp"

#include "hdf5/attributes.hpp"

namespace gravlet {
namespace {

constexpr const char* root = "/";

}  // namespace

std::uint64_t provenance_bytes(const Provenance& provenance) {
    std::uint64_t bytes = 0;
    for (const auto& [name, value] : provenance)
        if (const auto* text = std::get_if<std::string>(&value)) bytes += text->size();
    return bytes;
}

void write_provenance(const Hdf5File& file, const Provenance& provenance) {
    for (const auto& [name, value] : provenance) {
        if (has_attribute(file, root, name)) H5Adelete_by_name(file.id(), root, name.c_str(), H5P_DEFAULT);
        std::visit([&](const auto& one) { write_attribute(file, root, name, one); }, value);
    }
}

}  // namespace gravlet
