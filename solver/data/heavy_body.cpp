// SPDX-License-Identifier: Apache-2.0
#include "solver/data/heavy_body.hpp"

#include <algorithm>
#include <utility>

namespace gravlet {

HeavyChoice choose_heavy(std::vector<HeavyBody> candidates, double rest) {
    std::ranges::stable_sort(candidates, [](const HeavyBody& a, const HeavyBody& b) { return a.mass > b.mass; });
    std::vector<double> lighter(candidates.size() + 1, rest);  // than the candidate before
    for (std::size_t i = candidates.size(); i > 0; --i) lighter[i - 1] = lighter[i] + candidates[i - 1].mass;
    std::size_t heavy = 0;
    while (heavy < candidates.size() && heavy < most_heavy && outweighs(candidates[heavy].mass, lighter[heavy + 1])) ++heavy;
    while (heavy > 0 && heavy < candidates.size() && candidates[heavy].mass == candidates[heavy - 1].mass) --heavy;
    candidates.resize(heavy);
    return {std::move(candidates), lighter[heavy]};
}

}  // namespace gravlet
