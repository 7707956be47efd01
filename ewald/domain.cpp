// SPDX-License-Identifier: Apache-2.0
#include "ewald/domain.hpp"

#include "physics/limits.hpp"

#include <gravlet/error.hpp>
#include <gravlet/option_list.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gravlet {
namespace {

/// What the Ewald table reaches.
constexpr double longest_period_ratio = 250.0, longest_sheared_ratio = 16.0;

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_option, message); }

void check_side(const Options& o, std::size_t axis) {
    const double low = o.domain->lower[axis], high = o.domain->upper[axis];
    if (!(low < high)) reject(fmt::format("domain: from {} to {} in direction {} is not a box", low, high, axis));
    if (!(low >= -largest_length && high <= largest_length && high - low >= smallest_length))
        reject(fmt::format("domain: from {} to {} in direction {}: must be within {} of 0, and {} wide at least", low, high, axis,
                           largest_length, smallest_length));
    if (o.boundary[axis] == Boundary::periodic && o.softening > longest_softening_in_periods * (high - low))
        reject(fmt::format("softening is {}, must be at most a tenth of the period, {}, in direction {}", o.softening, high - low,
                           axis));
}

}  // namespace

bool is_periodic(const Options& options) {
    return std::ranges::any_of(options.boundary, [](Boundary b) { return b == Boundary::periodic; });
}

Domain::Domain(const Options& options) : method_(options.periodic_method) {
    const Box domain = options.domain.value_or(Box{});  // options may not have been checked yet
    for (std::size_t d = 0; d < 3; ++d) {
        const bool upper = options.boundary[d] == Boundary::mirror_upper;
        mirror_.at[d] = upper || options.boundary[d] == Boundary::mirror_lower;
        mirrors_at_upper_[d] = upper;
        mirror_.plane[d] = upper ? domain.upper[d] : domain.lower[d];
    }
    if (!is_periodic(options)) return;
    for (std::size_t d = 0; d < 3; ++d) {
        corner_[d] = domain.lower[d];
        box_.side[d] = domain.upper[d] - corner_[d];
        box_.periodic[d] = options.boundary[d] == Boundary::periodic;
    }
    if (box_.periodic[0] && box_.periodic[1])
        box_.shear = options.shear - box_.side[1] * std::round(options.shear / box_.side[1]);
}

PeriodicBox Domain::box_in_periods() const {
    PeriodicBox box = box_;
    for (double& side : box.side) side /= box_.shortest_period();
    box.shear /= box_.shortest_period();
    return box;
}

Vector3 Domain::moved_in(const Vector3& at) const { return in_box(at, {corner_[0], corner_[1], corner_[2]}, box_.period()); }

void check_domain(const Options& o) {
    if (o.background == Background::contrast && !Domain(o).has_background())
        reject(
            fmt::format("background is contrast, and boundary is {}: must be periodic in all directions", to_string(o.boundary)));
    const bool mirrors = Domain(o).mirror().any();
    if (is_periodic(o) && mirrors)
        reject(
            fmt::format("boundary is {}: with planes of symmetry all other directions must be isolated", to_string(o.boundary)));
    if (!o.domain && (is_periodic(o) || mirrors)) reject(fmt::format("boundary is {}: it needs a domain", to_string(o.boundary)));
    if (o.shear != 0.0 && !(o.boundary[0] == Boundary::periodic && o.boundary[1] == Boundary::periodic))
        reject(fmt::format("shear is {}, and boundary is {}: must be periodic in x and y", o.shear, to_string(o.boundary)));
    if (!o.domain) return;
    for (std::size_t axis = 0; axis < 3; ++axis) check_side(o, axis);
    const PeriodicBox box = Domain(o).box();
    if (box.dimensions() > 0 && box.longest_period() > longest_period_ratio * box.shortest_period())
        reject(fmt::format("domain: its periodic sides are {} and {}, the longest must be at most {} times the shortest",
                           box.longest_period(), box.shortest_period(), longest_period_ratio));
    if (o.shear != 0.0 && box.side[1] > longest_sheared_ratio * box.side[0])
        reject(fmt::format("domain: its sides are {} in x and {} in y; with shear the latter must be at most {} times the former",
                           box.side[0], box.side[1], longest_sheared_ratio));
}

}  // namespace gravlet
