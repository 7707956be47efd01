// SPDX-License-Identifier: Apache-2.0
// Which of a caller's blocks' arrays share elements, looked for where they overlap as wholes.
#pragma once

#include "solver/arrays/lattice.hpp"

#include <gravlet/cells.hpp>

#include <span>
#include <vector>

namespace gravlet {

/// Calls f for each row of ranges, sorted by address, that overlap as wholes.
template <class F>
void for_overlapping(std::span<ArrayRange> ranges, F f) {
    for (std::size_t begin = 0, end = 0; begin < ranges.size(); begin = end) {
        std::int64_t reach = ranges[begin].end;
        for (end = begin + 1; end < ranges.size() && ranges[end].begin < reach; ++end) reach = std::max(reach, ranges[end].end);
        if (end - begin > 1) f(ranges.subspan(begin, end - begin));
    }
}

class SharedElements {
public:
    /// Shared elements of these blocks, which must outlive it.
    explicit SharedElements(std::span<const Block> blocks) : blocks_(blocks) {}

    /// Throws Error(invalid_input) naming two of these arrays, sorted by address, that share an element, if one is a result.
    void reject_in(std::span<const ArrayRange> overlapping);

private:
    [[nodiscard]] Lattice lattice_of(const ArrayRange& range) const {
        return gravlet::lattice_of(blocks_[range.block], range.array);
    }
    /// Results first, and then whether densities lie on any.
    void mark(std::span<ArrayRange> ranges) const;
    /// Throws: one of the ranges before has an element in [begin, end) of `range`.
    [[noreturn]] void reject_shared(std::span<const ArrayRange> before, const ArrayRange& range, std::int64_t begin,
                                    std::int64_t end) const;

    std::span<const Block> blocks_;
    std::vector<ArrayRange> ranges_;
};

}  // namespace gravlet
