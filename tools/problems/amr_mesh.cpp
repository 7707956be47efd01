// SPDX-License-Identifier: Apache-2.0
#include "tools/problems/amr_mesh.hpp"

#include "tools/problems/makers.hpp"

namespace gravlet {

Position upper_corner(const MeshBlock& block) {
    return {block.lower[0] + block.side, block.lower[1] + block.side, block.lower[2] + block.side};
}

Problem with_blocks(MPI_Comm comm, const std::vector<MeshBlock>& mesh) {
    Problem problem;
    problem.has_blocks = true;
    problem.domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    for (const MeshBlock& block : mesh) {
        problem.blocks.lower.push_back(block.lower);
        problem.blocks.upper.push_back(upper_corner(block));
        problem.blocks.level.push_back(block.level);
    }
    problem.blocks.density.resize(problem.blocks.cell_count());
    problem.rows = number_blocks(comm, problem.blocks);
    return problem;
}

void require_levels(int min_level, int max_level) {
    require_range(max_level >= 1 && max_level <= 12, "max_level", max_level, "1 to 12");
    require_range(min_level >= 1 && min_level <= max_level, "min_level", min_level, "1 to max_level");
}

void require_inside(const Position& center, const Position& half_size, const char* key, double value) {
    for (std::size_t d = 0; d < 3; ++d)
        require_range(center[d] - half_size[d] >= 0.0 && center[d] + half_size[d] <= 1.0, key, value,
                      "such that the body, around problem.center, stays in the unit box");
}

}  // namespace gravlet
