// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/flash_header.hpp"

#include "amr_adapter/files/flash_scalars.hpp"

#include <string>

namespace gravlet {
namespace {

constexpr int format_version = 9;  // of FLASH 4 and Flash-X: lists of names and values, one data set a variable

template <class T>
void add_list(const Hdf5File& file, const char* name, const FlashList<T>& list) {
    if (!file.has(name)) write_flash_list(file, name, list);
}

void write_sim_info(const Hdf5File& file) {
    if (file.has("sim info")) return;
    const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(int)), H5Tclose);
    H5Tinsert(type.get(), "file format version", 0, H5T_NATIVE_INT);
    file.create("sim info", {1}, type.get(), &format_version);
}

/// FLASH's word for a face of the domain.
std::string boundary_type(Boundary boundary, bool upper) {
    if (boundary == (upper ? Boundary::mirror_upper : Boundary::mirror_lower)) return "reflecting";
    return to_string(boundary == Boundary::periodic ? boundary : Boundary::isolated);
}

}  // namespace

void write_flash_header(const Hdf5File& file, const FlashDomain& domain) {
    constexpr std::array axes{"x", "y", "z"};
    FlashList<double> edges;
    FlashList<int> counts{{"lrefine_min", domain.lowest}, {"lrefine_max", domain.highest}};
    FlashList<std::string> words{{"geometry", "cartesian"}, {"unitsystem", "none"}};
    for (std::size_t d = 0; d < 3; ++d) {
        const std::string axis = axes[d];
        edges.emplace_back(axis + "min", domain.lower[d]);
        edges.emplace_back(axis + "max", domain.upper[d]);
        counts.emplace_back("nblock" + axis, domain.root_blocks[d]);
        for (const bool upper : {false, true})
            words.emplace_back(axis + (upper ? 'r' : 'l') + "_boundary_type", boundary_type(domain.boundary[d], upper));
    }
    write_sim_info(file);
    add_list<double>(file, "real scalars", {{"time", 0.0}});
    add_list<int>(file, "logical scalars", {{"corners", 0}, {"double_precision", 1}});
    add_list<std::string>(file, "string scalars", {{"geometry", "cartesian"}});
    add_list(file, "real runtime parameters", edges);
    add_list(file, "integer runtime parameters", counts);
    add_list<int>(file, "logical runtime parameters", {{"chkguardcellsoutput", 0}});
    add_list(file, "string runtime parameters", words);
}

}  // namespace gravlet
