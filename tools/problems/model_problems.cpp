// SPDX-License-Identifier: Apache-2.0
// Models of star clusters and galaxies, with their velocities.
#include "tools/models/king.hpp"
#include "tools/models/m31.hpp"
#include "tools/models/maxwellian.hpp"
#include "tools/models/orbit.hpp"
#include "tools/problems/draw_points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace gravlet {
namespace {

double length(const Array3& v) { return std::hypot(v[0], v[1], v[2]); }

Array3 sum(const Array3& a, const Array3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Array3 scaled(double factor, const Array3& a) { return {factor * a[0], factor * a[1], factor * a[2]}; }

void require_w0(double w0) { require_range(w0 >= 0.1 && w0 <= 16.0, "w0", w0, "0.1 to 16"); }
void require_mass_ratio(double ratio) { require_range(ratio >= 1e-6 && ratio <= 1.0, "mass_ratio", ratio, "1e-6 to 1"); }

}  // namespace

Problem make(MPI_Comm comm, const KingProblem& spec) {
    require_w0(spec.w0);
    const auto model = make_model(comm, [&] { return king_model(spec.w0).sphere(); });
    return draw_points(
        comm, spec, [&](std::uint64_t i) { return of_sphere(model->radius(random_unit(spec.seed, i, 2)), spec.seed, i); },
        [&](std::uint64_t, const Array3& at, RandomSequence& next) { return isotropic_velocity(*model, length(at), next); });
}

Problem make(MPI_Comm comm, const ColdCollapseProblem& spec) {
    require_range(spec.virial_ratio >= 0.0 && spec.virial_ratio <= 1.5, "virial_ratio", spec.virial_ratio, "0 to 1.5");
    // |W| is 3/5, and 2 K the mean square speed.
    const double escape = std::numbers::sqrt2, sigma = dispersion_of(0.6 * spec.virial_ratio, escape);
    return draw_points(
        comm, spec, [&](std::uint64_t i) { return of_sphere(std::cbrt(random_unit(spec.seed, i, 2)), spec.seed, i); },
        [&](std::uint64_t, const Array3&, RandomSequence& next) { return cut_gaussian(sigma, escape, next); });
}

Problem make(MPI_Comm comm, const EncounterProblem& spec) {
    constexpr double greatest = 1e6;
    require_n(spec.n);
    require_w0(spec.w0);
    require_mass_ratio(spec.mass_ratio);
    require_range(spec.eccentricity >= 0.0 && spec.eccentricity <= 100.0, "eccentricity", spec.eccentricity, "0 to 100");
    require_range(spec.pericentre > 0.0 && spec.pericentre <= greatest, "pericenter", spec.pericentre, "more than 0, up to 1e6");
    require_range(spec.separation >= spec.pericentre && spec.separation <= greatest, "separation", spec.separation,
                  "pericenter to 1e6");
    require_range(spec.separation <= apocentre(spec.eccentricity, spec.pericentre), "separation", spec.separation,
                  "at most pericenter (1 + eccentricity)/(1 - eccentricity)");
    const auto model = make_model(comm, [&] {
        switch (spec.model) {
            case SphereModel::hernquist: return IsotropicSphere::alone(hernquist_density(), "Hernquist sphere");
            case SphereModel::king: return king_model(spec.w0).sphere();
            default: return IsotropicSphere::alone(plummer_density(), "Plummer sphere");
        }
    });

    // The points being alike, masses are numbers of points.
    const double share = 1.0 / (1.0 + spec.mass_ratio);
    const std::int64_t first = std::llround(static_cast<double>(spec.n) * share);
    const double first_mass = spec.n > 0 ? static_cast<double>(first) / static_cast<double>(spec.n) : share;
    const RelativeState orbit = kepler_orbit(1.0, spec.eccentricity, spec.pericentre, spec.separation);
    struct Body {
        double scale, speed;  // in those of the sphere of mass 1 and scale 1
        double at;            // of the orbit, from the centre of mass
    };
    const double second_scale = std::cbrt(spec.mass_ratio);
    const Body one{1.0, std::sqrt(first_mass), first_mass - 1.0};
    const Body other{second_scale, std::sqrt((1.0 - first_mass) / second_scale), first_mass};
    const auto body_of = [&](std::uint64_t i) -> const Body& { return i < static_cast<std::uint64_t>(first) ? one : other; };

    return draw_points(
        comm, spec,
        [&](std::uint64_t i) {
            const Body& body = body_of(i);
            const double radius = body.scale * model->radius(random_unit(spec.seed, i, 2));
            return sum(of_sphere(radius, spec.seed, i), scaled(body.at, orbit.position));
        },
        [&](std::uint64_t i, const Array3&, RandomSequence& next) {
            const Body& body = body_of(i);
            const Array3 v = isotropic_velocity(*model, model->radius(random_unit(spec.seed, i, 2)), next);
            return sum(scaled(body.speed, v), scaled(body.at, orbit.velocity));
        });
}

Problem make(MPI_Comm comm, const TwoBodiesProblem& spec) {
    require_range(spec.eccentricity >= 0.0 && spec.eccentricity < 1.0, "eccentricity", spec.eccentricity, "from 0 to below 1");
    require_mass_ratio(spec.mass_ratio);
    const double pericentre = 1.0 - spec.eccentricity;
    const RelativeState orbit = kepler_orbit(1.0, spec.eccentricity, pericentre, 1.0 + spec.eccentricity);
    const double second_mass = spec.mass_ratio / (1.0 + spec.mass_ratio);
    const auto at = [&](std::uint64_t i) { return i == 0 ? -second_mass : 1.0 - second_mass; };
    const auto position = [&](std::uint64_t i) { return scaled(at(i), orbit.position); };
    const auto velocity = [&](std::uint64_t i, const Array3&, RandomSequence&) { return scaled(at(i), orbit.velocity); };
    const PointCount two{2, 2};
    Problem problem = spec.velocities ? draw_points(comm, two, spec.distribution, 0, position, velocity)
                                      : draw_points(comm, two, spec.distribution, 0, position);
    PointSet& points = problem.points;
    for (std::size_t i = 0; i < points.size(); ++i) points.mass[i] = points.x[i] < 0.0 ? 1.0 - second_mass : second_mass;
    return problem;
}

Problem make(MPI_Comm comm, const M31Problem& spec) {
    require_n(spec.n);
    require_range(spec.toomre_q >= 0.1 && spec.toomre_q <= 10.0, "toomre_q", spec.toomre_q, "0.1 to 10");
    const auto galaxy = make_model(comm, [&] { return M31(spec.toomre_q); });
    const auto n = static_cast<double>(spec.n);
    const auto part = [&](double mass) { return static_cast<std::uint64_t>(n * (mass / M31::mass)); };
    const std::uint64_t disc = part(M31::disc_mass), bulge = part(M31::bulge_mass);
    const std::uint64_t halo = static_cast<std::uint64_t>(spec.n) - bulge - disc;
    const auto sphere_of = [&](std::uint64_t i) -> const IsotropicSphere& { return i < halo ? galaxy->halo : galaxy->bulge; };

    Problem problem = draw_points(
        comm, spec,
        [&](std::uint64_t i) -> Array3 {
            const double share = random_unit(spec.seed, i, 2);
            if (i < halo + bulge) return of_sphere(sphere_of(i).radius(share), spec.seed, i);
            const double R = M31::disc_scale * disc_radius(share), angle = 2.0 * std::numbers::pi * random_unit(spec.seed, i, 1);
            const double z = M31::disc_height * std::atanh(2.0 * random_unit(spec.seed, i, 0) - 1.0);
            return {R * std::cos(angle), R * std::sin(angle), z};
        },
        [&](std::uint64_t i, const Array3& at, RandomSequence& next) -> Array3 {
            if (i < halo + bulge) return isotropic_velocity(sphere_of(i), length(at), next);
            const double R = std::hypot(at[0], at[1]);
            const ExponentialDisc::Motion motion = galaxy->disc.motion(R);
            const double a = next(), b = next(), c = next(), d = next();
            const NormalPair plane = normal_pair(a, b), up = normal_pair(c, d);
            const double outwards = motion.radial * plane.first, around = motion.rotation + motion.azimuthal * plane.second;
            const double cosine = at[0] / R, sine = at[1] / R;
            return {cosine * outwards - sine * around, sine * outwards + cosine * around, motion.vertical * up.first};
        });
    std::ranges::fill(problem.points.mass, M31::mass / n);
    return problem;
}

}  // namespace gravlet
