// SPDX-License-Identifier: Apache-2.0
#include "tools/problems/problem.hpp"

#include "amr_adapter/snapshots/numbered_name.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace gravlet {
namespace {

// The box that the leaf blocks of all ranks cover.
std::optional<Box> covered_box(MPI_Comm comm, const BlockSet& blocks) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Box box;
    for (std::size_t d = 0; d < 3; ++d) {
        double lower = infinity;
        double upper = -infinity;
        for (const Array3& corner : blocks.lower) lower = std::min(lower, corner[d]);
        for (const Array3& corner : blocks.upper) upper = std::max(upper, corner[d]);
        box.lower[d] = all_reduce(comm, lower, MPI_MIN);
        box.upper[d] = all_reduce(comm, upper, MPI_MAX);
    }
    if (box.lower[0] > box.upper[0]) return {};
    return box;
}

}  // namespace

Array3 Problem::target(std::size_t index) const {
    if (!has_blocks) return {points.x[index], points.y[index], points.z[index]};
    return blocks.cell_centre(index / blocks.cells_per_block(), index % blocks.cells_per_block());
}

void require_range(bool ok, const char* key, double value, const char* expected) {
    if (!ok) throw Error(ErrorCode::invalid_option, fmt::format("problem.{} is {}: it must be {}", key, value, expected));
}

std::string kind_of(const ProblemSpec& spec) {
    return std::visit([](const auto& problem) { return std::string(problem.kind); }, spec);
}

const std::string& file_of(const ProblemSpec& spec) {
    static const std::string none;
    return std::visit(
        [](const auto& problem) -> const std::string& {
            if constexpr (requires { problem.path; }) return problem.path;
            return none;
        },
        spec);
}

std::vector<std::string> other_files_of(const ProblemSpec& spec) {
    const auto* const snapshot = std::get_if<SnapshotProblem>(&spec);
    return snapshot != nullptr ? other_snapshot_files(snapshot->path) : std::vector<std::string>();
}

Problem make_problem(MPI_Comm comm, const ProblemSpec& spec) {
    Problem problem = std::visit([&](const auto& kind) { return make(comm, kind); }, spec);
    agree(comm, [&] { problem.kind = kind_of(spec); });
    std::visit(
        [&](const auto& kind) {
            if constexpr (requires { kind.domain; })
                if (kind.domain) problem.domain = kind.domain;
        },
        spec);
    return problem;
}

Problem make(MPI_Comm comm, const FlashFileProblem& spec) {
    const std::string none;
    FlashPart part = read_flash(comm, spec.path, spec.density, spec.read_potential ? spec.potential : none);
    Problem problem;
    problem.has_blocks = true;
    problem.blocks = std::move(part.blocks);
    problem.rows = std::move(part.rows);
    problem.stored_potential = std::move(part.potential);
    problem.domain = covered_box(comm, problem.blocks);
    return problem;
}

}  // namespace gravlet
