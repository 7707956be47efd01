// SPDX-License-Identifier: Apache-2.0
#include "tools/problems/problem.hpp"

#include "tools/problems/makers.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <array>

namespace gravlet {

Position Problem::target(std::size_t index) const {
    if (!has_blocks) return {points.x[index], points.y[index], points.z[index]};
    return blocks.cell_centre(index / blocks.cells_per_block(), index % blocks.cells_per_block());
}

void require_range(bool ok, const char* key, double value, const char* expected) {
    if (!ok) throw Error(ErrorCode::invalid_option, fmt::format("problem.{} is {}: it must be {}", key, value, expected));
}

std::string kind_of(const ProblemSpec& spec) {
    static constexpr std::array kinds{"maclaurin", "cube",      "tophat",      "corner",    "uniform_points",
                                      "plummer",   "hernquist", "points_file", "flash_file"};
    static_assert(kinds.size() == std::variant_size_v<ProblemSpec>);
    return kinds[spec.index()];
}

Problem make_problem(MPI_Comm comm, const ProblemSpec& spec) {
    Problem problem = std::visit([&](const auto& kind) { return make(comm, kind); }, spec);
    problem.kind = kind_of(spec);
    return problem;
}

Problem make(MPI_Comm comm, const FlashFileProblem& spec) {
    FlashPiece piece = read_flash(comm, spec.path, spec.density, spec.read_potential ? spec.potential : "");
    Problem problem;
    problem.has_blocks = true;
    problem.blocks = std::move(piece.blocks);
    problem.rows = std::move(piece.rows);
    problem.stored_potential = std::move(piece.potential);
    return problem;
}

}  // namespace gravlet
