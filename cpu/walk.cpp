// SPDX-License-Identifier: Apache-2.0
#include "cpu/walk.hpp"

#include "cpu/engine.hpp"
#include "cpu/pairs.hpp"
#include "cpu/simd/targets.hpp"
#include "cpu/turns.hpp"
#include "physics/order.hpp"

#include <hwy/targets.h>

#include <omp.h>

namespace gravlet {

static_assert(Cpu::groups_together == batch_groups);

InteractionCounts CpuWalk::run(const TreeView& tree, const WalkTargets& targets, int order, const std::function<void()>& poll) {
    if (targets.one_by_one) return add_pairs(cpu_.threads, tree, targets);
    InteractionCounts total;
    if (tree.node_count == 0 || targets.group_count == 0) return total;
    workspaces_.resize(static_cast<std::size_t>(cpu_.threads));
    const std::size_t batches = (targets.group_count + batch_groups - 1) / batch_groups;
    const auto walk = [&](std::size_t batch, InteractionCounts& counts) {
        const std::size_t first = batch * batch_groups;
        const std::size_t groups = std::min<std::size_t>(batch_groups, targets.group_count - first);
        BatchWorkspace& workspace = workspaces_[static_cast<std::size_t>(omp_get_thread_num())];
        with_derivatives(targets.derivatives, [&](auto derivatives) {
            constexpr int D = decltype(derivatives)::value;
            walk_batch<D>(tree, targets, order, first, static_cast<int>(groups), workspace, counts);
        });
    };
    take_turns(
        cpu_.threads, batches, 1, [] { return InteractionCounts{}; }, walk,
        [&](const InteractionCounts& mine) { total.add(mine); }, poll);

    std::size_t bytes = 0;
    for (const BatchWorkspace& workspace : workspaces_) bytes += workspace.bytes();
    cpu_.tally->add(bytes - counted_);
    counted_ = bytes;
    return total;
}

std::string cpu_name() {
    const std::int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
    return std::string("cpu (") + hwy::TargetName(supported & -supported) + ")";
}

}  // namespace gravlet
