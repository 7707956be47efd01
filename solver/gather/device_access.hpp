// SPDX-License-Identifier: Apache-2.0
// What gathering must know of a device: how to reach the caller's arrays that host code cannot read. This one knows of no device.
#pragma once

#include <cstddef>

namespace gravlet {

struct Input;

class DeviceAccess {
public:
    DeviceAccess() = default;
    virtual ~DeviceAccess() = default;
    DeviceAccess(const DeviceAccess&) = delete;
    DeviceAccess& operator=(const DeviceAccess&) = delete;

    [[nodiscard]] virtual bool on_device(const void*) const { return false; }

    /// Bytes that lie side by side, to the host and back. As the following three, only called for what is on_device().
    virtual void fetch(const void* /*from*/, void* /*to*/, std::size_t /*bytes*/) const {}
    virtual void store(const void* /*from*/, void* /*to*/, std::size_t /*bytes*/) const {}
    /// Takes in descriptions of blocks, in host memory, and makes all the memory that the following two need, which copy with so
    /// many threads.
    virtual void describe_blocks(const Input&, int /*threads*/) {}
    /// Densities of all cells of the blocks that were described last, to the host; and a component of their results back, to
    /// blocks that are active and want it.
    virtual void fetch_densities(double* /*to*/) {}
    virtual void store_results(std::size_t /*component*/, const double* /*from*/) {}

    /// Host memory that the leader's engine will read and write may be page-locked here.
    virtual void pin(void* /*data*/, std::size_t /*bytes*/) const noexcept {}
    virtual void unpin(void* /*data*/) const noexcept {}
};

}  // namespace gravlet
