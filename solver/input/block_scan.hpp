// SPDX-License-Identifier: Apache-2.0
// A block's cells, looked at together: where the first and the last of them may be, all may, so that masses alone are read one
// by one. A team sees to a part of a block, so that one large block is work for as many as many small ones.
#pragma once

#include "physics/path_size.hpp"
#include "physics/team.hpp"
#include "solver/input/input_checks.hpp"

#include <array>

namespace gravlet {

/// What a team's lanes find of a block's masses.
struct MassScan {
    std::uint32_t first_bad;  ///< first bad cell of the block, or the part's end
    int lower[3], upper[3];   ///< cells with mass
    double least, largest = 0.0, mass = 0.0;

    template <class Team>
    GRAVLET_HD void gather(const Team& team) {
        first_bad = team.least(first_bad);
        for (int d = 0; d < 3; ++d) lower[d] = team.least(lower[d]), upper[d] = team.most(upper[d]);
        least = team.least(least);
        largest = team.most(largest);
        mass = team.sum(mass);
    }
};

/// Cells of a block, numbered as Input does.
struct BlockPart {
    std::size_t block;
    std::uint32_t begin, end;
};
inline constexpr std::uint32_t cells_of_a_part = path_size(512u, 48u);

template <class Team>
GRAVLET_HD MassScan scan_masses(const Team& team, const GivenBodies& input, const BlockPart& part, bool in_place,
                                const BodyLimits& limits) {
    const std::array<int, 3> n = input.blocks[part.block].n;
    MassScan scan{part.end, {n[0], n[1], n[2]}, {-1, -1, -1}, far_away};
    std::uint32_t c = part.begin + team.rank();
    BlockCell cell = input.block_cell(input.block_begin[part.block] + (c < part.end ? c : part.begin));
    for (; c < part.end; c += team.size, cell.i += static_cast<int>(team.size)) {
        for (; cell.i >= n[0]; cell.i -= n[0])
            if (++cell.j == n[1]) cell.j = 0, ++cell.k;
        const double mass = input.mass_of(cell);
        const bool good =
            in_place ? within(mass, limits.least_mass, largest_mass) : acceptable(input.body_at(cell, mass), false, limits);
        if (!good) {
            scan.first_bad = c < scan.first_bad ? c : scan.first_bad;
            continue;
        }
        const int at[3] = {cell.i, cell.j, cell.k};
        for (int d = 0; d < 3 && mass > 0.0; ++d) {
            scan.lower[d] = at[d] < scan.lower[d] ? at[d] : scan.lower[d];
            scan.upper[d] = at[d] > scan.upper[d] ? at[d] : scan.upper[d];
        }
        scan.least = mass < scan.least ? mass : scan.least;
        scan.largest = mass > scan.largest ? mass : scan.largest;
        scan.mass += mass;
    }
    scan.gather(team);
    return scan;
}

/// Scans a part of a block, as scan_body() would its cells, but for bounds, which are those of the block's.
template <class Team>
GRAVLET_HD InputScan scan_part(const Team& team, const GivenBodies& input, const BlockPart& part, const BodyLimits& limits) {
    const std::array<int, 3> n = input.blocks[part.block].n;
    InputScan scan = empty_scan();
    const auto cell = [&](const int(&at)[3]) { return input.body_at({part.block, at[0], at[1], at[2]}, 0.0); };
    const Body first = cell({0, 0, 0}), last = cell({n[0] - 1, n[1] - 1, n[2] - 1});
    const bool in_place = acceptable(first, false, limits) && acceptable(last, false, limits);
    const MassScan masses = scan_masses(team, input, part, in_place, limits);
    if (masses.first_bad < part.end) scan.first_bad = input.block_begin[part.block] + masses.first_bad;
    const auto bounds = [](const Body& a, const Body& b, double sides, double* lower, double* upper) {
        lower[0] = a.x - sides * a.dx, lower[1] = a.y - sides * a.dy, lower[2] = a.z - sides * a.dz;
        upper[0] = b.x + sides * b.dx, upper[1] = b.y + sides * b.dy, upper[2] = b.z + sides * b.dz;
    };
    bounds(first, last, 0.5, scan.cell_lower, scan.cell_upper);
    if (masses.upper[0] >= 0) bounds(cell(masses.lower), cell(masses.upper), 0.0, scan.mass_lower, scan.mass_upper);
    scan.smallest_side = fmin(first.dx, fmin(first.dy, first.dz));
    scan.largest_mass = masses.largest;
    const double volume = first.dx * first.dy * first.dz;
    scan.least_density = masses.least / volume;
    scan.mass = scan.cell_mass = masses.mass;
    scan.volume = (part.end - part.begin) * volume;
    return scan;
}

}  // namespace gravlet
