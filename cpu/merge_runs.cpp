// SPDX-License-Identifier: Apache-2.0
// By libstdc++'s multiway merge, each thread its part of what comes out. (libstdc++'s own parallel merge allocates inside its
// threads, where a failure would end the program.)
#include "cpu/merge_runs.hpp"

#include <parallel/algorithm>

#include <exception>

namespace gravlet {
namespace {

/// Splits sorted runs, none empty, where their merged elements [0, rank) end.
std::vector<SortRecord*> split(const std::vector<SortedRun>& runs, std::size_t rank) {
    std::vector<SortRecord*> places(runs.size());
    __gnu_parallel::multiseq_partition(runs.begin(), runs.end(), static_cast<std::ptrdiff_t>(rank), places.begin(), before);
    return places;
}

}  // namespace

void merge_runs(const std::vector<SortedRun>& runs, SortRecord* out, std::size_t n) {
    const std::size_t parts = runs.size();
    std::vector<std::vector<SortRecord*>> seams;
    for (std::size_t p = 0; p <= parts; ++p) seams.push_back(split(runs, n * p / parts));
    std::vector<std::vector<SortedRun>> inputs(parts);
    for (std::size_t p = 0; p < parts; ++p)
        for (std::size_t r = 0; r < parts; ++r) inputs[p].emplace_back(seams[p][r], seams[p + 1][r]);
    std::exception_ptr failure;
#pragma omp parallel for schedule(static, 1) num_threads(static_cast <int>(parts))
    for (std::size_t p = 0; p < parts; ++p) {
        try {
            const std::size_t begin = n * p / parts, end = n * (p + 1) / parts;
            __gnu_parallel::multiway_merge(inputs[p].begin(), inputs[p].end(), out + begin,
                                           static_cast<std::ptrdiff_t>(end - begin), before, __gnu_parallel::sequential_tag());
        } catch (...) {
#pragma omp critical
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace gravlet
