// SPDX-License-Identifier: Apache-2.0
// What gathering must know of a device: how to reach the caller's arrays that host code cannot read. This one knows of no device.
#pragma once

#include <gravlet/cells.hpp>

#include <cstddef>

namespace gravlet {

class DeviceAccess {
public:
    DeviceAccess() = default;
    virtual ~DeviceAccess() = default;
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;

    [[nodiscard]] virtual bool on_device(const void*) const { return false; }

    /// Bytes that lie side by side, to the host and back. As the following two, only called for what is on_device().
    virtual void fetch(const void* /*from*/, void* /*to*/, std::size_t /*bytes*/) const {}
    virtual void store(const void* /*from*/, void* /*to*/, std::size_t /*bytes*/) const {}
    /// The interior cells of one of a block's arrays, to the host, x fastest, and back, in the array's own precision.
    virtual void fetch_block(const Block&, const Stride&, InputPointer /*array*/, void* /*to*/) const {}
    virtual void store_block(const Block&, const Stride&, const void* /*from*/, ResultPointer /*array*/) const {}

    /// Host memory that the leader's engine will read and write may be page-locked here.
    virtual void pin(void* /*data*/, std::size_t /*bytes*/) const noexcept {}
    virtual void unpin(void* /*data*/) const noexcept {}
};

}  // namespace gravlet
