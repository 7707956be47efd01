// SPDX-License-Identifier: Apache-2.0
// From sums in solver units back to the caller's units, order and memory.
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/data/input.hpp"
#include "solver/data/results.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

/// What stage_out() does for sorted body s. Not a lambda: nvcc's wrapper of those allocates, and nothing may fail here any more.
struct WriteResult {
    Input input;
    ResultUnits units;
    const cell_index* order;
    SumArrays sums;

    GRAVLET_HD void operator()(std::size_t s) const {
        const std::size_t i = order[s];
        if (input.is_point(i) || input.blocks == nullptr) {
            if (!input.active(i)) return;
            const auto own = [this, i] {
                return units.self_potential && !input.is_point(i) ? self_potential(input.body(i), units.G) : 0.0;
            };
            input.store(i, [&](std::size_t k) { return to_result(k, sums.of[k][s], own, units); });
        } else {
            const BlockCell cell = input.block_cell(i);
            if (!input.blocks[cell.block].active) return;
            const auto own = [&] { return units.self_potential ? self_potential(input.body(cell), units.G) : 0.0; };
            input.store_cell(cell, [&](std::size_t k) { return to_result(k, sums.of[k][s], own, units); });
        }
    }
};

/// Local. Active targets only. Allocates nothing.
template <class Exec>
void stage_out(const Exec& exec, const Input& input, const Frame& frame, const Options& options, Bodies<Exec>& b) {
    for_each(exec, b.count, WriteResult{input, ResultUnits(frame, options), b.order.data(), b.sum_arrays()});
}

}  // namespace gravlet
