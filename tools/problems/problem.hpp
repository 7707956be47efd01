// SPDX-License-Identifier: Apache-2.0
// What a test problem (kinds.hpp) becomes on each rank.
#pragma once

#include "amr_adapter/files/block_set.hpp"
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/point_file.hpp"
#include "amr_adapter/files/provenance.hpp"
#include "tools/problems/kinds.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gravlet {

/// One rank's part of a problem. It has blocks or points, the same on every rank; either may be empty here.
struct Problem {
    std::string kind;
    bool has_blocks = false;
    BlockSet blocks;
    BlockRows rows;  ///< where the blocks belong in an output file
    PointSet points;
    std::optional<Box> domain;           ///< the box that holds all bodies, and repeats in periodic directions
    std::array<Boundary, 3> boundary{};  ///< boundaries for which the closed form below holds

    Provenance origin;  ///< what the files of its points state; empty: they are in none that states anything

    std::function<double(const Array3&)> potential;     ///< exact potential, G = 1; empty if there is none
    std::function<Array3(const Array3&)> acceleration;  ///< exact acceleration, G = 1; empty if there is none
    std::vector<double> stored_potential;               ///< the file's own, in the file's G; a value a cell

    [[nodiscard]] std::size_t targets() const { return has_blocks ? blocks.cell_count() : points.size(); }
    [[nodiscard]] Array3 target(std::size_t index) const;
};

/// Throws Error(invalid_option) "problem.<key> is <value>: it must be <expected>" unless ok.
void require_range(bool ok, const char* key, double value, const char* expected);

/// The name that a problem has in YAML.
[[nodiscard]] std::string kind_of(const ProblemSpec& spec);

/// The file that its bodies are in; empty: they are in none.
[[nodiscard]] const std::string& file_of(const ProblemSpec& spec);

/// Local. The files beside that one that its bodies may be in, too.
[[nodiscard]] std::vector<std::string> other_files_of(const ProblemSpec& spec);

/// Collective. Throws Error(invalid_option) for parameters out of range and Error(file), the same on every rank.
[[nodiscard]] Problem make_problem(MPI_Comm comm, const ProblemSpec& spec);

}  // namespace gravlet
