// SPDX-License-Identifier: Apache-2.0
#include "tools/problems/amr_mesh.hpp"

#include "mpi/agreement.hpp"
#include "tools/problems/memory_limit.hpp"

#include <cmath>
#include <vector>

namespace gravlet {

Array3 upper_corner(const MeshBlock& block) {
    return {block.lower[0] + block.side, block.lower[1] + block.side, block.lower[2] + block.side};
}

Problem on_mesh(MPI_Comm comm, int min_level, int max_level, const std::function<bool(const MeshBlock&)>& refine) {
    // Density and potential of 8^3 cells, and what is kept of the block itself.
    constexpr double bytes_of_block = 512.0 * 2.0 * sizeof(double) + sizeof(MeshBlock) + 2.0 * sizeof(Array3) + sizeof(Block);
    const MemoryLimit memory(comm);
    memory.require("min_level", min_level, std::pow(8.0, min_level - 1) * bytes_of_block);
    const auto grown = [&](std::int64_t blocks) {
        memory.require("max_level", max_level, static_cast<double>(blocks) * bytes_of_block);
    };
    const auto refine_it = [&](const MeshBlock& block) { return block.level < min_level || refine(block); };
    const std::vector<MeshBlock> mesh = make_mesh(comm, {}, max_level, std::cref(refine_it), std::cref(grown));

    Problem problem;
    problem.has_blocks = true;
    problem.domain = Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    agree(comm, [&] {
        for (const MeshBlock& block : mesh) {
            problem.blocks.lower.push_back(block.lower);
            problem.blocks.upper.push_back(upper_corner(block));
            problem.blocks.level.push_back(block.level);
        }
        problem.blocks.density.resize(problem.blocks.cell_count());
    });
    problem.rows = number_blocks(comm, problem.blocks);
    return problem;
}

void require_levels(int min_level, int max_level) {
    require_range(max_level >= 1 && max_level <= 12, "max_level", max_level, "1 to 12");
    require_range(min_level >= 1 && min_level <= max_level, "min_level", min_level, "1 to max_level");
}

void require_inside(const Array3& centre, const Array3& half_size, const char* key, double value) {
    for (std::size_t d = 0; d < 3; ++d)
        require_range(centre[d] - half_size[d] >= 0.0 && centre[d] + half_size[d] <= 1.0, key, value,
                      "such that the solid, around problem.center, stays in the unit box");
}

}  // namespace gravlet
