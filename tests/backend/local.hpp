// SPDX-License-Identifier: Apache-2.0
// One rank's points, sorted and in a tree, without a solver around them.
#pragma once

#include "cpu/cpu.hpp"
#include "solver/build.hpp"
#include "solver/moments.hpp"
#include "solver/stage_in.hpp"
#include "solver/walk_types.hpp"

#include <random>
#include <vector>

namespace gravlet::test {

struct PointArrays {
    std::vector<double> x, y, z, mass;

    void add(double px, double py, double pz, double m) { x.push_back(px), y.push_back(py), z.push_back(pz), mass.push_back(m); }
    [[nodiscard]] std::size_t size() const { return x.size(); }
};

/// In the unit cube; a tenth of them without mass.
inline PointArrays random_points(std::uint64_t seed, std::size_t n) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    PointArrays points;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = uniform(random), y = uniform(random), z = uniform(random);
        points.add(x, y, z, i % 10 == 9 ? 0.0 : (0.5 + uniform(random)) / static_cast<double>(n));
    }
    return points;
}

/// Half in the whole cube, half in a ball of radius 1e-5: the tree gets deep.
inline PointArrays clustered_points(std::uint64_t seed, std::size_t n) {
    PointArrays points = random_points(seed, n);
    for (std::size_t i = 0; i < n; i += 2) {
        points.x[i] = 0.3 + 1e-5 * points.x[i];
        points.y[i] = 0.7 + 1e-5 * points.y[i];
        points.z[i] = 0.1 + 1e-5 * points.z[i];
    }
    return points;
}

/// Points of [0, 1)^3 in a frame of side 1, with their tree. Kept where it is: the buffers refer to its tally.
class LocalTree {
public:
    LocalTree(const PointArrays& points, const Options& chosen, int order, bool acceleration = true, int threads = 1)
        : cpu{&tally_, threads}, bodies(cpu), tree(cpu), options(chosen) {
        Input input;
        input.points = {points.x, points.y, points.z, points.mass};
        input.point_count = points.size();
        frame.points = true;
        frame.acceleration = acceleration;
        stage_in(cpu, input, frame, options, bodies);
        build_tree(cpu, bodies.keys_of_sources(), static_cast<std::uint32_t>(bodies.source_count),
                   static_cast<std::uint32_t>(options.leaf_size), tree);
        with_order(order, [&](auto p) { compute_moments<decltype(p)::value>(cpu, bodies.sources(), opening(), tree); });
    }
    LocalTree(const LocalTree&) = delete;
    LocalTree& operator=(const LocalTree&) = delete;

    [[nodiscard]] Opening opening() const { return {options.theta, frame.total_mass, frame.extent, 4.0 * frame.softening}; }

    [[nodiscard]] TreeView view() const {
        TreeView view;
        view.nodes = tree.nodes.data();
        view.moments = tree.moments.data();
        view.sources = bodies.sources();
        view.source_target = bodies.all_massive() ? nullptr : bodies.source_target.data();
        view.node_count = static_cast<node_index>(tree.nodes.size());
        view.source_count = bodies.source_count;
        return view;
    }

private:
    MemoryTally tally_;

public:
    Cpu cpu;
    gravlet::Bodies<Cpu> bodies;
    Tree<Cpu> tree;
    Options options;
    Frame frame;
};

}  // namespace gravlet::test
