// SPDX-License-Identifier: Apache-2.0
// Active bodies as targets of their own: packed along the curve into full groups, so that a walk for few of many costs about its
// share. Their sums go to the bodies' own afterwards.
#pragma once

#include "physics/partition_point.hpp"
#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"
#include "solver/order/groups.hpp"
#include "solver/order/targets.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {

/// Whether active bodies are less than half of those in their groups.
template <class Exec>
bool active_are_sparse(const Exec& exec, const TargetSet<Exec>& b) {
    const Group* const walked = b.walked.data();
    const std::uint8_t* const active = b.walked_active.data();
    const std::size_t around = transform_reduce(
        exec, b.walked.size(),
        [=] GRAVLET_HD(std::size_t g) { return active[g] != 0 ? std::size_t{walked[g].count} : std::size_t{0}; }, std::size_t{0},
        [] GRAVLET_HD(std::size_t p, std::size_t q) { return p + q; });
    return 2 * b.active_count < around;
}

/// So many bodies may be between those of a group: it opens what they would all open, and few active ones among many would
/// make boxes that open most of all there is.
inline constexpr std::size_t longest_span = 256;

/// The group that a body is in.
GRAVLET_HD inline std::size_t group_of(const Group* groups, std::size_t count, std::size_t body) {
    return partition_point(std::size_t{1}, count, [=](std::size_t g) { return groups[g].begin <= body; }) - 1;
}

template <class Exec>
class PackedTargets {
public:
    explicit PackedTargets(const Exec& exec)
        : exec_(exec),
          targets_(exec),
          body_(exec.template buffer<cell_index>()),
          packed_(exec.template buffer<cell_index>()),
          of_source_(exec.template buffer<cell_index>()),
          span_(exec.template buffer<std::uint32_t>()) {}

    /// Local, after choose_targets(). The active bodies, or nobody where all are.
    void pack(const Input& input, const Frame& frame, const Options& options, Bodies<Exec>& bodies);
    void clear() { any_ = false; }
    [[nodiscard]] bool any() const { return any_; }
    [[nodiscard]] TargetSet<Exec>& targets() { return targets_; }

    /// Local. A tree whose own sources are these targets.
    [[nodiscard]] TreeView seen(TreeView tree) const {
        if (any_) tree.source_target = of_source_.size() > 0 ? of_source_.data() : packed_.data();
        return tree;
    }
    /// Local, after a walk. Makes the targets' sums the bodies'.
    void unpack(int derivatives, Bodies<Exec>& bodies);

    // Public because CUDA's extended lambdas may not be in private functions.
    void find_spans(const Bodies<Exec>& bodies);
    void widen_boxes(const Bodies<Exec>& bodies);

private:
    Exec exec_;
    TargetSet<Exec> targets_;
    typename Exec::template Buffer<cell_index> body_;       ///< the sorted body that each is
    typename Exec::template Buffer<cell_index> packed_;     ///< the target that each sorted body is, or no_target
    typename Exec::template Buffer<cell_index> of_source_;  ///< target of each source, where not all bodies are sources
    typename Exec::template Buffer<std::uint32_t> span_;    ///< the span that each is in
    bool any_ = false;
};

