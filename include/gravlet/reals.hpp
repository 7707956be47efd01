// SPDX-License-Identifier: Apache-2.0
// Arrays of the caller's, in double or single precision: a pointer or a span that knows which of the two it is. Made from
// pointers, spans, vectors and arrays of either, without a word. gravlet computes as it does, whatever its input is kept in;
// results are rounded when they are written.
#pragma once

#include <gravlet/standard.hpp>

#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>

namespace gravlet {

/// The first of some numbers, or null. Double: double, or const double where they are only read.
template <class Double>
class RealPointer {
public:
    static constexpr bool read_only = std::is_const_v<Double>;
    using Single = std::conditional_t<read_only, const float, float>;

    constexpr RealPointer() noexcept : double_(nullptr) {}
    constexpr RealPointer(std::nullptr_t) noexcept : double_(nullptr) {}
    constexpr RealPointer(Double* numbers) noexcept : double_(numbers) {}
    constexpr RealPointer(Single* numbers) noexcept : single_(numbers), is_single_(numbers != nullptr) {}
    template <class Other>
    requires(read_only && !std::is_const_v<Other>) constexpr RealPointer(const RealPointer<Other>& other) noexcept
        : RealPointer(other.is_single() ? RealPointer(other.singles()) : RealPointer(other.doubles())) {}

    [[nodiscard]] constexpr bool is_single() const noexcept { return is_single_; }
    [[nodiscard]] constexpr std::size_t element_size() const noexcept { return is_single_ ? sizeof(float) : sizeof(double); }
    /// The numbers, or null if they are in the other precision.
    [[nodiscard]] constexpr Double* doubles() const noexcept { return is_single_ ? nullptr : double_; }
    [[nodiscard]] constexpr Single* singles() const noexcept { return is_single_ ? single_ : nullptr; }
    [[nodiscard]] constexpr std::conditional_t<read_only, const void*, void*> address() const noexcept {
        if (is_single_) return single_;
        return double_;
    }

    [[nodiscard]] constexpr double operator[](std::ptrdiff_t i) const {
        return is_single_ ? static_cast<double>(single_[i]) : double_[i];
    }
    constexpr void set(std::ptrdiff_t i, double value) const requires(!read_only) {
        if (is_single_)
            single_[i] = static_cast<float>(value);
        else
            double_[i] = value;
    }
    [[nodiscard]] constexpr RealPointer operator+(std::ptrdiff_t n) const {
        return is_single_ ? RealPointer(single_ + n) : RealPointer(double_ + n);
    }
    [[nodiscard]] friend constexpr bool operator==(const RealPointer& a, const RealPointer& b) {
        return a.address() == b.address();
    }
    [[nodiscard]] friend constexpr bool operator==(const RealPointer& a, std::nullptr_t) { return a.address() == nullptr; }

private:
    union {
        Double* double_;
        Single* single_;
    };
    bool is_single_ = false;
};

/// Real numbers in a row, in double or single precision.
template <class Double>
class RealSpan {
public:
    using Pointer = RealPointer<Double>;

    constexpr RealSpan() noexcept = default;
    constexpr RealSpan(Pointer first, std::size_t size) noexcept : first_(first), size_(size) {}
    template <class Other>
    requires(Pointer::read_only && !std::is_const_v<Other>) constexpr RealSpan(const RealSpan<Other>& other) noexcept
        : first_(other.data()), size_(other.size()) {}
    template <class Range>
    requires(std::is_constructible_v<std::span<Double>, Range&&> ||
             std::is_constructible_v<std::span<typename Pointer::Single>, Range&&>) constexpr RealSpan(Range&& range)
        : first_(std::ranges::data(range)), size_(std::ranges::size(range)) {}

    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }
    [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] constexpr Pointer data() const noexcept { return first_; }
    [[nodiscard]] constexpr double operator[](std::size_t i) const { return first_[static_cast<std::ptrdiff_t>(i)]; }
    [[nodiscard]] constexpr RealSpan first(std::size_t size) const { return {first_, size}; }
    [[nodiscard]] constexpr RealSpan subspan(std::size_t begin, std::size_t size) const {
        return {first_ + static_cast<std::ptrdiff_t>(begin), size};
    }
    constexpr void set(std::size_t i, double value) const requires(!Pointer::read_only) {
        first_.set(static_cast<std::ptrdiff_t>(i), value);
    }

private:
    Pointer first_;
    std::size_t size_ = 0;
};

/// Calls f with the pointer to doubles or floats that `array` is.
template <class Double, class F>
constexpr decltype(auto) with_type(const RealPointer<Double>& array, F&& f) {
    return array.is_single() ? f(array.singles()) : f(array.doubles());
}

/// Numbers that are read, and those that are written.
using InputPointer = RealPointer<const double>;
using ResultPointer = RealPointer<double>;
using InputSpan = RealSpan<const double>;
using ResultSpan = RealSpan<double>;

}  // namespace gravlet
