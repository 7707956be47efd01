// SPDX-License-Identifier: Apache-2.0
// A thread walks for a group and collects what acts: nodes go to a kernel of their own, sources to the direct sum's. Sources of
// images are so few that they act one by one, with displacements that nothing is rounded by.
#include "cpu/precise_walk.hpp"

#include "cpu/simd/direct_kernel.hpp"
#include "cpu/simd/precise_nodes.hpp"
#include "cpu/turns.hpp"
#include "physics/close_pair.hpp"
#include "physics/order.hpp"
#include "physics/path_size.hpp"

#include <algorithm>
#include <vector>

namespace gravlet {
namespace {

/// What is collected before it acts: a few hundred kilobytes.
constexpr std::size_t most_nodes = path_size(256, 8), most_sources = path_size(4096, 50);

/// Sums of one group, as walk_group() calls it. Kept by a thread.
class GroupSums {
public:
    void begin(const PreciseWalk& work, const Group& group) {
        work_ = &work, group_ = &group;
        derivatives_ = work.targets.derivatives;
        const std::size_t n = group.count, lanes = PreciseTargets::most_lanes, padded = (n + lanes - 1) / lanes * lanes;
        at_ = {};
        for (auto* array : {&targets_.x, &targets_.y, &targets_.z, &targets_.softening2}) array->resize(padded);
        targets_.sums.assign(padded * component_count(std::max(derivatives_, 1)), 0.0);
        for (std::size_t t = 0; t < padded; ++t) {
            const ExactBody target = work.target(group.begin + std::min(t, n - 1));
            targets_.x[t] = target.x, targets_.y[t] = target.y, targets_.z[t] = target.z;
            targets_.softening2[t] = target.softening * target.softening;
            if (t < n) at_.add(target, target.softening, static_cast<std::int64_t>(group.begin + t));
        }
        at_.make_sums(derivatives_);
    }

    bool node(node_index index, const Vector3& shift) {
        const Node& from = work_->tree.nodes[index];
        const int order = work_->precise.order;
        const std::size_t terms = static_cast<std::size_t>(expansion_count(order, work_->precise.softened));
        nodes_.push_back({from.x + shift.x, from.y + shift.y, from.z + shift.z, work_->precise.expansions + index * terms});
        counts.node += group_->count;
        if (nodes_.size() == most_nodes) act_nodes();
        return true;
    }

    bool sources(std::uint32_t first, std::uint32_t count, int image, const Vector3& shift) {
        counts.cell += std::uint64_t{count} * group_->count;
        for (std::uint32_t s = first; s < first + count; ++s) {
            const ExactBody from = work_->source(s);
            if (image > 0) {
                act_displaced(from, shift);
                continue;
            }
            sources_.push_back({from.x, from.y, from.z, from.mass, from.softening, target_of(work_->tree, s, 0)});
            if (sources_.size() == most_sources) act_sources();
        }
        return true;
    }

    /// Adds to the sums of all targets.
    void end() {
        act_nodes();
        act_sources();
        for (std::size_t k = 0; k < component_count(derivatives_); ++k)
            for (std::size_t t = 0; t < group_->count; ++t)
                work_->targets.sums.of[k][group_->begin + t] += at_.sums[k][t] + targets_.sums[k * targets_.padded() + t];
    }

    InteractionCounts counts;

private:
    void act_nodes() {
        const auto act = derivatives_ > 1 ? add_precise_nodes<2> : add_precise_nodes<1>;
        act(work_->precise.order, work_->precise.softened, nodes_.data(), nodes_.size(), targets_);
        nodes_.clear();
    }
    void act_sources() {
        counts.coincident += static_cast<std::uint64_t>(direct_kernel(at_.view(), sources_, work_->targets.softening_kernel));
        sources_.clear();
    }
    void act_displaced(const ExactBody& from, const Vector3& shift) {
        for (std::size_t t = 0; t < group_->count; ++t) {
            Jet<double, max_derivatives> one{};
            if (!add_pair(one, work_->target(group_->begin + t), from, shift, work_->targets.softening_kernel))
                ++counts.coincident;
            for (std::size_t k = 0; k < component_count(derivatives_); ++k) at_.sums[k][t] += one.term[k];
        }
    }

    const PreciseWalk* work_ = nullptr;
    const Group* group_ = nullptr;
    int derivatives_ = 0;
    DirectTargetArrays at_;
    PreciseTargets targets_;
    std::vector<PreciseNode> nodes_;
    std::vector<DirectSource> sources_;
};

}  // namespace

InteractionCounts walk_in_double(const Cpu& cpu, const PreciseWalk& work, const std::function<void()>& poll) {
    InteractionCounts total;
    if (work.tree.node_count == 0 && !work.targets.one_by_one) return total;
    const auto walk = [&](std::size_t g, GroupSums& sums) {
        if (!work.is_wanted(g)) return;
        sums.begin(work, work.targets.groups[g]);
        walk_group(work, work.targets.groups[g], sums);
        sums.end();
    };
    take_turns(
        cpu.threads, work.targets.group_count, 4, [] { return GroupSums(); }, walk,
        [&](const GroupSums& mine) { total.add(mine.counts); }, poll);
    return total;
}

}  // namespace gravlet
