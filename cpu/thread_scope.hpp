// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <omp.h>

namespace gravlet {

/// Sets the thread count of the OpenMP code that is not ours (Thrust's), and restores the caller's.
class [[nodiscard]] ThreadScope {
public:
    explicit ThreadScope(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
    ~ThreadScope() { omp_set_num_threads(before_); }
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;

private:
    int before_;
};

}  // namespace gravlet
