// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/countdown.hpp"

#include <execinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

namespace gravlet::test {
namespace {

constexpr std::size_t room = std::size_t{1} << 17;
std::uint64_t recorded[room];  // not a vector: it is written to inside of operator new
std::size_t recorded_count = 0;

/// Of the innermost return addresses: they tell the stage, and are the same for all the public calls that come to it.
std::uint64_t hash_of_stack() {
    constexpr int enough = 13;
    void* frames[enough];
    const int depth = backtrace(frames, enough);
    std::uint64_t hash = 14695981039346656037u;  // FNV-1a
    for (int i = 0; i < depth; ++i) hash = (hash ^ reinterpret_cast<std::uintptr_t>(frames[i])) * 1099511628211u;
    return hash;
}

}  // namespace

void Countdown::arm(std::int64_t k, bool for_good) {
    calls_ = 0;
    fails_at_ = k;
    for_good_ = for_good;
    failed_ = "";
    armed_ = true;
}

void Countdown::record() {
    arm(0);
    hash_of_stack();  // backtrace() loads its library when it is first called
    recording_ = true;
}

std::int64_t Countdown::disarm() {
    armed_ = false;
    if (recording_.exchange(false)) recorded_count = std::min(static_cast<std::size_t>(calls_), room);
    return calls_;
}

std::vector<std::uint64_t> Countdown::places() { return {recorded, recorded + recorded_count}; }

bool Countdown::hit(const char* call) noexcept {
    if (!armed_) return false;
    const std::int64_t number = ++calls_;
    if (recording_ && number <= static_cast<std::int64_t>(room)) recorded[number - 1] = hash_of_stack();
    const std::int64_t k = fails_at_;
    if (k == 0 || !(for_good_ ? number >= k : number == k)) return false;
    failed_ = call;
    if (std::getenv("GRAVLET_FAULT_TRACE") != nullptr) {
        void* frames[40];
        backtrace_symbols_fd(frames, backtrace(frames, 40), STDERR_FILENO);
    }
    return true;
}

}  // namespace gravlet::test
