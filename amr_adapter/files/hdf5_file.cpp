// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/hdf5_file.hpp"

#include <gravlet/error.hpp>

#include <filesystem>

namespace gravlet {
namespace {

hid_t open_file(const std::string& path, Hdf5File::Mode mode) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    switch (mode) {
        case Hdf5File::Mode::read: return H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
        case Hdf5File::Mode::write: return H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
        case Hdf5File::Mode::create: return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    }
    return H5I_INVALID_HID;
}

std::string why_not(const std::string& path, Hdf5File::Mode mode) {
    if (mode == Hdf5File::Mode::create) return "cannot be created";
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return "no such file";
    if (!std::filesystem::is_regular_file(path, ignored)) return "not a file";
    if (H5Fis_hdf5(path.c_str()) > 0)
        return mode == Hdf5File::Mode::write ? "cannot be opened for writing" : "the HDF5 file is truncated or damaged";
    return "not a readable HDF5 file";
}

}  // namespace

Hdf5File::Hdf5File(const std::string& path, Mode mode) : path_(path), file_(open_file(path, mode), H5Fclose) {
    if (!file_.valid()) fail(why_not(path, mode));
}

void Hdf5File::fail(const std::string& what) const { throw Error(ErrorCode::file, path_ + ": " + what); }

bool Hdf5File::has(const std::string& data_set) const {
    return H5Lexists(id(), data_set.c_str(), H5P_DEFAULT) > 0 && H5Oexists_by_name(id(), data_set.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Hdf5File::data_sets() const {
    std::vector<std::string> names;
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
        static_cast<std::vector<std::string>*>(list)->emplace_back(name);
        return 0;
    };
    H5Literate(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names);
    return names;
}

Shape Hdf5File::shape(const std::string& data_set) const {
    if (!has(data_set)) fail("there is no data set \"" + data_set + "\"");
    const Handle set(H5Dopen2(id(), data_set.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.valid()) fail("\"" + data_set + "\" is not a data set");
    const Handle space(H5Dget_space(set.get()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space.get());
    Shape extent(static_cast<std::size_t>(rank < 0 ? 0 : rank));
    H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
    return extent;
}

void Hdf5File::transfer(const std::string& data_set, hsize_t first, hsize_t count, hid_t type, std::size_t size, void* read_to,
                        const void* write_from) const {
    Shape extent = shape(data_set);
    const auto in_file = [&] { return "data set \"" + data_set + "\" "; };
    if (extent.empty() || first + count > extent[0])
        fail(in_file() + "has fewer rows than the " + std::to_string(first + count) + " expected");
    Shape start(extent.size(), 0);
    start[0] = first;
    extent[0] = count;
    hsize_t elements = 1;
    for (const hsize_t n : extent) elements *= n;
    if (elements != size) fail(in_file() + "has rows of another size than expected");
    if (elements == 0) return;

    const Handle set(H5Dopen2(id(), data_set.c_str(), H5P_DEFAULT), H5Dclose);
    const Handle file_space(H5Dget_space(set.get()), H5Sclose);
    const Handle memory_space(H5Screate_simple(1, &elements, nullptr), H5Sclose);
    herr_t status = H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
    if (status >= 0)
        status = read_to != nullptr ? H5Dread(set.get(), type, memory_space.get(), file_space.get(), H5P_DEFAULT, read_to)
                                    : H5Dwrite(set.get(), type, memory_space.get(), file_space.get(), H5P_DEFAULT, write_from);
    if (status < 0) fail(in_file() + (read_to != nullptr ? "cannot be read" : "cannot be written"));
}

void Hdf5File::read(const std::string& data_set, hsize_t first, hsize_t count, std::span<double> values) const {
    transfer(data_set, first, count, H5T_NATIVE_DOUBLE, values.size(), values.data(), nullptr);
}

void Hdf5File::read(const std::string& data_set, hsize_t first, hsize_t count, std::span<int> values) const {
    transfer(data_set, first, count, H5T_NATIVE_INT, values.size(), values.data(), nullptr);
}

void Hdf5File::write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const double> values) const {
    transfer(data_set, first, count, H5T_NATIVE_DOUBLE, values.size(), nullptr, values.data());
}

void Hdf5File::write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const int> values) const {
    transfer(data_set, first, count, H5T_NATIVE_INT, values.size(), nullptr, values.data());
}

void Hdf5File::create(const std::string& data_set, const Shape& extent, hid_t type) const {
    const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
    const Handle set(H5Dcreate2(id(), data_set.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (!set.valid()) fail("data set \"" + data_set + "\" cannot be created");
}

void Hdf5File::flush() const {
    if (H5Fflush(id(), H5F_SCOPE_GLOBAL) < 0) fail("cannot be written (is the disk full?)");
}

}  // namespace gravlet
