// SPDX-License-Identifier: Apache-2.0
// Compiled for each instruction set and chosen at run time; one for all orders and derivatives.
#include "cpu/simd/collect.hpp"
#include "cpu/simd/targets.hpp"

#include "physics/acceptance.hpp"
#include "physics/multipole.hpp"
#include "physics/order.hpp"
#include "physics/softening.hpp"
#include "physics/walk_rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/collect.cpp"
#include <hwy/foreach_target.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gravlet {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#include "cpu/simd/vectors-inl.hpp"

#include "cpu/simd/far_nodes-inl.hpp"

/// Pairs are done in double where one alone pulls by more than this times what the whole batch would from its frame's edge: where
/// masses are alike and space is filled evenly, one target of 2,700 has such a neighbour.
constexpr double large_pulls = 16.0;

BatchFrame frame_of(const WalkTargets& targets, std::size_t first, int groups) {
    Bounds all = targets.groups[first].box;
    for (int g = 1; g < groups; ++g) all = united(all, targets.groups[first + static_cast<std::size_t>(g)].box);
    BatchFrame frame{};
    frame.x = 0.5 * (all.lower.x + all.upper.x);
    frame.y = 0.5 * (all.lower.y + all.upper.y);
    frame.z = 0.5 * (all.lower.z + all.upper.z);
    frame.radius = 0.5 * std::max({all.upper.x - all.lower.x, all.upper.y - all.lower.y, all.upper.z - all.lower.z});
    frame.reach =
        0.5 * std::hypot(all.upper.x - all.lower.x, all.upper.y - all.lower.y, all.upper.z - all.lower.z) + 2e-6 * frame.radius;
    // Boxes grow by what rounding to the frame may take from them: a wide batch opens more, and never accepts too near.
    const double slack = 1e-6 * frame.radius;
    const auto set = [&](int axis, int g, double lower, double upper, double origin) {
        frame.centre[axis][g] = static_cast<float>(0.5 * (lower + upper) - origin);
        frame.half[axis][g] = static_cast<float>(0.5 * (upper - lower) + slack);
    };
    // Local expansions do not split positions.
    const double least_far_radius = std::max(frame.radius * cpu_far_radii, static_cast<double>(targets.nearest_far_node));
    frame.far_scale = far_scale(static_cast<float>(least_far_radius));
    frame.gap = static_cast<float>(std::max(frame.radius / widest_single_precision, nearest_single_precision));
    const double close = std::max(frame.radius * 0x1p-18, nearest_single_precision);
    frame.close2 = static_cast<float>(close * close);
    double mass = 0.0;
    for (int g = 0; g < groups; ++g) {
        const Group& group = targets.groups[first + static_cast<std::size_t>(g)];
        for (std::uint32_t i = group.begin; i < group.begin + group.count; ++i) mass += targets.bodies[i].mass;
    }
    frame.close2_of_mass =
        static_cast<float>(mass > 0.0 ? frame.radius * frame.radius / (mass * large_pulls) : targets.close2_of_mass);
    double sides = 0.0;
    for (int g = 0; g < batch_groups; ++g) {
        const Group& group = targets.groups[first + static_cast<std::size_t>(std::min(g, groups - 1))];
        const Bounds& box = group.box;
        if (targets.pieces.side > 0.0) frame.piece[g] = piece_of(targets.pieces, group);
        frame.far_radius[g] = static_cast<float>(std::max(far_radius(targets, group), least_far_radius));
        frame.softening[g] = group.softening;
        frame.factor[g] = group.factor;
        frame.least_factor = g == 0 ? group.factor : std::min(frame.least_factor, group.factor);
        frame.most_factor = std::max(frame.most_factor, group.factor);
        frame.most_softening = std::max(frame.most_softening, group.softening);
        sides = std::max(sides, far_sides(targets, group));
        set(0, g, box.lower.x, box.upper.x, frame.x);
        set(1, g, box.lower.y, box.upper.y, frame.y);
        set(2, g, box.lower.z, box.upper.z, frame.z);
    }
    frame.whole_far_radius = static_cast<float>(std::max(2.0 * frame.radius * sides * cpu_batch_sides, least_far_radius));
    return frame;
}

/// Bit g of each: what group g may do with a node.
struct Decision {
    std::uint32_t far;       ///< groups on whose centre it acts
    std::uint32_t accepted;  ///< groups on whose targets it acts
    std::uint32_t apart;     ///< groups for which, if it is a leaf, its sources are not close to any target, nor softened
};

