// SPDX-License-Identifier: Apache-2.0
#include "hdf5/attributes.hpp"

#include "hdf5/name_list.hpp"
#include "hdf5/soundness.hpp"

#include <algorithm>

namespace gravlet {
namespace {

constexpr std::size_t longest_text = 60000;

[[noreturn]] void refuse(const Hdf5File& file, const std::string& group, const std::string& name, const std::string& what) {
    file.fail("attribute \"" + name + "\" of group \"" + group + "\" " + what);
}

void write(const Hdf5File& file, const std::string& group, const std::string& name, const Handle& space, hid_t type,
           const void* values) {
    Handle attribute(
        H5Acreate_by_name(file.id(), group.c_str(), name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose);
    if (!attribute.valid() || H5Awrite(attribute.get(), type, values) < 0 || !attribute.close_now())
        refuse(file, group, name, "cannot be written");
}

Handle list_of(std::size_t length) {
    const hsize_t extent = length;
    return {H5Screate_simple(1, &extent, nullptr), H5Sclose};
}

Handle one_value() { return {H5Screate(H5S_SCALAR), H5Sclose}; }

}  // namespace

void create_group(const Hdf5File& file, const std::string& group) {
    Handle handle(H5Gcreate2(file.id(), group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
    if (!handle.valid() || !handle.close_now()) file.fail("group \"" + group + "\" cannot be created");
}

void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name, std::span<const double> values) {
    write(file, group, name, list_of(values.size()), H5T_NATIVE_DOUBLE, values.data());
}

void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name,
                     std::span<const std::uint32_t> values) {
    write(file, group, name, list_of(values.size()), H5T_NATIVE_UINT32, values.data());
}

void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name,
                     std::span<const std::uint64_t> values) {
    write(file, group, name, list_of(values.size()), H5T_NATIVE_UINT64, values.data());
}

void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name, double value) {
    write(file, group, name, one_value(), H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name, int value) {
    write(file, group, name, one_value(), H5T_NATIVE_INT, &value);
}

void write_attribute(const Hdf5File& file, const std::string& group, const std::string& name, std::string_view text) {
    std::string padded(text.substr(0, longest_text));
    padded.resize(std::max<std::size_t>(padded.size(), 1));  // a type has no size of 0
    const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), padded.size());
    H5Tset_strpad(type.get(), H5T_STR_NULLPAD);
    H5Tset_cset(type.get(), H5T_CSET_UTF8);
    write(file, group, name, one_value(), type.get(), padded.data());
}

std::vector<std::string> attribute_names(const Hdf5File& file, const std::string& group) {
    NameList found;
    const auto add = [](hid_t, const char* name, const H5A_info_t*, void* list) -> herr_t {
        return static_cast<NameList*>(list)->add(name);
    };
    hsize_t first = 0;
    const herr_t read =
        H5Aiterate_by_name(file.id(), group.c_str(), H5_INDEX_NAME, H5_ITER_NATIVE, &first, add, &found, H5P_DEFAULT);
    std::vector<std::string> names = found.take();
    if (read < 0) file.fail("attributes of group \"" + group + "\" cannot be read");
    std::ranges::sort(names);
    return names;
}

bool has_attribute(const Hdf5File& file, const std::string& group, const std::string& name) {
    return H5Aexists_by_name(file.id(), group.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<double> read_attribute(const Hdf5File& file, const std::string& group, const std::string& name) {
    constexpr hssize_t most = 1024;  // what is longer is damaged, or no header's
    if (!has_attribute(file, group, name)) file.fail("there is no attribute \"" + name + "\" of group \"" + group + "\"");
    const Handle attribute(H5Aopen_by_name(file.id(), group.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const Handle space(H5Aget_space(attribute.get()), H5Sclose);
    const hssize_t count = H5Sget_simple_extent_npoints(space.get());
    if (count < 0 || count > most) refuse(file, group, name, "has no readable number of values");
    if (const char* const damage = damage_of_attribute(attribute.get()))
        refuse(file, group, name, std::string("cannot be read: ") + damage);
    std::vector<double> values(static_cast<std::size_t>(count));
    if (count > 0 && H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, values.data()) < 0)
        refuse(file, group, name, "cannot be read as numbers");
    return values;
}

std::string read_text_attribute(const Hdf5File& file, const std::string& group, const std::string& name) {
    if (!has_attribute(file, group, name)) return {};
    const Handle attribute(H5Aopen_by_name(file.id(), group.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    const Handle space(H5Aget_space(attribute.get()), H5Sclose), type(H5Aget_type(attribute.get()), H5Tclose);
    const bool is_text = H5Tget_class(type.get()) == H5T_STRING && H5Tis_variable_str(type.get()) == 0 &&
                         H5Sget_simple_extent_npoints(space.get()) == 1 && H5Tget_size(type.get()) <= longest_text;
    if (!is_text || damage_of_attribute(attribute.get()) != nullptr) refuse(file, group, name, "is not one readable text");
    std::string text(H5Tget_size(type.get()), '\0');
    if (H5Aread(attribute.get(), type.get(), text.data()) < 0) refuse(file, group, name, "cannot be read");
    return text.substr(0, text.find('\0'));
}

}  // namespace gravlet
