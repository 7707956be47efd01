// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/messages.hpp"

#include <algorithm>

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

/// Where a rank's trees are in its outbox.
struct OutboxLayout {
    std::size_t moments, sources, exact, precise, end;  ///< nodes come first

    /// `trees`: of the sender or, as to what of a node and a source there is, of the receiver.
    OutboxLayout(const PrunedTreeArrays& trees, std::size_t node_count, std::size_t source_count)
        : moments(node_count * sizeof(Node)),
          sources((moments + node_count * trees.moments_per_node * sizeof(float) + alignof(Source) - 1) / alignof(Source) *
                  alignof(Source)),
          exact(sources + source_count * sizeof(Source)),
          precise(exact + (trees.precise.sources != nullptr ? source_count * sizeof(ExactSource) : 0)),
          end(precise + node_count * trees.precise.per_node * sizeof(double)) {}
};

void copy_bytes(const Gpu& gpu, const void* from, void* to, std::size_t bytes, cudaMemcpyKind way) {
    if (bytes > 0) cuda_check(cudaMemcpyAsync(to, from, bytes, way, gpu.context->stream()), "cudaMemcpyAsync");
}

}  // namespace

GpuMessages::GpuMessages(const Gpu& gpu) : gpu_(gpu), device_aware_(mpi_is_device_aware()), peers_(*gpu.context) {}

GpuMessages::~GpuMessages() {
    for (const cudaEvent_t event : copied_) cudaEventDestroy(event);
}

PrunedTreeArrays GpuMessages::Side::arrays(const PrunedTreeArrays& trees) {
    nodes.resize_discard(trees.node_count());
    moments.resize_discard(trees.moment_count());
    sources.resize_discard(trees.source_count());
    PreciseArrays also;
    if (also.per_node = trees.precise.per_node; also.per_node > 0) {
        precise_moments.resize_discard(trees.node_count() * also.per_node);
        exact_sources.resize_discard(trees.source_count());
        also.moments = precise_moments.data(), also.sources = exact_sources.data();
    }
    return {nodes.data(), moments.data(), sources.data(), trees.node_begin, trees.source_begin, trees.moments_per_node, also};
}

bool GpuMessages::needs_host_memory(const std::vector<int>& ranks) const {
    return !device_aware_ && std::ranges::any_of(ranks, [&](int rank) { return !reads(rank); });
}

void GpuMessages::copy(const PrunedTreeArrays& from, const PrunedTreeArrays& to, std::size_t k, cudaMemcpyKind way) {
    const std::size_t node = from.node_begin[k], nodes = from.node_begin[k + 1] - node;
    const std::size_t source = from.source_begin[k], sources = from.source_begin[k + 1] - source;
    const std::size_t moments = from.moments_per_node;
    copy_bytes(gpu_, from.nodes + node, to.nodes + node, nodes * sizeof(Node), way);
    copy_bytes(gpu_, from.moments + node * moments, to.moments + node * moments, nodes * moments * sizeof(float), way);
    copy_bytes(gpu_, from.sources + source, to.sources + source, sources * sizeof(Source), way);
    if (const std::size_t numbers = from.precise.per_node; numbers > 0) {
        copy_bytes(gpu_, from.precise.moments + node * numbers, to.precise.moments + node * numbers,
                   nodes * numbers * sizeof(double), way);
        copy_bytes(gpu_, from.precise.sources + source, to.precise.sources + source, sources * sizeof(ExactSource), way);
    }
}

