// SPDX-License-Identifier: Apache-2.0
// Random numbers by their place in the stream (splitmix64, Steele et al. 2014): draw j of point i is the same whichever rank
// asks.
#pragma once

#include <cstdint>

namespace gravlet {

[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// Random number `draw` (0 to 7) of point `index`, evenly from the open interval (0, 1).
[[nodiscard]] constexpr double random_unit(std::uint64_t seed, std::uint64_t index, unsigned draw) {
    constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
    const std::uint64_t bits = mix64(mix64(seed + step) + (8 * index + draw + 1) * step);
    return (static_cast<double>(bits >> 12) + 0.5) * 0x1.0p-52;
}

/// Random numbers for point i, as many as it takes, one after the other: a stream of a seed of its own, apart from random_unit()
/// with this one.
class RandomSequence {
public:
    constexpr RandomSequence(std::uint64_t seed, std::uint64_t index) : seed_(mix64(~seed)), index_(index) {}
    [[nodiscard]] constexpr double operator()() {
        const unsigned draw = taken_++;
        return random_unit(seed_ + draw / draws_, index_, draw % draws_);
    }

private:
    static constexpr unsigned draws_ = 8;
    std::uint64_t seed_, index_;
    unsigned taken_ = 0;
};

}  // namespace gravlet
