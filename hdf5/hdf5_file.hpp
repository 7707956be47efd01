// SPDX-License-Identifier: Apache-2.0
// HDF5's C interface with handles that close themselves and failures that name the file and the data set. All of it is local: the
// callers see to it that ranks agree. HDF5's own error trace is kept off the terminal.
//
// A file that HDF5 writes has room for all of it on the disk before HDF5 sees it (start_hdf5), and a full disk is found by then;
// what else the system refuses to write HDF5 is not told (hdf5/file_driver.hpp).
#pragma once

#include "hdf5/descriptor.hpp"
#include "hdf5/file_driver.hpp"
#include "hdf5/handle.hpp"
#include "hdf5/machine_memory.hpp"
#include "hdf5/new_file.hpp"

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace gravlet {

using Shape = std::vector<hsize_t>;

/// Makes an HDF5 file of the empty new file, with room on the disk for as many data sets (of Hdf5File::create(), with
/// `data_bytes` in all), groups and attributes (hdf5/attributes.hpp) as there are `objects`. Throws Error(file).
void start_hdf5(NewFile& file, std::uint64_t data_bytes, std::size_t objects);

/// An open HDF5 file. Data sets are read and written whole or by a run of their first index. Every failure throws Error(file).
class Hdf5File {
public:
    enum class Mode { read, write };
    Hdf5File(const std::string& path, Mode mode) : Hdf5File(path, mode, path) {}
    /// `shown`: the name in messages, where the file has another one for now.
    Hdf5File(const std::string& path, Mode mode, const std::string& shown);

    /// The name in messages.
    [[nodiscard]] const std::string& path() const { return shown_; }
    [[nodiscard]] hid_t id() const { return file_.get(); }
    [[nodiscard]] bool has(const std::string& data_set) const;
    [[nodiscard]] std::vector<std::string> data_sets() const;
    [[nodiscard]] Shape shape(const std::string& data_set) const;
    /// Fails if the data set has another shape.
    void expect_shape(const std::string& data_set, const Shape& expected) const;
    /// Opens a data set to read or write it. Fails if HDF5 could crash on what it holds.
    [[nodiscard]] Handle open_set(const std::string& data_set) const;
    /// Bytes that the data set has in the file.
    [[nodiscard]] std::uint64_t stored_bytes(const std::string& data_set) const;

    /// Room for values of the data set, as many as `extent` says. What the file says of sizes may be damaged: throws Error(file)
    /// if it has nothing in the file, and Error(out_of_memory) if they are more than this machine's memory; both name the data
    /// set and the size.
    template <class T>
    void make_room(const std::string& data_set, const Shape& extent, std::vector<T>& values) const {
        double count = 1.0;
        for (const hsize_t n : extent) count *= static_cast<double>(n);
        if (count > 0.0 && stored_bytes(data_set) == 0) has_no_values(data_set);
        try {
            if (count * sizeof(T) > machine_memory()) throw std::bad_alloc();
            values.resize(static_cast<std::size_t>(count));
        } catch (const std::exception&) {  // bad_alloc, length_error
            does_not_fit(data_set, extent, sizeof(T));
        }
    }

    /// Rows first..first+count of the data set into `values`, whose size must be that of the rows.
    void read(const std::string& data_set, hsize_t first, hsize_t count, std::span<double> values) const;
    void read(const std::string& data_set, hsize_t first, hsize_t count, std::span<int> values) const;
    void read(const std::string& data_set, hsize_t first, hsize_t count, std::span<std::uint64_t> values) const;
    void write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const double> values) const;
    void write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const int> values) const;
    void write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const std::uint64_t> values) const;

    /// Makes a data set, filled with 0 and with its place in the file.
    void create(const std::string& data_set, const Shape& shape, hid_t type) const;
    /// Makes a data set with these values, of any type, and writes all of them.
    void create(const std::string& data_set, const Shape& shape, hid_t type, const void* values) const;

    /// Brings what was written to the disk: throws where the destructor would stay silent.
    void close();
    /// Throws Error(file) that names the file, what failed, and the system's reason, if it has one.
    [[noreturn]] void fail(const std::string& what) const;

private:
    void transfer(const std::string& data_set, hsize_t first, hsize_t count, hid_t type, std::size_t size, void* read_to,
                  const void* write_from) const;
    void close_set(Handle& set, const std::string& data_set) const;
    [[noreturn]] void has_no_values(const std::string& data_set) const;
    [[noreturn]] void does_not_fit(const std::string& data_set, const Shape& extent, std::size_t size) const;

    void require_written(const std::string& data_set) const;

    std::string shown_;
    FileTrouble trouble_;
    Descriptor disk_;
    Handle file_;
};

}  // namespace gravlet