/// `origin` is where the frame is as the tree sees it: displaced, for an image of the tree. `single`: farther apart, a pair is
/// not close.
HWY_INLINE Decision decide(const BatchFrame& frame, const Vector3& origin, const Node& node, const WalkTargets& targets,
                           float single) {
    const hn::CappedTag<float, batch_groups> d;
    const auto zero = hn::Zero(d);
    const float sources_within = cube_diagonal * node.size + single;  // of the centre of mass
    const auto near = hn::Set(d, sources_within);
    const auto radius = hn::Set(d, node.open_radius), away = hn::Set(d, kept_away(node, targets.extents));
    const float position[3] = {static_cast<float>(node.x - origin.x), static_cast<float>(node.y - origin.y),
                               static_cast<float>(node.z - origin.z)};
    Decision out{};
    for (std::size_t g = 0; g < batch_groups; g += hn::Lanes(d)) {
        auto to_box = zero, to_centre = zero;
        for (int axis = 0; axis < 3; ++axis) {
            const auto distance = hn::Set(d, position[axis]) - hn::Load(d, frame.centre[axis] + g);
            const auto gap = hn::Max(hn::Abs(distance) - hn::Load(d, frame.half[axis] + g), zero);
            to_centre = hn::MulAdd(distance, distance, to_centre);
            to_box = hn::MulAdd(gap, gap, to_box);
        }
        const auto open = hn::MulAdd(radius, hn::Load(d, frame.factor + g), away);  // open_distance()
        auto beyond = open, sources = near, far = hn::Load(d, frame.far_radius + g);
        if (targets.softened) {
            const auto open_lengths = hn::Set(d, open_margin(targets.softening_kernel));
            const auto softening = hn::Max(hn::Load(d, frame.softening + g), hn::Set(d, node.most_softening));
            beyond = hn::MulAdd(open_lengths, softening, open);
            sources = hn::MulAdd(open_lengths, softening, near);
            far = hn::Max(far, hn::Set(d, targets.far_margin) * softening);
        }
        far = far + open;
        const auto bits = [&](auto mask) HWY_ATTR {
            alignas(8) std::uint8_t bytes[8] = {};
            hn::StoreMaskBits(d, mask, bytes);
            std::uint32_t lanes = 0;
            std::memcpy(&lanes, bytes, sizeof lanes);
            return (lanes & ((1u << hn::Lanes(d)) - 1u)) << g;
        };
        out.far |= bits(hn::Gt(to_centre, far * far));
        out.accepted |= bits(hn::Gt(to_box, beyond * beyond));
        if (node.leaf != 0) out.apart |= bits(hn::Gt(to_box, sources * sources));
    }
    return out;
}

/// Adds a node to the lists of `groups`, by the place that its record will have.
HWY_INLINE void add_node(BatchWorkspace& work, const ListedNode& node, std::size_t record_length, float open_distance,
                         std::uint32_t groups) {
    const std::uint32_t record = static_cast<std::uint32_t>(work.nodes.size() * record_length);
    work.nodes.push(node);
    work.smallest_open_radius = std::min(work.smallest_open_radius, open_distance);
    for (; groups != 0; groups &= groups - 1) work.lists[std::countr_zero(groups)].nodes.push(record);
}

/// Writes the records of all nodes in work.nodes.
template <int P>
void write_node_records(const TreeView& tree, const WalkTargets& targets, const BatchFrame& frame, bool softened,
                        BatchWorkspace& work) {
    const std::size_t length = NodeRecord::length(P, softened), count = static_cast<std::size_t>(moment_count(P));
    float* record = work.node_records.room(work.nodes.size() * length);
    for (std::size_t i = 0; i < work.nodes.size(); ++i, record += length) {
        prefetch_node<P>(tree, work.nodes, i + read_ahead);
        const ListedNode& listed = work.nodes.data()[i];
        const Node& node = tree.nodes[listed.node];
        const Vector3 origin = frame.origin(displacement(targets, listed.image));
        split(node.x - origin.x, record + NodeRecord::x, record + NodeRecord::x_low);
        split(node.y - origin.y, record + NodeRecord::y, record + NodeRecord::y_low);
        split(node.z - origin.z, record + NodeRecord::z, record + NodeRecord::z_low);
        record[NodeRecord::mass] = node.mass;
        record[NodeRecord::size] = node.size;
        std::copy_n(tree.moments + listed.node * count, count, record + NodeRecord::moments);
        if (softened) {
            const auto [mean2, least2, span2, slope, curve] = softening_of(node);
            const float numbers[] = {mean2, least2, span2, slope, curve, node.spread};
            std::copy_n(numbers, NodeRecord::softening_length, record + NodeRecord::softening(P));
        }
    }
}

HWY_INLINE void add_run(GrowingArray<SourceRun>& list, SourceRun run) {
    if (list.size() > 0 && list.data()[list.size() - 1].begin + list.data()[list.size() - 1].count == run.begin) {
        list.data()[list.size() - 1].count += run.count;
    } else {
        list.push(run);
    }
}

