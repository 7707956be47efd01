// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/fuzz.hpp"

#include "tests/fault/watchdog.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
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

/// What is wrong about what `read` did; "": nothing.
std::string wrong(const std::function<void()>& read, std::map<int, std::int64_t>& codes) {
    try {
        read();
        ++codes[0];
    } catch (const Error& error) {
        ++codes[static_cast<int>(error.code())];
        if (error.code() == ErrorCode::internal) return std::string("an internal error: ") + error.what();
    } catch (const std::exception& error) {
        return std::string("not an Error: ") + error.what();
    } catch (...) {
        return "not an exception";
    }
    return "";
}

}  // namespace

void fuzz(const std::function<std::string(Dice& dice)>& spoil, const std::function<void()>& read) {
    limit_memory();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(from_environment("GRAVLET_FUZZ_SECONDS", 2));
    std::map<int, std::int64_t> codes;
    std::set<std::string> seen;
    const std::uint64_t first = from_environment("GRAVLET_FUZZ_SEED", 1);
    std::uint64_t seed = first;
    do {
        Dice dice(seed);
        std::string input;
        {
            const Watchdog watchdog(fmt::format("seed {}: while the input is made", seed));
            input = spoil(dice);
        }
        const Watchdog watchdog(fmt::format("seed {}:\n{}", seed, input));
        const std::string what = wrong(read, codes);
        if (!what.empty() && seen.insert(what).second) ADD_FAILURE() << what << "\nseed " << seed << ":\n" << input;
        ++seed;
    } while (std::chrono::steady_clock::now() < end && seen.size() < 10);
    std::string text = fmt::format("inputs: {}", seed - first);
    for (const auto& [code, count] : codes)
        text += fmt::format(", {} {}", code == 0 ? "good" : fmt::format("code {}:", code), count);
    std::cout << text << std::endl;
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
