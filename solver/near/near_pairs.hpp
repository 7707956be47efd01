// SPDX-License-Identifier: Apache-2.0
// Cells as homogeneous cuboids to targets that are near (near_cells: cuboid; the law is physics/cuboid/near_cells.hpp). The walk
// has added what they do as points; here the difference is added:
//   1. All ranks agree on the shape of all cells, and each makes the table for it.
//   2. Nodes of a rank's tree get the box in which targets are near to one of their cells. What others may need is opened by it,
//      and brings its cells' sizes.
//   3. Once the tree is complete and has been walked, each group of targets walks it for the cells that are near to its box, and
//      each target adds what those do that are near to it.
// Points, as sources and as targets, are left as they are.
#pragma once

#include "mpi/stages.hpp"
#include "physics/order.hpp"
#include "physics/path_size.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/timed_stages.hpp"
#include "solver/data/walk_types.hpp"
#include "solver/input/input.hpp"
#include "solver/near/near_table.hpp"
#include "solver/near/near_walk.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gravlet {

inline constexpr const char* near_stage = "near_cells";

/// Step 2, of node i of a tree: from its sources, or from its children, which have theirs.
struct FindReach {
    const Node* nodes;
    const Source* sources;
    const float* sizes;
    NearLaw law;
    const Bounds* of_children;
    Bounds* reach;

    template <class Team>
    GRAVLET_HD void operator()(std::size_t i, const Team& team) const {
        const Node& node = nodes[i];
        Bounds all = empty_bounds();
        for (std::uint32_t k = node.first + team.rank(); k < node.first + node.count; k += team.size) {
            if (node.leaf == 0) {
                all = united(all, of_children[k]);
            } else if (sizes[k] > 0.0f) {
                all = united(all, law.reach_of(sources[k], sizes[k]));
            }
        }
        all = united_of(team, all);
        if (team.rank() == 0) reach[i] = all;
    }
};

template <class Exec>
class NearPairs {
public:
    explicit NearPairs(const Exec& exec)
        : exec_(exec),
          table_buffer_(exec.template buffer<double>()),
          masses_(exec.template buffer<double>()),
          images_(exec.template buffer<Vector3>()),
          sizes_(exec.template buffer<float>()),
          reach_(exec.template buffer<Bounds>()),
          next_reach_(exec.template buffer<Bounds>()) {}

    [[nodiscard]] bool any() const { return law_.any(); }

    /// Collective. Step 1. `input` is in the backend's memory.
    void agree(const TimedStages<Exec>& run, Stages& stages, const Options& options, const GivenBodies& input,
               const Frame& frame) {
        const bool before = std::exchange(measured_, false);
        law_ = {};
        if (options.near_cells == NearCells::point || !frame.cells) return;
        run.local(near_stage, [&] { shapes_ = shapes_of(input); });
        run.collective(near_stage, [&](const Agreed& all) { all.all_reduce(shapes_.of, 8, MPI_MIN); });
        if (!shapes_.one_shape()) {
            stages.narrator().warn(several_shapes);
            return;
        }
        run.local(near_stage, [&] { set_law(frame); });
        measured_ = before;
    }

    /// Local. Step 2, of this rank's own tree, whose nodes have these levels. `kept`: it is that of the last solve.
    void measure(const Bodies<Exec>& bodies, const TreeView& tree, const std::vector<node_index>& levels, bool kept);
    // As NearNeeds has them; null where there are none.
    [[nodiscard]] const Bounds* reach() const { return any() ? reach_.data() : nullptr; }
    [[nodiscard]] const float* sizes() const { return any() ? sizes_.data() : nullptr; }

    /// Local. Step 2, of `count` sources that have arrived behind this rank's own.
    void take_in(Bodies<Exec>& bodies, std::size_t count);
    /// Local. Step 2, of nodes that a complete tree has besides this rank's own, which are the first `own`.
    void complete(const TreeView& tree, std::size_t own);

    /// Local. Step 3. Adds to the targets' sums. `sizes`: the targets'; `exact`: of the tree's sources, or null.
    void act_on(const TreeView& tree, const WalkTargets& targets, const float* sizes, const SumArrays& apart,
                const ExactSource* exact);

    // The parts of these; public because CUDA's extended lambdas may not be in private functions.

    [[nodiscard]] CellShapes shapes_of(const GivenBodies& input) const;
    void set_law(const Frame& frame);
    template <int D>
    void act_on(const TreeView& tree, const WalkTargets& targets, const float* sizes, const SumArrays& apart,
                const ExactSource* exact);

private:
    static constexpr std::size_t most_teams = path_size(16384, 8);

    Exec exec_;
    CellShapes shapes_;
    bool measured_ = false;  ///< the tree of the last solve
    NearTable table_;
    NearLaw law_;
    double root_side_ = 1.0;
    typename Exec::template Buffer<double> table_buffer_, masses_;
    typename Exec::template Buffer<Vector3> images_;
    typename Exec::template Buffer<float> sizes_;                ///< sizes of this rank's sources, and of those received
    typename Exec::template Buffer<Bounds> reach_, next_reach_;  ///< reaches of the nodes
};

