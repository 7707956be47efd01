// SPDX-License-Identifier: Apache-2.0
// The domain of a solve and its boundaries, by what they ask of each stage: nothing else reads the options of boundaries.
#pragma once

#include "ewald/mirror.hpp"
#include "ewald/periodic_box.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

/// Softening lengths are at most so much of each period.
inline constexpr double longest_softening_in_periods = 0.1;

/// What softens images that are far away: beyond its support the spline is none.
inline double image_softening(SofteningKernel kernel, double softening) {
    return kernel == SofteningKernel::plummer ? softening : 0.0;
}

class Domain {
public:
    explicit Domain(const Options& options);

    /// The box and its periods, in the caller's unit; sides of 0 where nothing repeats.
    [[nodiscard]] const PeriodicBox& box() const { return box_; }
    /// The box in units of its shortest period.
    [[nodiscard]] PeriodicBox box_in_periods() const;

    // Images

    /// Whether images of the bodies act, too.
    [[nodiscard]] bool has_images() const { return box_.dimensions() > 0; }
    /// Whether every pair is with the nearest image and a correction from the Ewald table.
    [[nodiscard]] bool by_table() const { return has_images() && method_ == PeriodicMethod::table; }
    /// Whether the images nearby are walked, and all others added once.
    [[nodiscard]] bool walks_images() const { return has_images() && method_ == PeriodicMethod::images; }
    /// Whether an even density pulls nobody, and its potential is 0.
    [[nodiscard]] bool has_background() const { return box_.dimensions() == 3; }
    /// Whether the forces on all bodies add up to zero as they are summed, body by body.
    [[nodiscard]] bool conserves() const { return !has_images() && !mirror_.any(); }
    /// Whether errors are relative to a field's rms: the zero of a potential may be anywhere, and a field vanish.
    [[nodiscard]] bool measures_by_rms() const { return has_images(); }

    // Planes of symmetry

    /// The planes, in the caller's unit. There are no images of the box then.
    [[nodiscard]] const Mirror& mirror() const { return mirror_; }

    // Places

    /// Whether the domain is where bodies have to be, points too, and the root cube begins at its corner.
    [[nodiscard]] bool holds_all() const { return has_images(); }
    /// Whether points may not be beyond its lower or upper face in direction d, either.
    [[nodiscard]] bool holds_points(std::size_t d, bool upper) const {
        return holds_all() || (mirror_.at[d] && mirrors_at_upper_[d] == upper);
    }
    /// Whether there is no field beyond its faces in direction d: the far images' polynomials end there.
    [[nodiscard]] bool ends(std::size_t d) const { return has_images() && !box_.periodic[d]; }
    /// A place in the caller's unit, moved by periods into the box.
    [[nodiscard]] Vector3 moved_in(const Vector3& at) const;

private:
    PeriodicBox box_;
    Array3 corner_{};
    PeriodicMethod method_;
    Mirror mirror_;
    bool mirrors_at_upper_[3] = {};
};

/// Whether lengths that a solver may change between solves are the same in both.
[[nodiscard]] inline bool same_lengths(const Options& a, const Options& b) {
    return a.softening == b.softening && a.domain == b.domain && a.shear == b.shear;
}

/// Throws Error(invalid_option) unless boundary, domain and what goes by them make sense together.
void check_domain(const Options& options);

}  // namespace gravlet
