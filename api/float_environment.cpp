// SPDX-License-Identifier: Apache-2.0
#include "api/float_environment.hpp"

#include <omp.h>

#include <algorithm>

namespace gravlet {

FloatEnvironment::FloatEnvironment(int threads) : host_(static_cast<std::size_t>(threads)) {
    std::fegetenv(&host_.front());
    std::fill(host_.begin() + 1, host_.end(), host_.front());  // for threads that join later
#pragma omp parallel num_threads(threads)
    {
        std::fegetenv(&host_[static_cast<std::size_t>(omp_get_thread_num())]);
        std::fesetenv(FE_DFL_ENV);
    }
}

FloatEnvironment::~FloatEnvironment() {
#pragma omp parallel num_threads(static_cast <int>(host_.size()))
    std::fesetenv(&host_[static_cast<std::size_t>(omp_get_thread_num())]);
}

}  // namespace gravlet
