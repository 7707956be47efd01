// SPDX-License-Identifier: Apache-2.0
// Points that have moved a little need no sort and no new tree: each node keeps its points, and boxes, centres and moments are
// measured anew (GOTHIC: Miki & Umemura 2017, section 2.6; Kofler et al. 2014, section III). In place of its cube a node has the
// box around that cube and its points, wherever they went: errors stay what they are with a new tree. So nodes grow, and walks
// with them. What that has cost since the tree was built, and will cost in the next walk, is told from how much the groups of
// active targets have grown; once it is what sorting and building cost, that is done, which is best where growth is even.
// Nothing is timed, so that a row of solves repeats itself.
#pragma once

#include "solver/data/walk_types.hpp"
#include "solver/order/groups.hpp"
#include "solver/order/targets.hpp"
#include "solver/tree/moments.hpp"
#include "solver/tree/refresh.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {

/// A group's walk is taken to cost this power of its growth more (docs/nbody.md).
inline constexpr float moved_power = 1.25f;

/// Pairs a body that sorting and building are taken to cost, less what keeping does (docs/nbody.md).
inline constexpr double pairs_a_build = 50.0;

/// Groups that have grown by more are no longer of neighbours: a host that puts its points in another order is met by that.
inline constexpr double most_growth = 2.0;

/// Logarithm of what is believed of one group: where its run was cut elsewhere before, it may have grown from a single point.
inline constexpr float most_of_one = 3.0f;

/// Most solves that pass untried: where no tree can be kept, that is tried again after one, three, seven, ... and this many.
inline constexpr int most_pause = 31;

/// The cube of a node when it was built.
struct Cube {
    Vector3 centre;
    float side;
};

template <class Exec>
class MovedTree {
public:
    explicit MovedTree(const Exec& exec)
        : exec_(exec),
          cubes_(exec.template buffer<Cube>()),
          boxes_(exec.template buffer<Bounds>()),
          sides_(exec.template buffer<float>()) {}

    /// Local. Whether a tree built in one frame can be kept in another one, as far as they say.
    [[nodiscard]] static bool may_follow(const Frame& built, const Frame& now) {
        return now.points && !now.cells && built.points && !built.cells && built.unit == now.unit && now.box.dimensions() == 0 &&
               built.softening == now.softening;
    }

    /// Local. Takes in a tree after its build.
    void built(const Bodies<Exec>& b) {
        keep_sides(b);
        dearer_ = 1.0;
        excess_ = 0.0;
        moved_ = false;
    }

    /// Local. `b` and `tree` as sort() and the build left them, in the root cube `built`. If true, `b` has the points where they
    /// are now in the old order; if false sort() must follow: too much has been lost or would be, or some point got or lost all
    /// its mass.
    bool follow(const GivenBodies& input, const Frame& frame, const RootCube& built, const Tree<Exec>& tree, Bodies<Exec>& b) {
        if (pause_ > 0) return --pause_, false;
        if (!moved_) keep_cubes(b.sources(), built, tree);
        if (!take_places(input, frame, b)) return false;
        make_groups(exec_, frame, b.group_size, b);
        const Growth now = growth(input, b);
        dearer_ = std::max(1.0, now.dearer());
        const double coming = now.active * pairs_a_target_ * (dearer_ - 1.0);
        const bool follows = now.mean() < most_growth && excess_ + coming < pairs_a_build * static_cast<double>(b.count);
        if (moved_ || follows)
            longest_pause_ = 0;
        else
            pause_ = longest_pause_ = std::min(2 * longest_pause_ + 1, most_pause);
        return moved_ = follows;
    }

    /// Local. Takes in a walk of so many pairs for so many targets.
    void walked(double pairs, std::size_t targets) {
        const double with_new_tree = pairs / dearer_;
        excess_ += pairs - with_new_tree;
        if (targets > 0) pairs_a_target_ = with_new_tree / static_cast<double>(targets);
    }

    [[nodiscard]] bool is_moved() const { return moved_; }

    /// Local. Computes moments, boxes and radii in place of gravlet::compute_moments().
    void compute_moments(int order, const Source* sources, const RootCube& root, const Opening& opening, Tree<Exec>& tree);

    // Public because CUDA's extended lambdas may not be in private functions.

    template <int P>
    void finish(const Source* sources, const RootCube& root, const Opening& opening, Tree<Exec>& tree);

    void keep_cubes(const Source* sources, const RootCube& root, const Tree<Exec>& tree);

    bool take_places(const GivenBodies& input, const Frame& frame, Bodies<Exec>& b);

    /// Growth of one group a run of bodies, the first: runs stay what they were, cuts in them may not. Sums of logarithms over
    /// groups, of that power over active targets.
    struct Growth {
        double groups, sum, active, power_of_active;

        [[nodiscard]] double mean() const { return std::exp(sum / std::max(groups, 1.0)); }
        [[nodiscard]] double dearer() const { return power_of_active / std::max(active, 1.0); }
    };

    void keep_sides(const Bodies<Exec>& b);

    [[nodiscard]] Growth growth(const GivenBodies& input, const Bodies<Exec>& b) const;

private:
    [[nodiscard]] GRAVLET_HD static Bounds box_of(const Cube& cube) {
        const double half = 0.5 * static_cast<double>(cube.side);
        const Vector3& c = cube.centre;
        return {{c.x - half, c.y - half, c.z - half}, {c.x + half, c.y + half, c.z + half}};
    }
    /// The side of a box, but no cube's side, so that it can be told from one: where trees of several ranks meet, such a node
    /// stays whole.
    [[nodiscard]] GRAVLET_HD static float side_of_box(const Bounds& box, const Cube& cube, const RootCube& root) {
        const float size = fmaxf(static_cast<float>(longest_side(box)), cube.side);
        return root.is_side(size) ? nextafterf(size, INFINITY) : size;
    }

