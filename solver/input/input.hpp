// SPDX-License-Identifier: Apache-2.0
// All that a rank brings to a solve: bodies, places for results, and what errors call them.
#pragma once

#include "solver/input/given_bodies.hpp"
#include "solver/input/guard_places.hpp"
#include "solver/input/probe_places.hpp"
#include "solver/input/result_arrays.hpp"

#include <gravlet/options.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gravlet {

[[nodiscard]] inline const Stride& density_stride(const Block& block) { return block.stride; }

/// Which body it is of those that a rank brought: what errors call it.
struct BodyOrigin {
    static constexpr std::uint32_t no_block = ~std::uint32_t{0};

    int rank;             ///< no_rank: the one that solves
    std::uint32_t block;  ///< no_block: a cell by itself, or a point; then `cell` holds its number
    std::uint32_t cell[3];
};

/// What one of several ranks brings, in an input that holds it all: cells, points and probes each follow those of the ranks
/// before.
struct RankPart {
    int rank;
    std::size_t first_cell, first_block, first_point, first_probe;
};

/// What lay_out_blocks() and lay_out_guards() find out about all blocks together.
struct BlockNumbers {
    unsigned component_bits = 0, face_bits = 0;  ///< what some block wants, as of wanted_components() and wanted_faces()
    bool inactive_blocks = false;                ///< whether there are inactive blocks
    /// Version of the blocks' descriptions: equal where the same solver was given the same ones. 0: not known.
    std::uint64_t blocks_version = 0;
    /// Version of how the blocks' cells are numbered: equal where each block has as many as before.
    std::uint64_t numbers_version = 0;
};

struct Input : GivenBodies, ResultArrays, GuardPlaces, ProbePlaces, BlockNumbers {
    std::uint64_t number = 0;  ///< number of the solve, from 1 on; 0: no host knows of it
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();  ///< the solve of it
    const RankPart* parts = nullptr;  ///< parts of the ranks, in host memory, if bodies are to be named by rank
    std::size_t part_count = 0;
    const BodyOrigin* origins = nullptr;  ///< origin of each body, in host memory, if they come from anywhere
    const Input* caller = nullptr;        ///< what this is a copy of, if it is in a backend's memory

    /// The input by which bodies are named, and whose flags the host can read.
    [[nodiscard]] const Input& as_given() const { return caller != nullptr ? *caller : *this; }
    /// Whether there may be bodies that are not active.
    [[nodiscard]] bool any_inactive() const { return inactive_blocks || !cells.active.empty() || !points.active.empty(); }
    [[nodiscard]] std::vector<std::size_t> active_bodies() const;
};

/// What an input must have alike with that of the solve before, for its host to say which bodies have changed since.
struct InputKnown {
    std::uint64_t number = 0;  ///< 0: nothing is known
    std::uint64_t numbers_version = 0;
    std::size_t blocks = 0, cells = 0, points = 0;

    InputKnown() = default;
    explicit InputKnown(const Input& input);
    [[nodiscard]] bool is_before(const Input& input) const;
    friend bool operator==(const InputKnown&, const InputKnown&) = default;
};

/// Cells, points and probes as one input; any may be empty. Blocks are added by the caller and laid out by lay_out_blocks().
Input make_input(const Cells& cells, const Fields& fields, const Points& points, const Fields& point_fields,
                 const Probes& probes = {});

/// What `options` say of all points: a softening, and where they are moved.
void set_rules_of_points(Input& input, const Options& options);

/// Numbers the blocks' cells through: sets all that `input` says of them but the blocks. `begin` must live as long as the input.
void lay_out_blocks(Input& input, std::vector<std::size_t>& begin);

/// Numbers the guard cells in which results are wanted through, and the faces, as lay_out_blocks() does cells.
void lay_out_guards(Input& input, std::vector<std::size_t>& begin);

/// Local. Throws Error(not_available), naming the first block with any, if results are wanted in guard cells or at faces.
void refuse_guards(const Input& input, const char* where);

}  // namespace gravlet
