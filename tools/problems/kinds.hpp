// SPDX-License-Identifier: Apache-2.0
// The kinds of test problems: of each its name in YAML, its parameters with their defaults, its keys (of a Section, see
// tools/config/section.hpp), and what makes it: make(), collective, in a source file of this folder. A new kind is a struct
// here, its place in ProblemSpec, and its make(). Those of points are in point_kinds.hpp and, those that are there to move,
// model_kinds.hpp.
//
// AMR problems fill the unit box with 8^3-cell blocks; a block of level L has side 1/2^(L-1), and is refined up to max_level if
// the solid's surface cuts it or its 4 layers of guard cells. Each rank makes its own part only, and the union over the ranks is
// the same at any number of ranks. Boundaries are isolated unless a kind says otherwise; the YAML's solver.boundary goes before.
// A domain that is not given is that of the mesh; points then have none, and periodic directions need one.
#pragma once

#include "amr_adapter/files/block_set.hpp"
#include "tools/problems/model_kinds.hpp"
#include "tools/problems/point_kinds.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace gravlet {

struct Problem;

inline constexpr const char *min_level_meaning = "level to which blocks are refined everywhere",
                            *max_level_meaning = "finest level of the mesh; a block of level L has 8^3 cells and side 1/2^(L-1)",
                            *subsamples_meaning = "a cell that a surface cuts is filled by so many sample points along each side";

/// Homogeneous spheroid of density 1, semi-axes a1, a1, a1 sqrt(1 - e^2). A cell's density is the share of its subsamples^3
/// points that lie inside. max_level 7: 15,072 blocks, 7.72 M cells.
struct MaclaurinProblem {
    static constexpr const char* kind = "maclaurin";
    static constexpr const char* about = "homogeneous spheroid of density 1 on a mesh refined at its surface (closed form)";
    double eccentricity = 0.9;
    double a1 = 0.25;
    int max_level = 6;
    int subsamples = 4;
    Array3 centre{0.5, 0.5, 0.5};

    void read(auto& keys) {
        keys.value("eccentricity", eccentricity, "0: a sphere; towards 1: a thin disc");
        keys.value("a1", a1, "radius of its equator");
        keys.value("max_level", max_level, max_level_meaning);
        keys.value("subsamples", subsamples, subsamples_meaning);
        keys.value("center", centre, "its middle, in the unit box");
    }
};
Problem make(MPI_Comm comm, const MaclaurinProblem& spec);

/// Homogeneous cube of density 1. Cells hold the exact mass.
struct CubeProblem {
    static constexpr const char* kind = "cube";
    static constexpr const char* about = "homogeneous cube of density 1 on a mesh refined at its surface (closed form)";
    double side = 0.5;
    int max_level = 5;
    Array3 centre{0.5, 0.5, 0.5};

    void read(auto& keys) {
        keys.value("side", side, "length of its sides");
        keys.value("max_level", max_level, max_level_meaning);
        keys.value("center", centre, "its middle, in the unit box");
    }
};
Problem make(MPI_Comm comm, const CubeProblem& spec);

/// The density step of Lukat & Banerjee 2016 (section 4.2): density 1 within the radius, 0.01 outside to the faces of the unit
/// box. Blocks are refined to min_level everywhere.
struct TophatProblem {
    static constexpr const char* kind = "tophat";
    static constexpr const char* about = "ball of density 1 in a box of density 0.01 (closed form)";
    double radius = 0.375;
    int min_level = 4;
    int max_level = 6;
    int subsamples = 4;
    Array3 centre{0.5, 0.5, 0.5};

    void read(auto& keys) {
        keys.value("radius", radius, "radius of the ball");
        keys.value("min_level", min_level, min_level_meaning);
        keys.value("max_level", max_level, max_level_meaning);
        keys.value("subsamples", subsamples, subsamples_meaning);
        keys.value("center", centre, "middle of the ball, in the unit box");
    }
};
Problem make(MPI_Comm comm, const TophatProblem& spec);

/// A cloud that has fallen into cores: a tophat of that radius with spheres of density 1 / ((r/core_radius)^2 + s^2) on top, none
/// beyond core_radius, at random places of it. Sound has the speed of an isothermal sphere of that density, and blocks are
/// refined where a Jeans length is of fewer than jeans_cells cells (Truelove et al. 1997); s is such that the finest level has
/// just these in the middle of a core. Cells hold averages of subsamples^3 samples.
struct CollapseMeshProblem {
    static constexpr const char* kind = "collapse_mesh";
    static constexpr const char* about = "cloud with dense cores, refined by its Jeans length (closed form)";
    double radius = 0.375;
    int cores = 8;
    double core_radius = 0.05;
    double jeans_cells = 16.0;
    int min_level = 4;
    int max_level = 9;
    int subsamples = 2;
    std::uint64_t seed = 1;

    void read(auto& keys) {
        keys.value("radius", radius, "radius of the cloud");
        keys.value("cores", cores, "how many dense cores there are, at random places of the cloud");
        keys.value("core_radius", core_radius, "radius at which a core ends");
        keys.value("jeans_cells", jeans_cells, "blocks are refined where a Jeans length is of fewer cells than this");
        keys.value("min_level", min_level, min_level_meaning);
        keys.value("max_level", max_level, max_level_meaning);
        keys.value("subsamples", subsamples, "cells hold averages of so many samples along each side");
        keys.value("seed", seed, "seed of the random places");
    }
};
Problem make(MPI_Comm comm, const CollapseMeshProblem& spec);

