// SPDX-License-Identifier: Apache-2.0
// What Newton's third law leaves over in a solve: a tree finds each target's acceleration by itself, so that the forces on all
// bodies need not add up to nothing, nor their torques. Positions, masses and accelerations may be in any units.
#pragma once

#include "mpi/stages.hpp"
#include "physics/precise/exact_source.hpp"
#include "physics/types.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/local_report.hpp"

#include <cmath>
#include <cstddef>

namespace gravlet {

/// Mass and its moment, of this rank's bodies or of all.
struct MassSum {
    double mass = 0.0, x = 0.0, y = 0.0, z = 0.0;  ///< mass, and the sum of m x
    double inactive = 0.0;                         ///< bodies that are not solved for

    GRAVLET_HD friend MassSum operator+(const MassSum& a, const MassSum& b) {
        return {a.mass + b.mass, a.x + b.x, a.y + b.y, a.z + b.z, a.inactive + b.inactive};
    }
    [[nodiscard]] Vector3 centre() const { return mass > 0.0 ? Vector3{x / mass, y / mass, z / mass} : Vector3{0.0, 0.0, 0.0}; }
};

struct ForceSum {
    double force[3] = {}, torque[3] = {};      ///< sum m a, sum m x cross a, x from the centre of mass
    double of_forces = 0.0, of_torques = 0.0;  ///< sum m |a|, sum m |a| |x|

    GRAVLET_HD friend ForceSum operator+(const ForceSum& a, const ForceSum& b) {
        ForceSum sum = a;
        for (int axis = 0; axis < 3; ++axis) sum.force[axis] += b.force[axis], sum.torque[axis] += b.torque[axis];
        sum.of_forces += b.of_forces;
        sum.of_torques += b.of_torques;
        return sum;
    }
};

template <class T>
GRAVLET_HD MassSum mass_of(const T& body) {
    const double mass = body.mass;
    return {mass, mass * body.x, mass * body.y, mass * body.z};
}

template <class T>
GRAVLET_HD ForceSum force_on(const T& body, const Vector3& a, const Vector3& centre) {
    const double x = body.x - centre.x, y = body.y - centre.y, z = body.z - centre.z, mass = body.mass;
    const double force = mass * sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    return {{mass * a.x, mass * a.y, mass * a.z},
            {mass * (y * a.z - z * a.y), mass * (z * a.x - x * a.z), mass * (x * a.y - y * a.x)},
            force,
            force * sqrt(x * x + y * y + z * z)};
}

/// Local. The mass sum of this rank's bodies, where no tree's root has it.
template <class Exec>
MassSum mass_sum(const Exec& exec, const Bodies<Exec>& b) {
    const Source* const bodies = b.bodies.data();
    return transform_reduce(
        exec, b.count, [=] GRAVLET_HD(std::size_t i) { return mass_of(bodies[i]); }, MassSum{},
        [] GRAVLET_HD(const MassSum& p, const MassSum& q) { return p + q; });
}

/// Local. Force and torque on this rank's bodies, once they have their sums. `exact`: the bodies' values in a solve in double, or
/// null.
template <class Exec>
ForceSum force_sum(const Exec& exec, const Bodies<Exec>& b, const Vector3& centre, const ExactSource* exact = nullptr) {
    const Source* const bodies = b.bodies.data();
    const double *const x = b.sums[1].data(), *const y = b.sums[2].data(), *const z = b.sums[3].data();
    return transform_reduce(
        exec, b.count,
        [=] GRAVLET_HD(std::size_t i) {
            const Vector3 a{x[i], y[i], z[i]};
            return exact != nullptr ? force_on(exact_body(bodies[i], exact[i]), a, centre) : force_on(bodies[i], a, centre);
        },
        ForceSum{}, [] GRAVLET_HD(const ForceSum& p, const ForceSum& q) { return p + q; });
}

inline void report_conservation(const ForceSum& sum, LocalReport& report) {
    const auto norm = [](const double(&v)[3]) { return std::hypot(v[0], v[1], v[2]); };
    if (sum.of_forces > 0.0) report.net_force = norm(sum.force) / sum.of_forces;
    if (sum.of_torques > 0.0) report.net_torque = norm(sum.torque) / sum.of_torques;
}

/// Collective. Finds net force and torque, where accelerations are known and no direction is periodic. `local` and `collective`
/// run stages; masses() and forces(centre) sum over this rank's bodies. Nothing is reported if some body of any rank was not
/// solved for.
template <class Local, class Collective, class Masses, class Forces>
void find_conservation(const Local& local, const Collective& collective, const Masses& masses, const Forces& forces,
                       LocalReport& report) {
    MassSum mass;
    local([&] { mass = masses(); });
    collective([&](const Agreed& all) { add_up(all, mass); });
    if (mass.inactive > 0.0) return;
    ForceSum force;
    local([&] { force = forces(mass.centre()); });
    collective([&](const Agreed& all) { add_up(all, force); });
    report_conservation(force, report);
}

}  // namespace gravlet
