// SPDX-License-Identifier: Apache-2.0
// Mass, centre of mass, delta and multipoles of every node, from the deepest level up.
#pragma once

#include "solver/acceptance.hpp"
#include "solver/build.hpp"
#include "solver/keys.hpp"
#include "solver/multipole.hpp"

#include <cmath>

namespace gravlet {

/// The centre of the octree cube of side `size` that a position lies in.
GRAVLET_HD inline Point3 cube_centre(double x, double y, double z, double size) {
    const double last = 1.0 / size - 1.0;  // of the cubes in a row; all these numbers are exact
    const auto centre = [=](double position) { return (fmax(0.0, fmin(floor(position / size), last)) + 0.5) * size; };
    return {centre(x), centre(y), centre(z)};
}

GRAVLET_HD inline float own_spread(const Source&) { return 0.0f; }
GRAVLET_HD inline float own_spread(const Node& node) { return node.spread; }

/// Fills in everything but the structure of node `i` from its sources or its children (already finished).
/// `centre` is the geometric centre of its cube.
template <int P>
GRAVLET_HD void finish_node(Node* nodes, float* moments, const Source* sources, std::size_t i, const Point3& centre,
                            const Opening& opening) {
    Node& node = nodes[i];
    double mass = 0.0, x = 0.0, y = 0.0, z = 0.0, softening = 0.0, spread = 0.0;
    const auto sum = [&](const auto* bodies) {
        // Relative to the cube's centre, so that a deep node's centre of mass keeps all its digits.
        for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
            const double m = bodies[k].mass, from[] = {bodies[k].x - centre.x, bodies[k].y - centre.y, bodies[k].z - centre.z};
            mass += m;
            softening += m * bodies[k].softening2;
            spread += m * (0.5 * (from[0] * from[0] + from[1] * from[1] + from[2] * from[2]) + own_spread(bodies[k]));
            x += m * from[0], y += m * from[1], z += m * from[2];
        }
    };
    if (node.leaf != 0) {
        sum(sources);
    } else {
        sum(nodes);
    }
    x /= mass, y /= mass, z /= mass;
    node.mass = static_cast<float>(mass);
    node.softening2 = static_cast<float>(softening / mass);
    node.x = centre.x + x, node.y = centre.y + y, node.z = centre.z + z;
    const double delta = sqrt(x * x + y * y + z * z);
    node.spread = static_cast<float>(fmax(spread / mass - 0.5 * delta * delta, 0.0));
    node.open_radius = static_cast<float>(opening.reach(node.size, mass) + delta);

    if constexpr (P >= 2) {
        MomentSums<P> total;
        for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
            if (node.leaf != 0) {
                const Source& s = sources[k];
                total.add_mass(s.mass, {s.x - node.x, s.y - node.y, s.z - node.z});
            } else {
                const Node& child = nodes[k];
                total.add_node(child.mass, moments + k * std::size_t{moment_count(P)}, child.size,
                               {child.x - node.x, child.y - node.y, child.z - node.z});
            }
        }
        total.store(moments + i * std::size_t{moment_count(P)}, mass, node.size);
    }
}

template <int P, class Exec>
void compute_moments(const Exec& exec, const Source* sources, const Opening& opening, Tree<Exec>& tree) {
    tree.moments.resize_discard(tree.nodes.size() * moment_count(P));
    Node* const nodes = tree.nodes.data();
    float* const moments = tree.moments.data();
    const auto& levels = tree.levels;
    for (std::size_t level = levels.size() - 1; level-- > 0;) {
        const node_index begin = levels[level];
        for_each(exec, levels[level + 1] - begin, [=] GRAVLET_HD(std::size_t k) {
            const std::size_t i = begin + k;
            // The tight cube of an inner node is that of any source below it, and so of its first descendant's.
            std::size_t leaf = i;
            while (nodes[leaf].leaf == 0) leaf = nodes[leaf].first;
            const Source& inside = sources[nodes[leaf].first];
            finish_node<P>(nodes, moments, sources, i, cube_centre(inside.x, inside.y, inside.z, nodes[i].size), opening);
        });
    }
}

/// Calls f(Index<P>) with P = order as a compile-time number. Orders 0 and 1 are the same about a centre of mass.
template <class F>
void with_order(int order, F f) {
    switch (order) {
        case 2: return f(Index<2>{});
        case 3: return f(Index<3>{});
        case 4: return f(Index<4>{});
        default: return f(Index<0>{});
    }
}

}  // namespace gravlet
