// SPDX-License-Identifier: Apache-2.0
// The walk: fills a batch's interaction lists. Included by walk_simd.cpp once for every instruction set.

/// The batch's frame and its groups' boxes, a lane each.
struct BatchFrame {
    double x, y, z;
    alignas(64) float centre[3][batch_groups];
    alignas(64) float half[3][batch_groups];
    double radius;  ///< half the frame's longest side
};

BatchFrame make_frame(const WalkTargets& targets, std::size_t first, int groups) {
    Bounds all = targets.groups[first].box;
    for (int g = 1; g < groups; ++g) all = united(all, targets.groups[first + static_cast<std::size_t>(g)].box);
    BatchFrame frame{};
    frame.x = 0.5 * (all.lower.x + all.upper.x);
    frame.y = 0.5 * (all.lower.y + all.upper.y);
    frame.z = 0.5 * (all.lower.z + all.upper.z);
    frame.radius = 0.5 * std::max({all.upper.x - all.lower.x, all.upper.y - all.lower.y, all.upper.z - all.lower.z});
    // Boxes grow by what rounding to the frame may take from them: a wide batch opens more, and never accepts too near.
    const double slack = 1e-6 * frame.radius;
    const auto set = [&](int axis, int g, double lower, double upper, double origin) {
        frame.centre[axis][g] = static_cast<float>(0.5 * (lower + upper) - origin);
        frame.half[axis][g] = static_cast<float>(0.5 * (upper - lower) + slack);
    };
    for (int g = 0; g < batch_groups; ++g) {
        const Bounds& box = targets.groups[first + static_cast<std::size_t>(std::min(g, groups - 1))].box;
        set(0, g, box.lower.x, box.upper.x, frame.x);
        set(1, g, box.lower.y, box.upper.y, frame.y);
        set(2, g, box.lower.z, box.upper.z, frame.z);
    }
    return frame;
}

/// Bit g: group g's box is farther than `radius` from (x, y, z).
HWY_INLINE std::uint32_t accepting_groups(const BatchFrame& frame, float x, float y, float z, float radius) {
    const hn::CappedTag<float, batch_groups> d;
    const auto zero = hn::Zero(d);
    const auto limit = hn::Set(d, radius * radius);
    alignas(8) std::uint8_t bytes[8] = {};
    std::uint32_t bits = 0;
    for (std::size_t g = 0; g < batch_groups; g += hn::Lanes(d)) {
        const auto gap = [&](int axis, float position) HWY_ATTR {
            const auto distance = hn::Abs(hn::Set(d, position) - hn::Load(d, frame.centre[axis] + g));
            return hn::Max(distance - hn::Load(d, frame.half[axis] + g), zero);
        };
        const auto dx = gap(0, x), dy = gap(1, y), dz = gap(2, z);
        hn::StoreMaskBits(d, hn::Gt(hn::MulAdd(dx, dx, hn::MulAdd(dy, dy, dz * dz)), limit), bytes);
        std::uint32_t lanes = 0;
        std::memcpy(&lanes, bytes, sizeof lanes);
        bits |= (lanes & ((1u << hn::Lanes(d)) - 1u)) << g;
    }
    return bits;
}

/// A position in the frame as a high and a low single-precision part.
HWY_INLINE void split(double position, float* high, float* low) {
    *high = static_cast<float>(position);
    *low = static_cast<float>(position - static_cast<double>(*high));
}

/// Adds a node's record, and its number to the lists of `groups`.
HWY_INLINE void add_node_record(BatchWorkspace& work, const BatchFrame& frame, const TreeView& tree, node_index index, int order,
                                std::uint32_t groups) {
    const Node& node = tree.nodes[index];
    const std::size_t length = NodeRecord::length(order), moments = static_cast<std::size_t>(moment_count(order));
    float* const record = work.node_records.room(length);
    const std::uint32_t number = static_cast<std::uint32_t>(work.node_records.size());
    split(node.x - frame.x, record + NodeRecord::x, record + NodeRecord::x_low);
    split(node.y - frame.y, record + NodeRecord::y, record + NodeRecord::y_low);
    split(node.z - frame.z, record + NodeRecord::z, record + NodeRecord::z_low);
    record[NodeRecord::mass] = node.mass;
    record[NodeRecord::size] = node.size;
    record[NodeRecord::softening2] = node.softening2;
    std::copy_n(tree.moments + index * moments, moments, record + NodeRecord::moments);
    work.node_records.advance(length);
    work.smallest_open_radius = std::min(work.smallest_open_radius, node.open_radius);
    for (; groups != 0; groups &= groups - 1) work.node_lists[std::countr_zero(groups)].push(number);
}

