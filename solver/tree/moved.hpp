// SPDX-License-Identifier: Apache-2.0
// Points that have moved a little need no sort and no new tree: each node keeps its points, and boxes, centres and moments are
// measured anew (GOTHIC: Miki & Umemura 2017, section 2.6; Kofler et al. 2014, section III), or go with their points
// (predicted.hpp). In place of its cube a node has the
// box around that cube and its points, wherever they went: errors stay what they are with a new tree. So nodes grow, and walks
// with them. What that has cost since the tree was built, and will cost in the next walk, is told from how much the groups of
// active targets have grown; once it is what sorting and building cost, that is done, which is best where growth is even.
// Nothing is timed, so that a row of solves repeats itself.
#pragma once

#include "solver/data/walk_types.hpp"
#include "solver/order/groups.hpp"
#include "solver/order/targets.hpp"
#include "solver/tree/moments.hpp"
#include "solver/tree/predicted.hpp"
#include "solver/tree/refresh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

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

template <class Exec>
class MovedTree {
public:
    explicit MovedTree(const Exec& exec)
        : exec_(exec),
          cubes_(exec.template buffer<Cube>()),
          boxes_(exec.template buffer<Bounds>()),
          sides_(exec.template buffer<float>()),
          motions_(exec.template buffer<NodeMotion>()),
          states_(exec.template buffer<NodeState>()),
          seen_(exec.template buffer<std::uint8_t>()) {}

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
        moved_ = predicts_ = motions_known_ = false;
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
    /// Nodes whose moments stand from a solve before, and how far points may be from where one has them, in its sides.
    struct Predicted {
        std::size_t nodes;
        float shift;
    };
    [[nodiscard]] const Predicted& predicted() const { return predicted_; }

    /// Local. Computes moments, boxes and radii in place of gravlet::compute_moments().
    void compute_moments(int order, const Source* sources, const RootCube& root, const Opening& opening, Tree<Exec>& tree);

    // Public because CUDA's extended lambdas may not be in private functions.

    template <int P>
    void finish(const Source* sources, const RootCube& root, const Opening& opening, Tree<Exec>& tree);

    template <int P>
    void predict(const Source* sources, const RootCube& root, const Opening& opening, Tree<Exec>& tree);

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
    typename Exec::template Buffer<NodeMotion> motions_;
    typename Exec::template Buffer<NodeState> states_;
    typename Exec::template Buffer<std::uint8_t> seen_;
    SourceVelocities velocities_{};  ///< velocities of this solve, if it `predicts_`
    double time_ = 0.0;              ///< time since the tree was built
    int known_order_ = 0;
    Opening known_for_{};
    Predicted predicted_{};
    bool predicts_ = false;       ///< whether moments of this solve may be those of solves before
    bool motions_known_ = false;  ///< whether the solve before left moments and motions that may stand
};

template <class Exec>
void MovedTree<Exec>::compute_moments(int order, const Source* sources, const RootCube& root, const Opening& opening,
                                      Tree<Exec>& tree) {
    tree.moments.resize_discard(tree.count() * static_cast<std::size_t>(moment_count(order)));
    boxes_.resize_discard(tree.count());
    predicted_ = {};
    const bool predicts = std::exchange(predicts_, false) && tree.count() > 0;
    motions_known_ = motions_known_ && predicts && order == known_order_ && opening.criterion == known_for_.criterion &&
                     opening.degree == known_for_.degree && opening.field == known_for_.field;
    with_order(order, [&](auto p) {
        constexpr int P = decltype(p)::value;
        predicts ? this->template predict<P>(sources, root, opening, tree)
                 : this->template finish<P>(sources, root, opening, tree);
    });
    motions_known_ = predicts;
    known_order_ = order, known_for_ = opening;
}

template <class Exec>
template <int P>
void MovedTree<Exec>::predict(const Source* sources, const RootCube& root, const Opening& opening, Tree<Exec>& tree) {
    const std::size_t n = tree.count();
    const double step = velocities_.drift.time;
    time_ = motions_known_ ? time_ + step : 0.0;
    tree.shapes.resize_discard(n), motions_.resize_discard(n), states_.resize_discard(n);
    for_levels_up<node_team>(
        exec_, tree.levels,
        PredictNode<P>{sources, velocities_, root, opening, cubes_.data(), tree.nodes.data(), tree.moments.data(),
                       tree.shapes.data(), boxes_.data(), motions_.data(), states_.data(), time_, step, motions_known_});
    if (!motions_known_) return;
    const NodeState* const states = states_.data();
    const NodeMotion* const motions = motions_.data();
    const Node* const nodes = tree.nodes.data();
    const double now = time_;
    predicted_ = transform_reduce(
        exec_, n,
        [=] GRAVLET_HD(std::size_t i) {
            const bool stands = states[i] != NodeState::measured;
            return stands ? Predicted{1, motions[i].shift(now) / nodes[i].size} : Predicted{0, 0.0f};
        },
        Predicted{0, 0.0f},
        [] GRAVLET_HD(const Predicted& p, const Predicted& q) {
            return Predicted{p.nodes + q.nodes, fmaxf(p.shift, q.shift)};
        });
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
            box = united(box, cubes[i].box());
            node.size = cubes[i].side_of(box, root);
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
    if (b.has_places()) return false;
    const cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    float* const sizes = b.sizes.data();
    predicts_ = input.drift.is_known();
    motions_known_ = motions_known_ && predicts_;
    const bool drifts = predicts_, known = motions_known_;
    if (drifts) seen_.resize_discard(b.count);
    std::uint8_t* const seen = seen_.data();
    constexpr unsigned other_source = 1, other_number = 2;
    const unsigned found = transform_reduce(
        exec_, b.count,
        [=] GRAVLET_HD(std::size_t i) {
            const Source now = to_source(input.body(order[i]), true, frame), then = bodies[i];
            bodies[i] = now;
            sizes[i] = now.softening;
            if (drifts) {
                const unsigned before = known ? seen[i] : 0u, may_differ = (before & was_active) != 0 ? new_velocity : 0u;
                seen[i] =
                    static_cast<std::uint8_t>((before & new_velocity) | may_differ | (input.active(order[i]) ? was_active : 0u));
            }
            return (other_mass(now, then) ? other_source : 0u) |
                   (now.mass != then.mass || now.softening != then.softening ? other_number : 0u);
        },
        0u, [] GRAVLET_HD(unsigned p, unsigned q) { return p | q; });
    if ((found & other_source) != 0) return false;
    motions_known_ = motions_known_ && found == 0;
    velocities_ = {input.drift, frame.per_unit, order, b.all_massive() ? nullptr : b.source_target.data(), seen};
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
