// SPDX-License-Identifier: Apache-2.0
// What acts on each target group, roughly: what criteria other than opening hold a node's error against. In place of the sums of
// a solve before, which mean nothing where a mesh has changed, each group walks the tree by itself, for its centre, with
// monopoles. A node's radius goes with the third to seventh root of it.
//
// The groups walk the completed tree, so that this does not depend on who else solves. What a rank must be sent is decided
// before: by less than may act on a group, from this rank's tree and the roots of the others, those that are near for each
// group, the others once for each of some boxes.
#pragma once

#include "mpi/communicator.hpp"
#include "mpi/stages.hpp"
#include "physics/acceptance.hpp"
#include "physics/series_error.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/target_boxes.hpp"
#include "solver/data/walk_types.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gravlet {

/// A rank's mass, as one.
struct Monopole {
    double x, y, z, mass, size;
};

/// Sum m/r, and its gradient.
struct Ambient {
    Jet<double, 1> sum{};

    /// `dx`, `dy`, `dz`: from here to the mass.
    GRAVLET_HD void add(double mass, double dx, double dy, double dz, double softening2) {
        const double r = 1.0 / sqrt(dx * dx + dy * dy + dz * dz + softening2), m = mass * r, pull = m * r * r;
        sum.term[0] += m;
        sum.term[1] += pull * dx, sum.term[2] += pull * dy, sum.term[3] += pull * dz;
    }
    /// What errors are held against; `at_least`: whatever the field is.
    [[nodiscard]] GRAVLET_HD double scale(const Opening& opening, bool at_least) const {
        if (!opening.field) return at_least ? 0.5 * sum.term[0] : sum.term[0];
        SeriesScale<double> scale;
        scale.take(at_least ? Jet<double, 1>{{sum.term[0]}} : sum, opening.total_mass);
        return scale.field;
    }
};

/// Distance from one place to the nearest image of another, in one direction.
GRAVLET_HD inline double nearest(double from, double to, double period) {
    const double d = to - from;
    return period > 0.0 ? d - period * rint(d / period) : d;
}

/// Adds up what is around a group, at its centre. What is nearer than its own side acts as from there.
class Surroundings {
public:
    GRAVLET_HD Surroundings(const Group& group, const Period& period) : period_(period) {
        const auto& [low, high] = group.box;
        x_ = 0.5 * (low.x + high.x), y_ = 0.5 * (low.y + high.y), z_ = 0.5 * (low.z + high.z);
        const double side = longest_side(group.box), softening = group.softening;
        softening2_ = fmax(side * side, softening * softening);
        at_one_place_ = side == 0.0;
    }

    GRAVLET_HD void add(const Monopole& m, Ambient& sum) const {
        sum.add(m.mass, nearest(x_, m.x, period_.x), nearest(y_, m.y, period_.y), nearest(z_, m.z, period_.z),
                0.25 * m.size * m.size + softening2_);
    }

    /// A leaf acts as from no nearer than half its parent's side: a lone body, the group's own perhaps, has none itself.
    GRAVLET_HD void add(const TreeView& tree, Ambient& sum) const {
        if (tree.node_count == 0) return;
        node_index stack[8 * 2 * (deepest_level + 9)];  // a level's nodes are together on it: at most eight
        int top = 0;
        add(tree, tree.root, tree.nodes[tree.root].size, sum, stack, top);
        while (top > 0) {
            const Node& node = tree.nodes[stack[--top]];
            for (std::uint32_t c = 0; c < node.count; ++c) add(tree, node.first + c, node.size, sum, stack, top);
        }
    }

private:
    /// Adds a node, or puts it on the stack to be opened.
    GRAVLET_HD void add(const TreeView& tree, node_index i, float parent, Ambient& sum, node_index* stack, int& top) const {
        const Node& node = tree.nodes[i];
        const double dx = nearest(x_, node.x, period_.x), dy = nearest(y_, node.y, period_.y),
                     dz = nearest(z_, node.z, period_.z);
        const bool end = node.leaf != 0 || node.count == 0;
        if (end && is_group(node)) return;
        if (end || dx * dx + dy * dy + dz * dz > double{node.size} * node.size) {
            sum.add(node.mass, dx, dy, dz, (end ? 0.25 * parent * parent : 0.0) + softening2_);
        } else {
            stack[top++] = i;
        }
    }

    /// Bodies at one place do not act on each other: a lone one would have an alpha-th of its own pull to err by.
    [[nodiscard]] GRAVLET_HD bool is_group(const Node& node) const {
        return at_one_place_ && node.x == x_ && node.y == y_ && node.z == z_;
    }

