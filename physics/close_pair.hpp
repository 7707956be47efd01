// SPDX-License-Identifier: Apache-2.0
// One pair in double, from the positions that the caller gave: what walks do with pairs that single precision cannot tell apart.
#pragma once

#include "physics/softening.hpp"
#include "physics/walk_rules.hpp"

#include <cmath>

namespace gravlet {

/// a - b - shift, rounded once where two of them nearly cancel, whichever they are: what a - b loses is added again.
GRAVLET_HD inline double separation(double a, double b, double shift) {
    const double difference = a - b, b_taken = a - difference;
    return (difference - shift) + ((a - (difference + b_taken)) + (b_taken - b));
}

/// Displacement from a body or node, itself displaced by `shift`, to another.
template <class To, class From>
GRAVLET_HD Vector3 separation(const To& to, const From& from, const Vector3& shift) {
    return {separation(to.x, from.x, shift.x), separation(to.y, from.y, shift.y), separation(to.z, from.z, shift.z)};
}

/// The mass that acts in a pair: of a source that the tree holds, or of another body.
GRAVLET_HD inline double mass_in_pair(const Source& source) { return exact_mass(source); }
template <class Body>
GRAVLET_HD double mass_in_pair(const Body& body) {
    return body.mass;
}

/// Adds what a source that is displaced does to a target. False if they are at one place and nothing softens them: left out.
template <int D, class To, class From>
GRAVLET_HD bool add_pair(Jet<double, D>& sums, const To& target, const From& source, const Vector3& shift,
                         SofteningKernel kernel) {
    const Vector3 r = separation(target, source, shift);
    const double r2 = r.x * r.x + r.y * r.y + r.z * r.z, softening = pair_softening(target.softening, source.softening);
    if (at_one_place(r2, softening)) return false;
    add_softened(sums, r.x, r.y, r.z, mass_in_pair(source), pair_law(r2, softening, kernel));
    return true;
}

/// Adds what a node does to a target, in double.
template <int P, int D>
GRAVLET_HD void add_node_pair(Jet<double, D>& sums, const Source& target, const Node& node, const float* moments,
                              const Vector3& shift, SofteningKernel kernel) {
    const Vector3 r = separation(target, node, shift);
    const double softening2 = node_softening2(target, node, kernel), size = node.size;
    double mass = node.mass, r_inverse = 1.0 / sqrt(r.x * r.x + r.y * r.y + r.z * r.z + softening2);
    const double part = soften_extent(mass, r_inverse, softening2, static_cast<double>(node.spread));
    const auto number = [](double v) { return v; };
    add_node<P>(sums, r.x, r.y, r.z, r_inverse, mass, size, number,
                [moments](auto k) { return static_cast<double>(moments[moment_index(k.a, k.b, k.c)]); });
    add_extent_tide(sums, r.x, r.y, r.z, r_inverse, mass, part, number);
}

}  // namespace gravlet
