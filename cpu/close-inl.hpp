// SPDX-License-Identifier: Apache-2.0
// What single precision relative to a batch's frame cannot tell apart: sources and nodes that are very close to a target, done
// one by one in double from the bodies' own positions. Included by walk_simd.cpp once for every instruction set.

/// The targets of a group, and where their sums go.
struct ClosePairs {
    const TreeView* tree;
    const WalkTargets* targets;
    float distance2;    ///< what is farther apart, squared, is not close
    std::size_t first;  ///< sorted index of the first target
    std::size_t count;  ///< of targets; lanes beyond are not of this group
    double* sums;       ///< potential, x, y, z: `stride` apart
    std::size_t stride;
    std::uint32_t* coincident;

    void skip(std::size_t targets_before) {
        first += targets_before, count -= targets_before;
        sums += targets_before, coincident += targets_before;
    }
    template <bool Gradient>
    void add(std::size_t target, const Sums<double>& sum) const {
        sums[target] += sum.potential;
        if constexpr (Gradient) {
            sums[stride + target] += sum.x;
            sums[2 * stride + target] += sum.y;
            sums[3 * stride + target] += sum.z;
        }
    }
};

/// Lets the source of a precise record act on the targets from `from` on whose lanes are not 0.
template <bool Gradient>
HWY_NOINLINE void add_close_source(const ClosePairs& close, std::size_t from, const float* lanes, std::size_t lane_count,
                                   const float* record) {
    std::uint32_t index = 0;
    int image = 0;
    std::memcpy(&index, record + PreciseSourceRecord::source, sizeof index);
    std::memcpy(&image, record + PreciseSourceRecord::image, sizeof image);
    const Source& source = close.tree->sources[index];
    const Point3 shift = displacement(*close.targets, image);
    for (std::size_t i = from; i < std::min(from + lane_count, close.count); ++i) {
        if (lanes[i - from] == 0.0f) continue;
        Sums<double> sum{};
        if (!add_pair<Gradient>(sum, close.targets->bodies[close.first + i], source, shift, close.targets->softening))
            ++close.coincident[i];
        close.add<Gradient>(i, sum);
    }
}

/// Lets a node act on all targets of the group.
template <int P, bool Gradient>
HWY_NOINLINE void add_close_node(const ClosePairs& close, const CloseNode& from) {
    const Node& node = close.tree->nodes[from.node];
    const float* const moments = close.tree->moments + from.node * static_cast<std::size_t>(moment_count(P));
    const Point3 shift = displacement(*close.targets, from.image);
    for (std::size_t i = 0; i < close.count; ++i) {
        Sums<double> sum{};
        add_node_pair<P, Gradient>(sum, close.targets->bodies[close.first + i], node, moments, shift);
        close.add<Gradient>(i, sum);
    }
}
