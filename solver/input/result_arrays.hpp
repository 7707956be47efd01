// SPDX-License-Identifier: Apache-2.0
// What a solve writes: results of bodies, in the caller's arrays.
#pragma once

#include "physics/fields.hpp"
#include "solver/input/given_bodies.hpp"

#include <gravlet/cells.hpp>

#include <array>
#include <cstddef>

namespace gravlet {

[[nodiscard]] inline Fields as_fields(const std::array<ResultSpan, result_count>& arrays) {
    Fields fields;
    set_results(fields, arrays);
    return fields;
}

[[nodiscard]] GRAVLET_HD inline const Stride& result_stride(const Block& block) {
    const Stride& own = block.result_stride;
    return own[0] == 0 && own[1] == 0 && own[2] == 0 ? block.stride : own;
}

/// Where results of bodies go; those of blocks are in the blocks. Device code may hold it.
struct ResultArrays {
    Fields cell_fields;
    Fields point_fields;
    int derivatives = 0;  ///< the most that some result asks for

    /// Writes the results that are wanted of a cell, or guard cell, of a block: component k is value(k).
    template <class Value>
    GRAVLET_HD static void store_cell(const BlockList& of, const BlockCell& c, int derivatives, const Value& value) {
        const Block& b = of.blocks[c.block];
        const std::ptrdiff_t at = BlockList::offset(result_stride(b), c);
        const std::size_t most = component_count(derivatives);  // no more need be looked at
        for_results(b, [&](const ResultPointer& array, std::size_t k) {
            if (k < most && array != nullptr) array.set(at, value(k));
        });
    }

    /// Writes the results that are wanted of body i: component k is value(k).
    template <class Value>
    GRAVLET_HD void store(const GivenBodies& of, std::size_t i, const Value& value) const {
        if (!of.is_point(i) && of.blocks != nullptr) return store_cell(of, of.block_cell(i), derivatives, value);
        const std::size_t at = of.is_point(i) ? i - of.cell_count : i;
        for_results(of.is_point(i) ? point_fields : cell_fields, [&](const ResultSpan& array, std::size_t k) {
            if (!array.empty()) array.set(at, value(k));
        });
    }
};

}  // namespace gravlet
