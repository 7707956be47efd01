// SPDX-License-Identifier: Apache-2.0
// The walk of periodic_method: table, as Lukat & Banerjee (2016) have it: every target walks the tree on its own; each node and
// source acts with its nearest image, and with the correction for all others from the Ewald table. Slow, and all in double: it is
// there to check the other way by. Written once for both backends.
#pragma once

#include "physics/order.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/walk_types.hpp"
#include "solver/direct/periodic_pair.hpp"

#include <numbers>

namespace gravlet {

template <class T>
GRAVLET_HD double square_of(const T& at, const Vector3& corner) {
    const double x = at.x - corner.x, y = at.y - corner.y, z = at.z - corner.z;
    return x * x + y * y + z * z;
}

/// The correction of a node knows its mass only. What its extent adds is, with three periodic directions, the same everywhere
/// (the mean density's field is a quadratic) and added up exactly: (2 pi/3V) sum m s^2 over the box, less that of the nodes'
/// centres.
struct TableWalk {
    TreeView tree;
    WalkTargets targets;
    DirectLaw law;
    double background = 0.0;  ///< 2 pi/3V, or 0
    Vector3 corner{};         ///< corner from where distances in the background are measured

    /// Correction of a node for a target: as much of its mass is softened as its mean softening^2 tells, all of it for a point.
    /// (Images are softened by one length.)
    template <int D>
    GRAVLET_HD Jet<double, D> correction(const Source& target, const Node& node, double x, double y, double z) const {
        const EwaldView& view = law.correction;
        if (view.softening == 0.0) return ewald_correction<D, true>(view, x, y, z, false);
        const double softening = view.softening * law.unit;
        const double part = target.softening > 0.0f ? 1.0 : fmin(node.softening2 / (softening * softening), 1.0);
        const Jet<double, D> a = ewald_correction<D, true>(view, x, y, z, true),
                             b = ewald_correction<D, true>(view, x, y, z, false);
        Jet<double, D> mean;
        for (std::size_t k = 0; k < component_count(D); ++k) mean.term[k] = part * a.term[k] + (1.0 - part) * b.term[k];
        return mean;
    }

    template <int P, int D>
    GRAVLET_HD void add_node_sum(const Source& target, node_index index, DirectSum<D>& sum) const {
        const Node& node = tree.nodes[index];
        const double scale = 1.0 / law.unit;
        const auto [x, y, z] = to_nearest_image(law, node, target);
        const double softening2 = node_softening2(target, node, law.softening) * scale * scale;
        double r_inverse = 1.0 / sqrt(x * x + y * y + z * z + softening2), mass = node.mass;
        const double part = soften_extent(mass, r_inverse, softening2, node.spread * scale * scale);
        const float* const moments = tree.moments + std::size_t{index} * moment_count(P);
        const auto number = [](double v) { return v; };
        Jet<double, D> one{};
        add_node<P>(one, x, y, z, r_inverse, mass, node.size * scale, number,
                    [moments](auto k) { return static_cast<double>(moments[moment_index(k.a, k.b, k.c)]); });
        add_extent_tide(one, x, y, z, r_inverse, mass, part, number);
        const Jet<double, D> others = correction<D>(target, node, x, y, z);
        for (std::size_t k = 0; k < component_count(D); ++k) one.term[k] += node.mass * others.term[k];
        DirectSum<D> own;
        own.add(one, 1.0, scale);
        own.of.term[0] -= background * node.mass * square_of(node, corner);
        for (std::size_t k = 0; k < component_count(D); ++k) sum.of.term[k] += own.of.term[k];
    }

    template <int D>
    GRAVLET_HD void add_source(const Source& target, std::size_t i, std::uint32_t s, DirectSum<D>& sum) const {
        const Source& source = tree.sources[s];
        const bool own = target_of(tree, s, 0) == i;
        add_periodic_pair<true>(law, target, source, pair_softening(source.softening, target.softening), own, sum);
        sum.of.term[0] -= background * source.mass * square_of(source, corner);
    }

