// SPDX-License-Identifier: Apache-2.0
// The kinds of test problems: of each its name in YAML, its parameters with their defaults, its keys (of a Section, see
// tools/config/section.hpp), and what makes it: make(), collective, in a source file of this folder. A new kind is a struct
// here, its place in ProblemSpec, and its make().
//
// AMR problems fill the unit box with 8^3-cell blocks; a block of level L has side 1/2^(L-1), and is refined up to max_level if
// the solid's surface cuts it or its 4 layers of guard cells. Each rank makes its own part only, and the union over the ranks is
// the same at any number of ranks. Boundaries are isolated unless a kind says otherwise; the YAML's solver.boundary goes before.
// A domain that is not given is that of the mesh; points then have none, and periodic directions need one.
#pragma once

#include "amr_adapter/files/block_set.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

namespace gravlet {

struct Problem;

/// Homogeneous spheroid of density 1, semi-axes a1, a1, a1 sqrt(1 - e^2). A cell's density is the share of its subsamples^3
/// points that lie inside. max_level 7: 15,072 blocks, 7.72 M cells.
struct MaclaurinProblem {
    static constexpr const char* kind = "maclaurin";
    double eccentricity = 0.9;
    double a1 = 0.25;
    int max_level = 6;
    int subsamples = 4;
    Array3 centre{0.5, 0.5, 0.5};

    void read(auto& keys) {
        keys.value("eccentricity", eccentricity);
        keys.value("a1", a1);
        keys.value("max_level", max_level);
        keys.value("subsamples", subsamples);
        keys.value("center", centre);
    }
};
Problem make(MPI_Comm comm, const MaclaurinProblem& spec);

/// Homogeneous cube of density 1. Cells hold the exact mass.
struct CubeProblem {
    static constexpr const char* kind = "cube";
    double side = 0.5;
    int max_level = 5;
    Array3 centre{0.5, 0.5, 0.5};

    void read(auto& keys) {
        keys.value("side", side);
        keys.value("max_level", max_level);
        keys.value("center", centre);
    }
};
Problem make(MPI_Comm comm, const CubeProblem& spec);

/// The density step of Lukat & Banerjee 2016 (section 4.2): density 1 within the radius, 0.01 outside to the faces of the unit
/// box. Blocks are refined to min_level everywhere.
struct TophatProblem {
    static constexpr const char* kind = "tophat";
    double radius = 0.375;
    int min_level = 4;
    int max_level = 6;
    int subsamples = 4;
    Array3 centre{0.5, 0.5, 0.5};

    void read(auto& keys) {
        keys.value("radius", radius);
        keys.value("min_level", min_level);
        keys.value("max_level", max_level);
        keys.value("subsamples", subsamples);
        keys.value("center", centre);
    }
};
Problem make(MPI_Comm comm, const TophatProblem& spec);

/// The block at the lower corner of the box refined down to max_level (18: 2^20 cells across), with a density that gives each
/// level the same mass (1 in all): a test of dynamic range.
struct CornerProblem {
    static constexpr const char* kind = "corner";
    int max_level = 18;

    void read(auto& keys) { keys.value("max_level", max_level); }
};
Problem make(MPI_Comm comm, const CornerProblem& spec);

/// Periodic: density mean_density (1 + amplitude cos(2 pi k.x)), k = wave_vector. Cells hold exact averages. Blocks are refined
/// to min_level everywhere, and further at the surface of the ball, for a mesh of several levels.
struct SineWaveProblem {
    static constexpr const char* kind = "sine_wave";
    std::array<int, 3> wave_vector{1, 0, 0};
    double mean_density = 1.0;
    double amplitude = 0.5;
    int min_level = 4;
    int max_level = 4;
    Array3 centre{0.5, 0.5, 0.5};
    double radius = 0.25;

    void read(auto& keys) {
        keys.value("wave_vector", wave_vector);
        keys.value("mean_density", mean_density);
        keys.value("amplitude", amplitude);
        keys.value("min_level", min_level);
        keys.value("max_level", max_level);
        keys.value("center", centre);
        keys.value("radius", radius);
    }
};
Problem make(MPI_Comm comm, const SineWaveProblem& spec);

/// Periodic in x and y: the isothermal layer (Spitzer 1942) of density central_density sech^2((z - 1/2)/scale_height), cut off
/// at |z - 1/2| = z_cut. Cells hold exact averages. Refined to min_level everywhere, and to max_level at the mid plane.
struct Sech2LayerProblem {
    static constexpr const char* kind = "sech2_layer";
    double central_density = 1.0;
    double scale_height = 0.05;
    double z_cut = 0.375;
    int min_level = 4;
    int max_level = 5;

    void read(auto& keys) {
        keys.value("central_density", central_density);
        keys.value("scale_height", scale_height);
        keys.value("z_cut", z_cut);
        keys.value("min_level", min_level);
        keys.value("max_level", max_level);
    }
};
Problem make(MPI_Comm comm, const Sech2LayerProblem& spec);

/// Periodic in x: the isothermal cylinder (Ostriker 1964) of density central_density (1 + (r/core_radius)^2)^-2 around the line
/// y = z = 1/2, cut off at r_cut. Cells hold averages of subsamples^2 samples in y and z. Refined to min_level everywhere, and to
/// max_level within refine_radius.
struct OstrikerCylinderProblem {
    static constexpr const char* kind = "ostriker_cylinder";
    double central_density = 1.0;
    double core_radius = 0.05;
    double r_cut = 0.4;
    double refine_radius = 0.1;
    int min_level = 4;
    int max_level = 6;
    int subsamples = 4;

