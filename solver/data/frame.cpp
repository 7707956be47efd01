// SPDX-License-Identifier: Apache-2.0
#include "solver/data/frame.hpp"

#include "ewald/domain.hpp"
#include "physics/softening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

namespace gravlet {
namespace {

/// The smallest power of two times `unit` that reaches `extent`, up to rounding in the caller's coordinates (which is less than
/// half a unit, however many of these there are).
double power_of_two_side(double extent, double unit) {
    const double side = std::ldexp(unit, static_cast<int>(std::ceil(std::log2(std::max(1.0, extent / unit)) - 1e-6)));
    return side + 0.5 * unit < extent ? 2.0 * side : side;
}

/// A value to 10 bits, so that the order in which threads and ranks add up does not show.
double rounded(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::round(mantissa * 1024.0), exponent - 10);
}

/// Binary logarithm of the longest softening in sides of the root cube, which is made larger if need be: softening^3 must leave
/// single precision room.
constexpr int softening_levels = 4;

/// Throws on all ranks, for what they know alike.
[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_input, message); }

std::string describe_box(const Box& box) {
    return fmt::format("from ({}, {}, {}) to ({}, {}, {})", box.lower[0], box.lower[1], box.lower[2], box.upper[0], box.upper[1],
                       box.upper[2]);
}

std::string describe_limit(int levels, double smallest_side) {
    return fmt::format("more than 2^{} times the side of the smallest cell, {}", levels, smallest_side);
}

/// Most pieces of a box: all act on each other in each solve, some ten milliseconds on a CPU for so many.
constexpr int most_pieces = 100;

/// Exact: positions keep all their digits.
void set_unit(Frame& frame) {
    int exponent = 0;
    if (std::frexp(frame.side, &exponent) == 0.5) --exponent;
    frame.unit = std::ldexp(1.0, exponent);
    frame.per_unit = std::ldexp(1.0, -exponent);
    frame.cube.corner = {frame.origin[0] / frame.unit, frame.origin[1] / frame.unit, frame.origin[2] / frame.unit};
    frame.cube.side = frame.side / frame.unit;
}

/// The last place in a row of so many pieces, of so many levels below the root cube.
double last_place(int pieces, int level) { return RootCube::before(std::min(1.0, std::ldexp(pieces, -level))); }

/// What repeats, once the units are known. Pieces are as small as their number allows.
void add_period(const Domain& domain, Frame& frame) {
    frame.box = domain.box();
    for (double& side : frame.box.side) side /= frame.unit;
    frame.box.shear /= frame.unit;
    if (domain.by_table()) {
        frame.largest_node = 0.25 * frame.box.shortest_period();
        return;
    }
    // The spline ends before the nearest image that is not walked.
    const double least_side = frame.softening_kernel == SofteningKernel::spline ? 1.01 * spline_support * frame.softening : 0.0;
    for (int level = 0;; ++level) {
        BoxPieces pieces;
        pieces.side = std::ldexp(frame.cube.side, -level);
        int all = 1;
        for (std::size_t d = 0; d < 3; ++d)
            all *= pieces.count[d] = std::max(1, static_cast<int>(std::ceil(frame.box.side[d] / pieces.side - 1e-9)));
        if (all > most_pieces || (level > 0 && pieces.side < least_side)) break;
        pieces.cube = frame.cube;
        pieces.cube.last = {last_place(pieces.count[0], level), last_place(pieces.count[1], level),
                            last_place(pieces.count[2], level)};
        frame.pieces = pieces;
        frame.piece_level = level;
        frame.largest_node = static_cast<float>(pieces.side);
    }
    frame.cube = frame.pieces.cube;
    frame.used_levels = std::max(frame.used_levels, frame.piece_level);  // keys tell pieces apart
}

double volume_of(const Box& box) {
    return (box.upper[0] - box.lower[0]) * (box.upper[1] - box.lower[1]) * (box.upper[2] - box.lower[2]);
}

double longest_side(const Box& box) {
    double longest = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) longest = std::max(longest, box.upper[axis] - box.lower[axis]);
    return longest;
}

/// A box as it is reduced: of both corners the least is wanted.
struct LeastCorners {
    double lower[3], negated_upper[3];
    [[nodiscard]] Box box() const {
        return {{lower[0], lower[1], lower[2]}, {-negated_upper[0], -negated_upper[1], -negated_upper[2]}};
    }
};

LeastCorners least_corners(const double (&lower)[3], const double (&upper)[3]) {
    return {{lower[0], lower[1], lower[2]}, {-upper[0], -upper[1], -upper[2]}};
}

/// What is reduced with MPI_MIN.
struct Least {
    LeastCorners points, cells, masses;
    double smallest_side, least_density, negated_largest_mass, negated_largest_point, negated_largest_softening, no_points,
        negated_derivatives, all_active, no_guards, no_probes;
};

/// What is reduced with MPI_SUM.
struct Sums {
    double mass, cell_mass, volume;
};

