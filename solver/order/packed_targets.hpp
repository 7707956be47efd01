// SPDX-License-Identifier: Apache-2.0
// Active bodies as targets of their own: packed along the curve into full groups, so that a solve for few of many costs about its
// share. From here to the results they are the solve's targets, and bodies are sources alone.
#pragma once

#include "physics/partition_point.hpp"
#include "solver/data/bodies.hpp"
#include "solver/input/input.hpp"
#include "solver/order/groups.hpp"
#include "solver/order/targets.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {

/// So many bodies may be between those of a group: it opens what they would all open, and few active ones among many would
/// make boxes that open most of all there is. (With twice as many a CPU takes 0.8 of the time at a hundredth at random, and meets
/// 1.4 times the pairs.)
inline constexpr std::size_t longest_span = 256;

/// Groups of all bodies with no more are small: what cut them off is far.
inline constexpr std::uint32_t small_group = 4;

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
          group_(exec.template buffer<std::uint32_t>()) {}

    /// Local. Packs the active bodies, or nobody where all are, or where most are and packing would not make their groups fewer.
    void pack(const Input& input, const Frame& frame, const Options& options, const Bodies<Exec>& bodies);
    void clear() { any_ = false; }
    [[nodiscard]] bool any() const { return any_; }
    [[nodiscard]] TargetSet<Exec>& targets() { return targets_; }
    /// The sorted body that each target is; null: of the same number.
    [[nodiscard]] const cell_index* body_of_target() const { return any_ ? body_.data() : nullptr; }
    /// The target that each sorted body is, or no_target; null: of the same number.
    [[nodiscard]] const cell_index* target_of_body() const { return any_ ? packed_.data() : nullptr; }

    /// Local. A tree whose own sources are these targets.
    [[nodiscard]] TreeView seen(TreeView tree) const {
        if (any_) tree.source_target = of_source_.size() > 0 ? of_source_.data() : packed_.data();
        return tree;
    }

    // Public because CUDA's extended lambdas may not be in private functions.
    void find_groups(const Bodies<Exec>& bodies);
    void take(const Bodies<Exec>& bodies);
    [[nodiscard]] std::size_t bodies_around(const Bodies<Exec>& bodies) const;
    void widen_boxes(const Bodies<Exec>& bodies);

private:
    Exec exec_;
    TargetSet<Exec> targets_;
    typename Exec::template Buffer<cell_index> body_;       ///< the sorted body that each is
    typename Exec::template Buffer<cell_index> packed_;     ///< the target that each sorted body is, or no_target
    typename Exec::template Buffer<cell_index> of_source_;  ///< target of each source, where not all bodies are sources
    typename Exec::template Buffer<std::uint32_t> group_;   ///< the group of all bodies that each is in
    bool any_ = false;
};

template <class Exec>
void PackedTargets<Exec>::pack(const Input& input, const Frame& frame, const Options& options, const Bodies<Exec>& bodies) {
    TargetSet<Exec>& b = targets_;
    const GivenBodies given = input;
    const cell_index* const order = bodies.order.data();
    body_.resize_discard(bodies.count);
    b.count = b.active_count =
        select_indices(exec_, bodies.count, body_.data(), [=] GRAVLET_HD(cell_index s) { return given.active(order[s]); });
    find_groups(bodies);
    any_ = b.count < bodies.count && (8 * b.count < bodies.count || 4 * b.count < 3 * bodies_around(bodies));
    if (!any_) return;
    take(bodies);
    const std::size_t size = Exec::packed_group_size(options, b.count, [&] { return 2 * b.count < bodies_around(bodies); });
    b.group_size = std::max(size, Exec::least_group_size);
    // Spans are of whole groups of all bodies, as these part along the curve wherever they must.
    const std::size_t together = std::max(longest_span / bodies.group_size, std::size_t{1});
    const std::uint32_t* const group = group_.data();
    make_groups_within(
        exec_, frame, size, [=] GRAVLET_HD(std::size_t t) { return group[t] / together; }, b);
    widen_boxes(bodies);
    clear_sums(exec_, frame.derivatives, b);
}

