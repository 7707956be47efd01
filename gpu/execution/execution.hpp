// SPDX-License-Identifier: Apache-2.0
// The GPU backend as a value: `Gpu` is passed to the algorithms of solver/, which find their primitives by overloading
// (gpu/execution/primitives.cuh; solver/execution.hpp lists all).
#pragma once

#include "gpu/execution/buffer.hpp"
#include "gpu/execution/direct.hpp"
#include "physics/path_size.hpp"
#include "physics/types.hpp"
#include "physics/walk_rules.hpp"
#include "solver/criterion/order_costs.hpp"

#include <gravlet/options.hpp>

#include <nvtx3/nvToolsExt.h>

#include <cstdint>
#include <string>

namespace gravlet {

class GpuWalk;
class GpuTransfer;
class GpuMessages;
class GpuFft;
template <std::uint32_t Size>
class GpuTeam;

struct Gpu {
    GpuContext* context;
    MemoryTally* tally;
    int threads;  ///< threads of the host, for copies

    template <class T>
    using Buffer = DeviceBuffer<T>;
    using Walk = GpuWalk;
    using Transfer = GpuTransfer;
    using Messages = GpuMessages;
    using Fft = GpuFft;
    template <std::uint32_t Size>
    using Team = GpuTeam<Size>;
    class Machine;

    /// A named range in a profiler's timeline.
    class [[nodiscard]] Range {
    public:
        explicit Range(const char* name) { nvtxRangePushA(name); }
        ~Range() { nvtxRangePop(); }
        Range(const Range&) = delete;
        Range& operator=(const Range&) = delete;
    };

    /// Makes the device the current one, and restores the caller's. When it ends nothing is under way there: after an error, too,
    /// the caller's arrays are the caller's again, and the buffers of copies may be filled anew.
    class [[nodiscard]] Scope {
    public:
        explicit Scope(const Gpu& gpu) : device_(gpu.context->device()), context_(*gpu.context) {}
        ~Scope() {
            if (cudaStreamSynchronize(context_.stream()) != cudaSuccess) cudaGetLastError();  // or the next call would meet it
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        DeviceScope device_;
        const GpuContext& context_;
    };

    // Numbers that suit a GPU; solver/execution.hpp says what they are.
    static constexpr bool strided = true;
    static constexpr std::size_t groups_together = gpu_set_groups;
    static constexpr node_index nodes_at_once = path_size(1 << 16, 64);
    static constexpr std::size_t least_scan_chunks = path_size(1 << 18, 64);
    static constexpr double exchange_speed = path_size(2.5e9, 2.5e5);
    [[nodiscard]] static double walk_speed() { return 5e11; }
    static constexpr const OrderCosts& order_costs = costs_on_gpus;
    static constexpr std::size_t groups_for_long_runs = path_size(1 << 17, 16);
    static constexpr std::size_t far_batch = path_size(1024, 4);
    /// Targets of a group: one or two a lane.
    static std::size_t group_size(const Options& options) { return options.group_size > 0 && options.group_size < 48 ? 32 : 64; }
    /// Few groups are smaller, so that there are warps enough.
    template <class Sparse>
    static std::size_t packed_group_size(const Options& options, std::size_t active, const Sparse& sparse) {
        constexpr std::size_t few_of_64 = 2048, few = 256;
        std::size_t size = active < few_of_64 * 64 || sparse() ? 32 : group_size(options);
        while (size > 1 && active < few * size) size /= 2;
        return size;
    }
    static constexpr std::size_t least_group_size = 32;
    static std::size_t few_bodies(bool cells) { return cells ? 8192 : 12288; }
    [[nodiscard]] const std::string& name() const { return context->name(); }
    [[nodiscard]] DirectKernel direct(const DirectLaw& law) const { return gpu_direct_kernel(*context, law); }
    void synchronize() const { context->synchronize(); }

    template <class T>
    [[nodiscard]] Buffer<T> buffer() const {
        return Buffer<T>(*context);
    }
};

/// What an execution value refers to. Made while the device is current.
class Gpu::Machine {
public:
    Machine(int device, int threads) : context_(device), threads_(threads) {}
    [[nodiscard]] Gpu exec() { return {&context_, &context_.tally(), threads_}; }

private:
    GpuContext context_;
    int threads_;
};

/// Copies from host memory, which may be used anew when this returns: what is not page-locked has gone through the driver's own
/// by then. (Page-locked memory is the caller's, who has it back after the stage.)
template <class T>
void copy_in(const Gpu& gpu, const T* host, T* device, std::size_t n) {
    if (n == 0) return;
    cuda_check(cudaMemcpyAsync(device, host, n * sizeof(T), cudaMemcpyHostToDevice, gpu.context->stream()), "cudaMemcpyAsync");
}
/// Copies to host memory; done when it returns.
template <class T>
void copy_out(const Gpu& gpu, const T* device, T* host, std::size_t n) {
    if (n == 0) return;
    cuda_check(cudaMemcpyAsync(host, device, n * sizeof(T), cudaMemcpyDeviceToHost, gpu.context->stream()), "cudaMemcpyAsync");
    gpu.context->synchronize();
}
template <class T>
T read(const Gpu& gpu, const T* device) {
    static_assert(sizeof(T) <= GpuContext::slot_bytes);
    T* const slot = static_cast<T*>(gpu.context->pinned_slot());
    copy_out(gpu, device, slot, 1);
    return *slot;
}

}  // namespace gravlet
