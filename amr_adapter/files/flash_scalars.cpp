// SPDX-License-Identifier: Apache-2.0
// FLASH keeps scalars as rows of an 80-character name, padded with blanks, and a value.
#include "amr_adapter/files/flash_scalars.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

namespace gravlet {
namespace {

constexpr std::size_t name_length = 80;

using Text = std::array<char, name_length>;

template <class T>
struct Row {
    Text name;
    T value;
};

Handle text_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), name_length);
    H5Tset_strpad(type.get(), H5T_STR_SPACEPAD);
    return type;
}

template <class T>
Handle row_type(hid_t value) {
    Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Row<T>)), H5Tclose);
    H5Tinsert(type.get(), "name", HOFFSET(Row<T>, name), text_type().get());
    H5Tinsert(type.get(), "value", HOFFSET(Row<T>, value), value);
    return type;
}

Text padded(const std::string& text) {
    Text all;
    all.fill(' ');
    std::copy_n(text.begin(), std::min(text.size(), name_length), all.begin());
    return all;
}

template <class T, class Value>
void write_rows(const Hdf5File& file, const std::string& data_set, const FlashList<Value>& list, hid_t type, const auto& stored) {
    // From zeros: no byte between name and value is left to chance.
    std::vector<Row<T>> rows(list.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].name = padded(list[i].first);
        rows[i].value = stored(list[i].second);
    }
    file.create(data_set, {rows.size()}, row_type<T>(type).get(), rows.data());
}

std::string_view trimmed(const Row<int>& row) {
    std::string_view name(row.name.data(), name_length);
    name = name.substr(0, name.find('\0'));
    const std::size_t end = name.find_last_not_of(' ');
    return name.substr(0, end == std::string_view::npos ? 0 : end + 1);
}

}  // namespace

void write_flash_list(const Hdf5File& file, const std::string& data_set, const FlashList<int>& list) {
    write_rows<int>(file, data_set, list, H5T_NATIVE_INT, std::identity{});
}

void write_flash_list(const Hdf5File& file, const std::string& data_set, const FlashList<double>& list) {
    write_rows<double>(file, data_set, list, H5T_NATIVE_DOUBLE, std::identity{});
}

void write_flash_list(const Hdf5File& file, const std::string& data_set, const FlashList<std::string>& list) {
    write_rows<Text>(file, data_set, list, text_type().get(), padded);
}

FlashScalars read_scalars(const Hdf5File& file) {
    const Shape shape = file.shape("integer scalars");
    if (shape.size() != 1) file.fail("not a FLASH checkpoint: \"integer scalars\" is not a list");
    std::vector<Row<int>> rows;
    file.make_room("integer scalars", shape, rows);
    const Handle set = file.open_set("integer scalars");
    const Handle type = row_type<int>(H5T_NATIVE_INT);
    if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()) < 0)
        file.fail("\"integer scalars\" cannot be read as names and values");
    const auto value = [&](std::string_view name) {
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const Row<int>& r) { return trimmed(r) == name; });
        if (row == rows.end()) file.fail("\"integer scalars\" has no \"" + std::string(name) + "\"");
        return row->value;
    };
    const FlashScalars scalars{{value("nxb"), value("nyb"), value("nzb")}, value("dimensionality")};
    for (const int n : scalars.n)
        if (n < 1) file.fail("\"integer scalars\" gives a block of " + std::to_string(n) + " cells a side");
    return scalars;
}

void write_scalars(const Hdf5File& file, const FlashScalars& scalars) {
    write_flash_list(file, "integer scalars",
                     FlashList<int>{{"nxb", scalars.n[0]},
                                    {"nyb", scalars.n[1]},
                                    {"nzb", scalars.n[2]},
                                    {"dimensionality", scalars.dimensionality},
                                    {"globalnumblocks", static_cast<int>(scalars.blocks)}});
}

}  // namespace gravlet
