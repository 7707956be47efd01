// SPDX-License-Identifier: Apache-2.0
// The test problems: what they are (one struct a kind, defaults in place) and what they become on each rank.
//
// AMR problems fill the unit box with 8^3-cell blocks; a block of level L has side 1/2^(L-1), and is refined up to max_level if
// the body's surface cuts it or its 4 layers of guard cells. Each rank makes its own part only, and the union over the ranks is
// the same at any number of ranks.
#pragma once

#include "amr_adapter/files/block_set.hpp"
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/point_file.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gravlet {

/// Homogeneous spheroid of density 1, semi-axes a1, a1, a1 sqrt(1 - e^2). A cell's density is the share of its subsamples^3
/// points that lie inside. max_level 7: 15,072 blocks, 7.72 M cells.
struct MaclaurinProblem {
    double eccentricity = 0.9;
    double a1 = 0.25;
    int max_level = 6;
    int subsamples = 4;
    Position center{0.5, 0.5, 0.5};
};

/// Homogeneous cube of density 1. Cells hold the exact mass.
struct CubeProblem {
    double side = 0.5;
    int max_level = 5;
    Position center{0.5, 0.5, 0.5};
};

/// The density step of Lukat & Banerjee 2016 (section 4.2): density 1 within the radius, 0.01 outside to the faces of the unit
/// box. Blocks are refined to min_level everywhere.
struct TophatProblem {
    double radius = 0.375;
    int min_level = 4;
    int max_level = 6;
    int subsamples = 4;
    Position center{0.5, 0.5, 0.5};
};

/// The block at the lower corner of the box refined down to max_level (18: 2^20 cells across), with a density that gives each
/// level the same mass (1 in all): a test of dynamic range.
struct CornerProblem {
    int max_level = 18;
};

/// How points are spread over ranks. curve: pieces of a space-filling curve, as a host's domain decomposition yields; scatter: as
/// generated or read, that is anywhere.
enum class Distribution { curve, scatter };

enum class PointShape { sphere, cube };

/// n equal masses, 1 in all, drawn evenly from the sphere of radius 1 around the origin, or from the cube of side 2.
struct UniformPointsProblem {
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    PointShape shape = PointShape::sphere;
    Distribution distribution = Distribution::curve;
};

/// n equal masses drawn from a Plummer sphere of mass 1 and scale 1 around the origin.
struct PlummerProblem {
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    Distribution distribution = Distribution::curve;
};

/// n equal masses drawn from a Hernquist sphere of mass 1 and scale 1 around the origin.
struct HernquistProblem {
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    Distribution distribution = Distribution::curve;
};

/// HDF5 file with data sets x, y, z, m.
struct PointsFileProblem {
    std::string path;
    Distribution distribution = Distribution::curve;
};

/// FLASH checkpoint. The potential variable is read if the reference asks for it.
struct FlashFileProblem {
    std::string path;
    std::string density = "dens";
    std::string potential = "gpot";
    bool read_potential = false;
};

using ProblemSpec = std::variant<MaclaurinProblem, CubeProblem, TophatProblem, CornerProblem, UniformPointsProblem,
                                 PlummerProblem, HernquistProblem, PointsFileProblem, FlashFileProblem>;

/// One rank's part of a problem. It has blocks or points, the same on every rank; either may be empty here.
struct Problem {
    std::string kind;
    bool has_blocks = false;
    BlockSet blocks;
    BlockRows rows;  ///< where the blocks belong in an output file
    PointSet points;
    std::optional<Box> domain;  ///< the box that holds all cells

    std::function<double(const Position&)> potential;       ///< analytic, G = 1; empty if there is none
    std::function<Position(const Position&)> acceleration;  ///< likewise
    std::vector<double> stored_potential;                   ///< from the file, in the file's own G; a value a cell

    [[nodiscard]] std::size_t targets() const { return has_blocks ? blocks.cell_count() : points.size(); }
    [[nodiscard]] Position target(std::size_t index) const;
};

/// The name that a problem has in YAML.
[[nodiscard]] std::string kind_of(const ProblemSpec& spec);

/// Collective. Throws Error(invalid_option) for parameters out of range and Error(file), the same on every rank.
[[nodiscard]] Problem make_problem(MPI_Comm comm, const ProblemSpec& spec);

}  // namespace gravlet
