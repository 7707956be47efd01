// SPDX-License-Identifier: Apache-2.0
// Planes of symmetry, in up to three directions: what is beyond one mirrors what is before it. So each body has an image by each
// plane, by each two of them and by all three. What an image does to a target is what its body does to the target's own image,
// mirrored back; so none of a body is ever made.
#pragma once

#include "physics/components.hpp"

#include <cmath>
#include <cstddef>

namespace gravlet {

/// Which planes a place is mirrored by: bit d is that in direction d.
using Reflection = unsigned;

struct Mirror {
    bool at[3] = {};       ///< whether there is a plane in each direction
    double plane[3] = {};  ///< where it is, in the unit of places

    [[nodiscard]] bool any() const { return at[0] || at[1] || at[2]; }
    [[nodiscard]] Mirror in_units(double per_unit) const {
        Mirror out = *this;
        for (double& x : out.plane) x *= per_unit;
        return out;
    }

    /// A place, or whatever else has x, y and z, mirrored.
    template <class Place>
    [[nodiscard]] GRAVLET_HD Place image(Place of, Reflection by) const {
        if ((by & 1u) != 0) of.x = 2.0 * plane[0] - of.x;
        if ((by & 2u) != 0) of.y = 2.0 * plane[1] - of.y;
        if ((by & 4u) != 0) of.z = 2.0 * plane[2] - of.z;
        return of;
    }
    [[nodiscard]] GRAVLET_HD Bounds image(const Bounds& box, Reflection by) const {
        const Vector3 a = image(box.lower, by), b = image(box.upper, by);
        return {{fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)}, {fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)}};
    }

    /// f(reflection) for all images of a place but itself.
    template <class F>
    void for_images(const F& f) const {
        for (Reflection by = 1; by < 8; ++by)
            if (((by & 1u) == 0 || at[0]) && ((by & 2u) == 0 || at[1]) && ((by & 4u) == 0 || at[2])) f(by);
    }
};

/// What mirroring makes of a component (physics/fields.hpp): 1 or -1, a sign for each of its directions that are mirrored.
GRAVLET_HD constexpr double sign_of_image(std::size_t component, Reflection by) {
    constexpr Reflection odd[result_count] = {0, 1, 2, 4, 0, 3, 5, 0, 6, 0};
    const Reflection both = odd[component] & by;
    return ((both ^ both >> 1 ^ both >> 2) & 1u) != 0 ? -1.0 : 1.0;
}

}  // namespace gravlet
