// SPDX-License-Identifier: Apache-2.0
// From sums in solver units back to the caller's units, order and memory.
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/data/input.hpp"
#include "solver/data/results.hpp"
#include "solver/targets.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

// What stage_out() does. Not lambdas: nvcc's wrapper of those allocates, and nothing may fail here any more.

/// Of sorted body s, the cell of a block.
struct WriteCell {
    Input input;
    ResultUnits units;
    const cell_index* order;
    SumArrays sums;

    GRAVLET_HD void operator()(std::size_t s) const {
        const std::size_t i = order[s];
        const BlockCell cell = input.block_cell(i);
        if (!input.blocks[cell.block].active) return;
        const auto own = [&] { return units.self_potential ? self_potential(input.body(cell), units.G) : 0.0; };
        input.store_cell(cell, [&](std::size_t k) { return to_result(k, sums.of[k][s], own, units); });
    }
};

/// Of body i, whose sums are sum(k).
template <class Sum>
GRAVLET_HD void write_body(const Input& input, const ResultUnits& units, std::size_t i, const Sum& sum) {
    if (!input.active(i)) return;
    const auto own = [&] { return units.self_potential && !input.is_point(i) ? self_potential(input.body(i), units.G) : 0.0; };
    input.store(i, [&](std::size_t k) { return to_result(k, sum(k), own, units); });
}

/// Of any sorted body s.
struct WriteResult {
    WriteCell cell;

    GRAVLET_HD void operator()(std::size_t s) const {
        const std::size_t i = cell.order[s];
        if (cell.input.blocks != nullptr && !cell.input.is_point(i)) return cell(s);
        write_body(cell.input, cell.units, i, [this, s](std::size_t k) { return cell.sums.of[k][s]; });
    }
};

/// Of sorted body s: its sums together, in the caller's order.
struct LeaveWhole {
    const cell_index* order;
    SumArrays sums;
    FieldSums* to;

    GRAVLET_HD void operator()(std::size_t s) const {
        to[order[s]] = {{sums.of[0][s], sums.of[1][s], sums.of[2][s], sums.of[3][s]}};
    }
};
struct WriteWhole {
    Input input;
    ResultUnits units;
    const FieldSums* sums;

    GRAVLET_HD void operator()(std::size_t i) const {
        const FieldSums of = sums[i];
        write_body(input, units, i, [&](std::size_t k) { return k < component_count(1) ? of.of[k] : 0.0; });
    }
};

/// Local. Active targets only. Allocates nothing.
template <class Exec>
void stage_out(const Exec& exec, const Input& input, const Frame& frame, const Options& options, Bodies<Exec>& b) {
    const ResultUnits units(frame, options);
    if (leave_whole(input, frame.derivatives, b)) {
        FieldSums* const whole = b.template moved_whole<FieldSums>();
        for_each(exec, b.count, LeaveWhole{b.order.data(), b.sum_arrays(), whole});
        for_each(exec, b.count, WriteWhole{input, units, whole});
    } else {
        for_each(exec, b.count, WriteResult{{input, units, b.order.data(), b.sum_arrays()}});
    }
}

}  // namespace gravlet
