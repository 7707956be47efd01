// SPDX-License-Identifier: Apache-2.0
// Seconds a stage, in the order in which stages began first. Allocates nothing, so that it can run where nothing may fail.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>

namespace gravlet {

struct StageSeconds {
    const char* name = "";
    double seconds = 0.0;
};

class StageClock {
public:
    static constexpr std::size_t most_stages = 32;

    using Clock = std::chrono::steady_clock;

    /// The first stage began at `begun`.
    void start(Clock::time_point begun) {
        count_ = 0;
        last_ = begun;
    }
    /// Ends the stage (or a part of it: the parts are added up, whatever came between) that began at the last call. The name must
    /// last.
    void lap(const char* name) {
        const auto now = Clock::now();
        std::size_t at = 0;
        while (at < count_ && std::string_view(stages_[at].name) != name) ++at;
        if (at == most_stages) return;
        if (at == count_) stages_[count_++] = {name, 0.0};
        stages_[at].seconds += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }
    /// What happened since the last call is no stage.
    void skip() { last_ = Clock::now(); }
    [[nodiscard]] std::span<const StageSeconds> stages() const { return std::span(stages_).first(count_); }
    [[nodiscard]] double total() const {
        double sum = 0.0;
        for (const StageSeconds& stage : stages()) sum += stage.seconds;
        return sum;
    }

private:
    Clock::time_point last_;
    std::array<StageSeconds, most_stages> stages_;
    std::size_t count_ = 0;
};

}  // namespace gravlet
