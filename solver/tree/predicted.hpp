// SPDX-License-Identifier: Apache-2.0
// Nodes of points that move evenly go with them: where a host says by what velocities its points came to be where they are, a
// node's centre of mass moves by the mean one, and its multipoles stand. What they err by is bounded: each point is within the
// velocities that its node's points have had since it was measured, and so from where the node has it by no more than the time
// since then times what is farthest from the mean. Nodes in which that is more than most_shift() of their side are measured anew,
// from their points where they are or from their children.
//
// Velocities are read where a node is measured, and of points that were active in the solve before: the host says that no others
// have changed. So what a solve of few costs goes with these and with what has moved, not with the number of points.
#pragma once

#include "solver/input/given_bodies.hpp"
#include "solver/tree/moments.hpp"

#include <cmath>
#include <cstdint>

namespace gravlet {

/// How many sides of a node its points may be from where it has them (docs/nbody.md). Less by an opening angle, where
/// errors were seen to grow more.
GRAVLET_HD constexpr float most_shift(Criterion criterion) { return criterion == Criterion::opening ? 0x1p-6f : 0x1p-5f; }

/// The cube of a node when it was built.
struct Cube {
    Vector3 centre;
    float side;

    [[nodiscard]] GRAVLET_HD Bounds box() const {
        const double half = 0.5 * static_cast<double>(side);
        return {{centre.x - half, centre.y - half, centre.z - half}, {centre.x + half, centre.y + half, centre.z + half}};
    }
    /// The side of a box around it, but no cube's side, so that it can be told from one: where trees of several ranks meet, such
    /// a node stays whole.
    [[nodiscard]] GRAVLET_HD float side_of(const Bounds& around, const RootCube& root) const {
        const float size = fmaxf(static_cast<float>(longest_side(around)), side);
        return root.is_side(size) ? nextafterf(size, INFINITY) : size;
    }
};

/// How a node's points have moved since it was measured. Solver units, and the host's of time.
struct NodeMotion {
    float lower[3], upper[3];  ///< box around their velocities
    float mean[3];             ///< the node's
    float rate;                ///< the largest difference of the two
    float off;                 ///< how far its points were from where its children had them
    double measured;           ///< time

    GRAVLET_HD void clear() {
        for (int d = 0; d < 3; ++d) lower[d] = INFINITY, upper[d] = -INFINITY, mean[d] = 0.0f;
        rate = off = 0.0f;
    }
    GRAVLET_HD void add(const float* least, const float* most) {
        for (int d = 0; d < 3; ++d) lower[d] = fminf(lower[d], least[d]), upper[d] = fmaxf(upper[d], most[d]);
    }
    template <class Team>
    GRAVLET_HD void gather(const Team& team) {
        for (int d = 0; d < 3; ++d) lower[d] = team.least(lower[d]), upper[d] = team.most(upper[d]);
        off = team.most(off);
    }
    GRAVLET_HD void find_rate() {
        float square = 0.0f;
        for (int d = 0; d < 3; ++d) {
            const float farthest = fmaxf(upper[d] - mean[d], mean[d] - lower[d]);
            square += farthest * farthest;
        }
        rate = sqrtf(square);
    }
    /// How far a point may be from where the node has it.
    [[nodiscard]] GRAVLET_HD float shift(double now) const { return off + rate * static_cast<float>(now - measured); }
    /// A box around what was in `box` when the node was measured.
    [[nodiscard]] GRAVLET_HD Bounds grown(const Bounds& box, double now) const {
        const double t = now - measured;
        return {{box.lower.x + t * lower[0], box.lower.y + t * lower[1], box.lower.z + t * lower[2]},
                {box.upper.x + t * upper[0], box.upper.y + t * upper[1], box.upper.z + t * upper[2]}};
    }
};

/// What has become of a node in this solve.
enum class NodeState : std::uint8_t { as_before, other_velocities, measured };

/// What is known of a sorted body from the solve before: it was active then, and its velocity may be one that no node has seen.
inline constexpr std::uint8_t was_active = 1, new_velocity = 2;

/// The velocities of sources, in solver units. One that is not finite is as far from the mean as can be.
struct SourceVelocities {
    Drift drift;
    double per_unit;
    const cell_index* order;   ///< the caller's number of each sorted body
    const cell_index* target;  ///< the sorted body that each source is; null: of the same number
    std::uint8_t* seen;        ///< was_active and new_velocity of sorted bodies

    [[nodiscard]] GRAVLET_HD std::size_t body(std::size_t source) const { return target != nullptr ? target[source] : source; }
    [[nodiscard]] GRAVLET_HD bool is_new(std::size_t source) const { return (seen[body(source)] & new_velocity) != 0; }
    GRAVLET_HD void read(std::size_t source, float* velocity) const {
        const std::size_t b = body(source);
        for (int d = 0; d < 3; ++d) {
            const double v = per_unit * drift.velocity[d][static_cast<std::ptrdiff_t>(order[b])];
            velocity[d] = fabs(v) <= 1e30 ? static_cast<float>(v) : INFINITY;
        }
        seen[b] &= static_cast<std::uint8_t>(~new_velocity);
    }
};

/// Brings node i to where it is now, or measures it.
template <int P>
struct PredictNode {
    const Source* sources;
    SourceVelocities velocities;
    RootCube root;
    Opening opening;
    const Cube* cubes;
    Node* nodes;
    float* moments;
    NodeShape* shapes;
    Bounds* boxes;  ///< boxes around the nodes' sources when they were measured
    NodeMotion* motions;
    NodeState* states;
    double now, step;  ///< time, from when the tree was built; since the last solve
    bool known;        ///< whether nodes were measured, for this order and criterion

