// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

namespace gravlet {

/// Bytes that one solver holds, and the most it held since reset().
class MemoryTally {
public:
    void add(std::size_t bytes) {
        current_ += bytes;
        peak_ = std::max(peak_, current_);
    }
    void remove(std::size_t bytes) { current_ -= bytes; }
    void reset() { peak_ = current_; }
    [[nodiscard]] std::size_t peak() const { return peak_; }

private:
    std::size_t current_ = 0, peak_ = 0;
};

}  // namespace gravlet
