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

PrunedTreeArrays GpuMessages::Side::arrays(const PrunedTrees<Gpu>& trees) {
    nodes.resize_discard(trees.nodes.size());
    moments.resize_discard(trees.moments.size());
    sources.resize_discard(trees.sources.size());
    return {nodes.data(), moments.data(), sources.data(), trees.node_begin, trees.source_begin};
}

PrunedTreeArrays GpuMessages::outgoing(PrunedTrees<Gpu>& trees) {
    if (device_aware_) {
        gpu_.synchronize();  // MPI knows nothing of our stream
        return arrays_of(trees);
    }
    const PrunedTreeArrays arrays = out_.arrays(trees);
    copy_out(gpu_, trees.nodes.data(), arrays.nodes, trees.nodes.size());
    copy_out(gpu_, trees.moments.data(), arrays.moments, trees.moments.size());
    copy_out(gpu_, trees.sources.data(), arrays.sources, trees.sources.size());
    return arrays;
}

PrunedTreeArrays GpuMessages::incoming(PrunedTrees<Gpu>& trees) { return device_aware_ ? arrays_of(trees) : in_.arrays(trees); }

void GpuMessages::arrived(PrunedTrees<Gpu>& trees) {
    if (device_aware_) return;
    copy_in(gpu_, in_.nodes.data(), trees.nodes.data(), trees.nodes.size());
    copy_in(gpu_, in_.moments.data(), trees.moments.data(), trees.moments.size());
    copy_in(gpu_, in_.sources.data(), trees.sources.data(), trees.sources.size());
}

}  // namespace gravlet
