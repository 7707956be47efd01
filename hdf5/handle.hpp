// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hdf5.h>

#include <utility>

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
    /// Closes it now; false if that failed. Closing a data set or a file may write.
    [[nodiscard]] bool close_now() { return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0; }

private:
    hid_t id_ = H5I_INVALID_HID;
    Close close_ = nullptr;
};

}  // namespace gravlet
