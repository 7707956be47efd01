// SPDX-License-Identifier: Apache-2.0
// This rank's virtual root, from its finished tree and its target groups.
#pragma once

#include "physics/virtual_root.hpp"
#include "solver/build.hpp"
#include "solver/data/bodies.hpp"

#include <algorithm>
#include <vector>

namespace gravlet {

/// Local. `boxes` gets `count` boxes, those of as many consecutive runs of groups; the last one is repeated where there are fewer.
template <class Exec>
VirtualRoot make_virtual_root(const Exec& exec, const Bodies<Exec>& b, const Tree<Exec>& tree, int moments_per_node,
                              std::size_t count, std::vector<TargetBox>& boxes) {
    VirtualRoot root{};
    if (tree.count() > 0) {
        root.has_mass = 1;
        root.depth = tree.depth();
        root.root = read(exec, tree.nodes.data());
        root.root.first = root.root.count = root.root.leaf = 0;
        copy_out(exec, tree.moments.data(), root.moments, static_cast<std::size_t>(moments_per_node));
    }
    const std::size_t groups = b.groups.size(), used = std::min(groups, count);
    boxes.assign(count, {empty_bounds(), 0.0});
    root.has_targets = used > 0 ? 1 : 0;
    // In two steps, so that more than a few threads have work: parts of the runs first.
    const std::size_t parts = std::min<std::size_t>(groups, 64 * used);
    auto unions = exec.template buffer<TargetBox>();
    unions.resize_discard(parts + used);
    TargetBox *const part = unions.data(), *const run = part + parts;
    const Group* const all = b.groups.data();
    for_each(exec, parts, [=] GRAVLET_HD(std::size_t k) {
        const std::size_t begin = groups * k / parts, end = groups * (k + 1) / parts;
        TargetBox out{all[begin].box, all[begin].softening};
        for (std::size_t g = begin + 1; g < end; ++g) out = united(out, {all[g].box, all[g].softening});
        part[k] = out;
    });
    for_each(exec, used, [=] GRAVLET_HD(std::size_t k) {
        const std::size_t begin = parts * k / used, end = parts * (k + 1) / used;
        TargetBox out = part[begin];
        for (std::size_t p = begin + 1; p < end; ++p) out = united(out, part[p]);
        run[k] = out;
    });
    copy_out(exec, run, boxes.data(), used);
    root.box = boxes.front();
    for (std::size_t k = 1; k < used; ++k) root.box = united(root.box, boxes[k]);
    if (used > 0) std::fill(boxes.begin() + static_cast<std::ptrdiff_t>(used), boxes.end(), boxes[used - 1]);
    return root;
}

}  // namespace gravlet
