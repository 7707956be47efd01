// SPDX-License-Identifier: Apache-2.0
// Where everything lies in the memory that the ranks of a group share. Every rank computes the same layout from what all of them
// bring; each array holds the ranks' parts one after the other.
#pragma once

#include "solver/input/input.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace gravlet {

/// What one rank brings, and which results it wants.
struct GatherShare {
    int rank = 0;  ///< rank in the solver's communicator
    std::size_t cells = 0, blocks = 0, points = 0, probes = 0;
    bool as_blocks = false;  ///< whether its cells, if it has any, are blocks'
    bool three_sides = false;
    bool cell_active = false, point_active = false;  ///< whether it has flags
    bool cell_class = false, point_class = false;    ///< whether it has classes
    bool point_softening = false;                    ///< whether its points have lengths of their own
    std::array<bool, result_count> cell_results{}, point_results{}, probe_results{};
    std::uint64_t blocks_version = 0;  ///< Input::blocks_version

    bool operator==(const GatherShare&) const = default;
};

GatherShare share_of(const Input& input, int rank);

/// A block without its arrays: those are at its cells' place in the common ones.
struct GatheredBlock {
    std::array<double, 3> lower, cell_size;
    std::array<int, 3> n;
    std::array<bool, result_count> results;  ///< which are wanted
    bool active;
};

/// The gathered arrays, or one rank's part of them. Null: not there, not wanted.
struct GatherArrays {
    std::size_t cells = 0, block_count = 0, points = 0, probes = 0;
    GatheredBlock* blocks = nullptr;
    double *x = nullptr, *y = nullptr, *z = nullptr, *dx = nullptr, *dy = nullptr,
           *dz = nullptr;    ///< sides of cells, but not of blocks
    double* mass = nullptr;  ///< mass of cells, or density of blocks
    double *point_x = nullptr, *point_y = nullptr, *point_z = nullptr, *point_mass = nullptr, *point_softening = nullptr;
    double *probe_x = nullptr, *probe_y = nullptr, *probe_z = nullptr;
    std::array<double*, result_count> cell_results{}, point_results{}, probe_results{};
    std::uint8_t *active = nullptr, *point_active = nullptr, *source_class = nullptr, *point_class = nullptr;
};

class GatherLayout {
public:
    /// Local. Throws Error(invalid_input) if some ranks bring blocks and others cells, Error(out_of_memory) if they bring more
    /// than one rank can solve for.
    explicit GatherLayout(const std::vector<GatherShare>& shares);

    /// Whether the members bring what they brought for `before`, but for masses and points: the memory they share holds their
    /// blocks' descriptions then.
    [[nodiscard]] bool has_blocks_of(const GatherLayout& before) const;
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] GatherArrays all(std::byte* window) const;
    /// The part of one member of the group.
    [[nodiscard]] GatherArrays part(std::byte* window, std::size_t member) const;
    /// First cell of each member, and the end.
    [[nodiscard]] std::vector<std::size_t> first_cells() const;
    /// The members that have bodies or probes, for names.
    [[nodiscard]] const std::vector<RankPart>& rank_parts() const { return rank_parts_; }
    [[nodiscard]] bool as_blocks() const { return sum_.as_blocks; }

private:
    std::vector<GatherShare> shares_;
    std::vector<RankPart> rank_parts_;
    GatherShare sum_;
};

}  // namespace gravlet
