// SPDX-License-Identifier: Apache-2.0
// Blocks whose arrays are on a device, to and from dense arrays of the host: a kernel for the cells of all, and one copy. To copy
// each block by itself would take as long as thousands of its cells.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/execution/pinned_copies.hpp"
#include "solver/input/given_bodies.hpp"

#include <cstddef>

namespace gravlet {

struct Input;

/// Copies of a rank that may have no engine on the device: with a stream and buffers of its own.
class BlockCopies {
public:
    BlockCopies(int device, int threads);

    /// Local. Takes in the blocks' descriptions, in host memory, and makes all the room that copies need.
    void describe(const Input& input);
    /// Local. Densities of all cells of the blocks that were described last, in order, to host memory.
    void fetch_densities(double* to);
    /// Local. Component k of results of these cells, from host memory, to the active blocks that want it; there when it returns.
    void store_results(std::size_t k, const double* from);

private:
    Gpu::Machine machine_;
    Gpu gpu_;
    PinnedCopies copies_;
    DeviceBuffer<Block> blocks_;
    DeviceBuffer<std::size_t> block_begin_;
    DeviceBuffer<double> dense_;
    BlockList there_;  ///< the blocks, as kernels read them
};

}  // namespace gravlet
