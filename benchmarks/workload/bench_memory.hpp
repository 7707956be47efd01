// SPDX-License-Identifier: Apache-2.0
// Arrays of doubles in the kind of memory that a host may hand over.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gravlet::bench {

enum class Memory { device, pinned, host };

[[nodiscard]] std::string to_string(Memory memory);

/// Host arrays need no GPU. Everything throws Error(out_of_memory) or Error(internal).
class Array {
public:
    using Owner = std::unique_ptr<double, void (*)(double*)>;

    Array() = default;
    /// Zeros.
    Array(Memory memory, std::size_t count);
    Array(Memory memory, std::span<const double> values);

    [[nodiscard]] double* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] std::span<double> span() const { return {data_.get(), count_}; }
    [[nodiscard]] std::vector<double> to_host() const;

private:
    /// count_ values, to or from this array.
    void copy(double* to, const double* from) const;

    Memory memory_ = Memory::host;
    std::size_t count_ = 0;
    Owner data_{nullptr, [](double*) {}};
};

}  // namespace gravlet::bench
