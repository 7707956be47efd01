// SPDX-License-Identifier: Apache-2.0
// Tells the host's Listener what this rank is doing in one call of the solver. Allocates nothing and never fails, whatever the
// host does when it hears of it; and asks it whether the call is to end.
#pragma once

#include "physics/path_size.hpp"

#include <gravlet/error.hpp>
#include <gravlet/listener.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <thread>
#include <utility>

namespace gravlet {

class Narrator {
public:
    /// `listener`: nobody, if null.
    explicit Narrator(Listener* listener) : listener_(listener) {}
    ~Narrator() { end_stage(); }
    Narrator(const Narrator&) = delete;
    Narrator& operator=(const Narrator&) = delete;
    static Narrator& to_nobody() {
        static Narrator silent(nullptr);
        return silent;
    }

    /// Ends the one before it, unless it is the same. The name must last.
    void begin_stage(const char* name) noexcept {
        if (listener_ == nullptr || (stage_ != nullptr && std::string_view(stage_) == name)) return;
        end_stage();
        stage_ = name;
        tell([&] { listener_->begin_stage(name); });
    }
    void end_stage() noexcept {
        if (stage_ == nullptr) return;
        const char* const ended = std::exchange(stage_, nullptr);
        tell([&] { listener_->end_stage(ended); });
    }
    void warn(const char* text) noexcept {
        tell([&] { listener_->warning(text); });
    }

    /// Throws Error(cancelled) if the host wants the call to end.
    void stop_if_cancelled() {
        if (listener_ == nullptr) return;
        bool cancelled = false;
        tell([&] { cancelled = listener_->cancelled(); });
        if (cancelled) throw Error(ErrorCode::cancelled, "the solve was cancelled by a listener");
        asked_ = Clock::now();
    }
    /// stop_if_cancelled(), where it may come a thousand times a second.
    void stop_if_cancelled_now_and_then() {
        if (listener_ != nullptr && Clock::now() - asked_ >= std::chrono::milliseconds(path_size(100, 0))) stop_if_cancelled();
    }

private:
    friend class Progress;
    using Clock = std::chrono::steady_clock;

    template <class F>
    void tell(F f) const noexcept {
        if (listener_ == nullptr) return;
        try {
            f();
        } catch (...) {  // the host's own affair
        }
    }

    Listener* listener_;
    const char* stage_ = nullptr;
    Clock::time_point asked_{};
};

/// How far a loop is, whose steps several threads may take. Only the thread that made this tells it.
class Progress {
public:
    Progress(Narrator& narrator, const char* what, std::size_t steps) : narrator_(narrator), what_(what), steps_(steps) {
        narrator_.tell([&] { interval_ = std::chrono::duration<double>(narrator_.listener_->interval()); });
    }
    /// Tells the end of what took long: other threads may have taken all of its steps.
    ~Progress() {
        if (told_ || Clock::now() - last_ >= interval_) tell(1.0);
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// Notes that another step is done.
    void step() noexcept {
        if (narrator_.listener_ == nullptr) return;
        tell_if_due(static_cast<double>(1 + done_.fetch_add(1, std::memory_order_relaxed)));
    }
    /// Notes that so much of the next step is done.
    void within(double part) noexcept {
        if (narrator_.listener_ != nullptr) tell_if_due(static_cast<double>(done_.load(std::memory_order_relaxed)) + part);
    }

private:
    using Clock = std::chrono::steady_clock;

    void tell_if_due(double done) noexcept {
        const auto steps = static_cast<double>(steps_);
        if (done >= steps || std::this_thread::get_id() != thread_ || Clock::now() - last_ < interval_) return;
        last_ = Clock::now();
        told_ = true;
        tell(done / steps);
    }

    void tell(double done) const noexcept {
        narrator_.tell([&] { narrator_.listener_->progress(what_, done); });
    }

    Narrator& narrator_;
    const char* what_;
    std::size_t steps_;
    std::atomic<std::size_t> done_ = 0;
    std::thread::id thread_ = std::this_thread::get_id();
    Clock::time_point last_ = Clock::now();
    std::chrono::duration<double> interval_{0.0};
    bool told_ = false;
};

}  // namespace gravlet
