// SPDX-License-Identifier: Apache-2.0
#include "solver/frame.hpp"

#include "physics/softening.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace gravlet {
namespace {

/// The smallest power of two times `unit` that reaches `extent`, up to rounding in the caller's coordinates (which is less than
/// half a unit, however many of these there are).
double power_of_two_side(double extent, double unit) {
    const double side = std::ldexp(unit, static_cast<int>(std::ceil(std::log2(std::max(1.0, extent / unit)) - 1e-6)));
    return side + 0.5 * unit < extent ? 2.0 * side : side;
}

/// To 10 bits, so that the order in which threads and ranks add up does not show.
double rounded(double value) {
    int exponent = 0;
    const double mantissa = std::frexp(value, &exponent);
    return std::ldexp(std::round(mantissa * 1024.0), exponent - 10);
}

/// In sides of the root cube, which is made larger if need be: softening^3 must leave single precision room.
constexpr int softening_levels = 4;

/// Of what all ranks know alike: they throw the same.
[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_input, message); }

/// A box by its lower and its negated upper corner.
std::string describe_box(const double* low) {
    return fmt::format("from ({}, {}, {}) to ({}, {}, {})", low[0], low[1], low[2], -low[3], -low[4], -low[5]);
}

std::string describe_limit(int levels, double smallest_side) {
    return fmt::format("more than 2^{} times the side of the smallest cell, {}", levels, smallest_side);
}

/// All pieces act on each other in each solve: some ten milliseconds on a CPU for so many.
constexpr int most_pieces = 100;

/// Exact: positions keep all their digits.
void set_unit(Frame& frame) {
    int exponent = 0;
    if (std::frexp(frame.side, &exponent) == 0.5) --exponent;
    frame.unit = std::ldexp(1.0, exponent);
    frame.cube = {{frame.origin[0] / frame.unit, frame.origin[1] / frame.unit, frame.origin[2] / frame.unit},
                  frame.side / frame.unit};
}

/// What repeats, once the units are known. Pieces are as small as their number allows.
void add_period(const Options& options, Frame& frame) {
    frame.box = domain_box(options);
    for (double& side : frame.box.side) side /= frame.unit;
    if (options.periodic_method == PeriodicMethod::table) {
        frame.largest_node = 0.25 * frame.box.shortest_period();
        return;
    }
    // The spline ends before the nearest image that is not walked.
    const double least_side = frame.softening_kernel == SofteningKernel::spline ? 1.01 * spline_support * frame.softening : 0.0;
    for (int level = 0;; ++level) {
        BoxPieces pieces;
        pieces.corner = frame.cube.corner;
        pieces.side = std::ldexp(frame.cube.side, -level);
        int all = 1;
        for (std::size_t d = 0; d < 3; ++d)
            all *= pieces.count[d] = std::max(1, static_cast<int>(std::ceil(frame.box.side[d] / pieces.side - 1e-9)));
        if (all > most_pieces || (level > 0 && pieces.side < least_side)) return;
        frame.pieces = pieces;
        frame.piece_level = level;
        frame.largest_node = static_cast<float>(pieces.side);
    }
}

}  // namespace

