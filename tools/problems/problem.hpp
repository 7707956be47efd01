// SPDX-License-Identifier: Apache-2.0
// The test problems: what they are (one struct a kind, defaults in place) and what they become on each rank.
//
// AMR problems fill the unit box with 8^3-cell blocks; a block of level L has side 1/2^(L-1), and is refined up to max_level if
// the body's surface cuts it or its 4 layers of guard cells. Each rank makes its own part only, and the union over the ranks is
// the same at any number of ranks. Boundaries are isolated unless a kind says otherwise; the YAML's solver.boundary goes before.
// A domain that is not given is that of the mesh; points then have none, and periodic directions need one.
#pragma once

#include "amr_adapter/files/block_set.hpp"
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/point_file.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <array>
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

/// Periodic: density mean_density (1 + amplitude cos(2 pi k.x)), k = wave_vector. Cells hold exact averages. Blocks are refined
/// to min_level everywhere, and further at the surface of the ball, for a mesh of several levels.
struct SineWaveProblem {
    std::array<int, 3> wave_vector{1, 0, 0};
    double mean_density = 1.0;
    double amplitude = 0.5;
    int min_level = 4;
    int max_level = 4;
    Position center{0.5, 0.5, 0.5};
    double radius = 0.25;
};

/// Periodic in x and y: the isothermal layer (Spitzer 1942) of density central_density sech^2((z - 1/2)/scale_height), cut off
/// at |z - 1/2| = z_cut. Cells hold exact averages. Refined to min_level everywhere, and to max_level at the mid plane.
struct Sech2LayerProblem {
    double central_density = 1.0;
    double scale_height = 0.05;
    double z_cut = 0.375;
    int min_level = 4;
    int max_level = 5;
};

/// Periodic in x: the isothermal cylinder (Ostriker 1964) of density central_density (1 + (r/core_radius)^2)^-2 around the line
/// y = z = 1/2, cut off at r_cut. Cells hold averages of subsamples^2 points in y and z. Refined to min_level everywhere, and to
/// max_level within refine_radius.
struct OstrikerCylinderProblem {
    double central_density = 1.0;
    double core_radius = 0.05;
    double r_cut = 0.4;
    double refine_radius = 0.1;
    int min_level = 4;
    int max_level = 6;
    int subsamples = 4;
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
    std::optional<Box> domain{};
};

/// n equal masses drawn from a Plummer sphere of mass 1 and scale 1 around the origin.
struct PlummerProblem {
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
};

/// n equal masses drawn from a Hernquist sphere of mass 1 and scale 1 around the origin.
struct HernquistProblem {
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
};

/// Periodic: n^3 equal masses, 1 in all, on a simple cubic lattice that fills the unit box; n = 1: one mass at its centre.
struct LatticeProblem {
    int n = 2;
    Distribution distribution = Distribution::curve;
};

/// HDF5 file with data sets x, y, z, m, and softening if the points bring lengths.
struct PointsFileProblem {
    std::string path;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
};

/// FLASH checkpoint. The potential variable is read if the reference asks for it. Without a domain it is what the leaf blocks
/// cover.
struct FlashFileProblem {
    std::string path;
    std::string density = "dens";
    std::string potential = "gpot";
    bool read_potential = false;
    std::optional<Box> domain{};
};

using ProblemSpec = std::variant<MaclaurinProblem, CubeProblem, TophatProblem, CornerProblem, SineWaveProblem, Sech2LayerProblem,
                                 OstrikerCylinderProblem, UniformPointsProblem, PlummerProblem, HernquistProblem, LatticeProblem,
                                 PointsFileProblem, FlashFileProblem>;

/// One rank's part of a problem. It has blocks or points, the same on every rank; either may be empty here.
struct Problem {
    std::string kind;
    bool has_blocks = false;
    BlockSet blocks;
    BlockRows rows;  ///< where the blocks belong in an output file
    PointSet points;
    std::optional<Box> domain;           ///< the box that holds all bodies, and repeats in periodic directions
    std::array<Boundary, 3> boundary{};  ///< for which the closed form below holds

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
