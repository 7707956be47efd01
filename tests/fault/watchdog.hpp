// SPDX-License-Identifier: Apache-2.0
// A hang must not look like a slow test: whoever waits for longer than GRAVLET_FAULT_SECONDS (20) says what it is at and where it
// waits, and ends the job. So does whoever crashes. The names of functions are mangled: c++filt reads them.
#pragma once

#include <string>

namespace gravlet::test {

/// From construction to destruction. `what` is printed, with the rank.
class [[nodiscard]] Watchdog {
public:
    explicit Watchdog(const std::string& what);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

    /// From now on a crash inside of a shared library whose name has this in it ends the process with exit code `excused`, and
    /// without a word.
    static void excuse(const char* library);
    static constexpr int excused = 77;
};

}  // namespace gravlet::test