template <class Exec>
void PackedTargets<Exec>::pack(const Input& input, const Frame& frame, const Options& options, Bodies<Exec>& bodies) {
    any_ = !bodies.all_active;
    if (!any_) return;
    TargetSet<Exec>& b = targets_;
    const GivenBodies given = input;
    const cell_index* const order = bodies.order.data();
    body_.resize_discard(bodies.count), packed_.resize_discard(bodies.count);
    cell_index *const body = body_.data(), *const packed = packed_.data();
    b.count = b.active_count =
        select_indices(exec_, bodies.count, body, [=] GRAVLET_HD(cell_index s) { return given.active(order[s]); });
    b.bodies.resize_discard(b.count), b.sizes.resize_discard(b.count), b.keys.resize_discard(b.count);
    b.order.resize_discard(b.count);
    Source* const to = b.bodies.data();
    float* const sizes = b.sizes.data();
    key_type* const keys = b.keys.data();
    cell_index* const number = b.order.data();
    const Source* const from = bodies.bodies.data();
    const float* const all_sizes = bodies.sizes.data();
    const key_type* const all_keys = bodies.keys.data();
    for_each(exec_, bodies.count, [=] GRAVLET_HD(std::size_t s) { packed[s] = no_target; });
    for_each(exec_, b.count, [=] GRAVLET_HD(std::size_t t) {
        const cell_index s = body[t];
        to[t] = from[s], sizes[t] = all_sizes[s], keys[t] = all_keys[s], number[t] = order[s];
        packed[s] = static_cast<cell_index>(t);
    });
    of_source_.resize_discard(bodies.all_massive() ? 0 : bodies.source_count);
    cell_index* const of_source = of_source_.data();
    const cell_index* const source_target = bodies.source_target.data();
    for_each(exec_, of_source_.size(), [=] GRAVLET_HD(std::size_t i) { of_source[i] = packed[source_target[i]]; });
    const bool sparse = active_are_sparse(exec_, bodies);
    const std::size_t size = Exec::packed_group_size(options, b.count, sparse);
    b.group_size = std::max(size, Exec::least_group_size);
    find_spans(bodies);
    make_groups_within(exec_, frame, size, span_.data(), b);
    widen_boxes(bodies);
    clear_sums(exec_, frame.derivatives, b);
}

/// Spans are of whole groups of all bodies, as these part along the curve wherever they must.
template <class Exec>
void PackedTargets<Exec>::find_spans(const Bodies<Exec>& bodies) {
    const std::size_t together = std::max(longest_span / bodies.group_size, std::size_t{1}), groups = bodies.groups.size();
    span_.resize_discard(targets_.count);
    std::uint32_t* const span = span_.data();
    const cell_index* const body = body_.data();
    const Group* const of_all = bodies.groups.data();
    for_each(exec_, targets_.count, [=] GRAVLET_HD(std::size_t t) {
        span[t] = static_cast<std::uint32_t>(group_of(of_all, groups, body[t]) / together);
    });
}

/// Most targets of a group are farther from what acts on it than nodes need be. Of a few targets all are at a face of their box,
/// and would err as much as is allowed. So the box of a packed group that has less than half of the targets that the group of all
/// bodies has which its first one is in is larger at each face: for one target by a quarter of that group, for more by as much
/// less as fewer are at a face.
template <class Exec>
void PackedTargets<Exec>::widen_boxes(const Bodies<Exec>& bodies) {
    const cell_index* const body = body_.data();
    const Group* const of_all = bodies.groups.data();
    const std::size_t groups = bodies.groups.size();
    Group* const packed = targets_.groups.data();
    for_each(exec_, targets_.groups.size(), [=] GRAVLET_HD(std::size_t g) {
        const Group& of_first = of_all[group_of(of_all, groups, body[packed[g].begin])];
        if (2 * packed[g].count >= of_first.count) return;
        const Bounds whole = of_first.box;
        const double share = 0.25 / cbrt(static_cast<double>(packed[g].count));
        Bounds& box = packed[g].box;
        const double x = share * (whole.upper.x - whole.lower.x), y = share * (whole.upper.y - whole.lower.y),
                     z = share * (whole.upper.z - whole.lower.z);
        box = {{box.lower.x - x, box.lower.y - y, box.lower.z - z}, {box.upper.x + x, box.upper.y + y, box.upper.z + z}};
    });
}

template <class Exec>
void PackedTargets<Exec>::unpack(int derivatives, Bodies<Exec>& bodies) {
    if (!any_) return;
    const SumArrays from = targets_.sum_arrays(), to = bodies.sum_arrays();
    const cell_index* const body = body_.data();
    const std::size_t components = component_count(derivatives);
    for_each(exec_, targets_.count, [=] GRAVLET_HD(std::size_t t) {
        for (std::size_t k = 0; k < components; ++k) to.of[k][body[t]] = from.of[k][t];
    });
}

}  // namespace gravlet
