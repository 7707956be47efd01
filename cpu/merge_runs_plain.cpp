// SPDX-License-Identifier: Apache-2.0
// Where there is no libstdc++ with OpenMP: one run after the other.
#include "cpu/merge_runs.hpp"

#include <algorithm>

namespace gravlet {

void merge_runs(const std::vector<SortedRun>& runs, SortRecord* out, std::size_t) {
    SortRecord* end = out;
    for (const auto& [first, last] : runs) {
        SortRecord* const middle = end;
        end = std::copy(first, last, middle);
        std::inplace_merge(out, middle, end, before);
    }
}

}  // namespace gravlet
