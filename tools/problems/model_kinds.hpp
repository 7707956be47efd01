// SPDX-License-Identifier: Apache-2.0
// Kinds of problems (kinds.hpp) whose points are there to move: models of star clusters and galaxies (tools/models). `velocities`
// and G as in point_kinds.hpp. There is no other isothermal sphere than King's, which is the isothermal one lowered to end.
#pragma once

#include "tools/problems/point_kinds.hpp"

#include <gravlet/options.hpp>

#include <mpi.h>

#include <cstdint>
#include <optional>

namespace gravlet {

/// n equal masses drawn from a King model of mass 1 and King radius 1 around the origin (King 1966); w0: the depth of its centre.
struct KingProblem {
    static constexpr const char* kind = "king";
    static constexpr const char* about = "equal masses drawn from a King model of mass 1 and King radius 1";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    double w0 = 6.0;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.value("w0", w0, "depth of the potential at its centre, in sigma^2");
    }
};
Problem make(MPI_Comm comm, const KingProblem& spec);

/// n equal masses, 1 in all, drawn evenly from the sphere of radius 1 around the origin. virial_ratio: 2 K/|W|, 0 at rest; the
/// velocities are Gaussian, cut at the speed of escape from the surface.
struct ColdCollapseProblem {
    static constexpr const char* kind = "cold_collapse";
    static constexpr const char* about = "equal masses drawn from a sphere of radius 1, to fall together";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    double virial_ratio = 0.0;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.value("virial_ratio", virial_ratio, "2 K/|W| at time 0; 0: at rest");
    }
};
Problem make(MPI_Comm comm, const ColdCollapseProblem& spec);

enum class SphereModel { plummer, hernquist, king };

/// Two spheres of one model, n equal masses and mass 1 together, on their way to each other: as two point masses on a Kepler
/// orbit in the plane z = 0 around the origin, `separation` apart on the x axis. The first, to the left, has scale 1, the second
/// mass_ratio times the mass and the same density.
struct EncounterProblem {
    static constexpr const char* kind = "encounter";
    static constexpr const char* about = "two spheres on their way to each other, mass 1 together";
    std::int64_t n = 100000;
    std::uint64_t seed = 1;
    SphereModel model = SphereModel::plummer;
    double w0 = 6.0;  ///< depth of a King model's centre, in sigma^2
    double mass_ratio = 1.0;
    double separation = 10.0;
    double pericentre = 2.0;
    double eccentricity = 1.0;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.choice("model", model, "what both spheres are",
                    {{"plummer", SphereModel::plummer}, {"hernquist", SphereModel::hernquist}, {"king", SphereModel::king}});
        keys.value("w0", w0, "depth of the potential at a King model's centre, in sigma^2");
        keys.value("mass_ratio", mass_ratio, "mass of the second, in the first's");
        keys.value("separation", separation, "how far they are apart at time 0");
        keys.value("pericenter", pericentre, "how near two point masses would come");
        keys.value("eccentricity", eccentricity, "eccentricity of their orbit; 1: a parabola");
    }
};
Problem make(MPI_Comm comm, const EncounterProblem& spec);

/// Two points of mass 1 together on a Kepler orbit of semi-major axis 1 (period 2 pi) around the origin in the plane z = 0, where
/// they are farthest apart. The second, on the positive x axis, has mass_ratio times the mass of the first.
struct TwoBodiesProblem {
    static constexpr const char* kind = "two_bodies";
    static constexpr const char* about = "two points on a Kepler orbit of semi-major axis 1, mass 1 together";
    double eccentricity = 0.5;
    double mass_ratio = 1.0;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) {
        keys.value("eccentricity", eccentricity, "eccentricity of the orbit");
        keys.value("mass_ratio", mass_ratio, "mass of the second, in the first's");
        read_distribution(keys, distribution);
        keys.value("domain", domain, domain_meaning);
    }
};
Problem make(MPI_Comm comm, const TwoBodiesProblem& spec);

/// n equal masses drawn from a model of the Andromeda galaxy, halo, bulge and disc; units, numbers and sources in
/// tools/models/m31.hpp. Indices: first the halo, then the bulge, then the disc. toomre_q: the least Q of the disc; the paper
/// that has the numbers does not say it.
struct M31Problem {
    static constexpr const char* kind = "m31";
    static constexpr const char* about = "equal masses drawn from a model of the Andromeda galaxy: halo, bulge and disc";
    std::int64_t n = 1048576;
    std::uint64_t seed = 1;
    double toomre_q = 1.8;
    Distribution distribution = Distribution::curve;
    std::optional<Box> domain{};
    bool velocities = false;

    void read(auto& keys) {
        read_drawn_points(keys, *this);
        keys.value("toomre_q", toomre_q, "the least Q of the disc");
    }
};
Problem make(MPI_Comm comm, const M31Problem& spec);

}  // namespace gravlet
