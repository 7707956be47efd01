// SPDX-License-Identifier: Apache-2.0
// Bodies and results in any memory that a host with a GPU may have.
#pragma once

#include "tests/api/body_arrays.hpp"

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace gravlet::test {

enum class Memory { host, pinned, managed, device };
inline constexpr Memory all_memories[] = {Memory::host, Memory::pinned, Memory::managed, Memory::device};

inline std::string to_string(Memory memory) {
    constexpr const char* names[] = {"host", "pinned", "managed", "device"};
    return names[static_cast<int>(memory)];
}

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

inline int device_count() {
    int count = 0;
    check(cudaGetDeviceCount(&count));
    return count;
}

/// Numbers in one kind of memory.
template <class Real>
class BasicArray {
public:
    BasicArray(Memory memory, const std::vector<double>& values) : memory_(memory), size_(values.size()) {
        if (size_ == 0) return;
        const std::vector<Real> given(values.begin(), values.end());
        void* place = nullptr;
        const std::size_t bytes = size_ * sizeof(Real);
        switch (memory_) {
            case Memory::host: place = ::operator new(bytes); break;
            case Memory::pinned: check(cudaMallocHost(&place, bytes)); break;
            case Memory::managed: check(cudaMallocManaged(&place, bytes)); break;
            case Memory::device: check(cudaMalloc(&place, bytes));
        }
        data_ = static_cast<Real*>(place);
        check(cudaMemcpy(data_, given.data(), bytes, cudaMemcpyDefault));
    }
    ~BasicArray() {
        switch (memory_) {
            case Memory::host: ::operator delete(data_); break;
            case Memory::pinned: cudaFreeHost(data_); break;
            default: cudaFree(data_);
        }
    }
    BasicArray(const BasicArray&) = delete;
    BasicArray& operator=(const BasicArray&) = delete;

    [[nodiscard]] Real* data() const { return data_; }
    [[nodiscard]] std::span<Real> span() const { return {data_, size_}; }
    [[nodiscard]] std::vector<double> values() const {
        std::vector<Real> out(size_);
        if (size_ > 0) check(cudaMemcpy(out.data(), data_, size_ * sizeof(Real), cudaMemcpyDefault));
        return {out.begin(), out.end()};
    }

private:
    Memory memory_;
    std::size_t size_;
    Real* data_ = nullptr;
};
using Array = BasicArray<double>;

/// A copy of bodies.
template <class Real>
struct BasicPlacedArrays {
    BasicArray<Real> x, y, z, dx, dy, dz, mass;

    BasicPlacedArrays(Memory m, const BodyArrays& b)
        : x(m, b.x), y(m, b.y), z(m, b.z), dx(m, b.dx), dy(m, b.dy), dz(m, b.dz), mass(m, b.mass) {}
    [[nodiscard]] Cells cells() const { return {x.span(), y.span(), z.span(), dx.span(), dy.span(), dz.span(), mass.span()}; }
    [[nodiscard]] Points points() const { return {x.span(), y.span(), z.span(), mass.span()}; }
};

using PlacedArrays = BasicPlacedArrays<double>;

/// Room for results.
template <class Real>
struct BasicPlacedResult {
    BasicArray<Real> potential, ax, ay, az;

    BasicPlacedResult(Memory m, std::size_t n) : BasicPlacedResult(m, Result(n)) {}
    [[nodiscard]] Fields fields() const { return {potential.span(), {ax.span(), ay.span(), az.span()}}; }
    [[nodiscard]] Result result() const {
        Result out(potential.values().size());
        out.potential = potential.values();
        out.acceleration = {ax.values(), ay.values(), az.values()};
        return out;
    }

private:
    BasicPlacedResult(Memory m, const Result& r)
        : potential(m, r.potential), ax(m, r.acceleration[0]), ay(m, r.acceleration[1]), az(m, r.acceleration[2]) {}
};
using PlacedResult = BasicPlacedResult<double>;

}  // namespace gravlet::test
