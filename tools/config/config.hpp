// SPDX-License-Identifier: Apache-2.0
// What `gravlet run` is to do: the YAML file as a struct, defaults in place.
#pragma once

#include "tools/config/made_by.hpp"
#include "tools/config/outputs.hpp"
#include "tools/problems/problem.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gravlet {

/// analytic: the problem's closed form. direct: the direct sum. cuboid: the exact potential of the cells as homogeneous cuboids.
/// file: the potential stored in the FLASH file.
enum class Reference { none, analytic, direct, cuboid, file };
[[nodiscard]] std::string to_string(Reference reference);

struct CompareConfig {
    Reference reference = Reference::none;
    /// Random targets to compare, 0 for all. Not given: see sample_size().
    std::optional<std::int64_t> samples;
    /// Besides the sample: so many targets where a tighter solve differs most.
    std::int64_t hunt = 0;
};
/// Random targets to compare; 0: all. If none is given: all where a value costs little (analytic, file), 1000 or 100 otherwise.
[[nodiscard]] std::int64_t sample_size(const CompareConfig& compare);

struct RunConfig {
    ProblemSpec problem;
    /// The solver's options, but for domain and boundary, which the problem may bring. Solves are repeated to be timed, as on a
    /// mesh that changes.
    Options solver{.keep_tree = false};
    std::optional<std::array<Boundary, 3>> boundary;  ///< boundaries in x, y and z; not given: the problem's own
    bool acceleration = false, tidal = false;
    [[nodiscard]] int derivatives() const { return tidal ? 2 : acceleration ? 1 : 0; }
    int warmup = 1;
    int repeat = 3;
    CompareConfig compare;
    Outputs output{run_outputs};
    MadeBy made_by;
};

/// Options with half of theta (0.1 at least) and the highest order: what a hunt compares with.
[[nodiscard]] Options tighter(const Options& options);
/// Whether tighter() gives options that err less than these.
[[nodiscard]] bool can_be_tighter(const Options& options);

/// Local. Parses YAML text after applying overrides ("solver.theta=0.3"; values are YAML). Throws Error(invalid_option) that
/// names the offending key by its dotted path. `name` stands for the text in messages.
[[nodiscard]] RunConfig parse_config(const std::string& text, const std::vector<std::string>& overrides, const std::string& name);

/// Collective. Rank 0 reads the file, so that all ranks see one text. Paths inside stay as written. Throws Error(file) or
/// Error(invalid_option), the same on every rank.
[[nodiscard]] RunConfig load_config(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides);

}  // namespace gravlet
