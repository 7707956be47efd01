// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/pinned_copies.hpp"

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

PinnedCopies::PinnedCopies(GpuContext& context, int threads) : context_(context), threads_(threads) {
    for (cudaEvent_t& event : moved_) cuda_check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreate");
}

PinnedCopies::~PinnedCopies() {
    for (cudaEvent_t& event : moved_) cudaEventDestroy(event);
}

void PinnedCopies::reserve(std::size_t n) {
    buffers_[0].resize_discard(buffer_size);
    if (n > buffer_size) buffers_[1].resize_discard(buffer_size);
}

void* PinnedCopies::free_buffer(std::size_t turn) {
    buffers_[turn].resize_discard(buffer_size);
    cuda_check(cudaEventSynchronize(moved_[turn]), "cudaEventSynchronize");
    return buffers_[turn].data();
}

void PinnedCopies::send(std::size_t turn, void* device, std::size_t bytes) {
    cuda_check(cudaMemcpyAsync(device, buffers_[turn].data(), bytes, cudaMemcpyHostToDevice, context_.stream()),
               "cudaMemcpyAsync");
    cuda_check(cudaEventRecord(moved_[turn], context_.stream()), "cudaEventRecord");
}

void PinnedCopies::request(std::size_t turn, const void* device, std::size_t bytes) {
    buffers_[turn].resize_discard(buffer_size);
    cuda_check(cudaMemcpyAsync(buffers_[turn].data(), device, bytes, cudaMemcpyDeviceToHost, context_.stream()),
               "cudaMemcpyAsync");
    cuda_check(cudaEventRecord(moved_[turn], context_.stream()), "cudaEventRecord");
}

const void* PinnedCopies::requested(std::size_t turn) {
    cuda_check(cudaEventSynchronize(moved_[turn]), "cudaEventSynchronize");
    return buffers_[turn].data();
}

void PinnedCopies::upload(ResultPointer device, InputPointer host, std::size_t n) {
    if (n == 0) return;
    const std::size_t size = host.element_size();
    if (memory_of(host.address(), context_.device()) == Memory::pinned) {
        cuda_check(cudaMemcpyAsync(device.address(), host.address(), n * size, cudaMemcpyHostToDevice, context_.stream()),
                   "cudaMemcpyAsync");
        return;
    }
    const auto from = static_cast<const std::byte*>(host.address());
    with_type(device, [&](auto* to) {
        upload(to, n,
               [&](std::size_t begin, std::size_t count, auto* buffer) { copy(buffer, from + begin * size, count * size); });
    });
}

void PinnedCopies::download(InputPointer device, ResultPointer host, std::size_t n) {
    if (n == 0) return;
    const std::size_t size = host.element_size();
    if (memory_of(host.address(), context_.device()) == Memory::pinned) {
        cuda_check(cudaMemcpyAsync(host.address(), device.address(), n * size, cudaMemcpyDeviceToHost, context_.stream()),
                   "cudaMemcpyAsync");
        return;
    }
    const auto to = static_cast<std::byte*>(host.address());
    with_type(device, [&](const auto* from) {
        download(from, n, [&](std::size_t begin, std::size_t count, const auto* buffer) {
            copy(to + begin * size, buffer, count * size);
        });
    });
}

void PinnedCopies::copy(void* to, const void* from, std::size_t bytes) const {
    const std::size_t parts = static_cast<std::size_t>(threads_);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t begin = bytes * p / parts, end = bytes * (p + 1) / parts;
        std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin, end - begin);
    }
}

}  // namespace gravlet
