// SPDX-License-Identifier: Apache-2.0
#include "hdf5/hdf5_file.hpp"

#include "hdf5/input_file.hpp"
#include "hdf5/name_list.hpp"
#include "hdf5/soundness.hpp"

#include <gravlet/error.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>

namespace gravlet {
namespace {

std::string why_not(const std::string& path, Hdf5File::Mode mode, int trouble) {
    if (trouble == EWOULDBLOCK) return "another program has it open, to read or to write it";
    if (H5Fis_hdf5(path.c_str()) > 0)
        return mode == Hdf5File::Mode::write ? "cannot be opened for writing" : "the HDF5 file is truncated or damaged";
    return "not a readable HDF5 file";
}

// An HDF5 file without data sets, made in memory.
std::string empty_file(const std::string& path) {
    constexpr std::size_t growth = 4096;
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_fapl_core(access.get(), growth, false);
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
    H5Fflush(file.get(), H5F_SCOPE_GLOBAL);
    const ssize_t size = H5Fget_file_image(file.get(), nullptr, 0);
    std::string image(size < 0 ? 0 : static_cast<std::size_t>(size), '\0');
    if (size <= 0 || H5Fget_file_image(file.get(), image.data(), image.size()) < 0)
        throw Error(ErrorCode::out_of_memory, path + ": HDF5 cannot make a file in memory");
    return image;
}

std::string print(const Shape& shape) {
    std::string text;
    for (const hsize_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
    return text;
}

}  // namespace

void start_hdf5(NewFile& file, std::uint64_t data_bytes, std::size_t objects) {
    // What HDF5 adds: 5 kB for a dozen data sets, 29 kB for 8 data sets, 3 groups and 218 attributes were measured.
    constexpr std::uint64_t of_object = 1024, of_file = 8192;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file.write(empty_file(file.path()));
    file.reserve(data_bytes + objects * of_object + of_file);
}

Hdf5File::Hdf5File(const std::string& path, Mode mode, const std::string& shown)
    : shown_(shown),
      trouble_(std::make_shared<int>(0)),
      disk_(open_file(path, mode == Mode::read ? Access::read : Access::read_and_write, shown)) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    file_ = {open_hdf5(path.c_str(), mode == Mode::read ? H5F_ACC_RDONLY : H5F_ACC_RDWR, disk_.get(), trouble_), H5Fclose};
    if (!file_.valid()) fail(why_not(path, mode, *trouble_));
}

void Hdf5File::fail(const std::string& what) const {
    const int trouble = *trouble_;
    throw Error(ErrorCode::file, shown_ + ": " + what + (trouble == 0 ? "" : std::string(": ") + std::strerror(trouble)));
}

void Hdf5File::require_written(const std::string& data_set) const {
    if (*trouble_ != 0) fail("data set \"" + data_set + "\" cannot be written");
}

void Hdf5File::has_no_values(const std::string& data_set) const {
    fail("data set \"" + data_set + "\" has " + print(shape(data_set)) + " values, and none of them is in the file");
}

void Hdf5File::does_not_fit(const std::string& data_set, const Shape& extent, std::size_t size) const {
    throw Error(ErrorCode::out_of_memory, shown_ + ": data set \"" + data_set + "\": " + print(extent) + " values of " +
                                              std::to_string(size) + " bytes do not fit into this machine's memory");
}

bool Hdf5File::has(const std::string& data_set) const {
    return H5Lexists(id(), data_set.c_str(), H5P_DEFAULT) > 0 && H5Oexists_by_name(id(), data_set.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Hdf5File::data_sets() const {
    NameList names;
    const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
        return static_cast<NameList*>(list)->add(name);
    };
    H5Literate(id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names);
    return names.take();
}

Handle Hdf5File::open_set(const std::string& data_set) const {
    Handle set(H5Dopen2(id(), data_set.c_str(), H5P_DEFAULT), H5Dclose);
    if (!set.valid()) fail("\"" + data_set + "\" is not a data set");
    if (const char* const damage = damage_of_set(set.get())) fail("data set \"" + data_set + "\" cannot be read: " + damage);
    return set;
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

void Hdf5File::expect_shape(const std::string& data_set, const Shape& expected) const {
    const Shape found = shape(data_set);
    if (found != expected) fail("data set \"" + data_set + "\" has shape (" + print(found) + "), not (" + print(expected) + ")");
}

std::uint64_t Hdf5File::stored_bytes(const std::string& data_set) const {
    const Handle set(H5Dopen2(id(), data_set.c_str(), H5P_DEFAULT), H5Dclose);
    return H5Dget_storage_size(set.get());
}

void Hdf5File::transfer(const std::string& data_set, hsize_t first, hsize_t count, hid_t type, std::size_t size, void* read_to,
                        const void* write_from) const {
    Shape extent = shape(data_set);
    const auto in_file = [&] { return "data set \"" + data_set + "\" "; };
    if (extent.empty() || first > extent[0] || count > extent[0] - first)
        fail(in_file() + "has fewer rows than the " + std::to_string(first) + " + " + std::to_string(count) + " expected");
    Shape start(extent.size(), 0);
    start[0] = first;
    extent[0] = count;
    hsize_t elements = 1;
    for (const hsize_t n : extent)
        if (__builtin_mul_overflow(elements, n, &elements)) elements = std::numeric_limits<hsize_t>::max();
    if (elements != size) fail(in_file() + "has rows of another size than expected");
    if (elements == 0) return;

    Handle set = open_set(data_set);
    const Handle file_space(H5Dget_space(set.get()), H5Sclose);
    const Handle memory_space(H5Screate_simple(1, &elements, nullptr), H5Sclose);
    herr_t status = H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr);
    if (status >= 0)
        status = read_to != nullptr ? H5Dread(set.get(), type, memory_space.get(), file_space.get(), H5P_DEFAULT, read_to)
                                    : H5Dwrite(set.get(), type, memory_space.get(), file_space.get(), H5P_DEFAULT, write_from);
    if (status < 0) fail(in_file() + (read_to != nullptr ? "cannot be read" : "cannot be written"));
    close_set(set, data_set);
}

void Hdf5File::close_set(Handle& set, const std::string& data_set) const {
    if (!set.close_now()) fail("data set \"" + data_set + "\" cannot be closed");
    require_written(data_set);
}

void Hdf5File::read(const std::string& data_set, hsize_t first, hsize_t count, std::span<double> values) const {
    transfer(data_set, first, count, H5T_NATIVE_DOUBLE, values.size(), values.data(), nullptr);
}

void Hdf5File::read(const std::string& data_set, hsize_t first, hsize_t count, std::span<int> values) const {
    transfer(data_set, first, count, H5T_NATIVE_INT, values.size(), values.data(), nullptr);
}

void Hdf5File::read(const std::string& data_set, hsize_t first, hsize_t count, std::span<std::uint64_t> values) const {
    transfer(data_set, first, count, H5T_NATIVE_UINT64, values.size(), values.data(), nullptr);
}

void Hdf5File::write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const double> values) const {
    transfer(data_set, first, count, H5T_NATIVE_DOUBLE, values.size(), nullptr, values.data());
}

void Hdf5File::write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const int> values) const {
    transfer(data_set, first, count, H5T_NATIVE_INT, values.size(), nullptr, values.data());
}

void Hdf5File::write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const std::uint64_t> values) const {
    transfer(data_set, first, count, H5T_NATIVE_UINT64, values.size(), nullptr, values.data());
}

void Hdf5File::create(const std::string& data_set, const Shape& extent, hid_t type) const {
    create(data_set, extent, type, nullptr);
}

void Hdf5File::create(const std::string& data_set, const Shape& extent, hid_t type, const void* values) const {
    const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_alloc_time(properties.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_obj_track_times(properties.get(), false);  // the same values make the same file
    Handle set(H5Dcreate2(id(), data_set.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Dclose);
    if (!set.valid()) fail("data set \"" + data_set + "\" cannot be created");
    if (values != nullptr && H5Dwrite(set.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        fail("data set \"" + data_set + "\" cannot be written");
    close_set(set, data_set);
}

void Hdf5File::close() {
    const bool closed = file_.close_now();
    if (*trouble_ == 0 && fsync(disk_.get()) != 0) *trouble_ = errno;
    if (!closed || *trouble_ != 0) fail("cannot be written");
}

}  // namespace gravlet
