// SPDX-License-Identifier: Apache-2.0
// A loop of long turns on threads, which can end early.
#pragma once

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>

namespace gravlet {

/// Takes turns [0, count), so many at a time to a thread: turn(n, mine) with what the thread's own make() gave it, and at its end
/// done(mine), one thread at a time. The calling thread calls `poll`, unless it is empty, after its turns. What any of them
/// throws ends the loop and is thrown.
template <class Make, class Turn, class Done>
void take_turns(int threads, std::size_t count, std::size_t at_a_time, const Make& make, const Turn& turn, const Done& done,
                const std::function<void()>& poll) {
    std::exception_ptr failure;
    std::atomic<bool> failed = false;
    const auto run = [&](const auto& some) noexcept {
        try {
            some();
        } catch (...) {
#pragma omp critical(gravlet_turns)
            failure = std::current_exception();
            failed = true;
        }
    };
#pragma omp parallel num_threads(threads)
    {
        auto mine = make();
#pragma omp for schedule(dynamic, at_a_time)
        for (std::size_t n = 0; n < count; ++n) {
            if (failed) continue;
            run([&] {
                turn(n, mine);
                if (omp_get_thread_num() == 0 && poll) poll();
            });
        }
#pragma omp critical(gravlet_turns)
        done(mine);
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace gravlet
