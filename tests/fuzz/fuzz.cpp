// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.hpp"

#include "tests/fault/watchdog.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <new>
#include <set>

// Reports end in abort(), where the watchdog says which input it was. An input that asks for terabytes gets std::bad_alloc.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
    return "abort_on_error=1:allocator_may_return_null=1:max_allocation_size_mb=1024";
}
extern "C" const char* __ubsan_default_options();
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1"; }
#endif

namespace gravlet::test {
namespace {

/// An input that asks for less does not fill the machine.
void limit_memory() {
#if !defined(__SANITIZE_ADDRESS__)
    constexpr rlim_t bytes = rlim_t{2} << 30;
    rlimit limit{};
    getrlimit(RLIMIT_DATA, &limit);
    limit.rlim_cur = std::min(bytes, limit.rlim_max);
    setrlimit(RLIMIT_DATA, &limit);
#endif
}

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

/// How far the inputs are, and what became of them.
struct Progress {
    std::uint64_t first = from_environment("GRAVLET_FUZZ_SEED", 1), seed = first;
    std::uint64_t codes[10] = {};  ///< 0: no error
    std::uint64_t crashes_in_library = 0, wrong = 0;

    [[nodiscard]] std::string text() const {
        std::string out = fmt::format("inputs: {}, {} of them good", seed - first, codes[0]);
        for (std::size_t code = 1; code < std::size(codes); ++code)
            if (codes[code] > 0) out += fmt::format(", {} of code {}", codes[code], code);
        if (crashes_in_library > 0) out += fmt::format(", {} crashed in the library", crashes_in_library);
        return out;
    }
};

using Clock = std::chrono::steady_clock;
constexpr std::uint64_t enough_wrong = 10;

/// Whether there are enough.
bool is_enough(const Progress& progress, Clock::time_point end) {
    static const std::uint64_t inputs = from_environment("GRAVLET_FUZZ_INPUTS", ~std::uint64_t{0});
    return Clock::now() >= end || progress.seed - progress.first >= inputs || progress.wrong >= enough_wrong;
}

Clock::time_point end_of_time() { return Clock::now() + std::chrono::seconds(from_environment("GRAVLET_FUZZ_SECONDS", 2)); }

/// What is wrong about what `read` did; "": nothing.
std::string wrong(const std::function<void()>& read, Progress& progress) {
    try {
        read();
        ++progress.codes[0];
    } catch (const Error& error) {
        ++progress.codes[static_cast<int>(error.code())];
        if (error.code() == ErrorCode::internal) return std::string("an internal error: ") + error.what();
    } catch (const std::exception& error) {
        return std::string("not an Error: ") + error.what();
    } catch (...) {
        return "not an exception";
    }
    return "";
}

void run(const std::function<std::string(Dice& dice)>& spoil, const std::function<void()>& read, Clock::time_point end,
         Progress& progress) {
    std::set<std::string> seen;
    do {
        Dice dice(progress.seed);
        std::string input;
        {
            const Watchdog watchdog(fmt::format("seed {}: while the input is made", progress.seed));
            input = spoil(dice);
        }
        const Watchdog watchdog(fmt::format("seed {}:\n{}", progress.seed, input));
        const std::string what = wrong(read, progress);
        if (!what.empty() && seen.insert(what).second) {
            ++progress.wrong;
            std::cerr << what << "\nseed " << progress.seed << ":\n" << input << std::endl;
        }
        ++progress.seed;
    } while (!is_enough(progress, end));
}

}  // namespace

void fuzz(const std::function<std::string(Dice& dice)>& spoil, const std::function<void()>& read) {
    limit_memory();
    Progress progress;
    run(spoil, read, end_of_time(), progress);
    std::cout << progress.text() << std::endl;
    EXPECT_EQ(progress.wrong, 0u);
}

void fuzz_apart(const char* library, const std::function<std::string(Dice& dice)>& spoil, const std::function<void()>& read) {
    limit_memory();
    const Clock::time_point end = end_of_time();
    void* const memory = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    Progress& progress = *new (memory) Progress;
    do {
        const pid_t child = fork();
        if (child == 0) {
            Watchdog::excuse(library);
            run(spoil, read, end, progress);
            _exit(0);
        }
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (code == 0) break;
        if (code == Watchdog::excused) std::cerr << "seed " << progress.seed << ": crashed in " << library << std::endl;
        ++progress.seed;
        ++(code == Watchdog::excused ? progress.crashes_in_library : progress.wrong);
    } while (!is_enough(progress, end));
    std::cout << progress.text() << std::endl;
    EXPECT_EQ(progress.wrong, 0u);
    munmap(memory, sizeof(Progress));
}

void spoil_bytes(Dice& dice, std::string& bytes) {
    for (std::size_t times = 1 + dice.below(4); times > 0 && !bytes.empty(); --times) {
        const std::size_t at = dice.below(bytes.size());
        const std::size_t length = std::min(1 + dice.below(16), bytes.size() - at);
        switch (dice.below(7)) {
            case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice.below(8))); break;
            case 1: bytes[at] = static_cast<char>(dice.below(256)); break;
            case 2: bytes.insert(at, 1, static_cast<char>(dice.below(256))); break;
            case 3: bytes.erase(at, length); break;
            case 4: bytes.insert(at, bytes.substr(dice.below(bytes.size()), length)); break;
            case 5: bytes.replace(at, length, length, dice.once_in(2) ? '\0' : '\xff'); break;
            default:
                if (dice.once_in(4)) bytes.resize(at);
        }
    }
}

}  // namespace gravlet::test
