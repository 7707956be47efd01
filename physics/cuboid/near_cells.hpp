// SPDX-License-Identifier: Apache-2.0
// What a cell does to a target that is near, over what it would do as a point: a homogeneous cuboid's field less that of its mass
// at its centre. How near is a matter of the cell alone, so that phi is one function of space for targets of all levels, guard
// cells and faces: in each direction within half its side and one whole longest side (four of its own at most, else rods would be
// near to too many). In a uniform medium what is left at a border of levels is 2e-4 to 4e-4 of 4 pi G rho h, however far levels
// jump; where only cells that touch are cuboids, 1.6e-3 to 4e-2.
//
// On a mesh whose cells halve, offsets are eighths of a cell's sides for targets of its own level, all coarser ones, and two
// finer ones: a finite table. Other offsets have the closed form.
#pragma once

#include "physics/acceptance.hpp"
#include "physics/cuboid/cuboid_field.hpp"

#include <cmath>

namespace gravlet {

struct NearLaw {
    double shape[3] = {};           ///< sides of a cell whose shortest one is 1; 0: no cell is a cuboid to others
    double reach[3] = {};           ///< half the box around it in which it is one
    const double* table = nullptr;  ///< jets with two derivatives by offset in one octant, x fastest
    int count[3] = {};              ///< offsets
    double per_step[3] = {};        ///< steps a length, for such a cell

    [[nodiscard]] GRAVLET_HD bool any() const { return shape[0] > 0.0; }

    /// Bounds of the targets that a cell is near to. `size`: the cell's shortest side.
    [[nodiscard]] GRAVLET_HD Bounds reach_of(const Source& cell, double size) const {
        constexpr double slack = 1.002;  // is_near() forgives less
        const double x = reach[0] * size * slack, y = reach[1] * size * slack, z = reach[2] * size * slack;
        return {{cell.x - x, cell.y - y, cell.z - z}, {cell.x + x, cell.y + y, cell.z + z}};
    }

    /// A displacement in steps of a cell's, without sign.
    struct Steps {
        double of[3];
    };
    [[nodiscard]] GRAVLET_HD Steps steps(const Vector3& d, double per_size) const {
        return {
            {fabs(d.x) * (per_step[0] * per_size), fabs(d.y) * (per_step[1] * per_size), fabs(d.z) * (per_step[2] * per_size)}};
    }
    [[nodiscard]] GRAVLET_HD bool is_near(const Steps& s) const {
        return (s.of[0] <= reach[0] * per_step[0] + rounding) & (s.of[1] <= reach[1] * per_step[1] + rounding) &
               (s.of[2] <= reach[2] * per_step[2] + rounding);
    }

    /// Adds the difference for a target that is near, displaced by d from the centre. Nothing for a target at the centre.
    template <int D>
    GRAVLET_HD void add(Jet<double, D>& sum, const Vector3& d, const Steps& s, double mass, double per_size) const {
        if (const double* const found = look_up(s)) return add_jet(sum, d, found, mass, per_size);
        if (d.x != 0.0 || d.y != 0.0 || d.z != 0.0) add_anywhere(sum, d, mass, per_size);
    }

    /// Adds it for a target that is no cell and on no lattice. At the centre, where there is no point's field, the cell's whole.
    template <int D>
    GRAVLET_HD void add_anywhere(Jet<double, D>& sum, const Vector3& d, double mass, double per_size) const {
        const Vector3 at{fabs(d.x) * per_size, fabs(d.y) * per_size, fabs(d.z) * per_size};
        const bool centre = !(at.x + at.y + at.z > 0.0);
        const Jet<double, D> field = centre ? cuboid_field<D>(at, {shape[0], shape[1], shape[2]}) : difference_at<D>(at);
        add_jet(sum, d, field.term, mass, per_size);
    }

    /// Potential and derivatives of a cuboid less those of a point, for mass and shortest side 1.
    template <int D>
    [[nodiscard]] GRAVLET_HD Jet<double, D> difference_at(const Vector3& at) const {
        Jet<double, D> out = cuboid_field<D>(at, {shape[0], shape[1], shape[2]});
        const double r_inverse = 1.0 / sqrt(at.x * at.x + at.y * at.y + at.z * at.z), r2 = r_inverse * r_inverse,
                     field = r_inverse * r2;
        out.term[0] -= r_inverse;
        const double of[3] = {at.x, at.y, at.z};
        if constexpr (D > 0)
            for (std::size_t a = 0; a < 3; ++a) out.term[first_component(1) + a] += field * of[a];
        if constexpr (D > 1) {
            std::size_t k = first_component(2);
            for (std::size_t a = 0; a < 3; ++a)
                for (std::size_t b = a; b < 3; ++b) out.term[k++] -= field * (3.0 * of[a] * of[b] * r2 - (a == b ? 1.0 : 0.0));
        }
        return out;
    }

private:
    static constexpr double rounding = 0.01, rounding_inside = 1e-4;  ///< error forgiven in offsets, in steps

    /// The table's jet, or null. Inside of the cell the point's field is steep, and so the difference: offsets must be exact.
    [[nodiscard]] GRAVLET_HD const double* look_up(const Steps& s) const {
        int k[3];
        double off[3];
        bool inside = true;
        for (int a = 0; a < 3; ++a) {
            k[a] = static_cast<int>(rint(s.of[a]));
            off[a] = fabs(s.of[a] - k[a]);
            inside = inside & (s.of[a] < 0.75 * shape[a] * per_step[a]);
        }
        const double most = inside ? rounding_inside : rounding;
        if ((off[0] > most) | (off[1] > most) | (off[2] > most) | (k[0] + k[1] + k[2] == 0)) return nullptr;
        return jet(k[0], k[1], k[2]);
    }
    [[nodiscard]] GRAVLET_HD const double* jet(int i, int j, int k) const {
        return table + static_cast<std::size_t>((k * count[1] + j) * count[0] + i) * result_count;
    }

    template <int D>
    GRAVLET_HD void add_jet(Jet<double, D>& sum, const Vector3& d, const double* of, double mass, double per_size) const {
        const double potential = mass * per_size;
        sum.term[0] += potential * of[0];
        if constexpr (D > 0) {
            const double field = potential * per_size;
            sum.term[1] += copysign(field, d.x) * of[1];
            sum.term[2] += copysign(field, d.y) * of[2];
            sum.term[3] += copysign(field, d.z) * of[3];
            if constexpr (D > 1) {
                const double tide = field * per_size, x = copysign(1.0, d.x), y = copysign(1.0, d.y), z = copysign(1.0, d.z);
                const double sign[6] = {1.0, x * y, x * z, 1.0, y * z, 1.0};
                for (std::size_t k = 0; k < 6; ++k) sum.term[4 + k] += tide * sign[k] * of[4 + k];
            }
        }
    }
};

}  // namespace gravlet