    void read(auto& keys) {
        keys.value("central_density", central_density);
        keys.value("core_radius", core_radius);
        keys.value("r_cut", r_cut);
        keys.value("refine_radius", refine_radius);
        keys.value("min_level", min_level);
        keys.value("max_level", max_level);
        keys.value("subsamples", subsamples);
    }
};
Problem make(MPI_Comm comm, const OstrikerCylinderProblem& spec);

/// How points are spread over ranks. curve: runs of a space-filling curve, as a host's domain decomposition yields; scatter: as
/// generated or read, that is anywhere.
enum class Distribution { curve, scatter };
void read_distribution(auto& keys, Distribution& distribution) {
    keys.choice("distribution", distribution, {{"curve", Distribution::curve}, {"scatter", Distribution::scatter}});
}

/// Keys of all points that are drawn.
void read_drawn_points(auto& keys, auto& points) {
    keys.value("n", points.n);
    keys.value("seed", points.seed);
    read_distribution(keys, points.distribution);
    keys.value("domain", points.domain);
}

enum class PointShape { sphere, cube };

/// n equal masses, 1 in all, drawn evenly from the sphere of radius 1 around the origin, or from the cube of side 2.
struct UniformPointsProblem {
    static constexpr const char* kind = "uniform_points";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    PointShape shape = PointShape::sphere;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.choice("shape", shape, {{"sphere", PointShape::sphere}, {"cube", PointShape::cube}});
    }
};
Problem make(MPI_Comm comm, const UniformPointsProblem& spec);

/// n equal masses drawn from a Plummer sphere of mass 1 and scale 1 around the origin.
struct PlummerProblem {
    static constexpr const char* kind = "plummer";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};

    void read(auto& keys) { read_drawn_points(keys, *this); }
};
Problem make(MPI_Comm comm, const PlummerProblem& spec);

/// n equal masses drawn from a Hernquist sphere of mass 1 and scale 1 around the origin.
struct HernquistProblem {
    static constexpr const char* kind = "hernquist";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};

    void read(auto& keys) { read_drawn_points(keys, *this); }
};
Problem make(MPI_Comm comm, const HernquistProblem& spec);

/// n equal masses drawn from an NFW sphere of mass 1 and scale 1 around the origin, which ends at `concentration`.
struct NfwProblem {
    static constexpr const char* kind = "nfw";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    double concentration = 10.0;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.value("concentration", concentration);
    }
};
Problem make(MPI_Comm comm, const NfwProblem& spec);

/// n equal masses, 1 in all, drawn from an exponential disc of scale 1 and density sech^2(z/height) in an NFW sphere of scale
/// halo_scale that ends at 10 of them. disc_mass: the disc's share.
struct DiscProblem {
    static constexpr const char* kind = "disc";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    double disc_mass = 0.2;
    double height = 0.1;
    double halo_scale = 5.0;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.value("disc_mass", disc_mass);
        keys.value("height", height);
        keys.value("halo_scale", halo_scale);
    }
};
Problem make(MPI_Comm comm, const DiscProblem& spec);

/// Periodic: n^3 equal masses, 1 in all, on a simple cubic lattice that fills the unit box; n = 1: one mass at its centre.
struct LatticeProblem {
    static constexpr const char* kind = "lattice";
    int n = 2;
    Distribution distribution = Distribution::curve;

    void read(auto& keys) {
        keys.value("n", n);
        read_distribution(keys, distribution);
    }
};
Problem make(MPI_Comm comm, const LatticeProblem& spec);

/// HDF5 file with data sets x, y, z, m, and softening if the points bring lengths.
struct PointsFileProblem {
    static constexpr const char* kind = "points_file";
    std::string path;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};

    void read(auto& keys) {
        keys.require("path", "the HDF5 file with data sets x, y, z, m, and softening if points bring lengths");
        keys.value("path", path);
        read_distribution(keys, distribution);
        keys.value("domain", domain);
    }
};
Problem make(MPI_Comm comm, const PointsFileProblem& spec);

/// FLASH checkpoint. The potential variable is read if the reference asks for it. Without a domain it is what the leaf blocks
/// cover.
struct FlashFileProblem {
    static constexpr const char* kind = "flash_file";
    std::string path;
    std::string density = "dens";
    std::string potential = "gpot";
    bool read_potential = false;
    std::optional<Box> domain{};

    void read(auto& keys) {
        keys.require("path", "the FLASH checkpoint");
        keys.value("path", path);
        keys.value("density", density);
        keys.value("potential", potential);
        keys.value("domain", domain);
    }
};
Problem make(MPI_Comm comm, const FlashFileProblem& spec);

using ProblemSpec = std::variant<MaclaurinProblem, CubeProblem, TophatProblem, CornerProblem, SineWaveProblem, Sech2LayerProblem,
                                 OstrikerCylinderProblem, UniformPointsProblem, PlummerProblem, HernquistProblem, NfwProblem,
                                 DiscProblem, LatticeProblem, PointsFileProblem, FlashFileProblem>;

}  // namespace gravlet