template <class Exec>
CellShapes NearPairs<Exec>::shapes_of(const GivenBodies& input) const {
    const bool blocks = input.blocks != nullptr;
    return transform_reduce(
        exec_, blocks ? input.block_count : input.cell_count,
        [=] GRAVLET_HD(std::size_t i) {
            CellShapes shapes;
            if (!blocks) {
                shapes.add(input.body(i));
            } else if (input.block_begin[i + 1] > input.block_begin[i]) {
                const auto& h = input.blocks[i].cell_size;
                Body cell{};
                cell.dx = h[0], cell.dy = h[1], cell.dz = h[2];
                shapes.add(cell);
            }
            return shapes;
        },
        CellShapes{},
        [] GRAVLET_HD(const CellShapes& a, const CellShapes& b) {
            CellShapes both = a;
            both.add(b);
            return both;
        });
}

template <class Exec>
void NearPairs<Exec>::set_law(const Frame& frame) {
    table_.make(shapes_);
    law_ = table_.law();
    root_side_ = frame.cube.side;
    table_buffer_.resize_discard(table_.jets().size());
    copy_in(exec_, table_.jets().data(), table_buffer_.data(), table_.jets().size());
    law_.table = table_buffer_.data();
    const std::vector<Vector3> images = near_images(frame.box, law_, -shapes_.of[4] * frame.per_unit);
    images_.resize_discard(images.size());
    copy_in(exec_, images.data(), images_.data(), images.size());
}

template <class Exec>
void NearPairs<Exec>::measure(const Bodies<Exec>& bodies, const TreeView& tree, const std::vector<node_index>& levels,
                              bool kept) {
    if (!any() || (measured_ && kept)) return;
    measured_ = false;
    const std::size_t n = bodies.source_count;
    sizes_.resize_discard(n);
    float* const sizes = sizes_.data();
    const float* const all = bodies.sizes.data();
    const Source* const sources = bodies.sources();
    const cell_index* const target = bodies.all_massive() ? nullptr : bodies.source_target.data();
    for_each(exec_, n, [=] GRAVLET_HD(std::size_t s) {
        sizes[s] = sources[s].softening > 0.0f ? 0.0f : all[target != nullptr ? target[s] : s];
    });
    reach_.resize_discard(tree.node_count);
    if (tree.node_count > 0)
        for_levels_up<8>(exec_, levels, FindReach{tree.nodes, sources, sizes, law_, reach_.data(), reach_.data()});
    measured_ = true;  // all of it
}

template <class Exec>
void NearPairs<Exec>::take_in(Bodies<Exec>& bodies, std::size_t count) {
    if (!any()) return;
    const std::size_t own = bodies.source_count;
    sizes_.resize(own + count);
    float* const sizes = sizes_.data() + own;
    Source* const sources = bodies.source_buffer().data() + own;
    for_each(exec_, count, [=] GRAVLET_HD(std::size_t s) {
        const float softening = sources[s].softening;
        sizes[s] = softening < 0.0f ? -softening : 0.0f;
        if (softening < 0.0f) sources[s].softening = 0.0f;
    });
}

template <class Exec>
void NearPairs<Exec>::complete(const TreeView& tree, std::size_t own) {
    if (!any()) return;
    reach_.resize(tree.node_count);
    if (tree.node_count <= own) return;
    // Which of these are children of which is not in their order: what is so many levels up is right after as many rounds.
    const std::size_t all = tree.node_count;
    next_reach_.resize_discard(all);
    Bounds *from = reach_.data(), *to = next_reach_.data();
    for_each(exec_, all, [=] GRAVLET_HD(std::size_t i) { i < own ? to[i] = from[i] : from[i] = empty_bounds(); });
    for (int level = 0; level < tree.depth; ++level, std::swap(from, to)) {
        const FindReach find{tree.nodes, tree.sources, sizes_.data(), law_, from, to};
        for_each(exec_, all - own, [=] GRAVLET_HD(std::size_t i) { find(own + i, Alone()); });
    }
    if (from != reach_.data()) std::swap(reach_, next_reach_);
}

template <class Exec>
template <int D>
void NearPairs<Exec>::act_on(const TreeView& tree, const WalkTargets& targets, const float* sizes, const SumArrays& apart,
                             const ExactSource* exact) {
    using Team = typename Exec::template Team<32>;
    NearWalk<D> walk{tree,
                     reach_.data(),
                     sizes_.data(),
                     law_,
                     NeighbourWeights(law_),
                     images_.data(),
                     static_cast<int>(images_.size()),
                     targets,
                     sizes,
                     nullptr,
                     apart,
                     exact,
                     root_side_};
    if constexpr (Team::size == 1) {
        for_each_team<32>(exec_, (targets.group_count + near_groups<Team> - 1) / near_groups<Team>, walk);
    } else {
        // A few at a time: each has masses of its own.
        masses_.resize_discard(std::min(most_teams, targets.group_count) * (most_near_places + 1));
        walk.masses = masses_.data();
        for (std::size_t begin = 0; begin < targets.group_count; begin += most_teams) {
            walk.targets = groups_of(targets, begin, std::min(begin + most_teams, targets.group_count));
            for_each_team<32>(exec_, walk.targets.group_count, walk);
        }
    }
}

template <class Exec>
void NearPairs<Exec>::act_on(const TreeView& tree, const WalkTargets& targets, const float* sizes, const SumArrays& apart,
                             const ExactSource* exact) {
    if (!any() || (tree.node_count == 0 && !targets.one_by_one)) return;
    with_derivatives(targets.derivatives,
                     [&](auto d) { this->template act_on<decltype(d)::value>(tree, targets, sizes, apart, exact); });
}

}  // namespace gravlet
