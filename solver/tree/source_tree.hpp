// SPDX-License-Identifier: Apache-2.0
// This rank's bodies in the order of the curve, and their tree: what one solve leaves to the next. The next one finds out whether
// they still serve (keep()), and sorts and builds where they do not.
#pragma once

#include "solver/criterion/walk_law.hpp"
#include "solver/order/sort.hpp"
#include "solver/precise/precise_tree.hpp"
#include "solver/tree/build.hpp"
#include "solver/tree/moments.hpp"
#include "solver/tree/moved.hpp"
#include "solver/tree/refresh.hpp"
#include "solver/tree/tree_view.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace gravlet {

template <class Exec>
class SourceTree {
public:
    explicit SourceTree(const Exec& exec) : bodies(exec), tree(exec), precise(exec), exec_(exec), moved_(exec) {}

    /// Whether order and tree are those of the solve before.
    enum class Kept { no, unchanged, followed };

    /// Local. Takes the new masses, and the places of points that have moved, if the order can stay; else sort() and build() must
    /// follow. `one_by_one`: no tree will be needed.
    Kept keep(const Input& input, const Frame& frame, const Options& options, bool one_by_one) {
        one_by_one_ = one_by_one;
        const std::optional<Frame> built = std::exchange(built_, std::nullopt);
        const bool alike = built && bodies.count == input.size();
        kept_ = Kept::no;
        if (alike && options.keep_tree && same_places(*built, frame) && refresh(exec_, input, frame, bodies)) {
            kept_ = Kept::unchanged;
        } else if (alike && !one_by_one_ && options.keep_moved && options.precision == Precision::single &&
                   MovedTree<Exec>::may_follow(*built, frame) && moved_.follow(input, frame, cube_, tree, bodies)) {
            kept_ = Kept::followed;
        }
        return kept_;
    }

    /// Local. Sorts the bodies, unless their order was kept.
    void sort(const Input& input, const Frame& frame, const Options& options) {
        if (kept_ == Kept::no) gravlet::sort(exec_, input, frame, options, bodies);
    }
    void build(const Frame& frame, const Options& options) {
        if (one_by_one_) {
            tree.clear();
        } else if (kept_ == Kept::no) {
            build_tree(exec_, bodies.keys_of_sources(), static_cast<std::uint32_t>(bodies.source_count),
                       static_cast<std::uint32_t>(options.leaf_size), frame.piece_level, static_cast<float>(frame.cube.side),
                       !frame.points, tree);
            if (options.keep_moved) moved_.built(bodies);
            cube_ = frame.cube;
        }
        built_ = frame;
    }

    /// Local. Measures the moments of all nodes and, in double, the bodies.
    void measure(const Input& input, const Frame& frame, const WalkLaw& law) {
        if (law.in_double()) precise.measure_bodies(input, frame, bodies);
        if (one_by_one_) return;
        if (moved_.is_moved())
            moved_.compute_moments(law.order(), bodies.sources(), frame.cube, law.opening(frame), tree);
        else
            compute_moments(exec_, law.order(), bodies.sources(), frame.cube, law.opening(frame), tree);
    }

    /// Local. What the last walk had to do, in pairs.
    void walked(double pairs) { moved_.walked(pairs, bodies.active_count); }

    [[nodiscard]] bool one_by_one() const { return one_by_one_; }
    /// Whether its nodes are not cubes any more.
    [[nodiscard]] bool is_moved() const { return moved_.is_moved(); }
    [[nodiscard]] Node root_node() const { return tree.count() > 0 ? read(exec_, tree.nodes.data()) : Node{}; }
    [[nodiscard]] TreeView view() const { return view_of(bodies, tree); }

    Bodies<Exec> bodies;
    Tree<Exec> tree;
    PreciseTree<Exec> precise;  ///< what the tree has in double

private:
    Exec exec_;
    MovedTree<Exec> moved_;
    Kept kept_ = Kept::no;
    bool one_by_one_ = false;     ///< whether all bodies act on all, and there is no tree
    RootCube cube_;               ///< root cube in which the tree was built
    std::optional<Frame> built_;  ///< frame of the bodies and the tree, if they belong together
};

}  // namespace gravlet