void GpuMessages::offer(const PrunedTreeArrays& trees, const std::vector<int>& audience) {
    if (std::ranges::none_of(audience, [&](int rank) { return reads(rank); })) return;
    const OutboxLayout layout(trees, trees.node_count(), trees.source_count());
    std::byte* const outbox = peers_.outbox(layout.end);
    copy_bytes(gpu_, trees.nodes, outbox, trees.node_count() * sizeof(Node), cudaMemcpyDeviceToDevice);
    copy_bytes(gpu_, trees.moments, outbox + layout.moments, trees.moment_count() * sizeof(float), cudaMemcpyDeviceToDevice);
    copy_bytes(gpu_, trees.sources, outbox + layout.sources, trees.source_count() * sizeof(Source), cudaMemcpyDeviceToDevice);
    if (trees.precise.per_node > 0) {
        copy_bytes(gpu_, trees.precise.sources, outbox + layout.exact, layout.precise - layout.exact, cudaMemcpyDeviceToDevice);
        copy_bytes(gpu_, trees.precise.moments, outbox + layout.precise, layout.end - layout.precise, cudaMemcpyDeviceToDevice);
    }
    gpu_.synchronize();  // others read it next
}

PrunedTreeArrays GpuMessages::outgoing(const PrunedTreeArrays& trees, const std::vector<int>& audience) {
    if (!needs_host_memory(audience)) return trees;
    const PrunedTreeArrays arrays = out_.arrays(trees);
    while (copied_.size() < audience.size()) {
        cudaEvent_t event = nullptr;
        copied_.reserve(copied_.size() + 1);
        cuda_check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
        copied_.push_back(event);
    }
    for (std::size_t k = 0; k < audience.size(); ++k) {
        if (reads(audience[k])) continue;
        copy(trees, arrays, k, cudaMemcpyDeviceToHost);
        cuda_check(cudaEventRecord(copied_[k], gpu_.context->stream()), "cudaEventRecord");
    }
    return arrays;
}

void GpuMessages::ready(std::size_t k) {
    if (!device_aware_) cuda_check(cudaEventSynchronize(copied_[k]), "cudaEventSynchronize");
}

PrunedTreeArrays GpuMessages::incoming(const PrunedTreeArrays& trees, const std::vector<int>& senders) {
    return needs_host_memory(senders) ? in_.arrays(trees) : trees;
}

void GpuMessages::read(const PrunedTreeArrays& trees, const std::vector<int>& senders,
                       const std::vector<Announcement>& announced) {
    peers_.forget();
    const std::size_t moments = trees.moments_per_node;
    const cudaMemcpyKind way = cudaMemcpyDeviceToDevice;
    for (std::size_t k = 0; k < senders.size(); ++k) {
        const Announcement& one = announced[k];
        if (one.nodes == 0 || !reads(senders[k])) continue;
        const OutboxLayout layout(trees, one.all_nodes, one.all_sources);
        const std::byte* const outbox = peers_.outbox_of(senders[k]);
        const std::size_t node = trees.node_begin[k], source = trees.source_begin[k];
        copy_bytes(gpu_, outbox + one.first_node * sizeof(Node), trees.nodes + node, one.nodes * sizeof(Node), way);
        copy_bytes(gpu_, outbox + layout.moments + one.first_node * moments * sizeof(float), trees.moments + node * moments,
                   one.nodes * moments * sizeof(float), way);
        copy_bytes(gpu_, outbox + layout.sources + one.first_source * sizeof(Source), trees.sources + source,
                   one.sources * sizeof(Source), way);
        if (const std::size_t numbers = trees.precise.per_node; numbers > 0) {
            copy_bytes(gpu_, outbox + layout.exact + one.first_source * sizeof(ExactSource), trees.precise.sources + source,
                       one.sources * sizeof(ExactSource), way);
            copy_bytes(gpu_, outbox + layout.precise + one.first_node * numbers * sizeof(double),
                       trees.precise.moments + node * numbers, one.nodes * numbers * sizeof(double), way);
        }
    }
    gpu_.synchronize();  // others may write it next
}

void GpuMessages::arrived(const PrunedTreeArrays& trees, const std::vector<int>& senders) {
    peers_.release();
    if (!needs_host_memory(senders)) return;
    const PrunedTreeArrays here = in_.arrays(trees);
    for (std::size_t k = 0; k < senders.size(); ++k)
        if (!reads(senders[k])) copy(here, trees, k, cudaMemcpyHostToDevice);
}

}  // namespace gravlet
