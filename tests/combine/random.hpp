// SPDX-License-Identifier: Apache-2.0
// Random numbers whose every use is the same everywhere.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>

namespace gravlet::combine {

class Random {
public:
    explicit Random(std::uint64_t seed) : bits_(seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) { bits_.discard(8); }

    std::uint64_t bits() { return bits_(); }
    double uniform(double from = 0.0, double to = 1.0) {
        return from + (to - from) * static_cast<double>(bits_() >> 11) * 0x1p-53;
    }
    int whole(int from, int to) { return from + static_cast<int>(bits_() % static_cast<std::uint64_t>(to - from + 1)); }
    bool chance(double probability) { return uniform() < probability; }
    /// Of a logarithm that is uniform.
    double wide(double from, double to) { return from * std::pow(to / from, uniform()); }
    double normal() { return std::sqrt(-2.0 * std::log(1.0 - uniform())) * std::cos(6.283185307179586 * uniform()); }
    template <class T>
    T one_of(std::initializer_list<T> values) {
        return values.begin()[bits_() % values.size()];
    }

private:
    std::mt19937_64 bits_;
};

}  // namespace gravlet::combine
