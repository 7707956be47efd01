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
#include "physics/path_size.hpp"
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
    GRAVLET_HD friend Ambient operator+(Ambient a, const Ambient& b) {
        for (std::size_t k = 0; k < component_count(1); ++k) a.sum.term[k] += b.sum.term[k];
        return a;
    }
    /// What errors are held against; `at_least`: whatever the field is.
    [[nodiscard]] GRAVLET_HD double scale(const Opening& opening, bool at_least) const {
        if (!opening.field) return at_least ? 0.5 * sum.term[0] : sum.term[0];
        SeriesScale<double> scale;
        scale.take(at_least ? Jet<double, 1>{{sum.term[0]}} : sum, opening.total_mass);
        return scale.field;
    }
};

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
        const Vector3 d = displacement(m);
        sum.add(m.mass, d.x, d.y, d.z, 0.25 * m.size * m.size + softening2_);
    }

    /// Nodes that lanes of a team open at once, and room for those that it has yet to open: a level's are together there.
    template <class Team>
    static constexpr std::uint32_t at_once = Team::size > 8 ? Team::size / 8 : 1;
    template <class Team>
    static constexpr std::size_t room = 8 * at_once<Team> * 2 * (deepest_level + 9);

    /// A leaf acts as from no nearer than half its parent's side: a lone body, the group's own perhaps, has none itself. A lane
    /// for each child of the nodes that are opened. `stack`: the team's.
    template <class Team>
    GRAVLET_HD void add(const TreeView& tree, const Team& team, node_index* stack, Ambient& sum) const {
        if (tree.node_count == 0) return;
        const Node& root = tree.nodes[tree.root];
        const bool opened = is_opened(root);
        if (!opened && team.rank() == 0) add(root, root.size, sum);
        if (team.rank() == 0) stack[0] = tree.root;
        team.join();
        for (std::uint32_t top = opened ? 1 : 0; top > 0; team.join()) {
            const std::uint32_t taken = top < at_once<Team> ? top : at_once<Team>, mine = team.rank() / 8;
            Node parent{};
            if (mine < taken) parent = tree.nodes[stack[top - 1 - mine]];
            team.join();
            top -= taken;
            for (std::uint32_t c = team.rank() % 8; c < 8; c += Team::size < 8 ? Team::size : 8) {
                bool open = false;
                if (c < parent.count) {
                    const Node& child = tree.nodes[parent.first + c];
                    open = is_opened(child);
                    if (!open) add(child, parent.size, sum);
                }
                std::uint32_t all = 0;
                const std::uint32_t place = top + team.count_before(open, all);
                if (open) stack[place] = parent.first + c;
                top += all;
            }
        }
        for (double& term : sum.sum.term) term = team.sum(term);
    }

private:
    template <class At>
    [[nodiscard]] GRAVLET_HD Vector3 displacement(const At& at) const {
        return to_nearest({at.x - x_, at.y - y_, at.z - z_}, period_);
    }
    [[nodiscard]] GRAVLET_HD bool is_opened(const Node& node) const {
        if (node.leaf != 0 || node.count == 0) return false;
        const Vector3 d = displacement(node);
        return d.x * d.x + d.y * d.y + d.z * d.z <= double{node.size} * node.size;
    }
    GRAVLET_HD void add(const Node& node, float parent, Ambient& sum) const {
        const bool end = node.leaf != 0 || node.count == 0;
        if (end && is_group(node)) return;
        const Vector3 d = displacement(node);
        sum.add(node.mass, d.x, d.y, d.z, (end ? 0.25 * parent * parent : 0.0) + softening2_);
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
          stacks_(exec.template buffer<node_index>()),
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
    void set(const TreeView& tree, const Period& period, const Opening& opening, Group* groups, std::size_t count);

    /// Local. Groups of which no criterion asks what acts on them: those of a solve before may have had one that did.
    void clear(Group* groups, std::size_t count) const;

    /// Local. Finds what acts on each of `groups`: start(g) and what `tree` has; end(g, it). Public because CUDA's extended
    /// lambdas may not be in private functions.
    template <class Start, class End>
    void find(const TreeView& tree, const Period& period, const Group* groups, std::size_t count, const Start& start,
              const End& end);

private:
    using Team = typename Exec::template Team<32>;
    static constexpr std::size_t room = Surroundings::room<Team>, most_teams = path_size(4096, 8);

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
                const Vector3 d = to_nearest(
                    {m.x - 0.5 * (low.x + high.x), m.y - 0.5 * (low.y + high.y), m.z - 0.5 * (low.z + high.z)}, period);
                far[k].add(m.mass, d.x, d.y, d.z, 0.0);
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
    typename Exec::template Buffer<node_index> stacks_;  ///< stacks of teams; a lane by itself has its own
    typename Exec::template Buffer<Monopole> near_;
    typename Exec::template Buffer<Ambient> far_;
};

template <class Exec>
template <class Start, class End>
void GroupScales<Exec>::find(const TreeView& tree, const Period& period, const Group* groups, std::size_t count,
                             const Start& start, const End& end) {
    constexpr bool alone = Team::size == 1;
    const std::size_t teams = alone ? count : std::min(most_teams, count);
    stacks_.resize_discard(alone ? 0 : teams * room);
    node_index* const stacks = stacks_.data();
    for (std::size_t begin = 0; begin < count; begin += teams) {
        for_each_team<32>(exec_, std::min(teams, count - begin), [=] GRAVLET_HD(std::size_t t, const Team& team) {
            node_index own[alone ? room : 1];
            const std::size_t g = begin + t;
            const Surroundings around(groups[g], period);
            Ambient sum;
            around.add(tree, team, alone ? own : stacks + t * room, sum);
            if (team.rank() == 0) end(g, start(g, around) + sum);
        });
    }
}

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
    find(
        tree, period, groups, count,
        [=] GRAVLET_HD(std::size_t g, const Surroundings& around) {
            Ambient sum = far[g * far_count / count];
            for (std::size_t k = 0; k < near_count; ++k) around.add(near[k], sum);
            return sum;
        },
        [=] GRAVLET_HD(std::size_t g, const Ambient& all) { groups[g].factor = opening.factor(all.scale(opening, true)); });
}

template <class Exec>
void GroupScales<Exec>::set(const TreeView& tree, const Period& period, const Opening& opening, Group* groups,
                            std::size_t count) {
    const bool promised = all_.size() > 1;
    find(
        tree, period, groups, count, [] GRAVLET_HD(std::size_t, const Surroundings&) { return Ambient{}; },
        [=] GRAVLET_HD(std::size_t g, const Ambient& all) {
            const float factor = opening.factor(all.scale(opening, false));
            groups[g].factor = promised ? fminf(groups[g].factor, factor) : factor;
        });
}

template <class Exec>
void GroupScales<Exec>::clear(Group* groups, std::size_t count) const {
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t g) { groups[g].factor = 1.0f; });
}

}  // namespace gravlet
