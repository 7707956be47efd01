// SPDX-License-Identifier: Apache-2.0
// FLASH keeps scalars as rows of an 80-character name, padded with blanks, and a value.
#include "amr_adapter/files/flash_scalars.hpp"

#include <algorithm>
#include <string_view>

namespace gravlet {
namespace {

constexpr std::size_t name_length = 80;

struct Row {
    char name[name_length];
    int value;
};

Handle row_type() {
    Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Row)), H5Tclose);
    const Handle name(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(name.get(), name_length);
    H5Tset_strpad(name.get(), H5T_STR_SPACEPAD);
    H5Tinsert(type.get(), "name", HOFFSET(Row, name), name.get());
    H5Tinsert(type.get(), "value", HOFFSET(Row, value), H5T_NATIVE_INT);
    return type;
}

std::string_view trimmed(const Row& row) {
    std::string_view name(row.name, name_length);
    name = name.substr(0, name.find('\0'));
    const std::size_t end = name.find_last_not_of(' ');
    return name.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

}  // namespace

FlashScalars read_scalars(const Hdf5File& file) {
    const Shape shape = file.shape("integer scalars");
    if (shape.size() != 1) file.fail("not a FLASH checkpoint: \"integer scalars\" is not a list");
    std::vector<Row> rows;
    file.make_room("integer scalars", shape, rows);
    const Handle set(H5Dopen2(file.id(), "integer scalars", H5P_DEFAULT), H5Dclose);
    const Handle type = row_type();
    if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) < 0)
        file.fail("\"integer scalars\" cannot be read as names and values");
    const auto value = [&](std::string_view name) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return trimmed(r) == name; });
        if (row == rows.end()) file.fail("\"integer scalars\" has no \"" + std::string(name) + "\"");
        return row->value;
    };
    const FlashScalars scalars{{value("nxb"), value("nyb"), value("nzb")}, value("dimensionality")};
    for (const int n : scalars.n)
        if (n < 1) file.fail("\"integer scalars\" gives a block of " + std::to_string(n) + " cells a side");
    return scalars;
}

void write_scalars(const Hdf5File& file, const FlashScalars& scalars) {
    std::vector<Row> rows;
    const auto add = [&](std::string_view name, int value) {
        Row& row = rows.emplace_back();
        std::fill_n(row.name, name_length, ' ');
        std::copy(name.begin(), name.end(), row.name);
        row.value = value;
    };
    add("nxb", scalars.n[0]);
    add("nyb", scalars.n[1]);
    add("nzb", scalars.n[2]);
    add("dimensionality", scalars.dimensionality);
    add("globalnumblocks", static_cast<int>(scalars.blocks));
    file.create("integer scalars", {rows.size()}, row_type().get(), rows.data());
}

}  // namespace gravlet
