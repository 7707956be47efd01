// SPDX-License-Identifier: Apache-2.0
// What a solve did, for tuning theta and the order. The same on every rank, but for what it says of the rank's own backend.
#pragma once

#include <gravlet/options.hpp>
#include <gravlet/standard.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gravlet {

// [generated: structs] scripts/generate, api/schema
/// Wall-clock seconds of one stage over the ranks. Stages are those of docs/algorithm.md ("One solve"), in their order.
struct StageTime {
    std::string name;
    double max = 0.0;
    double mean = 0.0;
};

/// Error against the direct sum at a random sample of all targets: |a - b| / |b| (with periodic directions / rms of b), a
/// vector's by its norm. A percentile is the smallest error that so many of the samples do not exceed: of few samples, the
/// largest.
struct ErrorStatistics {
    std::int64_t samples = 0;
    double max = 0.0;
    double p9999 = 0.0;  ///< 99.99%; max, if there are fewer than 10,000 samples
    double p999 = 0.0;   ///< 99.9%; max, if there are fewer than 1,000
    double p99 = 0.0;
    double median = 0.0;
    double rms = 0.0;
    std::array<double, 3> worst{};  ///< where the target with the largest error is, in the caller's lengths
};

/// How Options::tolerance was kept.
struct ToleranceReport {
    double asked = 0.0;    ///< Options::tolerance
    double reached = 0.0;  ///< that error of the last solve that was measured
    bool kept = true;      ///< whether `reached` is within 1.2 times what was asked; if not, there is a warning
    double floor = 0.0;    ///< an error below which no shorter angle was found to bring it; 0: none was found
    int walks = 1;         ///< walks of this solve (Options::tolerance_effort); numbers of pairs and bytes are the last one's
    std::int64_t solves_ago = 0;               ///< 0: this one; what that took is the stage "tolerance"
    Criterion criterion = Criterion::opening;  ///< this and the rest: what this solve took
    double theta = 0.0;
    double alpha = 0.0;
    int order = 0;
};

/// What the last solve that finished did: the same on every rank but for `threads`.
struct Report {
    std::int64_t targets = 0;  ///< active cells and points of all ranks, other places in Block::result_guards, faces, and probes
    std::int64_t sources = 0;  ///< cells and points that have mass
    int ranks = 1;
    int threads = 1;          ///< OpenMP threads of the calling rank
    int unchanged_ranks = 0;  ///< ranks whose bodies were where they had been: nothing was sorted, no tree built for them
    int moved_ranks = 0;      ///< ranks whose points had moved and which kept order and tree (keep_moved), of those that solve
    std::int64_t predicted_nodes = 0;  ///< nodes that went with their points and kept their moments (Solver::drifted)
    double predicted_shift = 0.0;  ///< how far points may be from where such a node has them, in its sides, at most on all ranks
    std::string backend;
    std::vector<std::string> warnings{};  ///< what the caller should know, such as why the CPU was taken
    double seconds = 0.0;                 ///< the solve, slowest rank
    std::vector<StageTime> stages{};
    std::int64_t node_interactions = 0;  ///< target-node pairs evaluated, all ranks
    std::int64_t cell_interactions = 0;  ///< target-cell (or target-point) pairs evaluated, all ranks
    std::int64_t far_interactions = 0;   ///< node-group pairs, through local expansions about the groups' centres
    std::int64_t coincident_pairs = 0;   ///< unsoftened target-source pairs at distance zero, left out
    std::int64_t bytes_sent = 0;  ///< essential nodes and cells, and what Options::redistribute hands over and back; all ranks
    std::int64_t nodes_imported = 0;  ///< essential nodes received, all ranks
    std::int64_t cells_imported = 0;
    std::int64_t peak_bytes = 0;  ///< the most memory (GPU: device memory) that the solver held in the solve, largest rank
    /// sampled error, if Options::error_samples > 0 or measured for the tolerance
    std::optional<ErrorStatistics> potential_error{};
    std::optional<ErrorStatistics> acceleration_error{};  ///< sampled error, where accelerations were asked for
    std::optional<ErrorStatistics> tidal_error{};         ///< sampled error, where the tidal tensor was asked for
    std::optional<ToleranceReport> tolerance{};           ///< how the tolerance was kept, if Options::tolerance > 0
    /// |sum m a| over sum m |a|: what the tree's errors leave of Newton's third law. If accelerations were asked for, all bodies
    /// were active, and no direction is periodic.
    std::optional<double> net_force{};
    /// |sum m x cross a| over sum m |a| |x|, x from the centre of mass; given where net_force is.
    std::optional<double> net_torque{};
    double background = 0.0;  ///< density that was taken off all cells (Options::background); 0: none
    /// The shortest sqrt(h/|a|) of all active targets, h the shortest side of a cell, or the softening length of a point: what a
    /// host takes its part of. If accelerations were asked for, and something with a length is pulled. (Not of guard cells and
    /// probes.)
    std::optional<double> time_step{};
};
// [/generated]

/// Options that give without a tolerance what that solve took: criterion, order, and theta or alpha, fixed.
[[nodiscard]] GRAVLET_API Options as_taken(Options options, const Report& report);

/// A table for people: times a stage, interactions a target, bytes, memory, errors.
[[nodiscard]] GRAVLET_API std::string to_string(const Report& report);

}  // namespace gravlet
