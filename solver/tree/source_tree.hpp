// SPDX-License-Identifier: Apache-2.0
// This rank's bodies in the order of the curve, and their tree: what one solve leaves to the next. The next one finds out whether
// they still serve (keep()), and sorts and builds where they do not.
#pragma once

#include "solver/criterion/walk_law.hpp"
#include "solver/criterion/widen.hpp"
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
    explicit SourceTree(const Exec& exec)
        : bodies(exec), tree(exec), precise(exec), exec_(exec), moved_(exec), marks_(exec.template buffer<std::uint8_t>()) {}

    /// Whether order and tree are those of the solve before.
    enum class Kept { no, unchanged, followed };

    /// Local. Takes the new masses, and the places of points that have moved, if the order can stay; else sort() and build() must
    /// follow. `one_by_one`: no tree will be needed. `told`: `input` says what of it has changed since the last keep().
    Kept keep(const Input& input, const Frame& frame, const Options& options, bool one_by_one, bool told) {
        one_by_one_ = one_by_one;
        const std::optional<Frame> built = std::exchange(built_, std::nullopt);
        const bool alike = built && bodies.count == input.size();
        kept_ = Kept::no;
        known_order_ = std::exchange(measured_order_, -1);
        const bool told_all = told && alike && same_masses(*built, frame);
        nothing_new_ = told_all && input.changed.empty();
        if (alike && options.keep_tree && same_places(*built, frame) &&
            (nothing_new_ || refresh(exec_, input, frame, told_all, bodies, marks_))) {
            kept_ = Kept::unchanged;
        } else if (alike && !one_by_one_ && options.keep_moved && options.precision == Precision::single &&
                   MovedTree<Exec>::may_follow(*built, frame) && moved_.follow(input, frame, cube_, tree, bodies)) {
            kept_ = Kept::followed;
        }
        return kept_;
    }

    /// Local. The next keep() will keep nothing.
    void forget() { built_.reset(); }

    /// Local, after keep(). There will be no nodes in this solve.
    void need_no_tree() { one_by_one_ = true; }

    /// Local. Sorts the bodies, unless their order was kept.
    void sort(const Input& input, const Frame& frame, const Options& options) {
        if (kept_ == Kept::no) gravlet::sort(exec_, input, frame, options, bodies);
    }
    void build(const Frame& frame, const Options& options) {
        if (one_by_one_) {
            tree.clear();
        } else if (kept_ == Kept::no || tree.count() == 0) {
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
        const int order = law.order();
        const Opening opening = law.opening(frame);
        const bool known =
            kept_ == Kept::unchanged && known_order_ == order && opening.criterion == Criterion::opening && !law.in_double();
        const bool radii_stand = known && nothing_new_ && opening == measured_for_;
        if (moved_.is_moved())
            moved_.compute_moments(order, bodies.sources(), frame.cube, opening, tree);
        else if (known && nothing_new_)
            radii_stand ? void() : renew_radii(exec_, opening, tree);
        else if (known)
            update_moments(exec_, order, marks_.data(), bodies.all_massive() ? nullptr : bodies.source_target.data(),
                           bodies.sources(), frame.cube, opening, tree);
        else
            compute_moments(exec_, order, bodies.sources(), frame.cube, opening, tree);
        known_order_ = measured_order_ = moved_.is_moved() ? -1 : order;
        measured_for_ = opening;
        if (!radii_stand) widened_ = false;
    }

    /// Local, after measure(). Large and heavy nodes' radii, once it is known what pulls from other ranks.
    void widen(const Opening& opening) {
        if (widened_ && opening.around == widened_around_) return;
        if (widened_) renew_radii(exec_, opening, tree);
        gravlet::widen(exec_, opening, tree.levels, tree.nodes.data(), tree.pulls);
        widened_ = true;
        widened_around_ = opening.around;
    }
    /// Local, before keep(). The caller's number of a body that has changed though `input` does not say so, as far as that can be
    /// told; or their number.
    [[nodiscard]] std::size_t untold(const Input& input, const Frame& frame) const {
        const bool comparable =
            built_ && bodies.count == input.size() && same_places(*built_, frame) && same_masses(*built_, frame);
        return comparable ? first_untold(exec_, input, frame, bodies) : input.size();
    }

    /// Local, before keep(). The caller's number of a point that has not drifted as `input` says, where that may be relied upon;
    /// or their number.
    [[nodiscard]] std::size_t astray(const Input& input, const Frame& frame, const Options& options) const {
        const bool comparable = options.keep_moved && input.drift.is_known() && built_ && bodies.count == input.size() &&
                                MovedTree<Exec>::may_follow(*built_, frame);
        return comparable ? first_astray(exec_, input, frame, bodies) : input.size();
    }

    /// Local. What the last walk had to do, in pairs, for so many targets.
    void walked(double pairs, std::size_t targets) { moved_.walked(pairs, targets); }

    [[nodiscard]] bool one_by_one() const { return one_by_one_; }
    /// Whether its nodes are not cubes any more.
    [[nodiscard]] bool is_moved() const { return moved_.is_moved(); }
    /// Nodes that have gone with their points.
    [[nodiscard]] typename MovedTree<Exec>::Predicted predicted() const {
        return moved_.is_moved() ? moved_.predicted() : typename MovedTree<Exec>::Predicted{};
    }
    [[nodiscard]] Node root_node() const { return tree.count() > 0 ? read(exec_, tree.nodes.data()) : Node{}; }
    [[nodiscard]] TreeView view() const { return view_of(bodies, tree); }

    Bodies<Exec> bodies;
    Tree<Exec> tree;
    PreciseTree<Exec> precise;  ///< what the tree has in double

private:
    Exec exec_;
    MovedTree<Exec> moved_;
    typename Exec::template Buffer<std::uint8_t> marks_;  ///< sorted bodies that have other masses than in the last solve
    int measured_order_ = -1;      ///< order of the moments that this solve has found; -1: none that could be updated
    int known_order_ = -1;         ///< order of those that the solve before found, until then
    bool nothing_new_ = false;     ///< whether the host says that nothing has changed since
    Opening measured_for_{};       ///< the opening by which radii were found
    bool widened_ = false;         ///< whether radii have been widened since
    float widened_around_ = 0.0f;  ///< Opening::around then
    Kept kept_ = Kept::no;
    bool one_by_one_ = false;     ///< whether all bodies act on all, and there is no tree
    RootCube cube_;               ///< root cube in which the tree was built
    std::optional<Frame> built_;  ///< frame of the bodies and the tree, if they belong together
};

}  // namespace gravlet