template <class Numbers>
void reduce(const Agreed& all, MPI_Op op, Numbers& numbers) {
    constexpr std::size_t count = sizeof(Numbers) / sizeof(double);
    static_assert(std::is_trivially_copyable_v<Numbers> && alignof(Numbers) == alignof(double));
    all.all_reduce(reinterpret_cast<double*>(&numbers), static_cast<int>(count), op);
}

/// All ranks' scans together.
struct Scans {
    Box points, cells, masses;
    double smallest_side, least_density, largest_mass, largest_point, largest_softening;
    bool any_points, inactive, guards, probes;
    int derivatives;
    Sums sums;

    [[nodiscard]] Box bodies() const {
        Box all = points;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            all.lower[axis] = std::min(all.lower[axis], cells.lower[axis]);
            all.upper[axis] = std::max(all.upper[axis], cells.upper[axis]);
        }
        return all;
    }
};

Scans scans_of_all(const Agreed& all, const InputScan& scan, bool points, int derivatives) {
    Least least{.points = least_corners(scan.point_lower, scan.point_upper),
                .cells = least_corners(scan.cell_lower, scan.cell_upper),
                .masses = least_corners(scan.mass_lower, scan.mass_upper),
                .smallest_side = scan.smallest_side,
                .least_density = scan.least_density,
                .negated_largest_mass = -scan.largest_mass,
                .negated_largest_point = -scan.largest_point,
                .negated_largest_softening = -scan.largest_softening,
                .no_points = points ? 0.0 : 1.0,
                .negated_derivatives = -1.0 * derivatives,
                .all_active = scan.inactive ? 0.0 : 1.0,
                .no_guards = scan.guards ? 0.0 : 1.0,
                .no_probes = scan.probes ? 0.0 : 1.0};
    Sums sums{.mass = scan.mass, .cell_mass = scan.cell_mass, .volume = scan.volume};
    reduce(all, MPI_MIN, least);
    reduce(all, MPI_SUM, sums);
    return {.points = least.points.box(),
            .cells = least.cells.box(),
            .masses = least.masses.box(),
            .smallest_side = least.smallest_side,
            .least_density = least.least_density,
            .largest_mass = -least.negated_largest_mass,
            .largest_point = -least.negated_largest_point,
            .largest_softening = -least.negated_largest_softening,
            .any_points = least.no_points < 0.5,
            .inactive = least.all_active < 0.5,
            .guards = least.no_guards < 0.5,
            .probes = least.no_probes < 0.5,
            .derivatives = static_cast<int>(-least.negated_derivatives),
            .sums = sums};
}

void set_unit_of_masses(double mass, Frame& frame) {
    frame.mass_unit = std::exp2(std::ceil(std::log2(mass)));
    frame.per_mass_unit = 1.0 / frame.mass_unit;
    frame.total_mass = rounded(mass / frame.mass_unit);
}

/// Whether cells fill a box, up to rounding of the caller's own geometry, which is less than half a cell, or than single
/// precision shows.
bool fill(double volume, double box, double smallest_side) {
    return std::abs(volume - box) <= std::max(0.5 * std::pow(smallest_side, 3), 1e-12 * box);
}

/// The density that is taken off all cells. Some of what they have alike stays, so that none is without mass, and out of the
/// tree, for being the emptiest.
double background_of(const Scans& all, const Options& options) {
    constexpr double share_that_stays = 1.0 / 64.0, noise = 0x1p-48;
    const bool contrast = options.background == Background::contrast;
    if (options.background == Background::keep || !Domain(options).has_background()) return 0.0;
    const double volume = all.sums.volume, box = volume_of(*options.domain);
    if (!fill(volume, box, all.smallest_side)) {
        if (contrast)
            reject(fmt::format(
                "background is contrast: cells must fill the domain; their volumes add up to {:.15g}, and it has {:.15g}", volume,
                box));
        return 0.0;
    }
    const double differing = all.sums.cell_mass / volume - all.least_density;
    if (differing <= noise * std::abs(all.least_density)) return all.least_density;
    const double even = all.least_density - rounded(share_that_stays * differing);
    return contrast ? even : std::max(even, 0.0);
}

void set_masses(const Scans& all, Frame& frame) {
    if (all.largest_mass > 0.0 && all.largest_mass < smallest_mass)
        reject(fmt::format("no mass is above {}: the largest of all cells and points must be from {} to {}, or all be 0",
                           all.largest_mass, smallest_mass, largest_mass));
    if (!(all.sums.mass > 0.0)) return;
    set_unit_of_masses(all.sums.mass, frame);
    frame.may_be_heavy = outweighs(all.largest_point, all.sums.mass - all.largest_point);
}

/// Whether the root cube holds a mesh, as power_of_two_side() has it, and all points up to rounding.
bool holds(const Frame& root, const Box& mesh, double unit, const Box& points) {
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (mesh.upper[axis] - root.origin[axis] > root.side + 0.5 * unit ||
            points.upper[axis] - root.origin[axis] > root.side + rounding_at_faces(mesh, axis))
            return false;
    return true;
}