    /// Walks the tree for target i, and adds to its sums.
    template <int P, int D>
    GRAVLET_HD InteractionCounts walk(std::size_t i) const {
        const Source target = targets.bodies[i];
        const Period wrap{law.correction.period[0] * law.unit, law.correction.period[1] * law.unit,
                          law.correction.period[2] * law.unit, law.correction.shear * law.unit};
        const TargetBox box{{{target.x, target.y, target.z}, {target.x, target.y, target.z}}, target.softening};
        const Distance distance{wrap, open_margin(law.softening)};
        InteractionCounts counts;
        DirectSum<D> sum;
        node_index stack[8 * 2 * (deepest_level + 9)];  // a level's nodes are together on it: at most eight
        int top = 0;
        stack[top++] = tree.root;
        while (top > 0) {
            const node_index index = stack[--top];
            const Node& node = tree.nodes[index];
            if (node.count == 0 || accepts(box, node, distance)) {
                add_node_sum<P, D>(target, index, sum);
                ++counts.node;
            } else if (node.leaf != 0) {
                for (std::uint32_t s = node.first; s < node.first + node.count; ++s) add_source(target, i, s, sum);
                counts.cell += node.count;
            } else {
                for (std::uint32_t c = 0; c < node.count; ++c) stack[top++] = node.first + c;
            }
        }
        for (std::size_t k = 0; k < component_count(targets.derivatives); ++k) targets.sums.of[k][i] += sum.of.term[k];
        counts.coincident = static_cast<std::uint64_t>(sum.left_out);
        return counts;
    }
};

/// Walks the tree for all targets. Each one's counts go to counts[].
template <int P, int D, class Exec>
void run_table_walk(const Exec& exec, const TableWalk& work, InteractionCounts* counts) {
    for_each(exec, work.targets.count, [=] GRAVLET_HD(std::size_t i) { counts[i] = work.template walk<P, D>(i); });
}

/// Local. Adds to the targets' sums.
template <class Exec>
InteractionCounts run_table_walk(const Exec& exec, const TableWalk& work, int order) {
    if (work.tree.node_count == 0) return {};
    auto buffer = exec.template buffer<InteractionCounts>();
    buffer.resize_discard(work.targets.count);
    InteractionCounts* const counts = buffer.data();
    with_order(order, [&](auto p) {
        constexpr int P = decltype(p)::value;
        work.targets.derivatives > 1 ? run_table_walk<P, 2>(exec, work, counts) : run_table_walk<P, 1>(exec, work, counts);
    });
    return total_of(exec, counts, work.targets.count);
}

/// The factor 2 pi/3V of a box with three periodic directions, else 0.
inline double background_of(const PeriodicBox& box) {
    return box.dimensions() == 3 ? 2.0 / 3.0 * std::numbers::pi / (box.side[0] * box.side[1] * box.side[2]) : 0.0;
}

/// `table` is in the backend's memory.
inline TableWalk table_walk(const Frame& frame, const TreeView& tree, const WalkTargets& targets, const EwaldView& table) {
    return {
        tree, targets, {frame.softening_kernel, table, frame.box.shortest_period()}, background_of(frame.box), frame.cube.corner};
}

/// Sum m s^2 of this rank's bodies, s from the corner.
template <class Exec>
double sum_of_squares(const Exec& exec, const Frame& frame, const TargetSet<Exec>& b) {
    const Source* const bodies = b.bodies.data();
    const Vector3 corner = frame.cube.corner;
    return transform_reduce(
        exec, b.count, [=] GRAVLET_HD(std::size_t i) { return bodies[i].mass * square_of(bodies[i], corner); }, 0.0,
        [] GRAVLET_HD(double p, double q) { return p + q; });
}

/// Adds what the bodies' sum of squares, of all ranks, comes to, to all potentials.
template <class Exec>
void add_background(const Exec& exec, const Frame& frame, double squares, TargetSet<Exec>& b) {
    double* const potential = b.sums[0].data();
    const double constant = background_of(frame.box) * squares;
    for_each(exec, b.count, [=] GRAVLET_HD(std::size_t i) { potential[i] += constant; });
}

}  // namespace gravlet
