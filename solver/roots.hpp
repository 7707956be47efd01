// SPDX-License-Identifier: Apache-2.0
// This rank's virtual root, from its finished tree and its target groups.
#pragma once

#include "solver/bodies.hpp"
#include "solver/build.hpp"
#include "solver/virtual_root.hpp"

#include <algorithm>
#include <vector>

namespace gravlet {

/// Local. `boxes` gets `count` boxes, of which the header's box_count are used: the groups in as many consecutive pieces.
template <class Exec>
VirtualRootHeader make_virtual_root(const Exec& exec, const Bodies<Exec>& b, const Tree<Exec>& tree, int moments_per_node,
                                    std::size_t count, std::vector<Bounds>& boxes) {
    VirtualRootHeader header{};
    if (tree.nodes.size() > 0) {
        header.has_mass = 1;
        header.root = read(exec, tree.nodes.data());
        header.root.first = header.root.count = header.root.leaf = 0;
        for (int m = 0; m < moments_per_node; ++m) header.moments[m] = read(exec, tree.moments.data() + m);
    }
    boxes.assign(count, {});
    const std::size_t groups = b.groups.size(), used = std::min(groups, count);
    header.box_count = static_cast<std::int32_t>(used);
    auto pieces = exec.template buffer<Bounds>();
    pieces.resize(used);
    for_each(exec, used, [=, to = pieces.data(), all = b.groups.data()] GRAVLET_HD(std::size_t k) {
        const std::size_t begin = groups * k / used, end = groups * (k + 1) / used;
        to[k] = all[begin].box;
        for (std::size_t g = begin + 1; g < end; ++g) to[k] = united(to[k], all[g].box);
    });
    copy_out(exec, pieces.data(), boxes.data(), used);
    return header;
}

}  // namespace gravlet
