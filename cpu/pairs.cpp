// SPDX-License-Identifier: Apache-2.0
#include "cpu/pairs.hpp"

#include "cpu/direct.hpp"
#include "physics/softening.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace gravlet {
namespace {

/// The targets of active groups, and their sums.
struct Targets {
    std::vector<double> x, y, z, softening;
    std::vector<std::int64_t> id;  ///< sorted indices
    std::array<std::vector<double>, result_count> sums;

    explicit Targets(const WalkTargets& all) {
        for (std::size_t g = 0; g < all.group_count; ++g) {
            const Group& group = all.groups[g];
            if (all.active != nullptr && all.active[g] == 0) continue;
            for (std::uint32_t i = group.begin; i < group.begin + group.count; ++i) take(all.bodies[i], i);
        }
        for (std::size_t k = 0; k < component_count(all.derivatives); ++k) sums[k].resize(id.size());
    }
    [[nodiscard]] DirectTargets view() {
        DirectTargets view{x, y, z, softening, id, {}};
        std::copy(sums.begin(), sums.end(), view.sums.begin());
        return view;
    }

private:
    void take(const Source& body, std::uint32_t i) {
        x.push_back(body.x), y.push_back(body.y), z.push_back(body.z);
        softening.push_back(pair_softening(body.softening, 0.0f));
        id.push_back(i);
    }
};

}  // namespace

InteractionCounts add_pairs(int threads, const TreeView& tree, const WalkTargets& targets) {
    std::vector<DirectSource> sources;
    sources.reserve(tree.source_count);
    for (std::uint32_t s = 0; s < tree.source_count; ++s) {
        const Source& from = tree.sources[s];
        sources.push_back(
            {from.x, from.y, from.z, exact_mass(from), pair_softening(from.softening, 0.0f), target_of(tree, s, 0)});
    }
    Targets at(targets);
    InteractionCounts counts;
    counts.cell = at.id.size() * sources.size();
    counts.coincident = static_cast<std::uint64_t>(cpu_direct_kernel(threads, {targets.softening_kernel})(at.view(), sources));
    for (std::size_t k = 0; k < component_count(targets.derivatives); ++k)
        for (std::size_t t = 0; t < at.id.size(); ++t) targets.sums.of[k][at.id[t]] += at.sums[k][t];
    return counts;
}

}  // namespace gravlet
