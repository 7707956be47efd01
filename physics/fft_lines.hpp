// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace gravlet {

/// Many Fourier transforms of one length, in place. Element i of line n is the complex number at n * distance + i * stride of an
/// array in the backend's memory.
struct FftLines {
    int length = 1;
    std::size_t stride = 1, distance = 1, count = 0;
    /// Whether lines are real, and stride is 1: `length` doubles from each line's begin, or length / 2 + 1 waves in their place.
    bool real = false;

    friend bool operator==(const FftLines&, const FftLines&) = default;
};

/// The least length from `least` on that all transforms are fast at: of small prime factors, and even.
inline int fast_length(int least) {
    const auto is_fast = [](int n) {
        for (const int prime : {2, 3, 5, 7})
            while (n % prime == 0) n /= prime;
        return n == 1;
    };
    int length = least + least % 2;
    while (!is_fast(length)) length += 2;
    return length;
}

}  // namespace gravlet