    [[nodiscard]] GRAVLET_HD static float log_side(const Group& group) {
        return logf(fmaxf(static_cast<float>(longest_side(group.box)), 1e-30f));
    }

    Exec exec_;
    typename Exec::template Buffer<Cube> cubes_;
    typename Exec::template Buffer<Bounds> boxes_;
    typename Exec::template Buffer<float> sides_;  ///< logarithms of those of groups when the tree was built
    double dearer_ = 1.0;                          ///< times the pairs of a walk with a new tree
    double excess_ = 0.0;                          ///< pairs of walks since then that a new tree would have saved
    double pairs_a_target_ = 0.0;                  ///< pairs a target of a walk with a new tree
    int pause_ = 0, longest_pause_ = 0;            ///< solves that are not tried, as no tree could be kept before
    bool moved_ = false;
};

template <class Exec>
void MovedTree<Exec>::compute_moments(int order, const Source* sources, const RootCube& root, const Opening& opening,
                                      Tree<Exec>& tree) {
    tree.moments.resize_discard(tree.count() * static_cast<std::size_t>(moment_count(order)));
    boxes_.resize_discard(tree.count());
    with_order(order, [&](auto p) { this->template finish<decltype(p)::value>(sources, root, opening, tree); });
}

template <class Exec>
template <int P>
void MovedTree<Exec>::finish(const Source* sources, const RootCube& root, const Opening& opening, Tree<Exec>& tree) {
    Node* const nodes = tree.nodes.data();
    float* const moments = tree.moments.data();
    Bounds* const boxes = boxes_.data();
    const Cube* const cubes = cubes_.data();
    const auto& levels = tree.levels;
    for (std::size_t level = levels.size() - 1; level-- > 0;) {
        const node_index begin = levels[level];
        for_each_team<node_team>(exec_, levels[level + 1] - begin, [=] GRAVLET_HD(std::size_t k, const NodeTeam<Exec>& team) {
            const std::size_t i = begin + k;
            Node node = nodes[i];
            Bounds box = empty_bounds();
            for (std::uint32_t c = node.first + team.rank(); c < node.first + node.count; c += team.size) {
                const Source& s = sources[c];
                box = united(box, node.leaf != 0 ? Bounds{{s.x, s.y, s.z}, {s.x, s.y, s.z}} : boxes[c]);
            }
            box = united_of(team, box);
            if (team.rank() == 0) boxes[i] = box;
            box = united(box, box_of(cubes[i]));
            node.size = side_of_box(box, cubes[i], root);
            const Vector3 centre{0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y),
                                 0.5 * (box.lower.z + box.upper.z)};
            finish_node<P>(team, node, nodes, moments, sources, i, centre, opening);
        });
    }
}

template <class Exec>
void MovedTree<Exec>::keep_cubes(const Source* sources, const RootCube& root, const Tree<Exec>& tree) {
    cubes_.resize_discard(tree.count());
    const Node* const nodes = tree.nodes.data();
    Cube* const cubes = cubes_.data();
    for_each(exec_, tree.count(), [=] GRAVLET_HD(std::size_t i) {
        cubes[i] = {cube_centre(root, sources[first_source(nodes, i)], nodes[i].size), nodes[i].size};
    });
}

template <class Exec>
bool MovedTree<Exec>::take_places(const GivenBodies& input, const Frame& frame, Bodies<Exec>& b) {
    const cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    float* const sizes = b.sizes.data();
    const bool other = any_of(exec_, b.count, [=] GRAVLET_HD(std::size_t i) {
        const Source now = to_source(input.body(order[i]), true, frame);
        const bool changed = other_mass(now, bodies[i]);
        bodies[i] = now;
        sizes[i] = now.softening;
        return changed;
    });
    if (other) return false;
    if (b.all_massive()) return true;
    const cell_index* const target = b.source_target.data();
    Source* const sources = b.source_bodies.data();
    for_each(exec_, b.source_count, [=] GRAVLET_HD(std::size_t s) { sources[s] = bodies[target[s]]; });
    return true;
}

template <class Exec>
void MovedTree<Exec>::keep_sides(const Bodies<Exec>& b) {
    const std::size_t run = b.group_size;
    sides_.resize_discard((b.count + run - 1) / run);
    const Group* const groups = b.groups.data();
    float* const sides = sides_.data();
    for_each(exec_, b.groups.size(), [=] GRAVLET_HD(std::size_t g) {
        if (groups[g].begin % run == 0) sides[groups[g].begin / run] = log_side(groups[g]);
    });
}

template <class Exec>
typename MovedTree<Exec>::Growth MovedTree<Exec>::growth(const GivenBodies& input, const Bodies<Exec>& b) const {
    const std::size_t run = b.group_size;
    const Group* const groups = b.groups.data();
    const cell_index* const order = b.order.data();
    const float* const sides = sides_.data();
    return transform_reduce(
        exec_, b.groups.size(),
        [=] GRAVLET_HD(std::size_t g) {
            const Group& group = groups[g];
            if (group.begin % run != 0) return Growth{0.0, 0.0, 0.0, 0.0};
            const float by = fmaxf(-most_of_one, fminf(log_side(group) - sides[group.begin / run], most_of_one));
            const double active = active_targets(input, group, order);
            return Growth{1.0, by, active, active * expf(moved_power * by)};
        },
        Growth{0.0, 0.0, 0.0, 0.0},
        [] GRAVLET_HD(const Growth& p, const Growth& q) {
            return Growth{p.groups + q.groups, p.sum + q.sum, p.active + q.active, p.power_of_active + q.power_of_active};
        });
}

}  // namespace gravlet
