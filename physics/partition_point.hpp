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

}  // namespace gravlet
