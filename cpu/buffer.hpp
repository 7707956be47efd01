// SPDX-License-Identifier: Apache-2.0
// Host memory that is counted.
#pragma once

#include "physics/memory_tally.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

namespace gravlet {

/// An array that grows and keeps its capacity, without initialising its elements. Cache-line aligned.
template <class T>
class HostBuffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    explicit HostBuffer(MemoryTally& tally) : tally_(&tally) {}
    HostBuffer(HostBuffer&& other) noexcept { swap(other); }
    HostBuffer& operator=(HostBuffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~HostBuffer() { release(); }

    /// Keeps the first min(size(), n) elements.
    void resize(std::size_t n) {
        if (n > capacity_) grow(std::max(n, capacity_ + capacity_ / 4));
        size_ = n;
    }
    /// Resizes, but the contents are lost: nothing is copied.
    void resize_discard(std::size_t n) {
        if (n > capacity_) size_ = 0;
        resize(n);
    }
    void release() {
        std::free(data_);
        if (tally_ != nullptr) tally_->remove(capacity_ * sizeof(T));
        data_ = nullptr;
        size_ = capacity_ = 0;
    }

    [[nodiscard]] T* data() { return data_; }
    [[nodiscard]] const T* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T* begin() { return data_; }
    [[nodiscard]] T* end() { return data_ + size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }

private:
    void grow(std::size_t capacity) {
        constexpr std::size_t line = 64;
        const std::size_t bytes = (capacity * sizeof(T) + line - 1) / line * line;
        T* const fresh = static_cast<T*>(std::aligned_alloc(line, bytes));
        if (fresh == nullptr) throw std::bad_alloc();
        std::copy_n(data_, size_, fresh);
        std::free(data_);
        data_ = fresh;
        tally_->add((capacity - capacity_) * sizeof(T));
        capacity_ = capacity;
    }
    void swap(HostBuffer& other) noexcept {
        std::swap(tally_, other.tally_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

    MemoryTally* tally_ = nullptr;
    T* data_ = nullptr;
    std::size_t size_ = 0, capacity_ = 0;
};

/// Thrust's temporary arrays, counted.
template <class T>
struct TallyAllocator {
    using value_type = T;
    MemoryTally* tally;

    explicit TallyAllocator(MemoryTally& memory) : tally(&memory) {}
    template <class U>
    explicit TallyAllocator(const TallyAllocator<U>& other) : tally(other.tally) {}
    T* allocate(std::size_t n) {
        T* const data = static_cast<T*>(::operator new(n * sizeof(T)));
        tally->add(n * sizeof(T));
        return data;
    }
    void deallocate(T* data, std::size_t n) {
        tally->remove(n * sizeof(T));
        ::operator delete(data);
    }
    friend bool operator==(const TallyAllocator& a, const TallyAllocator& b) { return a.tally == b.tally; }
    friend bool operator!=(const TallyAllocator& a, const TallyAllocator& b) { return a.tally != b.tally; }
};

}  // namespace gravlet
