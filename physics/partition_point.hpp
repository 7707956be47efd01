// SPDX-License-Identifier: Apache-2.0
// std::partition_point of numbers, for device code too.
#pragma once

#include "physics/types.hpp"

namespace gravlet {

/// The first of [begin, end) that `before` does not hold for, or end. It holds for none behind one that it does not hold for.
template <class I, class Before>
GRAVLET_HD I partition_point(I begin, I end, Before before) {
    while (begin < end) {
        const I middle = begin + (end - begin) / 2;
        if (before(middle)) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

/// partition_point() with eight parts a step. A GPU's lane that waits for what one load says, then for the next, does little
/// else: here it has seven under way at once, and waits a third as often.
template <class I, class Before>
GRAVLET_HD I partition_point_by_eighths(I begin, I end, Before before) {
#if defined(__CUDA_ARCH__)
    constexpr I parts = 8;
    while (end - begin >= parts) {
        const I part = (end - begin) / parts;
        I passed = 0;  // it is in this one of the parts
#pragma unroll
        for (I k = 1; k < parts; ++k) passed += before(begin + k * part) ? 1 : 0;
        if (passed + 1 < parts) end = begin + (passed + 1) * part;
        if (passed > 0) begin += passed * part + 1;
    }
    I passed = 0;
#pragma unroll
    for (I k = 0; k + 1 < parts; ++k) passed += begin + k < end && before(begin + k) ? 1 : 0;
    return begin + passed;
#else
    return partition_point(begin, end, before);
#endif
}

}  // namespace gravlet
