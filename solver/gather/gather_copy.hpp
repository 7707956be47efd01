// SPDX-License-Identifier: Apache-2.0
// Between one rank's own arrays, wherever they are, and its part of the gathered ones.
#pragma once

#include "solver/gather/device_access.hpp"
#include "solver/gather/gather_layout.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace gravlet {

/// Local. `softening`: of points without lengths of their own. `described`: the blocks' descriptions are there already.
/// `wrote(n)`: the densities of the first n cells of blocks are there; it may throw.
void gather(
    const Input& from, double softening, const GatherArrays& to, DeviceAccess& device, int threads, bool described,
    const std::function<void(std::size_t)>& wrote = [](std::size_t) {});

/// The results that the caller wants.
class Scatter {
public:
    Scatter(const GatherArrays& from, const Input& to, DeviceAccess& device, int threads)
        : from_(from), to_(to), device_(device), threads_(threads) {}
    /// Local. Makes all that write() needs, so that nothing of ours can fail once results are written.
    void prepare();
    /// Local. Writes the results.
    void write();

private:
    const GatherArrays& from_;
    const Input& to_;
    DeviceAccess& device_;
    int threads_;
    std::vector<double> room_;  ///< room for an array in device memory of other precision, or with results of inactive targets
};

}  // namespace gravlet
