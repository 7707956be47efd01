// SPDX-License-Identifier: Apache-2.0
// The CPU backend as a value: `Cpu` is passed to the algorithms of solver/, which find their primitives (for_each, sort, scan,
// reduce, select) here by overloading (solver/execution.hpp lists all). They are Thrust's, on its OpenMP system, but for sorting.
#pragma once

#include "cpu/direct.hpp"
#include "physics/memory_tally.hpp"
#include "physics/types.hpp"

#include <gravlet/options.hpp>

#include <thrust/copy.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system/omp/execution_policy.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <type_traits>

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
    /// As resize, but the contents are lost: nothing is copied.
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

class CpuWalk;
class CpuTransfer;
class CpuMessages;

struct Cpu {
    MemoryTally* tally;
    int threads;

    template <class T>
    using Buffer = HostBuffer<T>;
    using Walk = CpuWalk;
    using Transfer = CpuTransfer;
    using Messages = CpuMessages;

    struct Range {
        explicit Range(const char*) {}
    };
    void synchronize() const {}

    // Numbers that suit a CPU; solver/execution.hpp says what they are.
    static constexpr bool strided = false;
    static constexpr std::size_t groups_together = 16;
    static constexpr std::size_t least_scan_chunks = 1;
    static constexpr std::size_t groups_for_long_runs = 0;
    static constexpr std::size_t far_batch = 256;
    static std::size_t group_size(const Options& options) {
        return options.group_size > 0 ? static_cast<std::size_t>(options.group_size) : 32;
    }
    [[nodiscard]] std::string name() const;
    [[nodiscard]] DirectPiece direct(const DirectLaw& law) const { return cpu_direct_piece(threads, law); }

    template <class T>
    [[nodiscard]] Buffer<T> buffer() const {
        return Buffer<T>(*tally);
    }
};

/// Between host memory and the backend's.
template <class T>
void copy_in(const Cpu&, const T* host, T* backend, std::size_t n) {
    std::copy_n(host, n, backend);
}
template <class T>
void copy_out(const Cpu&, const T* backend, T* host, std::size_t n) {
    std::copy_n(backend, n, host);
}
template <class T>
T read(const Cpu&, const T* backend) {
    return *backend;
}

template <class F>
void for_each(const Cpu& cpu, std::size_t n, F f) {
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
    for (std::size_t i = 0; i < n; ++i) f(i);
}

/// Sorts 64-bit keys, equal ones by value (which ascend to begin with). The lowest `unused_bits` bits of all keys are 0. See
/// cpu/sort.cpp.
void sort_by_key(const Cpu& cpu, std::uint64_t* keys, std::uint32_t* values, std::size_t n, int unused_bits);

/// out[i] = sum of in[0..i); returns the sum of all. `in` and `out` may be the same.
template <class T>
T exclusive_scan(const Cpu& cpu, const T* in, T* out, std::size_t n) {
    if (n == 0) return T{};
    TallyAllocator<char> scratch(*cpu.tally);
    const T last = in[n - 1];
    thrust::exclusive_scan(thrust::omp::par(scratch), in, in + n, out);
    return out[n - 1] + last;
}

/// op over transform(0), ..., transform(n - 1). `op` must not depend on the order (minimum, maximum, integer sums).
template <class T, class Transform, class Op>
T transform_reduce(const Cpu& cpu, std::size_t n, Transform transform, T init, Op op) {
    TallyAllocator<char> scratch(*cpu.tally);
    const thrust::counting_iterator<std::size_t> first(0);
    return thrust::transform_reduce(thrust::omp::par(scratch), first, first + static_cast<std::ptrdiff_t>(n), transform, init,
                                    op);
}

/// Writes the indices i in [0, n) with keep(i) to `out`, in order; returns their number.
template <class I, class Keep>
std::size_t select_indices(const Cpu& cpu, std::size_t n, I* out, Keep keep) {
    TallyAllocator<char> scratch(*cpu.tally);
    const thrust::counting_iterator<I> first(0);
    return static_cast<std::size_t>(
        thrust::copy_if(thrust::omp::par(scratch), first, first + static_cast<std::ptrdiff_t>(n), out, keep) - out);
}

}  // namespace gravlet
