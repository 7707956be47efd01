// SPDX-License-Identifier: Apache-2.0
// One rank's bodies, sorted and in a tree, without a solver around them.
#pragma once

#include "physics/order.hpp"
#include "solver/criterion/scales.hpp"
#include "solver/criterion/widen.hpp"
#include "solver/data/walk_targets.hpp"
#include "solver/essential/complete.hpp"
#include "solver/order/sort.hpp"
#include "solver/order/targets.hpp"
#include "solver/tree/build.hpp"
#include "solver/tree/moments.hpp"
#include "tests/backend/backend.hpp"
#include "tests/backend/host_tree.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace gravlet::test {

/// Points, or cells if they have a side.
struct BodyArrays {
    std::vector<double> x, y, z, mass, side, softening;

    void add(double px, double py, double pz, double m) { x.push_back(px), y.push_back(py), z.push_back(pz), mass.push_back(m); }
    [[nodiscard]] std::size_t size() const { return x.size(); }

    [[nodiscard]] Input input() const {
        Input input;
        if (side.empty()) {
            input.points = {x, y, z, mass, {}, softening};
            input.point_count = size();
        } else {
            input.cells = {x, y, z, side, {}, {}, mass};
            input.cell_count = size();
        }
        return input;
    }
};

/// In the unit cube; a tenth of them without mass.
inline BodyArrays random_points(std::uint64_t seed, std::size_t n) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    BodyArrays points;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = uniform(random), y = uniform(random), z = uniform(random);
        points.add(x, y, z, i % 10 == 9 ? 0.0 : (0.5 + uniform(random)) / static_cast<double>(n));
    }
    return points;
}

/// Half in the whole cube, half in a ball of radius 1e-5: the tree gets deep.
inline BodyArrays clustered_points(std::uint64_t seed, std::size_t n) {
    BodyArrays points = random_points(seed, n);
    for (std::size_t i = 0; i < n; i += 2) {
        points.x[i] = 0.3 + 1e-5 * points.x[i];
        points.y[i] = 0.7 + 1e-5 * points.y[i];
        points.z[i] = 0.1 + 1e-5 * points.z[i];
    }
    return points;
}

/// All but the first in a cube so small that it may be one place of a key's grid.
inline BodyArrays crowded_points(std::uint64_t seed, std::size_t n, double radius) {
    BodyArrays points = random_points(seed, n);
    for (std::size_t i = 1; i < n; ++i) {
        points.x[i] = 0.3 + radius * points.x[i];
        points.y[i] = 0.7 + radius * points.y[i];
        points.z[i] = 0.1 + radius * points.z[i];
    }
    return points;
}

/// Bodies of [0, 1)^3 in a frame of side 1, with their tree. Kept where it is: the buffers refer to its machine.
class LocalTree {
public:
    LocalTree(const BodyArrays& arrays, const Options& chosen, int derivatives = 1, int threads = 1, bool several_ranks = false)
        : machine_(threads), exec(machine_.exec()), bodies(exec), tree(exec), options(resolved(chosen, derivatives > 0)) {
        Input input = arrays.input();
        input.softening = options.softening;
        frame.points = input.point_count > 0;
        frame.several_ranks = several_ranks;
        frame.derivatives = derivatives;
        frame.softening =
            arrays.softening.empty() ? options.softening : *std::max_element(arrays.softening.begin(), arrays.softening.end());
        frame.softening_kernel = options.softening_kernel;
        if (is_periodic(options)) {  // the unit cube, as agree_on_frame() cuts it
            frame.box.side = {1.0, 1.0, 1.0};
            for (std::size_t d = 0; d < 3; ++d) frame.box.periodic[d] = options.boundary[d] == Boundary::periodic;
            frame.pieces = {0.25, {4, 4, 4}};
            frame.piece_level = 2;
            frame.largest_node = 0.25;
        }
        Backend::Transfer transfer(exec);
        Input here = transfer.bring_in(input);
        here.caller = &input;
        sort(exec, here, frame, options, bodies);
        choose_targets(exec, here, frame.derivatives, bodies);
        build_tree(exec, bodies.keys_of_sources(), static_cast<std::uint32_t>(bodies.source_count),
                   static_cast<std::uint32_t>(options.leaf_size), frame.piece_level, static_cast<float>(frame.cube.side),
                   !frame.points, tree);
        compute_moments(exec, options.order, bodies.sources(), frame.cube, opening(), tree);
        widen(exec, opening(), tree.levels, tree.nodes.data(), tree.pulls);
        if (!is_adaptive(options)) return;
        GroupScales<Backend> scales(exec);
        scales.prepare(1, {});
        scales.set(view(), period_of(frame), opening(), bodies.groups.data(), bodies.groups.size());
    }
    LocalTree(const LocalTree&) = delete;
    LocalTree& operator=(const LocalTree&) = delete;

    [[nodiscard]] Opening opening() const { return opening_of(options, frame); }
    /// In the backend's memory.
    [[nodiscard]] TreeView view() const { return view_of(bodies, tree); }

private:
    Machine machine_;

public:
    Backend exec;
    gravlet::Bodies<Backend> bodies;
    Tree<Backend> tree;
    Options options;
    Frame frame;
};

/// A copy of what a view shows.
inline HostTree on_host(const Backend& exec, const TreeView& view, int order) {
    const std::size_t moments = view.node_count * static_cast<std::size_t>(moment_count(order));
    HostTree tree{on_host(exec, view.nodes, view.node_count),
                  on_host(exec, view.moments, moments),
                  on_host(exec, view.sources, view.source_count),
                  {},
                  view};
    if (view.source_target != nullptr) tree.source_target = on_host(exec, view.source_target, view.own_sources);
    return tree;
}

/// Targets and their sums.
inline HostTargets on_host(const Backend& exec, const WalkTargets& targets) {
    HostTargets out{on_host(exec, targets.bodies, targets.count),
                    on_host(exec, targets.groups, targets.group_count),
                    on_host(exec, targets.sums.of[0], targets.count),
                    {},
                    {},
                    targets,
                    {{0.0, 0.0, 0.0}}};
    if (targets.images != nullptr) out.images = on_host(exec, targets.images, static_cast<std::size_t>(targets.image_count));
    for (std::size_t axis = 0; axis < 3 && targets.derivatives > 0; ++axis)
        out.field[axis] = on_host(exec, targets.sums.of[1 + axis], targets.count);
    for (std::size_t k = 0; k < 6 && targets.derivatives > 1; ++k)
        out.tide[k] = on_host(exec, targets.sums.of[4 + k], targets.count);
    return out;
}

}  // namespace gravlet::test
