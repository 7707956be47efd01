// SPDX-License-Identifier: Apache-2.0
// Spoilt inputs, one after the other, until the time is over. Each comes from a seed of its own, and the watchdog knows it: what
// crashes or hangs says its seed and input. Nothing but an Error may come out, and none that would be a bug of gravlet's.
//   GRAVLET_FUZZ_SECONDS: how long each test goes on (2; 0: one input)
//   GRAVLET_FUZZ_INPUTS: or until it has seen so many
//   GRAVLET_FUZZ_SEED: the first seed (1); with 0 seconds, to see one input again
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <random>
#include <string>

namespace gravlet::test {

/// Choices that are the same everywhere: those of the standard's distributions are each library's own.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : engine_(seed) {}
    /// From 0 to n - 1; n at least 1.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
    bool once_in(std::size_t n) { return below(n) == 0; }
    template <class List>
    const auto& one_of(const List& list) {
        return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list))));
    }

private:
    std::mt19937_64 engine_;
};

/// `spoil` makes an input, leaves it where `read` finds it, and returns it in words. `read` takes it in, and may throw.
void fuzz(const std::function<std::string(Dice& dice)>& spoil, const std::function<void()>& read);

/// The same in processes of their own, for a library that may crash: what crashes inside of it is counted and no more.
void fuzz_apart(const char* library, const std::function<std::string(Dice& dice)>& spoil, const std::function<void()>& read);

/// Flips, inserts, removes, repeats and overwrites bytes, or cuts the end off.
void spoil_bytes(Dice& dice, std::string& bytes);

}  // namespace gravlet::test
