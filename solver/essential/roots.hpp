// SPDX-License-Identifier: Apache-2.0
// This rank's virtual root, from its finished tree and its target groups.
#pragma once

#include "mpi/virtual_roots.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/target_boxes.hpp"
#include "solver/tree/build.hpp"
#include "solver/tree/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace gravlet {

/// Most parts that stand for a root: with more its rank is near to all.
inline constexpr std::size_t most_root_parts = 8;

/// Local. Nodes [first, first + count) of a tree, pruned. `reach`: of all nodes, as NearNeeds has it.
template <int P, class Exec>
std::vector<FarNode> far_nodes(const Exec& exec, const Tree<Exec>& tree, std::size_t first, std::size_t count,
                               const Bounds* reach = nullptr) {
    constexpr std::size_t moments = moment_count(P);
    std::vector<Node> nodes(count);
    std::vector<float> values(count * moments);
    copy_out(exec, tree.nodes.data() + first, nodes.data(), count);
    copy_out(exec, tree.moments.data() + first * moments, values.data(), values.size());
    std::vector<FarNode> out(count);
    std::vector<Bounds> reaches(count, empty_bounds());
    if (reach != nullptr) copy_out(exec, reach + first, reaches.data(), count);
    for (std::size_t k = 0; k < count; ++k) {
        out[k].node = nodes[k];
        out[k].reach = reaches[k];
        std::copy_n(values.data() + k * moments, moments, out[k].moments);
    }
    return out;
}

/// Makes a node one of which nothing below it is known.
inline void prune(FarNode& far) { far.node.first = far.node.count = far.node.leaf = 0; }

/// A root is not made smaller by more: its moments of degree 4 go by the fourth power.
inline constexpr float most_tightening = 0x1p15f;

/// Makes a root as large as the box around all its bodies, if its cube is more than twice as large; but not of a cube's side, so
/// that it can be told from one.
template <int P>
void tighten(FarNode& root, const Bounds& bodies, const RootCube& cube, const Opening& opening) {
    const auto [low, high] = bodies;
    float side = static_cast<float>(std::max({high.x - low.x, high.y - low.y, high.z - low.z}));
    Node& node = root.node;
    side = std::max({side, cube.side_of(deepest_level), node.size / most_tightening});
    if (cube.is_side(side)) side = std::nextafter(side, std::numeric_limits<float>::infinity());
    if (node.size <= 2.0f * side) return;
    const float scale = node.size / side;  // moments are in units of the size
    for (int m = 0; m < moment_count(P); ++m) root.moments[m] *= std::pow(scale, static_cast<float>(moment_degree(m)));
    node.size = side;
    const double delta =
        std::hypot(node.x - 0.5 * (low.x + high.x), node.y - 0.5 * (low.y + high.y), node.z - 0.5 * (low.z + high.z));
    const auto farthest = [](double at, double lower, double upper) { return std::max(at - lower, upper - at); };
    set_extent(node,
               std::hypot(farthest(node.x, low.x, high.x), farthest(node.y, low.y, high.y), farthest(node.z, low.z, high.z)));
    node.open_radius =
        static_cast<float>(opening.radius({side, node.mass, stretch_of<P>(root.moments), delta, node.spread, extent_of(node)}));
}

/// Local. Tells where this rank's targets are: `count` finer boxes, and one around them.
template <class Exec>
void set_targets(const Exec& exec, const TargetSet<Exec>& b, std::size_t count, OwnVirtualRoot& out) {
    out.boxes = target_boxes(exec, b, count);
    out.root.has_targets = b.groups.size() > 0 ? 1 : 0;
    out.root.box = out.boxes.front();
    for (const TargetBox& box : out.boxes) out.root.box = united(out.root.box, box);
}

/// Local. `count` finer boxes.
template <int P, class Exec>
OwnVirtualRoot make_virtual_root(const Exec& exec, const Bodies<Exec>& b, const Tree<Exec>& tree, const RootCube& cube,
                                 const Opening& opening, std::size_t count, const Bounds* reach = nullptr) {
    OwnVirtualRoot out;
    set_targets(exec, b, count, out);
    if (tree.count() == 0) return out;
    out.root.has_mass = 1;
    out.root.depth = tree.depth();
    std::vector<FarNode> parts = far_nodes<P>(exec, tree, 0, 1, reach);
    out.root.root = parts.front();
    const auto too_large = [&](const FarNode& part) {
        return opening.largest_node > 0.0 && part.node.size > opening.largest_node && part.node.leaf == 0;
    };
    if (!too_large(parts.front())) {
        tighten<P>(out.root.root, out.root.box.box, cube, opening);
        parts.clear();
    }
    for (std::size_t k = 0; k < parts.size() && parts.size() <= most_root_parts;) {
        if (!too_large(parts[k])) {
            ++k;
            continue;
        }
        const std::vector<FarNode> below = far_nodes<P>(exec, tree, parts[k].node.first, parts[k].node.count, reach);
        parts[k] = below.front();
        parts.insert(parts.end(), below.begin() + 1, below.end());
    }
    if (parts.size() <= most_root_parts) out.parts.nodes = std::move(parts);
    out.root.parts = static_cast<std::int32_t>(out.parts.nodes.size());
    prune(out.root.root);
    std::ranges::for_each(out.parts.nodes, prune);
    return out;
}

/// Makes all ranks need more of a root than itself, whose moments are in single precision.
inline void send_to_all(OwnVirtualRoot& root) {
    constexpr double far = 1e300;
    const Bounds everywhere{{-far, -far, -far}, {far, far, far}};
    root.root.root.reach = everywhere;
    for (FarNode& part : root.parts.nodes) part.reach = everywhere;
}

}  // namespace gravlet
