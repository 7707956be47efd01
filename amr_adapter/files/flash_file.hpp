// SPDX-License-Identifier: Apache-2.0
// FLASH checkpoints (HDF5; FLASH 4 and Flash-X, Paramesh or AMReX grid): densities in, potentials out.
//
// A variable is one data set (block, z, y, x) without guard cells, parents included; a leaf has `node type` 1. Only `bounding
// box`, `refine level`, `node type` and `integer scalars` (nxb, nyb, nzb, dimensionality) are relied on, as hosts on other grids
// leave the rest out. Every rank opens the file and reads its own leaves: consecutive in file order, equal numbers. Each also
// reads all node types, 4 bytes a block, to know which rows those are.
#pragma once

#include "amr_adapter/files/block_set.hpp"
#include "amr_adapter/files/provenance.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gravlet {

/// Which rows of a file's data sets this rank's blocks are.
struct BlockRows {
    std::int64_t total = 0;                    ///< rows in the file, parents included
    std::vector<std::int64_t> row;             ///< ascending, one a block of this rank
    std::optional<std::string> geometry_from;  ///< file whose bounding boxes, levels and node types hold, parents included
};

struct FlashPart {
    BlockSet blocks;
    BlockRows rows;
    std::vector<double> potential;  ///< the stored one, a value a cell; empty if not asked for
};

/// Collective. Throws Error(file), the same on every rank, that names the file and what is wrong with it: missing, truncated,
/// foreign, not three-dimensional, or without the variable (then it lists those that are there). `potential` empty: not read.
[[nodiscard]] FlashPart read_flash(MPI_Comm comm, const std::string& path, const std::string& density,
                                   const std::string& potential);

/// Collective. Consecutive rows, rank by rank, for blocks that come from no file.
[[nodiscard]] BlockRows number_blocks(MPI_Comm comm, const BlockSet& blocks);

/// A variable of the blocks, one value a cell. Names of FLASH variables have up to 4 characters.
struct BlockField {
    std::string name;
    std::span<const double> values;
};

/// Collective. Writes a file of the same layout (read_flash, yt and scripts for FLASH read it), replacing one that is there.
/// Blocks that come from no file are written as leaves without parents; those of a file with that file's parents, whose rows hold
/// 0, and its tree, scalars and parameters. `boundary` is for readers, alike on all ranks. Ranks write in turn. Throws
/// Error(file) on every rank, and the old file then stays as it is.
void write_flash(MPI_Comm comm, const std::string& path, const BlockSet& blocks, const BlockRows& rows,
                 std::span<const BlockField> fields, const std::array<Boundary, 3>& boundary = {},
                 const Provenance& provenance = {});

/// Collective. Copies the checkpoint `from` to `to` and puts the field there, adding it to `unknown names` if it is new; rows of
/// parents keep what they held, or 0 if the variable is new. Throws Error(file) on every rank, and what was at `to` then stays.
void write_checkpoint_copy(MPI_Comm comm, const std::string& from, const std::string& to, const BlockSet& blocks,
                           const BlockRows& rows, const BlockField& field, const Provenance& provenance = {});

}  // namespace gravlet
