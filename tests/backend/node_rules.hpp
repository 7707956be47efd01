// SPDX-License-Identifier: Apache-2.0
// How near a node may be, found from the bodies in it by the formulas of docs/algorithm.md ("When a node may stand for its
// contents"), in long double. Of the library it takes options and frame alone. Trees here are in the unit cube.
#pragma once

#include "solver/data/bodies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace gravlet::test {

using Real = long double;

/// What counts of a node's bodies.
struct NodeSums {
    Real mass = 0, spread = 0;  ///< spread: mean square distance from the centre of mass
    Real extent = 0;            ///< the largest distance
    std::array<Real, 3> centre{};
    /// For degrees 2 to 4: how far one mass would be that had these moments. The norm of a moment of degree n is, for masses m_i
    /// at r_i, sum_ij m_i m_j (r_i r_j)^n P_n(cos).
    std::array<Real, 5> length{};
    double softening = 0.0;  ///< the longest

    NodeSums(const std::vector<const Source*>& bodies, int order) {
        const Source& first = *bodies.front();
        for (const Source* b : bodies) {
            mass += b->mass;
            centre[0] += b->mass * (static_cast<Real>(b->x) - first.x);
            centre[1] += b->mass * (static_cast<Real>(b->y) - first.y);
            centre[2] += b->mass * (static_cast<Real>(b->z) - first.z);
            softening = std::max<double>(softening, b->softening);
        }
        centre = {first.x + centre[0] / mass, first.y + centre[1] / mass, first.z + centre[2] / mass};
        std::vector<std::array<Real, 5>> from;  // x, y, z, square, mass
        for (const Source* b : bodies) {
            const Real x = b->x - centre[0], y = b->y - centre[1], z = b->z - centre[2], square = x * x + y * y + z * z;
            from.push_back({x, y, z, square, b->mass / mass});
            spread += from.back()[4] * square;
            extent = std::max(extent, std::sqrt(square));
        }
        std::array<Real, 5> norm{};
        for (std::size_t i = 0; i < from.size() && order > 1; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                const auto& [x, y, z, r2, m] = from[i];
                const auto& [u, v, w, s2, n] = from[j];
                const Real d = x * u + y * v + z * w, d2 = d * d, q = r2 * s2, both = m * n * (i == j ? 1 : 2);
                norm[2] += both * (3 * d2 - q) / 2;
                norm[3] += both * d * (5 * d2 - 3 * q) / 2;
                norm[4] += both * (d2 * (35 * d2 - 30 * q) + 3 * q * q) / 8;
            }
        }
        for (std::size_t n = 2; n <= static_cast<std::size_t>(order); ++n)
            length[n] = std::pow(std::max<Real>(norm[n], 0), Real(0.5) / static_cast<Real>(n));
    }
};

struct NodeRules {
    const Options& options;
    const Frame& frame;

    /// Of the first moments that are left out.
    [[nodiscard]] int degree() const { return std::max(options.order, 1) + 1; }
    [[nodiscard]] bool adaptive() const {
        return options.criterion == Criterion::acceleration || options.criterion == Criterion::multipole;
    }

    /// By what heavy and large nodes are opened wider.
    [[nodiscard]] Real weight(Real mass, Real size) const {
        const Real excess = std::max(mass / frame.total_mass * 16384, std::pow(32 * size / frame.extent, 3));
        return excess > 1 ? std::pow(excess, Real(1) / 6) : 1;
    }

    /// Without what its share makes of it. `centre`: of its cube, or of the box that it is in its place; `extent`: as it is kept.
    [[nodiscard]] Real radius(const NodeSums& of, Real size, const std::array<Real, 3>& centre, Real extent) const {
        if (frame.largest_node > 0.0 && size > frame.largest_node) return INFINITY;
        const Real least = std::cbrt(1e-37L * of.mass);  // M/d^3 is a number in single precision
        if (adaptive()) {
            const bool by_side = options.criterion == Criterion::acceleration;
            const Real second = by_side ? size * size : std::min(extent * extent, of.spread);
            const Real moment = of.mass * second * std::pow(by_side ? size : extent, degree() - 2);
            const Real own = std::pow(moment, Real(1) / (degree() + (frame.derivatives > 0 ? 2 : 1)));
            return size > 1e-9L ? own : std::max(own, least * 0x1p20L);
        }
        const Real delta = std::hypot(of.centre[0] - centre[0], of.centre[1] - centre[1], of.centre[2] - centre[2]);
        const Real counts = std::max({size, of.length[2] / 0.3L, of.length[3] / 0.36L, of.length[4] / 0.36L});
        const Real open = counts / options.theta * weight(of.mass, size);
        return (size > 1e-9L ? open : std::max(open, least)) + delta;
    }

    /// By what the radius grows of a node that makes such a share of what pulls at its place.
    [[nodiscard]] Real growth(Real share, Real mass, Real size) const {
        const Real least = 0.012L * degree();
        if (adaptive() || share <= least) return 1;
        return std::max<Real>(1, std::pow(share / least, Real(1) / degree()) / weight(mass, size));
    }

    /// The centre of the cube of that side that a place is in.
    [[nodiscard]] static std::array<Real, 3> cube_of(const Source& body, Real size) {
        const auto along = [size](Real x) {
            return (std::floor(std::clamp<Real>(x, 0, 1 - 0x1p-60L) / size) + Real(0.5)) * size;
        };
        return {along(body.x), along(body.y), along(body.z)};
    }

    /// How much of the longer softening length is kept between node and targets.
    [[nodiscard]] Real softening_lengths() const { return options.softening_kernel == SofteningKernel::plummer ? 4.0L : 2.8L; }
};

}  // namespace gravlet::test
