// SPDX-License-Identifier: Apache-2.0
// The k-th call of a kind fails: a counter that stands in the way of every such call of this process, on all its threads, while
// it is armed.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace gravlet::test {

class Countdown {
public:
    /// From now on calls are counted, and the k-th fails (0: none); with `for_good` every later one, too.
    void arm(std::int64_t k, bool for_good = false);
    /// The same with no failure, but the calls' places are kept: slow.
    void record();
    /// Calls since.
    std::int64_t disarm();

    /// Of the calls since record(): a hash of where in the code each was, up to the stage of the solve.
    [[nodiscard]] static std::vector<std::uint64_t> places();
    /// The call that failed last, "" if none has since arm().
    [[nodiscard]] const char* failed() const { return failed_.load(); }

    /// Counts one call; whether it is to fail. Neither allocates with operator new nor throws.
    bool hit(const char* call) noexcept;

private:
    std::atomic<bool> armed_{false}, recording_{false}, for_good_{false};
    std::atomic<std::int64_t> calls_{0}, fails_at_{0};
    std::atomic<const char*> failed_{""};
};

}  // namespace gravlet::test
