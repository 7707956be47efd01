// SPDX-License-Identifier: Apache-2.0
#include "api/float_environment.hpp"

#include <omp.h>

#include <algorithm>

namespace gravlet {

// The calling thread's is changed outside of regions: LLVM's OpenMP puts back at their ends what it had at their beginnings.

FloatEnvironment::FloatEnvironment(int threads) : host_(static_cast<std::size_t>(threads)) {
    std::fegetenv(&host_.front());
    std::fill(host_.begin() + 1, host_.end(), host_.front());  // for threads that join later
#pragma omp parallel num_threads(threads)
    if (const int thread = omp_get_thread_num(); thread > 0) {
        std::fegetenv(&host_[static_cast<std::size_t>(thread)]);
        std::fesetenv(FE_DFL_ENV);
    }
    std::fesetenv(FE_DFL_ENV);
}

FloatEnvironment::~FloatEnvironment() {
#pragma omp parallel num_threads(static_cast <int>(host_.size()))
    if (const int thread = omp_get_thread_num(); thread > 0) std::fesetenv(&host_[static_cast<std::size_t>(thread)]);
    std::fesetenv(&host_.front());
}

}  // namespace gravlet
