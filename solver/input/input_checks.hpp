// SPDX-License-Identifier: Apache-2.0
// Looks at every body once: is it acceptable, and how far do bodies reach? Bad ones are found on the backend and described here.
#pragma once

#include "ewald/domain.hpp"
#include "physics/limits.hpp"
#include "solver/input/input.hpp"

#include <gravlet/error.hpp>
#include <gravlet/options.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>

namespace gravlet {

/// What one pass over a rank's bodies finds.
struct InputScan {
    std::size_t first_bad;  ///< index of the first unacceptable body, or the number of bodies
    double point_lower[3], point_upper[3];
    double cell_lower[3], cell_upper[3];  ///< box of the cells, with their sides
    double mass_lower[3], mass_upper[3];  ///< bodies with mass, positions only
    double smallest_side;                 ///< shortest side of any cell
    double largest_mass, largest_point;   ///< largest mass of all bodies, and of points
    double mass, cell_mass;  ///< mass in all, and of cells; depend on the order of summation: rounded before they are used
    double volume;           ///< volume of cells, in all
    double least_density;    ///< least density of any cell
    double largest_softening;
    bool inactive;  ///< results of some bodies are not wanted
    bool guards;    ///< results are wanted in guard cells or at faces
    bool probes;    ///< there are probes
};

inline constexpr double far_away = 1.7976931348623157e308;

/// Whether all conditions hold, found without branches: what is looked at is nearly always good.
template <class... Bools>
GRAVLET_HD bool all_hold(Bools... conditions) {
    return (conditions & ...);
}

// False for NaN.
GRAVLET_HD inline bool within(double value, double lowest, double highest) { return all_hold(value >= lowest, value <= highest); }
GRAVLET_HD inline bool is_coordinate(double x) { return fabs(x) <= largest_length; }
GRAVLET_HD inline bool is_side(double d) { return within(d, smallest_length, largest_length); }
GRAVLET_HD inline bool is_softening(double s) { return s == 0.0 || is_side(s); }

/// How far beyond a box's faces rounding may take what is inside: four units in the last place of the larger coordinate, and no
/// more than shows.
inline double rounding_at_faces(const Box& box, std::size_t axis, double last_place = 0x1p-52) {
    const double low = box.lower[axis], high = box.upper[axis];
    return std::min(4.0 * last_place * std::max(std::abs(low), std::abs(high)), 1e-6 * (high - low));
}

/// What a solver's options ask of bodies, as device code can hold it.
struct BodyLimits {
    bool bounded = false;       ///< whether there is a domain, which cells may not leave
    bool holds_points = false;  ///< whether points may not either, in some direction
    Box box, point_box;         ///< the domain, and where points are to be

    double rounding[3] = {}, single_rounding[3] = {};  ///< rounding at its faces, of coordinates of either precision
    bool one_softening = false;                        ///< whether all points have the softening of the options
    double softening_limit = 0.0;                      ///< limit as options and errors have it; below rounded to a float as well
    double least_softening = 0.0, most_softening = largest_length;
    double least_mass = 0.0;  ///< least mass of a cell

    BodyLimits() = default;
    explicit BodyLimits(const Options& options) : bounded(options.domain.has_value()), box(options.domain.value_or(Box{})) {
        const Domain domain(options);
        point_box = box;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const bool below = !domain.holds_points(axis, false), above = !domain.holds_points(axis, true);
            if (below) point_box.lower[axis] = -INFINITY;
            if (above) point_box.upper[axis] = INFINITY;
            holds_points = holds_points || !below || !above;
            rounding[axis] = rounding_at_faces(box, axis);
            single_rounding[axis] = rounding_at_faces(box, axis, 0x1p-23);
        }
        if (options.background == Background::contrast) least_mass = -largest_mass;
        if (!domain.holds_all()) return;
        // The far images of points are those of one length; the spline ends before them.
        one_softening = options.softening_kernel == SofteningKernel::plummer;
        const double limit = one_softening ? options.softening : longest_softening_in_periods * domain.box().shortest_period(),
                     single = limit < 1e38 ? static_cast<float>(limit) : limit,
                     in_floats = std::abs(single - limit) < 1e-7 * limit ? single : limit;  // as an array of these has it
        softening_limit = limit;
        most_softening = std::max(limit, in_floats);
        if (one_softening) least_softening = std::min(limit, in_floats);
    }
};

/// Whether single precision holds it.
GRAVLET_HD inline bool is_single(double x) { return static_cast<double>(static_cast<float>(x)) == x; }