/// The root cube of cells, or of a box that repeats: blocks of their mesh, on their lattice.
void set_cube_of_mesh(const Scans& all, const Options& options, Frame& frame) {
    const Box mesh = options.domain.value_or(all.cells);
    const double smallest = frame.cells ? all.smallest_side : longest_side(mesh),
                 longest = std::ldexp(smallest, most_cell_levels);
    const double side = power_of_two_side(longest_side(mesh), smallest);
    if (side > longest)
        reject(fmt::format("{} {}: {}", options.domain ? "domain:" : "the cells reach", describe_box(mesh),
                           describe_limit(most_cell_levels, smallest)));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        // Points may lie below the mesh, unless it repeats.
        const double beyond = mesh.lower[axis] - all.points.lower[axis];
        frame.origin[axis] = mesh.lower[axis];
        if (beyond > rounding_at_faces(mesh, axis) && !Domain(options).holds_all())
            frame.origin[axis] -= std::ceil(beyond / side) * side;
    }
    frame.side = side;
    while (!holds(frame, mesh, smallest, all.points) && frame.side <= longest) frame.side *= 2.0;
    if (frame.side > longest)
        reject(
            fmt::format("cells and points reach {}: {}", describe_box(all.bodies()), describe_limit(most_cell_levels, smallest)));
    frame.side = power_of_two_side(std::ldexp(all.largest_softening, -softening_levels), frame.side);
    if (frame.side > longest)
        reject(fmt::format("softening is {}: {}", all.largest_softening,
                           describe_limit(most_cell_levels + softening_levels, smallest)));
    if (!frame.points)
        frame.used_levels = std::min(deepest_level, static_cast<int>(std::lround(std::log2(frame.side / smallest))));
}

/// Side of a root cube around one place: probes are about as far from it as it is from the caller's zero, if that says anything.
double side_of_place(const Scans& all) {
    double side = 0.0;
    for (const double x : all.points.lower) side = std::max(side, std::abs(x));
    return side >= smallest_length ? side : 1.0;
}

void set_cube_of_points(const Scans& all, Frame& frame) {
    std::ranges::copy(all.points.lower, frame.origin);
    const double longest = longest_side(all.points), least_side = std::ldexp(all.largest_softening, -softening_levels);
    if (longest > 0.0 && std::max(longest, all.largest_softening) < smallest_length)
        reject(fmt::format("all points lie within {}, {}: must be at one place, or {} apart", longest, describe_box(all.points),
                           smallest_length));
    frame.side = longest > 0.0      ? std::max(longest * (1.0 + 1e-9), least_side)
                 : least_side > 0.0 ? least_side
                                    : side_of_place(all);
}

}  // namespace

Frame agree_on_frame(const Agreed& ranks, const InputScan& scan, bool points, int derivatives, const Options& options,
                     double background) {
    const Scans all = scans_of_all(ranks, scan, points, derivatives);
    Frame frame;
    frame.several_ranks = ranks.size() > 1;
    frame.points = all.any_points;
    frame.derivatives = all.derivatives;
    frame.inactive = all.inactive;
    frame.guards = all.guards;
    frame.probes = all.probes;
    set_masses(all, frame);
    if (!frame.points && all.cells.lower[0] > all.cells.upper[0]) return frame;  // no bodies at all

    frame.cells = all.cells.lower[0] <= all.cells.upper[0];
    if (frame.cells) {
        frame.background = background != 0.0 ? background : background_of(all, options);
        frame.cell_volume = all.sums.volume;
        frame.cell_box = volume_of(all.cells);
    }
    const Domain domain(options);
    if (frame.cells || domain.holds_all()) {
        set_cube_of_mesh(all, options, frame);
    } else {
        set_cube_of_points(all, frame);
    }
    set_unit(frame);
    if (frame.cells) frame.smallest_cell = all.smallest_side / frame.unit;
    if (all.largest_mass > 0.0) frame.extent = std::max(longest_side(all.masses) / frame.unit, 1e-300);
    frame.softening = all.largest_softening / frame.unit;
    frame.softening_kernel = options.softening_kernel;
    if (domain.has_images()) add_period(domain, frame);
    if (domain.by_table()) frame.may_be_heavy = false;
    return frame;
}

void set_heavy(const HeavyChoice& choice, Frame& frame) {
    frame.heavy_mass = choice.bodies.back().mass;
    // Heavy ones are in double, and may be beyond a float; not so far that their pulls are beyond a double.
    if (choice.lighter > 0.0) set_unit_of_masses(std::max(choice.lighter, 0x1p-100 * choice.bodies.front().mass), frame);
}

void reject_excess_volume(const Frame& frame) {
    if (!(frame.cell_volume > (1.0 + 1e-6) * frame.cell_box)) return;  // rounding of the caller's own geometry
    throw Error(ErrorCode::invalid_input,
                fmt::format("cells overlap: their volumes add up to {:.9g}, but the box that holds them all has {:.9g}",
                            frame.cell_volume, frame.cell_box));
}

}  // namespace gravlet