Frame agree_on_frame(const Agreed& all, const InputScan& scan, bool points, bool acceleration, const Options& options) {
    double low[23];
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = scan.lower[axis];
        low[3 + axis] = -scan.upper[axis];
        low[6 + axis] = scan.cell_lower[axis];
        low[9 + axis] = -scan.cell_upper[axis];
        low[16 + axis] = scan.mass_lower[axis];
        low[19 + axis] = -scan.mass_upper[axis];
    }
    low[12] = scan.smallest_side;
    low[13] = -scan.largest_mass;
    low[14] = points ? 0.0 : 1.0;
    low[15] = acceleration ? 0.0 : 1.0;
    low[22] = -scan.largest_softening;
    all.all_reduce(low, 23, MPI_MIN);

    Frame frame;
    frame.points = low[14] < 0.5;
    frame.acceleration = low[15] < 0.5;
    const double mass = -low[13];
    if (mass > 0.0 && mass < smallest_mass)
        reject(fmt::format("no mass is above {}: the largest of all cells and points must be from {} to {}, or all be 0", mass,
                           smallest_mass, largest_mass));
    double sums[2] = {scan.mass, scan.volume};
    all.all_reduce(sums, 2, MPI_SUM);
    if (sums[0] > 0.0) {
        frame.mass_unit = std::exp2(std::ceil(std::log2(sums[0])));
        frame.total_mass = rounded(sums[0] / frame.mass_unit);
    }
    if (low[0] > -low[3]) return frame;  // no bodies at all

    const auto extent = [](const double* lower, const double* upper_negated, const double* origin) {
        double longest = 0.0;
        for (int axis = 0; axis < 3; ++axis)
            longest = std::max(longest, -upper_negated[axis] - (origin != nullptr ? origin[axis] : lower[axis]));
        return longest;
    };
    const double softening = -low[22], least_side = std::ldexp(softening, -softening_levels);
    frame.cells = low[6] <= -low[9];
    if (frame.cells) {
        frame.cell_volume = sums[1];
        frame.cell_box = (-low[9] - low[6]) * (-low[10] - low[7]) * (-low[11] - low[8]);
    }
    if (frame.cells || is_periodic(options)) {
        if (options.domain) {
            for (int axis = 0; axis < 3; ++axis) {
                low[6 + axis] = options.domain->lower[static_cast<std::size_t>(axis)];
                low[9 + axis] = -options.domain->upper[static_cast<std::size_t>(axis)];
            }
        }
        if (!frame.cells) low[12] = extent(low + 6, low + 9, nullptr);
        const double mesh = power_of_two_side(extent(low + 6, low + 9, nullptr), low[12]);
        const double longest = std::ldexp(low[12], most_cell_levels);
        if (mesh > longest)
            reject(fmt::format("{} {}: {}", options.domain ? "domain:" : "the cells reach", describe_box(low + 6),
                               describe_limit(most_cell_levels, low[12])));
        for (int axis = 0; axis < 3; ++axis) {
            const double beyond = std::max(0.0, low[6 + axis] - low[axis]);  // points may lie below the mesh
            frame.origin[axis] = low[6 + axis] - std::ceil(beyond / mesh) * mesh;
            low[9 + axis] = std::min(low[9 + axis], low[3 + axis]);
        }
        frame.side = power_of_two_side(extent(low + 6, low + 9, frame.origin), mesh);
        if (frame.side > longest)
            reject(fmt::format("cells and points reach {}: {}", describe_box(low), describe_limit(most_cell_levels, low[12])));
        frame.side = power_of_two_side(least_side, frame.side);
        if (frame.side > longest)
            reject(fmt::format("softening is {}: {}", softening, describe_limit(most_cell_levels + softening_levels, low[12])));
        if (!frame.points)
            frame.used_levels = std::min(deepest_level, static_cast<int>(std::lround(std::log2(frame.side / low[12]))));
    } else {
        std::copy_n(low, 3, frame.origin);
        const double longest = extent(low, low + 3, nullptr);
        if (longest > 0.0 && std::max(longest, softening) < smallest_length)
            reject(fmt::format("all points lie within {}, {}: must be at one place, or {} apart", longest, describe_box(low),
                               smallest_length));
        frame.side = longest > 0.0 ? std::max(longest * (1.0 + 1e-9), least_side) : least_side > 0.0 ? least_side : 1.0;
    }
    set_unit(frame);
    if (mass > 0.0) frame.extent = std::max(extent(low + 16, low + 19, nullptr) / frame.unit, 1e-300);
    frame.softening = softening / frame.unit;
    frame.softening_kernel = options.softening_kernel;
    if (is_periodic(options)) add_period(options, frame);
    return frame;
}

void reject_excess_volume(const Frame& frame) {
    if (!(frame.cell_volume > (1.0 + 1e-6) * frame.cell_box)) return;  // rounding of the caller's own geometry
    throw Error(ErrorCode::invalid_input,
                fmt::format("cells overlap: their volumes add up to {:.9g}, but the box that holds them all has {:.9g}",
                            frame.cell_volume, frame.cell_box));
}

}  // namespace gravlet