GRAVLET_HD inline bool inside(const Body& body, const Box& box, const BodyLimits& limits) {
    const double x[3] = {body.x, body.y, body.z}, d[3] = {body.dx, body.dy, body.dz};
    const auto within_by = [&](std::size_t axis, double rounding) {
        const double reach = 0.5 * d[axis] * (1.0 - 1e-6) - rounding;  // of the caller's own geometry
        return all_hold(x[axis] - reach >= box.lower[axis], x[axis] + reach <= box.upper[axis]);
    };
    const auto within_face = [&](std::size_t axis) {
        return within_by(axis, limits.rounding[axis]) || (is_single(x[axis]) && within_by(axis, limits.single_rounding[axis]));
    };
    return all_hold(within_face(0), within_face(1), within_face(2));
}

GRAVLET_HD inline bool acceptable(const Body& body, bool is_point, const BodyLimits& limits) {
    const bool good = all_hold(is_coordinate(body.x), is_coordinate(body.y), is_coordinate(body.z),
                               within(body.mass, is_point ? 0.0 : limits.least_mass, largest_mass));
    if (is_point)
        return all_hold(good, is_softening(body.softening),
                        within(body.softening, limits.least_softening, limits.most_softening)) &&
               (!limits.holds_points || inside(body, limits.point_box, limits));
    return all_hold(good, is_side(body.dx), is_side(body.dy), is_side(body.dz)) &&
           (!limits.bounded || inside(body, limits.box, limits));
}

GRAVLET_HD inline InputScan empty_scan() {
    InputScan scan{};
    scan.first_bad = static_cast<std::size_t>(-1);
    for (int axis = 0; axis < 3; ++axis) {
        scan.point_lower[axis] = scan.cell_lower[axis] = scan.mass_lower[axis] = far_away;
        scan.point_upper[axis] = scan.cell_upper[axis] = scan.mass_upper[axis] = -far_away;
    }
    scan.smallest_side = scan.least_density = far_away;
    return scan;
}

GRAVLET_HD inline InputScan merge(const InputScan& a, const InputScan& b) {
    const auto lower = [](double& to, double value) { to = value < to ? value : to; };
    const auto upper = [](double& to, double value) { to = value > to ? value : to; };
    InputScan out = a;
    out.first_bad = a.first_bad < b.first_bad ? a.first_bad : b.first_bad;
    for (int axis = 0; axis < 3; ++axis) {
        lower(out.point_lower[axis], b.point_lower[axis]);
        upper(out.point_upper[axis], b.point_upper[axis]);
        lower(out.cell_lower[axis], b.cell_lower[axis]);
        upper(out.cell_upper[axis], b.cell_upper[axis]);
        lower(out.mass_lower[axis], b.mass_lower[axis]);
        upper(out.mass_upper[axis], b.mass_upper[axis]);
    }
    lower(out.smallest_side, b.smallest_side);
    upper(out.largest_mass, b.largest_mass);
    upper(out.largest_point, b.largest_point);
    upper(out.largest_softening, b.largest_softening);
    lower(out.least_density, b.least_density);
    out.mass += b.mass;
    out.cell_mass += b.cell_mass;
    out.volume += b.volume;
    return out;
}

/// Adds body i to what is known.
GRAVLET_HD inline void scan_body(const GivenBodies& input, std::size_t i, const BodyLimits& limits, InputScan& scan) {
    const Body body = input.body(i);
    const bool is_point = input.is_point(i);
    if (!acceptable(body, is_point, limits)) {
        if (i < scan.first_bad) scan.first_bad = i;
        return;
    }
    const auto lower = [](double& to, double value) { to = value < to ? value : to; };
    const auto upper = [](double& to, double value) { to = value > to ? value : to; };
    const double x[3] = {body.x, body.y, body.z}, d[3] = {body.dx, body.dy, body.dz};
    for (int axis = 0; axis < 3; ++axis) {
        const double low = x[axis] - 0.5 * d[axis], high = x[axis] + 0.5 * d[axis];
        lower(is_point ? scan.point_lower[axis] : scan.cell_lower[axis], low);
        upper(is_point ? scan.point_upper[axis] : scan.cell_upper[axis], high);
        if (body.mass > 0.0) {
            lower(scan.mass_lower[axis], x[axis]);
            upper(scan.mass_upper[axis], x[axis]);
        }
        if (!is_point) lower(scan.smallest_side, d[axis]);
    }
    upper(scan.largest_mass, body.mass);
    if (is_point) {
        upper(scan.largest_point, body.mass);
    } else {
        const double volume = body.dx * body.dy * body.dz;
        lower(scan.least_density, body.mass / volume);
        scan.cell_mass += body.mass;
        scan.volume += volume;
    }
    scan.mass += body.mass;
    upper(scan.largest_softening, body.softening);
}

