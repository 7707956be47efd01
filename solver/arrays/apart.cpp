// SPDX-License-Identifier: Apache-2.0
#include "solver/arrays/apart.hpp"

#include "solver/arrays/flat_arrays.hpp"
#include "solver/arrays/lattice.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <span>

namespace gravlet {
namespace {

void check_pair(const FlatArray& a, const FlatArray& b) {
    if (!(a.is_result || b.is_result) || !overlap(a.begin, a.end, b.begin, b.end)) return;
    const bool in_place = !(a.is_result && b.is_result) && a.whose == b.whose && a.begin == b.begin && a.element == b.element;
    if (!in_place)
        throw Error(ErrorCode::invalid_input,
                    fmt::format("{} of {} and {} of {} are in the same memory", a.name, a.whose, b.name, b.whose));
}

}  // namespace

void require_apart(const Input& input) {
    FlatArrays arrays;
    if (input.block_count == 0) arrays.add(input.cells), arrays.add(input.cell_fields, "cells");
    arrays.add(input.points), arrays.add(input.point_fields, "points");
    arrays.add(input.probes);
    const std::span<const FlatArray> all = arrays.all();
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = a + 1; b < all.size(); ++b) check_pair(all[a], all[b]);
}

}  // namespace gravlet
