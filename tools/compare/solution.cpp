// SPDX-License-Identifier: Apache-2.0
#include "tools/compare/solution.hpp"

namespace gravlet {

Solution::Solution(const Problem& problem, bool with_acceleration)
    : potential(problem.targets()), has_acceleration(with_acceleration) {
    if (with_acceleration)
        for (auto& component : acceleration) component.resize(problem.targets());
    if (problem.has_blocks) views = block_views(problem.blocks, potential, fields().acceleration);
}

Fields Solution::fields() { return {potential, {acceleration[0], acceleration[1], acceleration[2]}}; }

Result Solution::at(std::size_t target) const {
    Result result{potential[target], {}};
    if (has_acceleration) result.acceleration = {acceleration[0][target], acceleration[1][target], acceleration[2][target]};
    return result;
}

void solve(Solver& solver, const Problem& problem, Solution& solution) {
    if (problem.has_blocks)
        solver.solve(solution.views);
    else
        solver.solve(problem.points.view(), solution.fields());
}

}  // namespace gravlet