    template <class Team>
    GRAVLET_HD void operator()(std::size_t i, const Team& team) const {
        const Node node = nodes[i];
        NodeMotion motion = motions[i];
        if (known) {
            bool outgrown = false;
            const bool wider = take_new(team, node, motion, outgrown);
            if (motion.shift(now) <= most_shift(opening.criterion) * node.size && !outgrown) {
                if (team.rank() == 0) carry(i, motion, wider);
                return;
            }
        }
        measure(team, i, node, motion);
    }

private:
    /// Adds the velocities that are new. Whether there are any; `outgrown`: whether a child has become larger than the node.
    template <class Team>
    GRAVLET_HD bool take_new(const Team& team, const Node& node, NodeMotion& motion, bool& outgrown) const {
        float any = 0.0f, larger = 0.0f;
        for (std::uint32_t k = node.first + team.rank(); k < node.first + node.count; k += Team::size) {
            if (node.leaf == 0 ? states[k] == NodeState::as_before : !velocities.is_new(k)) continue;
            any = 1.0f;
            if (node.leaf != 0) {
                float v[3];
                velocities.read(k, v);
                motion.add(v, v);
            } else {
                motion.add(motions[k].lower, motions[k].upper);
                if (nodes[k].size > node.size) larger = 1.0f;
            }
        }
        if (team.most(any) == 0.0f) return false;
        outgrown = team.most(larger) > 0.0f;
        motion.gather(team);
        motion.find_rate();
        return true;
    }
    GRAVLET_HD void carry(std::size_t i, const NodeMotion& motion, bool wider) const {
        Node& node = nodes[i];
        node.x += step * motion.mean[0], node.y += step * motion.mean[1], node.z += step * motion.mean[2];
        if (opening.extents() > 0.0f) set_extent(node, extent_of(node) + step * motion.rate);
        if (opening.criterion != Criterion::acceleration) {
            NodeShape shape = shapes[i];
            shape.delta += motion.shift(now);
            node.open_radius = open_radius(node, shape, opening);
        }
        motions[i] = motion;
        states[i] = wider ? NodeState::other_velocities : NodeState::as_before;
    }
    template <class Team>
    GRAVLET_HD void measure(const Team& team, std::size_t i, Node node, NodeMotion motion) const {
        Bounds box = empty_bounds();
        double mass = 0.0, momentum[3] = {0.0, 0.0, 0.0};
        const auto add = [&](double m, const float* v) {
            mass += m;
            for (int d = 0; d < 3; ++d) momentum[d] += m * v[d];
        };
        motion.clear();
        for (std::uint32_t k = node.first + team.rank(); k < node.first + node.count; k += Team::size) {
            if (node.leaf != 0) {
                const Source& s = sources[k];
                float v[3];
                velocities.read(k, v);
                box = united(box, Bounds{{s.x, s.y, s.z}, {s.x, s.y, s.z}});
                motion.add(v, v);
                add(s.mass, v);
            } else {
                const NodeMotion& child = motions[k];
                box = united(box, child.grown(boxes[k], now));
                motion.add(child.lower, child.upper);
                motion.off = fmaxf(motion.off, child.shift(now));
                add(nodes[k].mass, child.mean);
            }
        }
        motion.gather(team);
        box = united_of(team, box);
        mass = team.sum(mass);
        for (int d = 0; d < 3; ++d) motion.mean[d] = static_cast<float>(team.sum(momentum[d]) / mass);
        motion.find_rate();
        motion.measured = now;
        if (team.rank() == 0) boxes[i] = box, motions[i] = motion, states[i] = NodeState::measured;
        box = united(box, cubes[i].box());
        node.size = cubes[i].side_of(box, root);
        const Vector3 centre{0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y),
                             0.5 * (box.lower.z + box.upper.z)};
        finish_node<P>(team, node, nodes, moments, sources, i, centre, opening, shapes);
    }
};

/// Local, before places are taken. The caller's number of the first point that is not, up to rounding, where its velocity takes
/// it from where it is in `b`, in the same units; or their number.
template <class Exec>
std::size_t first_astray(const Exec& exec, const GivenBodies& input, const Frame& frame, const Bodies<Exec>& b) {
    const cell_index* const order = b.order.data();
    const Source* const bodies = b.bodies.data();
    const std::size_t n = b.count;
    return transform_reduce(
        exec, n,
        [=] GRAVLET_HD(std::size_t i) {
            constexpr double rounding = 1e-6;  // of hosts' floats
            const Body body = input.body(order[i]);
            const double now[3] = {body.x, body.y, body.z}, then[3] = {bodies[i].x, bodies[i].y, bodies[i].z};
            bool astray = false;
            for (int d = 0; d < 3; ++d) {
                const double path = input.drift.velocity[d][static_cast<std::ptrdiff_t>(order[i])] * input.drift.time,
                             from = then[d] * frame.unit;
                astray = astray || fabs(now[d] - from - path) > rounding * (fabs(now[d]) + fabs(path));
            }
            return astray ? std::size_t{order[i]} : n;
        },
        n, [] GRAVLET_HD(std::size_t p, std::size_t q) { return p < q ? p : q; });
}

}  // namespace gravlet
