// SPDX-License-Identifier: Apache-2.0
#include "gpu/device_access.hpp"

#include "gpu/execution/check.hpp"
#include "gpu/execution/context.hpp"
#include "gpu/execution/device_use.hpp"
#include "gpu/execution/pinned_copies.hpp"

#include <optional>

namespace gravlet {
namespace {

/// Calls f(offset in the block's array, its pitch, offset in the dense one, its pitch, width of a row, rows), all but the last in
/// numbers, for what one copy moves of the block: a plane, or where x is not fastest, a row of single numbers.
template <class F>
void for_copies(const Block& block, const Stride& stride, F f) {
    const auto [nx, ny, nz] = block.n;
    const auto [sx, sy, sz] = stride;
    if (sx < 1)
        throw Error(ErrorCode::not_available,
                    "gpu_sharing: gather and redistribute: true take blocks in device memory only with positive strides");
    const std::size_t rows = static_cast<std::size_t>(ny), row = static_cast<std::size_t>(nx);
    for (int k = 0; k < nz; ++k) {
        const std::size_t dense = static_cast<std::size_t>(k) * rows * row;
        if (sx == 1 && sy >= nx) {
            f(k * sz, static_cast<std::size_t>(sy), dense, row, row, rows);
            continue;
        }
        for (int j = 0; j < ny; ++j)
            f(j * sy + k * sz, static_cast<std::size_t>(sx), dense + static_cast<std::size_t>(j) * row, 1, 1, row);
    }
}

class GpuAccess final : public DeviceAccess {
public:
    explicit GpuAccess(int device) : device_(device) {}

    [[nodiscard]] bool on_device(const void* array) const override {
        const std::optional<int> used = used_device();
        if (!used) return false;  // without a context there is no device memory
        const DeviceScope scope(*used);
        return memory_of(array, device_) == Memory::device;
    }
    void fetch(const void* from, void* to, std::size_t bytes) const override { copy_rows(to, bytes, from, bytes, bytes, 1); }
    void store(const void* from, void* to, std::size_t bytes) const override { copy_rows(to, bytes, from, bytes, bytes, 1); }
    void fetch_block(const Block& block, const Stride& stride, InputPointer array, void* to) const override {
        const std::size_t size = array.element_size();
        for_copies(block, stride,
                   [&](std::ptrdiff_t offset, std::size_t pitch, std::size_t dense, std::size_t dense_pitch, std::size_t width,
                       std::size_t rows) {
                       copy_rows(static_cast<std::byte*>(to) + dense * size, dense_pitch * size, (array + offset).address(),
                                 pitch * size, width * size, rows);
                   });
    }
    void store_block(const Block& block, const Stride& stride, const void* from, ResultPointer array) const override {
        const std::size_t size = array.element_size();
        for_copies(block, stride,
                   [&](std::ptrdiff_t offset, std::size_t pitch, std::size_t dense, std::size_t dense_pitch, std::size_t width,
                       std::size_t rows) {
                       copy_rows((array + offset).address(), pitch * size, static_cast<const std::byte*>(from) + dense * size,
                                 dense_pitch * size, width * size, rows);
                   });
    }
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
    /// Copies rows; all sizes are in bytes.
    void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                   std::size_t rows) const {
        const DeviceScope scope(used_device().value_or(device_));
        if (rows == 1) {  // pitches have a limit
            cuda_check(cudaMemcpy(to, from, width, cudaMemcpyDefault), "cudaMemcpy");
        } else {
            cuda_check(cudaMemcpy2D(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDefault), "cudaMemcpy2D");
        }
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
};

}  // namespace

std::unique_ptr<DeviceAccess> make_device_access(int device) { return std::make_unique<GpuAccess>(device); }

}  // namespace gravlet
