// SPDX-License-Identifier: Apache-2.0
#include "tools/compare/solution.hpp"

namespace gravlet {

Solution::Solution(const Problem& problem, int with_derivatives) : derivatives(with_derivatives) {
    for_results(*this, [&](std::vector<double>& component, std::size_t k) {
        if (k < component_count(derivatives)) component.resize(problem.targets());
    });
    if (problem.has_blocks) views = block_views(problem.blocks, fields());
}

Fields Solution::fields() {
    std::array<ResultSpan, result_count> arrays;
    for_results(*this, [&](std::vector<double>& component, std::size_t k) { arrays[k] = component; });
    return as_fields(arrays);
}

Result Solution::at(std::size_t target) const {
    Result result;
    for_results(*this, [&](const std::vector<double>& component, std::size_t k) {
        if (!component.empty()) result.component[k] = component[target];
    });
    return result;
}

void solve(Solver& solver, const Problem& problem, Solution& solution) {
    if (problem.has_blocks)
        solver.solve(solution.views);
    else
        solver.solve(problem.points.view(), solution.fields());
}

}  // namespace gravlet