/// Adds a leaf's sources, and the run of their records to the lists of the `apart` and of the `near` groups.
HWY_INLINE void add_plain_sources(BatchWorkspace& work, const Vector3& origin, const TreeView& tree, const Node& leaf,
                                  std::uint32_t apart, std::uint32_t near) {
    float* record = work.source_records.room(SourceRecord::length * leaf.count);
    const SourceRun run{static_cast<std::uint32_t>(work.source_records.size() / SourceRecord::length), leaf.count};
    for (std::uint32_t s = leaf.first; s < leaf.first + leaf.count; ++s, record += SourceRecord::length) {
        const Source& source = tree.sources[s];
        record[SourceRecord::x] = static_cast<float>(source.x - origin.x);
        record[SourceRecord::y] = static_cast<float>(source.y - origin.y);
        record[SourceRecord::z] = static_cast<float>(source.z - origin.z);
        record[SourceRecord::mass] = source.mass;
    }
    work.source_records.advance(SourceRecord::length * leaf.count);
    for (; apart != 0; apart &= apart - 1) add_run(work.lists[std::countr_zero(apart)].apart, run);
    for (; near != 0; near &= near - 1) add_run(work.lists[std::countr_zero(near)].near, run);
}

/// Sources of the tree in its place may be targets themselves.
HWY_INLINE void add_precise_sources(BatchWorkspace& work, const Vector3& origin, const TreeView& tree, const Node& leaf,
                                    std::uint32_t near, int image, bool by_spline, const BatchFrame& frame) {
    using Record = PreciseSourceRecord;
    float* record = work.precise_records.room(Record::length * leaf.count);
    const SourceRun run{static_cast<std::uint32_t>(work.precise_records.size() / Record::length), leaf.count};
    for (std::uint32_t s = leaf.first; s < leaf.first + leaf.count; ++s, record += Record::length) {
        const Source& source = tree.sources[s];
        split(source.x - origin.x, record + Record::x, record + Record::x_low);
        split(source.y - origin.y, record + Record::y, record + Record::y_low);
        split(source.z - origin.z, record + Record::z, record + Record::z_low);
        record[Record::mass] = source.mass;
        record[Record::softening] = by_spline ? inverse_support(source.softening) : source.softening;
        const std::uint32_t target = target_of(tree, s, image);
        std::memcpy(record + Record::target, &target, sizeof target);
        std::memcpy(record + Record::source, &s, sizeof s);
        std::memcpy(record + Record::image, &image, sizeof image);
        record[Record::close2] = std::max(frame.close2, source.mass * frame.close2_of_mass);
    }
    work.precise_records.advance(Record::length * leaf.count);
    for (; near != 0; near &= near - 1) add_run(work.lists[std::countr_zero(near)].near, run);
}

/// Whether a node acts on the frame's centre, for all groups.
HWY_INLINE bool is_far_from_all(const BatchFrame& frame, const Vector3& origin, const Node& node, const WalkTargets& targets) {
    const float x = static_cast<float>(node.x - origin.x), y = static_cast<float>(node.y - origin.y),
                z = static_cast<float>(node.z - origin.z);
    float far = frame.whole_far_radius;
    if (targets.softened) far = std::max(far, targets.far_margin * std::max(frame.most_softening, node.most_softening));
    far += open_distance(node, frame.most_factor, targets.extents);
    return x * x + y * y + z * z > far * far;
}

void push_children(const TreeView& tree, const Node& node, std::uint32_t groups, bool in_piece, BatchWorkspace& work) {
    BatchWorkspace::Visit* const next = work.stack.room(node.count);
    for (std::uint32_t c = 0; c < node.count; ++c) {
        next[c] = {node.first + c, groups, in_piece};
        hwy::Prefetch(tree.nodes + node.first + c);
    }
    work.stack.advance(node.count);
}

/// The groups, of `groups`, that walk the image of a node.
std::uint32_t groups_that_walk(const BoxPieces& pieces, const BatchFrame& frame, const Node& node, const Vector3& displacement,
                               std::uint32_t groups) {
    std::uint32_t out = 0;
    for (; groups != 0; groups &= groups - 1) {
        const int g = std::countr_zero(groups);
        if (is_walked(pieces, node, frame.piece[g], displacement)) out |= 1u << g;
    }
    return out;
}

/// How near the heaviest of a leaf's sources is close.
float gap_of_heaviest(const TreeView& tree, const Node& leaf, const BatchFrame& frame) {
    float mass = 0.0f;
    for (std::uint32_t s = leaf.first; s < leaf.first + leaf.count; ++s) mass = std::max(mass, tree.sources[s].mass);
    return std::sqrt(mass * frame.close2_of_mass);
}

