// SPDX-License-Identifier: Apache-2.0
#include "api/quiet_arithmetic.hpp"

#include <omp.h>

#include <algorithm>

namespace gravlet {
namespace {

/// Whether the calling thread has traps. Threads get theirs from whoever started them, so the others have none if it has none.
bool has_traps() {
#ifdef __GLIBC__
    return fegetexcept() != 0;
#else
    return true;
#endif
}

}  // namespace

QuietArithmetic::QuietArithmetic(int threads) : host_(has_traps() ? static_cast<std::size_t>(threads) : 1) {
    std::fegetenv(&host_.front());
    std::fill(host_.begin() + 1, host_.end(), host_.front());
#pragma omp parallel num_threads(static_cast <int>(host_.size()))
    std::feholdexcept(&host_[static_cast<std::size_t>(omp_get_thread_num())]);
}

QuietArithmetic::~QuietArithmetic() {
#pragma omp parallel num_threads(static_cast <int>(host_.size()))
    std::fesetenv(&host_[static_cast<std::size_t>(omp_get_thread_num())]);
}

}  // namespace gravlet
