// SPDX-License-Identifier: Apache-2.0
// A call that fails leaves CUDA's last error behind, as a real one does: where kernels are launched, that is all there is to see.
// What is not waited for would be used while it is freed: such calls do their part and fail afterwards.
#include "tests/fault/cuda_faults.hpp"

#include <cuda_runtime_api.h>

#include <utility>

namespace gravlet::test {
namespace {

constinit Countdown allocation, call;
thread_local cudaError_t last = cudaSuccess;

cudaError_t fail(cudaError_t code) { return last = code; }

}  // namespace

Countdown& device_allocations() { return allocation; }
Countdown& device_calls() { return call; }

}  // namespace gravlet::test

using gravlet::test::fail;

#define GRAVLET_WRAP(countdown, code, name, parameters, arguments)                         \
    extern "C" cudaError_t __real_##name parameters;                                       \
    extern "C" cudaError_t __wrap_##name parameters {                                      \
        return gravlet::test::countdown.hit(#name) ? fail(code) : __real_##name arguments; \
    }
#define GRAVLET_ALLOCATION(name, parameters, arguments) \
    GRAVLET_WRAP(allocation, cudaErrorMemoryAllocation, name, parameters, arguments)
#define GRAVLET_CALL(name, parameters, arguments) GRAVLET_WRAP(call, cudaErrorUnknown, name, parameters, arguments)
#define GRAVLET_WAIT(name, parameters, arguments)                              \
    extern "C" cudaError_t __real_##name parameters;                           \
    extern "C" cudaError_t __wrap_##name parameters {                          \
        const cudaError_t code = __real_##name arguments;                      \
        return gravlet::test::call.hit(#name) ? fail(cudaErrorUnknown) : code; \
    }

GRAVLET_ALLOCATION(cudaMalloc, (void** data, size_t bytes), (data, bytes))
GRAVLET_ALLOCATION(cudaMallocHost, (void** data, size_t bytes), (data, bytes))
GRAVLET_ALLOCATION(cudaHostAlloc, (void** data, size_t bytes, unsigned flags), (data, bytes, flags))
GRAVLET_ALLOCATION(cudaHostRegister, (void* data, size_t bytes, unsigned flags), (data, bytes, flags))

GRAVLET_CALL(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags))
GRAVLET_CALL(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream))
GRAVLET_CALL(cudaFuncSetAttribute, (const void* kernel, cudaFuncAttribute attribute, int value), (kernel, attribute, value))
GRAVLET_CALL(cudaIpcGetMemHandle, (cudaIpcMemHandle_t * handle, void* data), (handle, data))
GRAVLET_CALL(cudaIpcOpenMemHandle, (void** data, cudaIpcMemHandle_t handle, unsigned flags), (data, handle, flags))
GRAVLET_CALL(cudaMemcpyAsync, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream),
             (to, from, bytes, kind, stream))
GRAVLET_CALL(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags))
// <<<>>> calls the first or the second, as nvcc's version has it; not all have the second.
GRAVLET_CALL(cudaLaunchKernel, (const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream),
             (kernel, grid, block, arguments, shared, stream))
extern "C" [[gnu::weak]] cudaError_t __real___cudaLaunchKernel(cudaKernel_t, dim3, dim3, void**, size_t, cudaStream_t);
GRAVLET_CALL(__cudaLaunchKernel,
             (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream),
             (kernel, grid, block, arguments, shared, stream))
GRAVLET_CALL(cudaLaunchCooperativeKernel,
             (const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t stream),
             (kernel, grid, block, arguments, shared, stream))

GRAVLET_WAIT(cudaEventQuery, (cudaEvent_t event), (event))
GRAVLET_WAIT(cudaEventSynchronize, (cudaEvent_t event), (event))
GRAVLET_WAIT(cudaMemcpy, (void* to, const void* from, size_t bytes, cudaMemcpyKind kind), (to, from, bytes, kind))
GRAVLET_WAIT(cudaStreamSynchronize, (cudaStream_t stream), (stream))

extern "C" cudaError_t __real_cudaGetLastError();
extern "C" cudaError_t __wrap_cudaGetLastError() {
    const cudaError_t ours = std::exchange(gravlet::test::last, cudaSuccess), theirs = __real_cudaGetLastError();
    return theirs != cudaSuccess ? theirs : ours;
}
extern "C" cudaError_t __real_cudaPeekAtLastError();
extern "C" cudaError_t __wrap_cudaPeekAtLastError() {
    const cudaError_t theirs = __real_cudaPeekAtLastError();
    return theirs != cudaSuccess ? theirs : gravlet::test::last;
}