/// Collects what one image of the tree has for the groups. `whole`: they are all of the batch, and what is far from all of it
/// acts on its centre.
void collect_image(const TreeView& tree, const WalkTargets& targets, int image, const BatchFrame& frame, int order,
                   std::uint32_t groups, bool whole, Care care, BatchWorkspace& work) {
    const BoxPieces& pieces = targets.pieces;
    const Vector3 displacement = gravlet::displacement(targets, image);
    const std::uint32_t few = cheap_leaf(order);
    const Vector3 origin = frame.origin(displacement);
    const std::size_t record_length = NodeRecord::length(order, care == Care::plummer);
    work.stack.clear();
    work.stack.push({tree.root, groups, pieces.side == 0.0});
    while (work.stack.size() > 0) {
        BatchWorkspace::Visit visit = work.stack.pop();
        const Node& node = tree.nodes[visit.node];
        if (!visit.in_piece) {
            visit.groups = groups_that_walk(pieces, frame, node, displacement, visit.groups);
            if (visit.groups == 0) continue;
            if (!is_in_piece(pieces, node)) {
                push_children(tree, node, visit.groups, false, work);
                continue;
            }
        }
        if (whole && visit.groups == groups && is_far_from_all(frame, origin, node, targets)) {
            work.whole_nodes.push({visit.node, image});
            continue;
        }
        if (node.leaf != 0)
            for (std::uint32_t i = 0; i < node.count; i += 2) hwy::Prefetch(tree.sources + node.first + i);
        Decision decision = decide(frame, origin, node, targets, frame.gap);
        const std::uint32_t far = visit.groups & decision.far;
        if (far != 0) work.far_nodes.push({{visit.node, image}, far});
        std::uint32_t rest = visit.groups & ~far;
        if (node.leaf == 0 || node.count > few) {
            const std::uint32_t accepted = rest & decision.accepted;
            if (accepted != 0)
                add_node(work, {visit.node, image}, record_length, open_distance(node, frame.least_factor, targets.extents),
                         accepted);
            rest &= ~accepted;
        }
        if (rest == 0) continue;
        if (node.count == 0) {
            for (; rest != 0; rest &= rest - 1) work.lists[std::countr_zero(rest)].close_nodes.push({visit.node, image});
        } else if (node.leaf == 0) {
            push_children(tree, node, rest, true, work);
        } else if (care == Care::none) {
            add_plain_sources(work, origin, tree, node, rest & decision.apart, rest & ~decision.apart);
        } else {
            const float gap = gap_of_heaviest(tree, node, frame);
            if (gap > frame.gap) decision.apart = decide(frame, origin, node, targets, gap).apart;
            const std::uint32_t apart = care == Care::plummer ? 0 : rest & decision.apart;
            if (apart != 0) add_plain_sources(work, origin, tree, node, apart, 0);
            if (apart != rest) add_precise_sources(work, origin, tree, node, rest & ~apart, image, care == Care::spline, frame);
        }
    }
}

void collect_any(const TreeView& tree, const WalkTargets& targets, const BatchFrame& frame, int order, std::uint32_t groups,
                 bool whole, Care care, BatchWorkspace& work) {
    for (auto* records : {&work.source_records, &work.precise_records}) records->clear();
    for (auto* nodes : {&work.nodes, &work.whole_nodes}) nodes->clear();
    work.far_nodes.clear();
    for (GroupLists& lists : work.lists) {
        lists.nodes.clear();
        lists.close_nodes.clear();
        lists.apart.clear();
        lists.near.clear();
    }
    work.smallest_open_radius = std::numeric_limits<float>::max();
    for (int image = 0; image < targets.image_count; ++image)
        collect_image(tree, targets, image, frame, order, groups, whole, care, work);
    with_order(order, [&](auto p) {
        write_node_records<decltype(p)::value>(tree, targets, frame, care == Care::plummer, work);
        sum_far_nodes<decltype(p)::value>(tree, targets, frame, work);
        sum_whole_nodes<decltype(p)::value>(tree, targets, frame, work);
    });
    hand_down(frame, work);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace gravlet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gravlet {

HWY_EXPORT(frame_of);
HWY_EXPORT(collect_any);

BatchFrame make_frame(const WalkTargets& targets, std::size_t first, int groups) {
    return HWY_DYNAMIC_DISPATCH(frame_of)(targets, first, groups);
}

void collect(const TreeView& tree, const WalkTargets& targets, const BatchFrame& frame, int order, std::uint32_t groups,
             bool whole, Care care, BatchWorkspace& work) {
    HWY_DYNAMIC_DISPATCH(collect_any)(tree, targets, frame, order, groups, whole, care, work);
}

}  // namespace gravlet
#endif
