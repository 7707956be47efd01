// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/messages.hpp"

#include <mpi.h>
#if defined(OPEN_MPI) && OPEN_MPI
#include <mpi-ext.h>
#endif

namespace gravlet {
namespace {

/// Whether MPI takes device pointers, asked of the library that is loaded.
bool mpi_is_device_aware() {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
    return MPIX_Query_cuda_support() == 1;
#else
    return false;
#endif
}

}  // namespace

GpuMessages::GpuMessages(const Gpu& gpu) : gpu_(gpu), device_aware_(mpi_is_device_aware()) {}

PrunedTreeArrays GpuMessages::Side::arrays(const PrunedTreeArrays& trees) {
    nodes.resize_discard(trees.node_count());
    moments.resize_discard(trees.moment_count());
    sources.resize_discard(trees.source_count());
    return {nodes.data(), moments.data(), sources.data(), trees.node_begin, trees.source_begin, trees.moments_per_node};
}

PrunedTreeArrays GpuMessages::outgoing(const PrunedTreeArrays& trees) {
    if (device_aware_) {
        gpu_.synchronize();  // MPI knows nothing of our stream
        return trees;
    }
    const PrunedTreeArrays arrays = out_.arrays(trees);
    copy_out(gpu_, trees.nodes, arrays.nodes, trees.node_count());
    copy_out(gpu_, trees.moments, arrays.moments, trees.moment_count());
    copy_out(gpu_, trees.sources, arrays.sources, trees.source_count());
    return arrays;
}

PrunedTreeArrays GpuMessages::incoming(const PrunedTreeArrays& trees) { return device_aware_ ? trees : in_.arrays(trees); }

void GpuMessages::arrived(const PrunedTreeArrays& trees) {
    if (device_aware_) return;
    copy_in(gpu_, in_.nodes.data(), trees.nodes, trees.node_count());
    copy_in(gpu_, in_.moments.data(), trees.moments, trees.moment_count());
    copy_in(gpu_, in_.sources.data(), trees.sources, trees.source_count());
}

}  // namespace gravlet