/// Adds a leaf's sources, and the run of their records to the lists of `groups`.
HWY_INLINE void add_source_records(BatchWorkspace& work, const BatchFrame& frame, const TreeView& tree, const Node& leaf,
                                   bool precise, std::uint32_t groups) {
    const std::size_t length = precise ? SourceRecord::length : SourceRecord::plain_length;
    float* record = work.source_records.room(length * leaf.count);
    const SourceRun run{static_cast<std::uint32_t>(work.source_records.size() / length), leaf.count};
    for (std::uint32_t s = leaf.first; s < leaf.first + leaf.count; ++s, record += length) {
        const Source& source = tree.sources[s];
        float low[3];
        split(source.x - frame.x, record + SourceRecord::x, low);
        split(source.y - frame.y, record + SourceRecord::y, low + 1);
        split(source.z - frame.z, record + SourceRecord::z, low + 2);
        record[SourceRecord::mass] = source.mass;
        if (precise) {
            std::copy_n(low, 3, record + SourceRecord::x_low);
            record[SourceRecord::softening2] = source.softening2;
            const std::uint32_t target = tree.remote ? no_target : tree.source_target != nullptr ? tree.source_target[s] : s;
            std::memcpy(record + SourceRecord::target, &target, sizeof target);
        }
    }
    work.source_records.advance(length * leaf.count);
    for (; groups != 0; groups &= groups - 1) {
        auto& list = work.source_lists[std::countr_zero(groups)];
        if (list.size() > 0 && list.data()[list.size() - 1].begin + list.data()[list.size() - 1].count == run.begin) {
            list.data()[list.size() - 1].count += run.count;
        } else {
            list.push(run);
        }
    }
}

/// Fills the lists of the batch's groups. A leaf of few sources costs less as sources than as a node, and is exact.
void collect(const TreeView& tree, const BatchFrame& frame, int order, int groups, bool precise, BatchWorkspace& work) {
    const std::uint32_t cheap_leaf = order < 2 ? 1 : order < 4 ? 2 : 4;
    work.node_records.clear();
    work.source_records.clear();
    for (int g = 0; g < batch_groups; ++g) {
        work.node_lists[g].clear();
        work.source_lists[g].clear();
    }
    work.smallest_open_radius = std::numeric_limits<float>::max();
    work.stack.clear();
    work.stack.push({tree.root, (1u << groups) - 1u});
    while (work.stack.size() > 0) {
        const BatchWorkspace::Visit visit = work.stack.pop();
        const Node& node = tree.nodes[visit.node];
        if (node.leaf != 0 && node.count <= cheap_leaf) {
            add_source_records(work, frame, tree, node, precise, visit.groups);
            continue;
        }
        std::uint32_t accepted = visit.groups;
        if (node.count > 0) {
            accepted &= accepting_groups(frame, static_cast<float>(node.x - frame.x), static_cast<float>(node.y - frame.y),
                                         static_cast<float>(node.z - frame.z), node.open_radius);
        }
        if (accepted != 0) add_node_record(work, frame, tree, visit.node, order, accepted);
        const std::uint32_t rest = visit.groups & ~accepted;
        if (rest == 0) continue;
        if (node.leaf != 0) {
            add_source_records(work, frame, tree, node, precise, rest);
        } else {
            BatchWorkspace::Visit* const next = work.stack.room(node.count);
            for (std::uint32_t c = 0; c < node.count; ++c) next[c] = {node.first + c, rest};
            work.stack.advance(node.count);
        }
    }
}
