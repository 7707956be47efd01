// SPDX-License-Identifier: Apache-2.0
// Kinds of problems with points (kinds.hpp).
//
// Kinds with `velocities`, which is no key: who sets it gets velocities and identities (the index of the point as drawn) as well.
// The spheres are then in equilibrium, isotropic (Eddington's inversion, tools/models). Positions are those without velocities
// unless a kind says otherwise. G = 1: with another G of the solver they are not in equilibrium.
#pragma once

#include <gravlet/options.hpp>

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gravlet {

struct Problem;

inline constexpr const char* domain_meaning = "the box that holds all bodies, and repeats in periodic directions";

/// How points are spread over ranks. curve: runs of a space-filling curve, as a host's domain decomposition yields; scatter: as
/// generated or read, that is anywhere.
enum class Distribution { curve, scatter };
void read_distribution(auto& keys, Distribution& distribution) {
    keys.choice("distribution", distribution, "how ranks share the points: runs of a space-filling curve, or anywhere",
                {{"curve", Distribution::curve}, {"scatter", Distribution::scatter}});
}

/// Keys of all points that are drawn.
void read_drawn_points(auto& keys, auto& points) {
    keys.value("n", points.n, "points, all ranks together");
    keys.value("seed", points.seed, "the same seed makes the same points, on any number of ranks");
    read_distribution(keys, points.distribution);
    keys.value("domain", points.domain, domain_meaning);
}

enum class PointShape { sphere, cube };

/// n equal masses, 1 in all, drawn evenly from the sphere of radius 1 around the origin, or from the cube of side 2.
struct UniformPointsProblem {
    static constexpr const char* kind = "uniform_points";
    static constexpr const char* about = "equal masses drawn evenly from a sphere (closed form) or a cube";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    PointShape shape = PointShape::sphere;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.choice("shape", shape, "a sphere of radius 1, or a cube of side 2, around the origin",
                    {{"sphere", PointShape::sphere}, {"cube", PointShape::cube}});
    }
};
Problem make(MPI_Comm comm, const UniformPointsProblem& spec);

/// n equal masses drawn from a Plummer sphere of mass 1 and scale 1 around the origin.
struct PlummerProblem {
    static constexpr const char* kind = "plummer";
    static constexpr const char* about = "equal masses drawn from a Plummer sphere of mass 1 and scale 1 (closed form)";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) { read_drawn_points(keys, *this); }
};
Problem make(MPI_Comm comm, const PlummerProblem& spec);

/// n equal masses drawn from a Hernquist sphere of mass 1 and scale 1 around the origin.
struct HernquistProblem {
    static constexpr const char* kind = "hernquist";
    static constexpr const char* about = "equal masses drawn from a Hernquist sphere of mass 1 and scale 1 (closed form)";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) { read_drawn_points(keys, *this); }
};
Problem make(MPI_Comm comm, const HernquistProblem& spec);

/// n equal masses drawn from an NFW sphere of mass 1 and scale 1 around the origin, which ends at `concentration`. With
/// velocities it does not end there at once, which nothing in equilibrium does: beyond, it falls exponentially, as
/// tools/models/power_laws.hpp says. The mass is with what is beyond, 17% of it at a concentration of 10.
struct NfwProblem {
    static constexpr const char* kind = "nfw";
    static constexpr const char* about = "equal masses drawn from an NFW sphere of mass 1 and scale 1 (closed form)";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    double concentration = 10.0;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.value("concentration", concentration, "radius at which it ends, in its scales");
    }
};
Problem make(MPI_Comm comm, const NfwProblem& spec);

/// n equal masses, 1 in all, drawn from an exponential disc of scale 1 and density sech^2(z/height) in an NFW sphere of scale
/// halo_scale that ends at 10 of them. disc_mass: the disc's share.
struct DiscProblem {
    static constexpr const char* kind = "disc";
    static constexpr const char* about = "equal masses drawn from an exponential disc in an NFW halo, mass 1 in all";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    double disc_mass = 0.2;
    double height = 0.1;
    double halo_scale = 5.0;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.value("disc_mass", disc_mass, "the disc's share of the mass");
        keys.value("height", height, "height of the disc's sech^2 profile, in the disc's scales");
        keys.value("halo_scale", halo_scale, "scale of the halo, in the disc's");
    }
};
Problem make(MPI_Comm comm, const DiscProblem& spec);

/// Periodic: n^3 equal masses, 1 in all, on a simple cubic lattice that fills the unit box; n = 1: one mass at its centre.
struct LatticeProblem {
    static constexpr const char* kind = "lattice";
    static constexpr const char* about = "periodic: equal masses on a cubic lattice that fills the unit box (closed form)";
    int n = 2;
    Distribution distribution = Distribution::curve;

    void read(auto& keys) {
        keys.value("n", n, "masses along each side");
        read_distribution(keys, distribution);
    }
};
Problem make(MPI_Comm comm, const LatticeProblem& spec);

/// The points of a snapshot of GADGET-2 (binary), GADGET, GADGET-4, AREPO or SWIFT in HDF5, or of gravlet's own: of all types or
/// of those named, with masses from MassTable where types have one, values as they stand, without units or expansion. Of several
/// files, any of them. The box, where the file has one, is the domain.
struct SnapshotProblem {
    static constexpr const char* kind = "snapshot";
    static constexpr const char* about =
        "points of a snapshot of GADGET, GADGET-4, AREPO, SWIFT or gravlet, in HDF5 or the binary format of GADGET-2 and "
        "GADGET-4";
    std::string path;
    std::vector<int> types{};
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) {
        keys.required("path", path, "the snapshot, or any file of one in several");
        keys.value("types", types, "types of points that are read, as [0, 1, 4]; none: all");
        read_distribution(keys, distribution);
        keys.value("domain", domain, domain_meaning);
    }
};
Problem make(MPI_Comm comm, const SnapshotProblem& spec);

/// HDF5 file with data sets x, y, z, m, and softening if the points bring lengths. With velocities also vx, vy, vz, and id;
/// without id the identities are the rows.
struct PointsFileProblem {
    static constexpr const char* kind = "points_file";
    static constexpr const char* about = "points of an HDF5 file (x, y, z, m; softening; vx, vy, vz, id to move)";
    std::string path;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) {
        keys.required("path", path, "the HDF5 file with data sets x, y, z, m, and softening if points bring lengths");
        read_distribution(keys, distribution);
        keys.value("domain", domain, domain_meaning);
    }
};
Problem make(MPI_Comm comm, const PointsFileProblem& spec);

}  // namespace gravlet
