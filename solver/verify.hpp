// SPDX-License-Identifier: Apache-2.0
// Two cells of different ranks at one place: if both have mass their trees meet there (solver/merge.hpp); one without mass is
// looked up in what was sent. Here they get their names.
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/merge.hpp"
#include "solver/stage_in.hpp"

#include <vector>

namespace gravlet {

/// Whether a cell of the rank that sent the pruned tree below `root` is at the place of a target: then it was sent, it is near.
GRAVLET_HD inline bool has_twin_below(const TreeView& tree, node_index root, const Source& target) {
    node_index stack[8 * (deepest_level + 1)];  // a level's nodes are together on it: at most eight
    int top = 0;
    stack[top++] = root;
    while (top > 0) {
        const Node& node = tree.nodes[stack[--top]];
        const double reach = 1.0001 * node.size;  // of the centre of mass, which is in the same cube
        if (fabs(node.x - target.x) > reach || fabs(node.y - target.y) > reach || fabs(node.z - target.z) > reach) continue;
        for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
            if (node.leaf == 0) {
                stack[top++] = k;
                continue;
            }
            const Source& s = tree.sources[k];
            if (s.softening == 0.0f && s.x == target.x && s.y == target.y && s.z == target.z) return true;
        }
    }
    return false;
}

/// Local. Throws Error(invalid_input) if a cell of another rank's is at the place of this rank's source `twin` (no_source: of
/// none), or of one of its cells without mass. `tree` is the completed one, `received` the roots of the trees that were sent, in
/// host memory.
template <class Exec>
void reject_remote_twin(const Exec& exec, const Input& input, const Bodies<Exec>& b, const TreeView& tree,
                        const std::vector<node_index>& received, std::uint32_t twin) {
    std::size_t target = b.count;
    if (twin != no_source) {
        target = b.all_massive() ? twin : read(exec, b.source_target.data() + twin);
    } else if (!b.all_massive() && !received.empty()) {
        auto all = exec.template buffer<node_index>();
        all.resize_discard(received.size());
        copy_in(exec, received.data(), all.data(), received.size());
        const node_index* const roots = all.data();
        const Source* const bodies = b.bodies.data();
        const std::size_t n = b.count, root_count = received.size();
        target = transform_reduce(
            exec, n,
            [=] GRAVLET_HD(std::size_t i) {
                const Source& s = bodies[i];
                if (s.mass > 0.0f || s.softening > 0.0f) return n;
                for (std::size_t r = 0; r < root_count; ++r)
                    if (has_twin_below(tree, roots[r], s)) return i;
                return n;
            },
            n, [] GRAVLET_HD(std::size_t p, std::size_t q) { return p < q ? p : q; });
    }
    if (target == b.count) return;
    const std::size_t i = read(exec, b.order.data() + target);
    reject_twin_elsewhere(input.as_given(), i, read_body(exec, input, i));
}

}  // namespace gravlet