/// Bodies looked at together, so that merging scans costs nothing; fewer of them where `chunks` keep a device's threads busy.
inline std::size_t scan_chunk(std::size_t bodies, std::size_t chunks) {
    constexpr std::size_t longest = 256, shortest = 8;
    return std::clamp(bodies / chunks, shortest, longest);
}

/// Scans, of the bodies from `first` on, chunk `chunk` of `chunks`: `length` consecutive ones, or (strided) one every `chunks`,
/// so that a warp's threads read side by side.
GRAVLET_HD inline InputScan scan_bodies(const GivenBodies& input, std::size_t first, std::size_t chunk, std::size_t chunks,
                                        std::size_t length, bool strided, const BodyLimits& limits) {
    InputScan scan = empty_scan();
    for (std::size_t k = 0; k < length; ++k) {
        const std::size_t i = first + (strided ? k * chunks + chunk : chunk * length + k);
        if (i < input.size()) scan_body(input, i, limits, scan);
    }
    return scan;
}

/// Where probes may be: in any direction that repeats, or where none does; else in the domain.
struct ProbeLimits {
    double lower[3], upper[3];

    explicit ProbeLimits(const Options& options) {
        const Domain domain(options);
        for (std::size_t d = 0; d < 3; ++d) {
            const bool bound = domain.ends(d);
            const double slack = bound ? rounding_at_faces(*options.domain, d, 0x1p-23) : 0.0;
            lower[d] = bound ? options.domain->lower[d] - slack : -largest_length;
            upper[d] = bound ? options.domain->upper[d] + slack : largest_length;
        }
    }
    [[nodiscard]] GRAVLET_HD bool hold(const Vector3& at) const {
        return all_hold(within(at.x, lower[0], upper[0]), within(at.y, lower[1], upper[1]), within(at.z, lower[2], upper[2]));
    }
};

/// Local. The origin of body i of an input as the caller gave it.
[[nodiscard]] BodyOrigin origin_of(const Input& input, std::size_t i);

/// Local. Throws Error(invalid_input) that says what is wrong with body i, `body`: "cell 12", "cell (1, 2, 3) of block 4" or
/// "point 5" of those that its rank brought. As all of these.
[[noreturn]] void reject_body(const Input& input, std::size_t i, const Body& body, const BodyLimits& limits);

/// Local. Throws Error(invalid_input) that says what is wrong with probe p.
[[noreturn]] void reject_probe(const Input& input, std::size_t p, const Vector3& at, const ProbeLimits& limits);

/// Local. Throws Error(invalid_input) for two cells at one place, `at`.
[[noreturn]] void reject_pair(const Input& input, std::size_t one, std::size_t other, const Body& at);
/// Local. Throws Error(invalid_input) for two cells in different places that overlap.
[[noreturn]] void reject_overlap(const Input& input, std::size_t one, const Body& a, std::size_t other, const Body& b);
/// Local. Throws Error(invalid_input) for more than most_in_a_crowd bodies in one place of the finest grid over the root cube,
/// body i among them.
[[noreturn]] void reject_crowd(const Input& input, std::size_t i, const Body& at, double root_side);
/// Local. Throws Error(invalid_input) for two cells at one place, one of another rank.
[[noreturn]] void reject_twin_elsewhere(const Input& input, std::size_t i, const Body& at);

/// Local. Throws Error(invalid_input) for a body that is another one than its host has said (Solver::only_changed()).
[[noreturn]] void reject_untold_change(const Input& input, std::size_t i);
/// Local. Throws Error(invalid_input) for a point that is not where its velocity takes it (Solver::drifted()).
[[noreturn]] void reject_astray(const Input& input, std::size_t i);

/// Local. Throws Error(invalid_input) if a block is malformed, there are too many cells to count, or results have no place of
/// their own to go to.
void check_blocks(std::span<const Block> blocks);
/// Local. Throws Error(invalid_input) for what else is wrong with an input's shapes: spans that differ in length, arrays that are
/// missing. The input's blocks are laid out.
void check_shapes(const Input& input);

/// Local, after check_shapes(). Throws Error(invalid_input) if flags of what has changed are neither none nor as many as there
/// are blocks, or cells, and points.
std::span<const std::uint8_t> flags_of_changed(const Input& input, std::span<const std::uint8_t> flags);
/// Local. Throws Error(invalid_input) if there are not as many velocities as points, or the time is not finite.
Drift checked_drift(const Input& input, const Drift& drift);
/// Local. Throws Error(invalid_input) naming the first body whose class is none. Classes are in memory that the host can read.
void check_classes(const Input& input);

}  // namespace gravlet
