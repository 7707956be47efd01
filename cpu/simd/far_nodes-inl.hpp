// SPDX-License-Identifier: Apache-2.0
// What a batch's walk found to be far acts on centres: on those of groups, a lane each, or on the frame's, for all groups, and is
// handed down to them. Included by collect.cpp once for every instruction set.

/// Floats of a far node: position, mass, then the B of local_expansion.inl.
struct FarRecord {
    enum : std::size_t { x, y, z, mass, moments };
    static constexpr std::size_t length(int order) { return moments + static_cast<std::size_t>(moment_count(order)); }
};

/// Sums of so many nodes are in single precision.
inline constexpr std::size_t far_nodes_together = 64;

/// Entries of a list that are asked for ahead of the one that is read.
inline constexpr std::size_t read_ahead = 8;

/// Asks for the node and the moments of entry `i` of a list, if there is one.
template <int P, class Listed>
HWY_INLINE void prefetch_node(const TreeView& tree, const GrowingArray<Listed>& list, std::size_t i) {
    if (i >= list.size()) return;
    constexpr std::size_t count = static_cast<std::size_t>(moment_count(P)), line = 16;
    const std::size_t node = list.data()[i].node;
    hwy::Prefetch(tree.nodes + node);
    for (std::size_t m = 0; m < count; m += line) hwy::Prefetch(tree.moments + node * count + m);
}

/// Reads a far node, in lengths 1/far_scale; its numbers go `stride` apart.
template <int P, std::size_t stride>
HWY_INLINE void read_far_node(const TreeView& tree, const WalkTargets& targets, const BatchFrame& frame, const ListedNode& listed,
                              float* record) {
    const Node& node = tree.nodes[listed.node];
    const Vector3 origin = frame.origin(displacement(targets, listed.image));
    const float scale = frame.far_scale;
    record[FarRecord::x * stride] = static_cast<float>(node.x - origin.x) * scale;
    record[FarRecord::y * stride] = static_cast<float>(node.y - origin.y) * scale;
    record[FarRecord::z * stride] = static_cast<float>(node.z - origin.z) * scale;
    record[FarRecord::mass * stride] = node.mass;
    const float* const moments = tree.moments + listed.node * static_cast<std::size_t>(moment_count(P));
    const float l = node.size * scale, l2 = l * l, powers[] = {l2, l2 * l, l2 * l2};
    unrolled<static_cast<std::size_t>(moment_count(P))>([&](auto m) HWY_ATTR {
        constexpr int n = moment_degree(m);
        constexpr float factor = (n % 2 == 0 ? 1.0f : -1.0f) / static_cast<float>(multipole::odd_factorial(n));
        record[(FarRecord::moments + m) * stride] = moments[m] * (powers[n - 2] * factor);
    });
}

/// Sums what is far from groups into work.local: nodes on the groups' centres, lanes = groups, a node broadcast to all of them.
template <int P>
void sum_far_nodes(const TreeView& tree, const WalkTargets& targets, const BatchFrame& frame, BatchWorkspace& work) {
    const FloatTag d;
    const auto zero = hn::Zero(d), one = hn::Set(d, 1.0f), scale = hn::Set(d, frame.far_scale);
    const auto number = [](float v) HWY_ATTR { return hn::Set(FloatTag(), v); };
    for (auto& lanes : work.local) std::fill_n(lanes, batch_groups, 0.0);
    const std::size_t count = work.far_nodes.size();
    for (std::size_t g = 0; g < batch_groups; g += hn::Lanes(d)) {
        const auto x = hn::Load(d, frame.centre[0] + g) * scale, y = hn::Load(d, frame.centre[1] + g) * scale,
                   z = hn::Load(d, frame.centre[2] + g) * scale;
        for (std::size_t begin = 0; begin < count; begin += far_nodes_together) {
            FloatVector local[local_count];
            for (auto& sum : local) sum = zero;
            for (std::size_t i = begin; i < std::min(count, begin + far_nodes_together); ++i) {
                prefetch_node<P>(tree, work.far_nodes, i + read_ahead);
                const NodeFarFromGroups& far = work.far_nodes.data()[i];
                const std::uint32_t groups = far.groups >> g;
                if ((groups & ((1u << hn::Lanes(d)) - 1u)) == 0) continue;
                alignas(8)
                    const std::uint8_t bytes[8] = {static_cast<std::uint8_t>(groups), static_cast<std::uint8_t>(groups >> 8)};
                const auto active = hn::LoadMaskBits(d, bytes);
                float record[FarRecord::length(P)];
                read_far_node<P, 1>(tree, targets, frame, far, record);
                const auto rx = x - number(record[FarRecord::x]), ry = y - number(record[FarRecord::y]),
                           rz = z - number(record[FarRecord::z]);
                // Where a group does not take part, its distance may be anything: 1 keeps the arithmetic finite.
                const auto r2 = hn::IfThenElse(active, hn::MulAdd(rx, rx, hn::MulAdd(ry, ry, rz * rz)), one);
                const auto mass = hn::IfThenElseZero(active, number(record[FarRecord::mass]));
                FloatVector derivative[local_count];
                derivatives(rx, ry, rz, reciprocal_sqrt(r2), number, derivative);
                add_to_local<P>(local, derivative, mass, [&record, number](auto m) HWY_ATTR {
                    return number(record[static_cast<int>(FarRecord::moments) + decltype(m)::value]);
                });
            }
            for (std::size_t k = 0; k < local_count; ++k) flush(local[k], work.local[k] + g);
        }
    }
}

