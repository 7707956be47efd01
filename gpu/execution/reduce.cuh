// SPDX-License-Identifier: Apache-2.0
// Primitives that are CUB's around the caller's function.
#pragma once

#include "gpu/execution/loops.cuh"

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_select.cuh>

#include <cstddef>
#include <cstdint>

namespace gravlet {

/// op over transform(0), ..., transform(n - 1). `op` must not depend on the order (minimum, maximum, integer sums).
template <class T, class Transform, class Op>
T transform_reduce(const Gpu& gpu, std::size_t n, Transform transform, T init, Op op) {
    static_assert(sizeof(T) <= GpuContext::slot_bytes);
    if (n == 0) return init;
    T* const out = static_cast<T*>(gpu.context->pinned_slot());
    with_scratch(gpu, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceReduce::TransformReduce(scratch, bytes, thrust::counting_iterator<std::size_t>(0), out,
                                                  static_cast<std::int64_t>(n), op, transform, init, gpu.context->stream());
    });
    gpu.context->synchronize();
    return *out;
}

/// Writes the indices i in [0, n) with keep(i) to `out`, in order; returns their number.
template <class I, class Keep>
std::size_t select_indices(const Gpu& gpu, std::size_t n, I* out, Keep keep) {
    if (n == 0) return 0;
    std::int64_t* const count = static_cast<std::int64_t*>(gpu.context->pinned_slot());
    with_scratch(gpu, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceSelect::If(scratch, bytes, thrust::counting_iterator<I>(0), out, count, static_cast<std::int64_t>(n),
                                     keep, gpu.context->stream());
    });
    gpu.context->synchronize();
    return static_cast<std::size_t>(*count);
}

}  // namespace gravlet
