// SPDX-License-Identifier: Apache-2.0
#include "cpu/pairs.hpp"

#include "cpu/direct.hpp"
#include "physics/softening.hpp"

#include <vector>

namespace gravlet {
InteractionCounts add_pairs(int threads, const TreeView& tree, const WalkTargets& targets) {
    std::vector<DirectSource> sources;
    sources.reserve(tree.source_count);
    for (std::uint32_t s = 0; s < tree.source_count; ++s) {
        const Source& from = tree.sources[s];
        sources.push_back(
            {from.x, from.y, from.z, exact_mass(from), pair_softening(from.softening, 0.0f), target_of(tree, s, 0)});
    }
    DirectTargetArrays at;
    for (std::size_t g = 0; g < targets.group_count; ++g) {
        const Group& group = targets.groups[g];
        if (targets.active != nullptr && targets.active[g] == 0) continue;
        for (std::uint32_t i = group.begin; i < group.begin + group.count; ++i)
            at.add(targets.bodies[i], pair_softening(targets.bodies[i].softening, 0.0f), i);
    }
    at.make_sums(targets.derivatives);
    InteractionCounts counts;
    counts.cell = at.id.size() * sources.size();
    counts.coincident = static_cast<std::uint64_t>(cpu_direct_kernel(threads, {targets.softening_kernel})(at.view(), sources));
    for (std::size_t k = 0; k < component_count(targets.derivatives); ++k)
        for (std::size_t t = 0; t < at.id.size(); ++t) targets.sums.of[k][at.id[t]] += at.sums[k][t];
    return counts;
}

}  // namespace gravlet
