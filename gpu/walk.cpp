// SPDX-License-Identifier: Apache-2.0
#include "gpu/walk.hpp"

#include "gpu/walk_limits.hpp"

namespace gravlet {

GpuWalk::GpuWalk(const Gpu& gpu) : gpu_(gpu), counters_(*gpu.context) {
    cuda_check(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming), "cudaEventCreate");
}

GpuWalk::~GpuWalk() { cudaEventDestroy(done_); }

InteractionCounts GpuWalk::run(const TreeView& tree, const WalkTargets& targets, int order, const std::function<void()>& poll) {
    InteractionCounts total;
    if (tree.node_count == 0 || targets.count == 0) return total;
    if (tree.node_count > max_walk_nodes) throw Error(ErrorCode::out_of_memory, "the tree has more nodes than the GPU's walk can number");
    counters_.resize_discard(1);
    const WalkCounters zero{0, 0, 0, 0, no_target};
    copy_in(gpu_, &zero, counters_.data(), 1);
    const WalkArguments arguments{tree, targets, counters_.data()};
    const cudaStream_t stream = gpu_.context->stream();
    switch (order) {
        case 2: launch_walk<2>(arguments, stream); break;
        case 3: launch_walk<3>(arguments, stream); break;
        case 4: launch_walk<4>(arguments, stream); break;
        default: launch_walk<0>(arguments, stream);
    }
    cuda_check(cudaEventRecord(done_, stream), "cudaEventRecord");
    for (;;) {
        poll();
        const cudaError_t state = cudaEventQuery(done_);
        if (state == cudaSuccess) break;
        if (state != cudaErrorNotReady) cuda_check(state, "the walk");
    }
    const WalkCounters counters = read(gpu_, counters_.data());
    total.node = counters.node;
    total.cell = counters.cell;
    total.far = counters.far;
    total.coincident = counters.coincident;
    total.coincident_target = counters.coincident_target;
    return total;
}

}  // namespace gravlet