template <class Exec>
void PackedTargets<Exec>::find_groups(const Bodies<Exec>& bodies) {
    group_.resize_discard(targets_.count);
    std::uint32_t* const group = group_.data();
    const cell_index* const body = body_.data();
    const Group* const groups = bodies.groups.data();
    const std::size_t group_count = bodies.groups.size();
    for_each(exec_, targets_.count,
             [=] GRAVLET_HD(std::size_t t) { group[t] = static_cast<std::uint32_t>(group_of(groups, group_count, body[t])); });
}

template <class Exec>
void PackedTargets<Exec>::take(const Bodies<Exec>& bodies) {
    TargetSet<Exec>& b = targets_;
    b.bodies.resize_discard(b.count), b.sizes.resize_discard(b.count), b.keys.resize_discard(b.count);
    b.order.resize_discard(b.count), packed_.resize_discard(bodies.count);
    cell_index *const number = b.order.data(), *const packed = packed_.data();
    Source* const to = b.bodies.data();
    float* const sizes = b.sizes.data();
    key_type* const keys = b.keys.data();
    const cell_index *const body = body_.data(), *const order = bodies.order.data();
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
    for_each(exec_, of_source_.size(), [=] GRAVLET_HD(std::size_t i) {
        of_source[i] = source_target[i] == no_target ? no_target : packed[source_target[i]];
    });
}

/// How many bodies are in groups with an active one.
template <class Exec>
std::size_t PackedTargets<Exec>::bodies_around(const Bodies<Exec>& bodies) const {
    const std::uint32_t* const group = group_.data();
    const Group* const groups = bodies.groups.data();
    return transform_reduce(
        exec_, targets_.count,
        [=] GRAVLET_HD(std::size_t t) {
            return t == 0 || group[t] != group[t - 1] ? std::size_t{groups[group[t]].count} : std::size_t{0};
        },
        std::size_t{0}, [] GRAVLET_HD(std::size_t p, std::size_t q) { return p + q; });
}

/// Most targets of a group are farther from what acts on it than nodes need be. Of a few targets all are at a face of their box,
/// and would err as much as is allowed. So the box of a packed group that has less than half of the targets that the group of all
/// bodies has which its first one is in is larger at each face: for one target by a quarter of that group, for more by as much
/// less as fewer are at a face. Bodies that are in a small group among all, too, have neighbours far away, and walk with others'
/// groups there: their box is larger by half of the way to the next one.
template <class Exec>
void PackedTargets<Exec>::widen_boxes(const Bodies<Exec>& bodies) {
    const std::uint32_t* const group = group_.data();
    const Group* const of_all = bodies.groups.data();
    const Source* const all = bodies.bodies.data();
    const std::size_t count = bodies.count;
    Group* const packed = targets_.groups.data();
    for_each(exec_, targets_.groups.size(), [=] GRAVLET_HD(std::size_t g) {
        const Group& of_first = of_all[group[packed[g].begin]];
        const double share = 1.0 / cbrt(static_cast<double>(packed[g].count));
        const auto& [low, high] = of_first.box;
        Vector3 by{};
        if (2 * packed[g].count < of_first.count)
            by = {0.25 * (high.x - low.x), 0.25 * (high.y - low.y), 0.25 * (high.z - low.z)};
        if (of_first.count <= small_group) {
            const std::size_t first = of_first.begin, last = first + of_first.count - 1;
            float next = INFINITY;
            if (first > 0) next = distance_squared(all[first - 1], all[first]);
            if (last + 1 < count) next = fminf(next, distance_squared(all[last], all[last + 1]));
            const double half = next < INFINITY ? 0.5 * sqrt(static_cast<double>(next)) : 0.0;
            by = {fmax(by.x, half), fmax(by.y, half), fmax(by.z, half)};
        }
        Bounds& box = packed[g].box;
        const double x = share * by.x, y = share * by.y, z = share * by.z;
        box = {{box.lower.x - x, box.lower.y - y, box.lower.z - z}, {box.upper.x + x, box.upper.y + y, box.upper.z + z}};
    });
}

}  // namespace gravlet
