// SPDX-License-Identifier: Apache-2.0
#include "gpu/device_access.hpp"

#include "gpu/execution/check.hpp"
#include "gpu/execution/context.hpp"
#include "gpu/execution/device_use.hpp"
#include "gpu/execution/pinned_copies.hpp"
#include "gpu/transfer/block_copies.hpp"

#include <optional>

namespace gravlet {
namespace {

class GpuAccess final : public DeviceAccess {
public:
    explicit GpuAccess(int device) : device_(device) {}

    [[nodiscard]] bool on_device(const void* array) const override {
        const std::optional<int> used = used_device();
        if (!used) return false;  // without a context there is no device memory
        const DeviceScope scope(*used);
        return memory_of(array, device_) == Memory::device;
    }
    void fetch(const void* from, void* to, std::size_t bytes) const override { copy(to, from, bytes); }
    void store(const void* from, void* to, std::size_t bytes) const override { copy(to, from, bytes); }
    void describe_blocks(const Input& input, int threads) override {
        const int device = used_device().value_or(device_);
        const DeviceScope scope(device);
        if (!blocks_) blocks_.emplace(device, threads);
        blocks_->describe(input);
    }
    void fetch_densities(double* to) override { blocks_->fetch_densities(to); }
    void store_results(std::size_t component, const double* from) override { blocks_->store_results(component, from); }
    /// What cannot be page-locked is only slower.
    void pin(void* data, std::size_t bytes) const noexcept override {
        with_device([&] { return cudaHostRegister(data, bytes, cudaHostRegisterDefault); });
    }
    void unpin(void* data) const noexcept override {
        with_device([&] { return cudaHostUnregister(data); });
    }

private:
    /// Number of a device that is in use: this rank's caller may use another than the one that its cells go to.
    [[nodiscard]] std::optional<int> used_device() const {
        if (is_in_use(device_)) return device_;
        int count = 0;
        if (cudaGetDeviceCount(&count) != cudaSuccess) cudaGetLastError();
        for (int device = 0; device < count; ++device)
            if (is_in_use(device)) return device;
        return std::nullopt;
    }
    void copy(void* to, const void* from, std::size_t bytes) const {
        const DeviceScope scope(used_device().value_or(device_));
        cuda_check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "cudaMemcpy");
    }
    template <class F>
    void with_device(F f) const noexcept {
        int before = 0;
        cudaGetDevice(&before);
        cudaSetDevice(device_);
        f();
        cudaSetDevice(before);
        cudaGetLastError();
    }

    int device_;
    std::optional<BlockCopies> blocks_;  ///< copies of blocks, where the caller has some there
};

}  // namespace

std::unique_ptr<DeviceAccess> make_device_access(int device) { return std::make_unique<GpuAccess>(device); }

}  // namespace gravlet
