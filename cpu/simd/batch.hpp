// SPDX-License-Identifier: Apache-2.0
// A batch is 16 consecutive target groups that walk the tree together, one SIMD lane a group: a node is visited once for all of
// them, with a bit mask of the groups that still need it, and each group gets the same interaction lists as if it walked alone.
// This is what makes small groups as cheap to walk for as large ones. What is accepted is converted once to single precision
// relative to the batch's centre; the groups' lists refer to these records.
#pragma once

#include "physics/multipole.hpp"
#include "solver/data/walk_types.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

namespace gravlet {

inline constexpr int batch_groups = 16;

/// A vector whose push does not check for exceptions in the walk's inner loop: room() is asked for beforehand.
template <class T>
class GrowingArray {
public:
    void clear() { size_ = 0; }
    /// Space for n more; advance(n) then claims it.
    T* room(std::size_t n) {
        if (size_ + n > data_.size()) data_.resize(std::max(2 * data_.size(), size_ + n));
        return data_.data() + size_;
    }
    void advance(std::size_t n) { size_ += n; }
    void push(const T& value) {
        *room(1) = value;
        ++size_;
    }
    T pop() { return data_[--size_]; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const T* data() const { return data_.data(); }
    [[nodiscard]] T* data() { return data_.data(); }
    [[nodiscard]] std::size_t bytes() const { return data_.size() * sizeof(T); }

private:
    std::vector<T> data_;
    std::size_t size_ = 0;
};

/// Layout of a node's record: position (high and low part), mass, side, its moments; with Plummer's kernel its NodeSoftening and
/// spread as well.
struct NodeRecord {
    enum : std::size_t { x, y, z, mass, size, x_low, y_low, z_low, moments };
    enum Softening : std::size_t { mean2, least2, span2, slope, curve, spread, softening_length };
    static constexpr std::size_t softening(int order) { return moments + static_cast<std::size_t>(moment_count(order)); }
    static constexpr std::size_t length(int order, bool softened) {
        return softening(order) + (softened ? std::size_t{softening_length} : 0);
    }
};

/// Layouts of a source's record. The precise one has what close pairs need; `softening` is the length or, for the spline,
/// inverse_support() of it; `target` holds the bits of its sorted target index,
/// `source` and `image` those of its place in the tree and of the tree's image; `close2` is the square of how near is close.
struct SourceRecord {
    enum : std::size_t { x, y, z, mass, length };
};
struct PreciseSourceRecord {
    enum : std::size_t { x, y, z, mass, x_low, y_low, z_low, softening, target, source, image, close2, length };
};

struct SourceRun {
    std::uint32_t begin, count;  ///< source records
};

/// A node, and the image of the tree that is meant.
struct ListedNode {
    node_index node;
    int image;
};

/// A node that acts on the centres of some groups, a bit each.
struct NodeFarFromGroups : ListedNode {
    std::uint32_t groups;
};

/// A group's interaction lists, into the batch's records.
struct GroupLists {
    GrowingArray<std::uint32_t> nodes;
    GrowingArray<ListedNode> close_nodes;  ///< pruned, and so close to the group that single precision shows
    GrowingArray<SourceRun> apart;         ///< sources that are well away from the group's box: no pair can be close
    GrowingArray<SourceRun> near;          ///< the others; precise records if the batch asks for it
};

/// One thread's workspace, kept between batches.
struct BatchWorkspace {
    struct Visit {
        node_index node;
        std::uint32_t groups;  ///< bit g: group g has not accepted any node above this one
        bool in_piece;         ///< whether, in a periodic box, `groups` are those that walk this image of its piece
    };
    GrowingArray<Visit> stack;
    GrowingArray<ListedNode> nodes, whole_nodes;  ///< what acts on targets; on the frame's centre, for all groups
    GrowingArray<NodeFarFromGroups> far_nodes;
    GrowingArray<float> node_records, source_records, precise_records;  ///< the first of all `nodes`
    GroupLists lists[batch_groups];
    std::vector<float> targets;  ///< arrays of the batch's padded targets, see TargetArrays
    std::vector<double> sums;    ///< sums of one group, by component
    std::vector<std::uint32_t> coincident;
    double local[local_count][batch_groups];  ///< local expansions, a lane each
    double whole_local[local_count];          ///< what whole_nodes make of them, about the frame's centre
    float smallest_open_radius = 0.0f;

    [[nodiscard]] std::size_t bytes() const {
        std::size_t total = stack.bytes() + nodes.bytes() + whole_nodes.bytes() + far_nodes.bytes() + node_records.bytes() +
                            source_records.bytes() + precise_records.bytes() +
                            (targets.capacity() + coincident.capacity()) * sizeof(float) + sums.capacity() * sizeof(double);
        for (const GroupLists& group : lists)
            total += group.nodes.bytes() + group.close_nodes.bytes() + group.apart.bytes() + group.near.bytes();
        return total;
    }
};

/// Walks `tree` for groups [first, first + groups) and adds to their targets' sums, of the potential and D derivatives. Chosen
/// for the machine's SIMD at run time.
template <int D>
void walk_batch(const TreeView& tree, const WalkTargets& targets, int order, std::size_t first, int groups,
                BatchWorkspace& workspace, InteractionCounts& counts);

}  // namespace gravlet