/// The block at the lower corner of the box refined down to max_level (18: 2^20 cells across), with a density that gives each
/// level the same mass (1 in all): a test of dynamic range.
struct CornerProblem {
    static constexpr const char* kind = "corner";
    static constexpr const char* about = "mesh refined to one corner, the same mass on each level: a test of dynamic range";
    int max_level = 18;

    void read(auto& keys) { keys.value("max_level", max_level, max_level_meaning); }
};
Problem make(MPI_Comm comm, const CornerProblem& spec);

/// Periodic: density mean_density (1 + amplitude cos(2 pi k.x)), k = wave_vector. Cells hold exact averages. Blocks are refined
/// to min_level everywhere, and further at the surface of the ball, for a mesh of several levels.
struct SineWaveProblem {
    static constexpr const char* kind = "sine_wave";
    static constexpr const char* about = "periodic: a plane sine wave of density (closed form)";
    std::array<int, 3> wave_vector{1, 0, 0};
    double mean_density = 1.0;
    double amplitude = 0.5;
    int min_level = 4;
    int max_level = 4;
    Array3 centre{0.5, 0.5, 0.5};
    double radius = 0.25;

    void read(auto& keys) {
        keys.value("wave_vector", wave_vector, "waves in the box along x, y and z");
        keys.value("mean_density", mean_density, "mean density, which does not pull");
        keys.value("amplitude", amplitude, "amplitude of the wave, in mean densities");
        keys.value("min_level", min_level, min_level_meaning);
        keys.value("max_level", max_level, "level of the mesh at the surface of a ball");
        keys.value("center", centre, "middle of the ball to whose surface the mesh is refined");
        keys.value("radius", radius, "radius of that ball");
    }
};
Problem make(MPI_Comm comm, const SineWaveProblem& spec);

/// Periodic in x and y: the isothermal layer (Spitzer 1942) of density central_density sech^2((z - 1/2)/scale_height), cut off
/// at |z - 1/2| = z_cut. Cells hold exact averages. Refined to min_level everywhere, and to max_level at the mid plane.
struct Sech2LayerProblem {
    static constexpr const char* kind = "sech2_layer";
    static constexpr const char* about = "periodic in x and y: an isothermal layer (closed form)";
    double central_density = 1.0;
    double scale_height = 0.05;
    double z_cut = 0.375;
    int min_level = 4;
    int max_level = 5;

    void read(auto& keys) {
        keys.value("central_density", central_density, "density in the mid plane");
        keys.value("scale_height", scale_height, "scale height of the layer");
        keys.value("z_cut", z_cut, "distance from the mid plane at which it ends");
        keys.value("min_level", min_level, min_level_meaning);
        keys.value("max_level", max_level, "level of the mesh at the mid plane");
    }
};
Problem make(MPI_Comm comm, const Sech2LayerProblem& spec);

/// Periodic in x: the isothermal cylinder (Ostriker 1964) of density central_density (1 + (r/core_radius)^2)^-2 around the line
/// y = z = 1/2, cut off at r_cut. Cells hold averages of subsamples^2 samples in y and z. Refined to min_level everywhere, and to
/// max_level within refine_radius.
struct OstrikerCylinderProblem {
    static constexpr const char* kind = "ostriker_cylinder";
    static constexpr const char* about = "periodic in x: an isothermal cylinder (closed form)";
    double central_density = 1.0;
    double core_radius = 0.05;
    double r_cut = 0.4;
    double refine_radius = 0.1;
    int min_level = 4;
    int max_level = 6;
    int subsamples = 4;

    void read(auto& keys) {
        keys.value("central_density", central_density, "density on the axis");
        keys.value("core_radius", core_radius, "radius at which a quarter of the central density is left");
        keys.value("r_cut", r_cut, "radius at which it ends");
        keys.value("refine_radius", refine_radius, "radius within which the mesh is of max_level");
        keys.value("min_level", min_level, min_level_meaning);
        keys.value("max_level", max_level, max_level_meaning);
        keys.value("subsamples", subsamples, "cells hold averages of so many samples along y and z");
    }
};
Problem make(MPI_Comm comm, const OstrikerCylinderProblem& spec);

/// FLASH checkpoint. The potential variable is read if the reference asks for it. Without a domain it is what the leaf blocks
/// cover.
struct FlashFileProblem {
    static constexpr const char* kind = "flash_file";
    static constexpr const char* about = "blocks of a FLASH checkpoint";
    std::string path;
    std::string density = "dens";
    std::string potential = "gpot";
    bool read_potential = false;
    std::optional<Box> domain{};

    void read(auto& keys) {
        keys.required("path", path, "the FLASH checkpoint");
        keys.value("density", density, "variable that holds the density");
        keys.value("potential", potential, "variable that holds the host's own potential, for compare.reference: file");
        keys.value("domain", domain, domain_meaning);
    }
};
Problem make(MPI_Comm comm, const FlashFileProblem& spec);

using ProblemSpec =
    std::variant<MaclaurinProblem, CubeProblem, TophatProblem, CollapseMeshProblem, CornerProblem, SineWaveProblem,
                 Sech2LayerProblem, OstrikerCylinderProblem, UniformPointsProblem, PlummerProblem, HernquistProblem, NfwProblem,
                 DiscProblem, KingProblem, ColdCollapseProblem, EncounterProblem, TwoBodiesProblem, M31Problem, LatticeProblem,
                 PointsFileProblem, SnapshotProblem, FlashFileProblem>;

/// Kinds whose points can move.
template <class Kind>
concept HasVelocities = requires(Kind kind) {
    kind.velocities;
};

}  // namespace gravlet
