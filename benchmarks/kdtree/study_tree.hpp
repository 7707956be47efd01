// SPDX-License-Identifier: Apache-2.0
// Points behind one kind of tree, walked on the CPU without a solver around it: stages one by one, so that only the tree differs.
#pragma once

#include "benchmarks/kdtree/points.hpp"
#include "cpu/cpu.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/walk_types.hpp"
#include "solver/tree/build.hpp"

#include <gravlet/options.hpp>

#include <cstdint>
#include <vector>

namespace gravlet::bench {

enum class TreeKind {
    octree,          ///< the library's tree
    tight_octree,    ///< the library's tree, its nodes measured as a kd-tree's are
    kdtree,          ///< the kd-tree, targets in its order
    kdtree_on_curve  ///< the kd-tree, targets along the curve
};

[[nodiscard]] const char* to_string(TreeKind kind);

/// What one walk took: interactions, and seconds.
struct WalkCost {
    InteractionCounts counts;
    double moments_seconds, walk_seconds;
};

/// Points behind a tree. It is not moved: the buffers refer to its machine.
class StudyTree {
public:
    /// Local. Sorts and builds. `points` may go afterwards.
    StudyTree(const StudyPoints& points, TreeKind kind, int leaf_size, int threads);
    StudyTree(const StudyTree&) = delete;
    StudyTree& operator=(const StudyTree&) = delete;

    /// Time for keys, sort along the curve and groups; build_seconds() is for the tree, with the new order and groups if it has
    /// its own.
    [[nodiscard]] double sort_seconds() const { return sort_seconds_; }
    [[nodiscard]] double build_seconds() const { return build_seconds_; }

    /// Moments, then the walk for accelerations. Of `options` theta, order, criterion, alpha and group_size count.
    WalkCost walk(Options options);

    /// What the last walk gave, by index into the points: sum m d/r^3.
    [[nodiscard]] std::vector<Vector3> accelerations() const;

    [[nodiscard]] const Tree<Cpu>& tree() const { return tree_; }
    /// The points with mass, in the tree's order.
    [[nodiscard]] const Source* sources() const { return own_sources_.empty() ? bodies_.bodies.data() : own_sources_.data(); }

private:
    void build_kd(bool on_curve);
    [[nodiscard]] TreeView view() const;

    Cpu::Machine machine_;
    Cpu exec_;
    Bodies<Cpu> bodies_;
    Tree<Cpu> tree_;
    Frame frame_;
    std::uint32_t leaf_size_;
    std::vector<Source> own_sources_;        ///< sources in the tree's order, where targets are in another
    std::vector<cell_index> source_target_;  ///< the target that each of these is
    std::vector<Bounds> boxes_;
    double sort_seconds_ = 0.0, build_seconds_ = 0.0;
};

/// sum m d/r^3 at some of the points, summed directly in double precision.
[[nodiscard]] std::vector<Vector3> direct_accelerations(const StudyPoints& points, const std::vector<std::size_t>& sample,
                                                        int threads);

}  // namespace gravlet::bench
