// SPDX-License-Identifier: Apache-2.0
// Merges what sort_by_key()'s threads have sorted.
#pragma once

#include <hwy/contrib/sort/vqsort.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace gravlet {

using SortRecord = hwy::uint128_t;  // hi: key, lo: value
using SortedRun = std::pair<SortRecord*, SortRecord*>;

inline bool before(const SortRecord& a, const SortRecord& b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }

/// Runs, none empty, of n records in all, into `out`; a thread a run.
void merge_runs(const std::vector<SortedRun>& runs, SortRecord* out, std::size_t n);

}  // namespace gravlet