    Period period_;
    double x_, y_, z_, softening2_;
    bool at_one_place_;  ///< the group's bodies
};

template <class Exec>
class GroupScales {
public:
    explicit GroupScales(const Exec& exec)
        : exec_(exec),
          record_(sizeof(Monopole)),
          near_(exec.template buffer<Monopole>()),
          far_(exec.template buffer<Ambient>()) {}

    /// Local. `root`: of this rank's tree; without mass if it has none.
    void prepare(int ranks, const Node& root) {
        mine_ = {root.x, root.y, root.z, root.mass, root.size};
        all_.resize(static_cast<std::size_t>(ranks));
    }

    /// Collective. Gathers the roots of all ranks.
    void gather(const Agreed& all) {
        all.check(MPI_Allgather(&mine_, 1, record_.get(), all_.data(), 1, record_.get(), all.get()), "MPI_Allgather");
    }

    /// Local. Sets the groups' factors, to no less than set() will. `tree` is this rank's.
    void promise(int rank, const TreeView& tree, const Period& period, const Opening& opening, TargetSet<Exec>& b);

    /// Local. Sets the factors of `groups`. `tree` is the completed one.
    void set(const TreeView& tree, const Period& period, const Opening& opening, Group* groups, std::size_t count) const;

    /// Local. Groups of which no criterion asks what acts on them: those of a solve before may have had one that did.
    void clear(Group* groups, std::size_t count) const;

private:
    /// Ranks that are not twice as far as this one and they are large are near.
    void split(int rank, const std::vector<TargetBox>& boxes, const Period& period) {
        TargetBox own = boxes.front();
        for (const TargetBox& box : boxes) own = united(own, box);
        const double side = longest_side(own.box);
        std::vector<Monopole> near;
        std::vector<Ambient> far(boxes.size());
        for (std::size_t r = 0; r < all_.size(); ++r) {
            const Monopole& m = all_[r];
            if (static_cast<int>(r) == rank || !(m.mass > 0.0)) continue;
            const double apart = 2.0 * (side + m.size);
            if (distance_squared(own.box, m.x, m.y, m.z, period) < apart * apart) {
                near.push_back(m);
                continue;
            }
            for (std::size_t k = 0; k < boxes.size(); ++k) {
                const auto& [low, high] = boxes[k].box;
                far[k].add(m.mass, nearest(0.5 * (low.x + high.x), m.x, period.x), nearest(0.5 * (low.y + high.y), m.y, period.y),
                           nearest(0.5 * (low.z + high.z), m.z, period.z), 0.0);
            }
        }
        near_.resize_discard(near.size());
        far_.resize_discard(far.size());
        copy_in(exec_, near.data(), near_.data(), near.size());
        copy_in(exec_, far.data(), far_.data(), far.size());
    }

    static constexpr std::size_t far_boxes = 64;

    Exec exec_;
    RecordType record_;
    Monopole mine_{};
    std::vector<Monopole> all_;
    typename Exec::template Buffer<Monopole> near_;
    typename Exec::template Buffer<Ambient> far_;
};

template <class Exec>
void GroupScales<Exec>::promise(int rank, const TreeView& tree, const Period& period, const Opening& opening,
                                TargetSet<Exec>& b) {
    if (b.groups.size() == 0) return;
    const std::vector<TargetBox> boxes = target_boxes(exec_, b, far_boxes);
    split(rank, boxes, period);
    Group* const groups = b.groups.data();
    const Monopole* const near = near_.data();
    const Ambient* const far = far_.data();
    const std::size_t near_count = near_.size(), count = b.groups.size(), far_count = std::min(count, far_.size());
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t g) {
        const Surroundings around(groups[g], period);
        Ambient sum = far[g * far_count / count];
        for (std::size_t k = 0; k < near_count; ++k) around.add(near[k], sum);
        around.add(tree, sum);
        groups[g].factor = opening.factor(sum.scale(opening, true));
    });
}

template <class Exec>
void GroupScales<Exec>::set(const TreeView& tree, const Period& period, const Opening& opening, Group* groups,
                            std::size_t count) const {
    const bool promised = all_.size() > 1;
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t g) {
        Ambient sum;
        Surroundings(groups[g], period).add(tree, sum);
        const float factor = opening.factor(sum.scale(opening, false));
        groups[g].factor = promised ? fminf(groups[g].factor, factor) : factor;
    });
}

template <class Exec>
void GroupScales<Exec>::clear(Group* groups, std::size_t count) const {
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t g) { groups[g].factor = 1.0f; });
}

}  // namespace gravlet
