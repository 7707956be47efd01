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
class Array {
public:
    Array(Memory memory, const std::vector<double>& values) : memory_(memory), size_(values.size()) {
        if (size_ == 0) return;
        void* place = nullptr;
        const std::size_t bytes = size_ * sizeof(double);
        switch (memory_) {
            case Memory::host: place = ::operator new(bytes); break;
            case Memory::pinned: check(cudaMallocHost(&place, bytes)); break;
            case Memory::managed: check(cudaMallocManaged(&place, bytes)); break;
            case Memory::device: check(cudaMalloc(&place, bytes));
        }
        data_ = static_cast<double*>(place);
        check(cudaMemcpy(data_, values.data(), bytes, cudaMemcpyDefault));
    }
    ~Array() {
        switch (memory_) {
            case Memory::host: ::operator delete(data_); break;
            case Memory::pinned: cudaFreeHost(data_); break;
            default: cudaFree(data_);
        }
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    [[nodiscard]] double* data() const { return data_; }
    [[nodiscard]] std::span<double> span() const { return {data_, size_}; }
    [[nodiscard]] std::vector<double> values() const {
        std::vector<double> out(size_);
        if (size_ > 0) check(cudaMemcpy(out.data(), data_, size_ * sizeof(double), cudaMemcpyDefault));
        return out;
    }

private:
    Memory memory_;
    std::size_t size_;
    double* data_ = nullptr;
};

/// A copy of bodies.
struct PlacedArrays {
    Array x, y, z, dx, dy, dz, mass;

    PlacedArrays(Memory m, const BodyArrays& b)
        : x(m, b.x), y(m, b.y), z(m, b.z), dx(m, b.dx), dy(m, b.dy), dz(m, b.dz), mass(m, b.mass) {}
    [[nodiscard]] Cells cells() const { return {x.span(), y.span(), z.span(), dx.span(), dy.span(), dz.span(), mass.span()}; }
    [[nodiscard]] Points points() const { return {x.span(), y.span(), z.span(), mass.span()}; }
};

/// Room for results.
struct PlacedResult {
    Array potential, ax, ay, az;

    PlacedResult(Memory m, std::size_t n) : PlacedResult(m, Result(n)) {}
    [[nodiscard]] Fields fields() const { return {potential.span(), {ax.span(), ay.span(), az.span()}}; }
    [[nodiscard]] Result result() const {
        Result out(potential.values().size());
        out.potential = potential.values();
        out.acceleration = {ax.values(), ay.values(), az.values()};
        return out;
    }

private:
    PlacedResult(Memory m, const Result& r)
        : potential(m, r.potential), ax(m, r.acceleration[0]), ay(m, r.acceleration[1]), az(m, r.acceleration[2]) {}
};

}  // namespace gravlet::test
