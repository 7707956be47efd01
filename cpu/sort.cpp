// SPDX-License-Identifier: Apache-2.0
// Keys and values are sorted as 128-bit numbers by Highway's vectorised quicksort, a run a thread, and the runs merged. Thrust's
// OpenMP sort took several times as long (docs/notebook/2026-11-performance.md).
#include "cpu/execution.hpp"
#include "cpu/merge_runs.hpp"

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

#include <algorithm>
#include <vector>

namespace gravlet {
namespace {

void sort_run(SortRecord* begin, SortRecord* end) {
    constexpr std::int64_t without_vectors = HWY_SCALAR | HWY_EMU128;  // which vqsort does not have
    if ((hwy::SupportedTargets() & ~without_vectors) == 0) {
        std::sort(begin, end, before);
    } else {
        hwy::Sorter()(begin, static_cast<std::size_t>(end - begin), hwy::SortAscending());
    }
}

}  // namespace

void sort_by_key(const Cpu& cpu, std::uint64_t* keys, std::uint32_t* values, std::size_t n, int) {
    if (n == 0) return;
    auto records = cpu.buffer<SortRecord>(), merged = cpu.buffer<SortRecord>();
    records.resize(n);
    for_each(cpu, n, [&](std::size_t i) { records[i] = {values[i], keys[i]}; });

    const std::size_t run_count = std::min(n, static_cast<std::size_t>(cpu.threads));
    std::vector<SortedRun> runs(run_count);
#pragma omp parallel for schedule(static, 1) num_threads(cpu.threads)
    for (std::size_t r = 0; r < run_count; ++r) {
        runs[r] = {records.data() + n * r / run_count, records.data() + n * (r + 1) / run_count};
        sort_run(runs[r].first, runs[r].second);
    }
    const SortRecord* sorted = records.data();
    if (run_count > 1) {
        merged.resize(n);
        merge_runs(runs, merged.data(), n);
        sorted = merged.data();
    }
    for_each(cpu, n, [=](std::size_t i) {
        keys[i] = sorted[i].hi;
        values[i] = static_cast<std::uint32_t>(sorted[i].lo);
    });
}

}  // namespace gravlet
