// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/staging.hpp"

#include <fmt/format.h>

#include <cstring>

namespace gravlet {

Memory memory_of(const void* array, int device) {
    cudaPointerAttributes attributes{};
    cuda_check(cudaPointerGetAttributes(&attributes, array), "cudaPointerGetAttributes");
    switch (attributes.type) {
        case cudaMemoryTypeManaged: return Memory::device;
        case cudaMemoryTypeHost: return Memory::pinned;
        case cudaMemoryTypeDevice: break;
        default: return Memory::host;
    }
    if (attributes.device != device)
        throw Error(ErrorCode::invalid_input,
                    fmt::format("an array is in the memory of device {}, but this rank's solver uses device {}",
                                attributes.device, device));
    return Memory::device;
}

Staging::Staging(GpuContext& context, int threads) : context_(context), threads_(threads) {
    for (cudaEvent_t& event : moved_) cuda_check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
}

Staging::~Staging() {
    for (cudaEvent_t& event : moved_) cudaEventDestroy(event);
}

void Staging::reserve(std::size_t n) {
    buffers_[0].resize_discard(buffer_size);
    if (n > buffer_size) buffers_[1].resize_discard(buffer_size);
}

double* Staging::free_buffer(std::size_t turn) {
    buffers_[turn].resize_discard(buffer_size);
    cuda_check(cudaEventSynchronize(moved_[turn]), "cudaEventSynchronize");
    return buffers_[turn].data();
}

void Staging::send(std::size_t turn, double* device, std::size_t count) {
    cuda_check(cudaMemcpyAsync(device, buffers_[turn].data(), count * sizeof(double), cudaMemcpyHostToDevice, context_.stream()),
               "cudaMemcpyAsync");
    cuda_check(cudaEventRecord(moved_[turn], context_.stream()), "cudaEventRecord");
}

void Staging::request(std::size_t turn, const double* device, std::size_t count) {
    buffers_[turn].resize_discard(buffer_size);
    cuda_check(cudaMemcpyAsync(buffers_[turn].data(), device, count * sizeof(double), cudaMemcpyDeviceToHost, context_.stream()),
               "cudaMemcpyAsync");
    cuda_check(cudaEventRecord(moved_[turn], context_.stream()), "cudaEventRecord");
}

const double* Staging::requested(std::size_t turn) {
    cuda_check(cudaEventSynchronize(moved_[turn]), "cudaEventSynchronize");
    return buffers_[turn].data();
}

void Staging::upload(double* device, const double* host, std::size_t n) {
    if (n == 0) return;
    if (memory_of(host, context_.device()) == Memory::pinned) {
        cuda_check(cudaMemcpyAsync(device, host, n * sizeof(double), cudaMemcpyHostToDevice, context_.stream()),
                   "cudaMemcpyAsync");
        return;
    }
    upload(device, n, [&](std::size_t begin, std::size_t count, double* to) { copy(to, host + begin, count); });
}

void Staging::download(const double* device, double* host, std::size_t n) {
    if (n == 0) return;
    if (memory_of(host, context_.device()) == Memory::pinned) {
        cuda_check(cudaMemcpyAsync(host, device, n * sizeof(double), cudaMemcpyDeviceToHost, context_.stream()),
                   "cudaMemcpyAsync");
        return;
    }
    download(device, n, [&](std::size_t begin, std::size_t count, const double* from) { copy(host + begin, from, count); });
}

void Staging::copy(double* to, const double* from, std::size_t n) const {
    const std::size_t parts = static_cast<std::size_t>(threads_);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t begin = n * p / parts, end = n * (p + 1) / parts;
        std::memcpy(to + begin, from + begin, (end - begin) * sizeof(double));
    }
}

}  // namespace gravlet
