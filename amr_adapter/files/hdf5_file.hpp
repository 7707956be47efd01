// SPDX-License-Identifier: Apache-2.0
// HDF5's C interface with handles that close themselves and failures that name the file and the data set. All of it is local: the
// callers see to it that ranks agree. HDF5's own error trace is kept off the terminal.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

/// Owns one HDF5 identifier of any kind; `close` is H5Fclose, H5Dclose, ...
class [[nodiscard]] Handle {
public:
    using Close = herr_t (*)(hid_t);
    Handle() = default;
    Handle(hid_t id, Close close) : id_(id), close_(close) {}
    Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(id_, other.id_);
        std::swap(close_, other.close_);
        return *this;
    }
    ~Handle() {
        if (id_ >= 0) close_(id_);
    }
    [[nodiscard]] hid_t get() const { return id_; }
    [[nodiscard]] bool valid() const { return id_ >= 0; }

private:
    hid_t id_ = H5I_INVALID_HID;
    Close close_ = nullptr;
};

using Shape = std::vector<hsize_t>;

/// An open HDF5 file. Data sets are read and written whole or by a run of their first index. Every failure throws Error(file).
class Hdf5File {
public:
    enum class Mode { read, write, create };
    Hdf5File(const std::string& path, Mode mode);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] hid_t id() const { return file_.get(); }
    [[nodiscard]] bool has(const std::string& data_set) const;
    [[nodiscard]] std::vector<std::string> data_sets() const;
    [[nodiscard]] Shape shape(const std::string& data_set) const;

    /// Rows first..first+count of the data set into `values`, whose size must be that of the rows.
    void read(const std::string& data_set, hsize_t first, hsize_t count, std::span<double> values) const;
    void read(const std::string& data_set, hsize_t first, hsize_t count, std::span<int> values) const;
    void write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const double> values) const;
    void write(const std::string& data_set, hsize_t first, hsize_t count, std::span<const int> values) const;

    /// Makes a data set, filled with 0.
    void create(const std::string& data_set, const Shape& shape, hid_t type) const;

    /// Writes end up in the file: throws where closing alone would stay silent (a full disk).
    void flush() const;
    [[noreturn]] void fail(const std::string& what) const;

private:
    void transfer(const std::string& data_set, hsize_t first, hsize_t count, hid_t type, std::size_t size, void* read_to,
                  const void* write_from) const;

    std::string path_;
    Handle file_;
};

}  // namespace gravlet