/// Sums what is far from all groups into work.whole_local: nodes on the frame's centre, lanes = nodes.
template <int P>
void sum_whole_nodes(const TreeView& tree, const WalkTargets& targets, const BatchFrame& frame, BatchWorkspace& work) {
    constexpr std::size_t length = FarRecord::length(P);
    const FloatTag d;
    const auto zero = hn::Zero(d);
    const auto number = [](float v) HWY_ATTR { return hn::Set(FloatTag(), v); };
    std::fill_n(work.whole_local, local_count, 0.0);
    const std::size_t count = work.whole_nodes.size();
    for (std::size_t begin = 0; begin < count; begin += far_nodes_together * hn::Lanes(d)) {
        FloatVector local[local_count];
        for (auto& sum : local) sum = zero;
        for (std::size_t i = begin; i < std::min(count, begin + far_nodes_together * hn::Lanes(d)); i += hn::Lanes(d)) {
            alignas(64) float records[length][batch_groups] = {};
            for (std::size_t lane = 0; lane < hn::Lanes(d); ++lane) {
                prefetch_node<P>(tree, work.whole_nodes, i + lane + read_ahead);
                if (i + lane < count)
                    read_far_node<P, batch_groups>(tree, targets, frame, work.whole_nodes.data()[i + lane], records[0] + lane);
                else
                    records[FarRecord::x][lane] = 1.0f;  // no mass, but it must be somewhere
            }
            const auto read = [&records](std::size_t at) HWY_ATTR { return hn::Load(FloatTag(), records[at]); };
            const auto rx = zero - read(FarRecord::x), ry = zero - read(FarRecord::y), rz = zero - read(FarRecord::z);
            FloatVector derivative[local_count];
            derivatives(rx, ry, rz, reciprocal_sqrt(hn::MulAdd(rx, rx, hn::MulAdd(ry, ry, rz * rz))), number, derivative);
            add_to_local<P>(local, derivative, read(FarRecord::mass), [read](auto m) HWY_ATTR {
                return read(FarRecord::moments + static_cast<std::size_t>(decltype(m)::value));
            });
        }
        for (std::size_t k = 0; k < local_count; ++k) {
            double lanes[batch_groups] = {};
            flush(local[k], lanes);
            for (const double sum : lanes) work.whole_local[k] += sum;
        }
    }
    complete_traces(work.whole_local, 0.0);
}

/// Adds the series about the frame's centre, moved to each group's, to work.local.
void hand_down(const BatchFrame& frame, BatchWorkspace& work) {
    if (work.whole_nodes.size() == 0) return;
    const double scale = frame.far_scale;
    for (std::size_t g = 0; g < batch_groups; ++g) {
        double series[local_count];
        std::copy_n(work.whole_local, local_count, series);
        shift_series(series, {frame.centre[0][g] * scale, frame.centre[1][g] * scale, frame.centre[2][g] * scale});
        for (std::size_t k = 0; k < local_count; ++k) work.local[k][g] += series[k];
    }
}
