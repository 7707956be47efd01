// SPDX-License-Identifier: Apache-2.0
// Keys and values are sorted as 128-bit numbers by Highway's vectorised quicksort, a piece a thread, and the pieces merged by
// libstdc++'s parallel multiway merge. Thrust's OpenMP sort took several times as long (docs/performance.md).
#include "cpu/execution.hpp"

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

#include <parallel/algorithm>

#include <algorithm>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

using Record = hwy::uint128_t;  // hi: key, lo: value

bool less(const Record& a, const Record& b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }

void sort_piece(Record* begin, Record* end) {
    constexpr std::int64_t without_vectors = HWY_SCALAR | HWY_EMU128;  // which vqsort does not have
    if ((hwy::SupportedTargets() & ~without_vectors) == 0) {
        std::sort(begin, end, less);
    } else {
        hwy::Sorter()(begin, static_cast<std::size_t>(end - begin), hwy::SortAscending());
    }
}

}  // namespace

void sort_by_key(const Cpu& cpu, std::uint64_t* keys, std::uint32_t* values, std::size_t n, int) {
    auto records = cpu.buffer<Record>(), merged = cpu.buffer<Record>();
    records.resize(n);
    for_each(cpu, n, [&](std::size_t i) { records[i] = {values[i], keys[i]}; });

    const std::size_t pieces = static_cast<std::size_t>(cpu.threads);
    std::vector<std::pair<Record*, Record*>> runs(pieces);
#pragma omp parallel for schedule(static, 1) num_threads(cpu.threads)
    for (std::size_t p = 0; p < pieces; ++p) {
        runs[p] = {records.data() + n * p / pieces, records.data() + n * (p + 1) / pieces};
        sort_piece(runs[p].first, runs[p].second);
    }
    const Record* sorted = records.data();
    if (pieces > 1 && n > 0) {
        merged.resize(n);
        __gnu_parallel::multiway_merge(runs.begin(), runs.end(), merged.data(), static_cast<std::ptrdiff_t>(n), less,
                                       __gnu_parallel::parallel_tag(static_cast<__gnu_parallel::_ThreadIndex>(cpu.threads)));
        sorted = merged.data();
    }
    for_each(cpu, n, [=](std::size_t i) {
        keys[i] = sorted[i].hi;
        values[i] = static_cast<std::uint32_t>(sorted[i].lo);
    });
}

}  // namespace gravlet
