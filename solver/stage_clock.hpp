// SPDX-License-Identifier: Apache-2.0
// Seconds a stage, in the order of the stages.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

class StageClock {
public:
    void start() {
        stages_.clear();
        begin_ = last_ = Clock::now();
    }
    /// Ends the stage that began at the last call.
    void lap(const char* name) {
        const auto now = Clock::now();
        stages_.emplace_back(name, std::chrono::duration<double>(now - last_).count());
        last_ = now;
    }
    [[nodiscard]] const std::vector<std::pair<std::string, double>>& stages() const { return stages_; }
    [[nodiscard]] double total() const { return std::chrono::duration<double>(last_ - begin_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point begin_, last_;
    std::vector<std::pair<std::string, double>> stages_;
};

}  // namespace gravlet
