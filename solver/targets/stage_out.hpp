// SPDX-License-Identifier: Apache-2.0
// From sums in solver units back to the caller's units, order and memory.
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/data/results.hpp"
#include "solver/input/input.hpp"
#include "solver/order/targets.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

// What stage_out() does. Not lambdas: nvcc's wrapper of those allocates, and nothing may fail here any more.

/// Writes the results of sorted body s, a cell of a block. `self`: what a mass in the block's cells does to itself
/// (cuboid_self_potential()).
struct WriteCell {
    GivenBodies bodies;
    ResultArrays results;
    ResultUnits units;
    SumArrays sums;

    GRAVLET_HD void operator()(std::size_t s, const BlockCell& cell, double self) const {
        const auto own = [&] { return units.self_potential ? self_potential(bodies.mass_of(cell), self, units.G) : 0.0; };
        ResultArrays::store_cell(bodies, cell, results.derivatives,
                                 [&](std::size_t k) { return to_result(k, sums.of[k][s], own, units); });
    }
    [[nodiscard]] GRAVLET_HD double self(std::size_t block) const {
        const auto& h = bodies.blocks[block].cell_size;
        return units.self_potential ? cuboid_self_potential(h[0], h[1], h[2]) : 0.0;
    }
};

/// Writes the results of blocks that were sorted, by teams.
struct WriteBlocks {
    WriteCell write;
    CellsOnCurve curve;
    std::uint32_t run;  ///< cells a team

    template <class Team>
    GRAVLET_HD void operator()(std::size_t t, const Team& team) const {
        const cell_index number = curve.block_of(t * run);
        if (!write.bodies.blocks[number].active) return;
        const double self = write.self(number);
        const hilbert::State in_block = curve.blocks[number].state;
        for (std::size_t s = t * run + team.rank(); s < (t + 1) * run; s += team.size) {
            hilbert::State state = in_block;
            write(s, curve.cell(number, s, state), self);
        }
    }
};

/// Writes the results of body i, whose sums are sum(k).
template <class Sum>
GRAVLET_HD void write_body(const GivenBodies& bodies, const ResultArrays& results, const ResultUnits& units, std::size_t i,
                           const Sum& sum) {
    if (!bodies.active(i)) return;
    const auto own = [&] { return units.self_potential && !bodies.is_point(i) ? self_potential(bodies.body(i), units.G) : 0.0; };
    results.store(bodies, i, [&](std::size_t k) { return to_result(k, sum(k), own, units); });
}

/// Writes the results of any sorted bodies.
struct WriteResult {
    WriteCell write;
    const cell_index* order;
    WalkedFor walked;

    GRAVLET_HD void operator()(std::size_t number) const {
        const std::size_t s = walked[number];
        if (s == WalkedFor::nobody) return;
        const GivenBodies& bodies = write.bodies;
        const std::size_t i = order[s];
        if (bodies.blocks == nullptr || bodies.is_point(i))
            return write_body(bodies, write.results, write.units, i, [this, s](std::size_t k) { return write.sums.of[k][s]; });
        const BlockCell cell = bodies.block_cell(i);
        if (bodies.blocks[cell.block].active) write(s, cell, write.self(cell.block));
    }
};

/// Leaves the sums of sorted body s together, in the caller's order.
struct LeaveWhole {
    const cell_index* order;
    SumArrays sums;
    FieldSums* to;

    GRAVLET_HD void operator()(std::size_t s) const {
        to[order[s]] = {{sums.of[0][s], sums.of[1][s], sums.of[2][s], sums.of[3][s]}};
    }
};
struct WriteWhole {
    GivenBodies bodies;
    ResultArrays results;
    ResultUnits units;
    const FieldSums* sums;

    GRAVLET_HD void operator()(std::size_t i) const {
        const FieldSums of = sums[i];
        write_body(bodies, results, units, i, [&](std::size_t k) { return k < component_count(1) ? of.of[k] : 0.0; });
    }
};

/// Local. Active bodies only. Allocates nothing.
template <class Exec>
void write_each(const Exec& exec, const Input& input, const Frame& frame, const Options& options, TargetSet<Exec>& b) {
    const WalkedFor walked = b.walked_for();
    for_each(exec, walked.count,
             WriteResult{{input, input, ResultUnits(frame, options), b.sum_arrays()}, b.order.data(), walked});
}

/// Local. Active bodies only, of all of a rank's, with blocks as a whole. Allocates nothing.
template <class Exec>
void stage_out(const Exec& exec, const Input& input, const Frame& frame, const Options& options, Bodies<Exec>& b) {
    const ResultUnits units(frame, options);
    const WriteCell write{input, input, units, b.sum_arrays()};
    if (b.is_of_blocks(input)) {
        const CellsOnCurve curve = b.cells_on_curve();
        const std::uint32_t run = curve.run(b.count);
        for_each_team<32>(exec, b.count / run, WriteBlocks{write, curve, run});
    } else if (leave_whole(input, frame.derivatives, b)) {
        FieldSums* const whole = b.template moved_whole<FieldSums>(b.count);
        for_each(exec, b.count, LeaveWhole{b.order.data(), b.sum_arrays(), whole});
        for_each(exec, b.count, WriteWhole{input, input, units, whole});
    } else {
        write_each(exec, input, frame, options, b);
    }
}

}  // namespace gravlet
