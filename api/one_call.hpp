// SPDX-License-Identifier: Apache-2.0
// One call of a solver at a time. A second one, from the first one's listener or on another thread, would find the solver's
// arrays half made, and ranks that wait for each other in two places: it is refused before anybody else hears of it.
#pragma once

#include <gravlet/error.hpp>

#include <atomic>

namespace gravlet {

class OneCall {
public:
    /// Lives as long as the call. Local: throws Error(invalid_input) if there is one already.
    class [[nodiscard]] Inside {
    public:
        explicit Inside(OneCall& calls) : busy_(calls.busy_) {
            if (busy_.exchange(true))
                throw Error(ErrorCode::invalid_input,
                            "this solver is in a call already: its listener must not call it, nor two threads at once");
        }
        ~Inside() { busy_ = false; }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        std::atomic<bool>& busy_;
    };

private:
    std::atomic<bool> busy_ = false;
};

}  // namespace gravlet
