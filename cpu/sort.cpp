// SPDX-License-Identifier: Apache-2.0
// Keys and values are sorted as 128-bit numbers by Highway's vectorised quicksort, a run a thread, and the runs merged by
// libstdc++'s multiway merge, a part a thread. Thrust's OpenMP sort took several times as long (docs/performance.md).
#include "cpu/execution.hpp"

#include <hwy/contrib/sort/vqsort.h>
#include <hwy/targets.h>

#include <parallel/algorithm>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

using Record = hwy::uint128_t;  // hi: key, lo: value

bool less(const Record& a, const Record& b) { return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo; }

void sort_run(Record* begin, Record* end) {
    constexpr std::int64_t without_vectors = HWY_SCALAR | HWY_EMU128;  // which vqsort does not have
    if ((hwy::SupportedTargets() & ~without_vectors) == 0) {
        std::sort(begin, end, less);
    } else {
        hwy::Sorter()(begin, static_cast<std::size_t>(end - begin), hwy::SortAscending());
    }
}

using Run = std::pair<Record*, Record*>;

/// Splits sorted runs, none empty, where their merged elements [0, rank) end.
std::vector<Record*> split(const std::vector<Run>& runs, std::size_t rank) {
    std::vector<Record*> places(runs.size());
    __gnu_parallel::multiseq_partition(runs.begin(), runs.end(), static_cast<std::ptrdiff_t>(rank), places.begin(), less);
    return places;
}

/// Each thread merges its part of what comes out. (libstdc++'s own parallel merge allocates inside its threads, where a failure
/// would end the program.)
void merge(const std::vector<Run>& runs, Record* out, std::size_t n) {
    const std::size_t parts = runs.size();
    std::vector<std::vector<Record*>> seams;
    for (std::size_t p = 0; p <= parts; ++p) seams.push_back(split(runs, n * p / parts));
    std::vector<std::vector<Run>> inputs(parts);
    for (std::size_t p = 0; p < parts; ++p)
        for (std::size_t r = 0; r < parts; ++r) inputs[p].emplace_back(seams[p][r], seams[p + 1][r]);
    std::exception_ptr failure;
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(parts))
    for (std::size_t p = 0; p < parts; ++p) {
        try {
            const std::size_t begin = n * p / parts, end = n * (p + 1) / parts;
            __gnu_parallel::multiway_merge(inputs[p].begin(), inputs[p].end(), out + begin,
                                           static_cast<std::ptrdiff_t>(end - begin), less, __gnu_parallel::sequential_tag());
        } catch (...) {
#pragma omp critical
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace

void sort_by_key(const Cpu& cpu, std::uint64_t* keys, std::uint32_t* values, std::size_t n, int) {
    if (n == 0) return;
    auto records = cpu.buffer<Record>(), merged = cpu.buffer<Record>();
    records.resize(n);
    for_each(cpu, n, [&](std::size_t i) { records[i] = {values[i], keys[i]}; });

    const std::size_t run_count = std::min(n, static_cast<std::size_t>(cpu.threads));
    std::vector<Run> runs(run_count);
#pragma omp parallel for schedule(static, 1) num_threads(cpu.threads)
    for (std::size_t r = 0; r < run_count; ++r) {
        runs[r] = {records.data() + n * r / run_count, records.data() + n * (r + 1) / run_count};
        sort_run(runs[r].first, runs[r].second);
    }
    const Record* sorted = records.data();
    if (run_count > 1) {
        merged.resize(n);
        merge(runs, merged.data(), n);
        sorted = merged.data();
    }
    for_each(cpu, n, [=](std::size_t i) {
        keys[i] = sorted[i].hi;
        values[i] = static_cast<std::uint32_t>(sorted[i].lo);
    });
}

}  // namespace gravlet
