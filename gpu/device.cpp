// SPDX-License-Identifier: Apache-2.0
#include "gpu/device.hpp"

#include "gpu/engine.hpp"
#include "gpu/execution/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gravlet {
namespace {

constexpr int oldest_major = 7, oldest_minor = 5;

bool too_old(const cudaDeviceProp& p) { return p.major < oldest_major || (p.major == oldest_major && p.minor < oldest_minor); }

[[noreturn]] void unavailable(const std::string& message) { throw Error(ErrorCode::not_available, message); }

cudaDeviceProp properties_of(int device) {
    cudaDeviceProp properties{};
    cuda_check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    return properties;
}

}  // namespace

bool built_for_gpus() { return true; }

bool sees_gpus() {
    int count = 0, driver = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code == cudaSuccess) return count > 0;
    cudaGetLastError();
    return code != cudaErrorNoDevice && cudaDriverGetVersion(&driver) == cudaSuccess && driver > 0;
}

std::vector<std::string> gpu_names() {
    std::vector<std::string> names;
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
        cudaGetLastError();
        return names;
    }
    for (int device = 0; device < count; ++device) {
        const cudaDeviceProp p = properties_of(device);
        if (!too_old(p))
            names.push_back(fmt::format("gpu ({}, compute capability {}.{}, {:.0f} GB)", p.name, p.major, p.minor,
                                        1e-9 * static_cast<double>(p.totalGlobalMem)));
    }
    return names;
}

int choose_device(const Communicator& comm) {
    int count = 0;
    const cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0) {
        cudaGetLastError();
        unavailable(fmt::format("backend: gpu needs an NVIDIA GPU and its driver; CUDA finds none ({})",
                                code != cudaSuccess ? cudaGetErrorString(code) : "no device"));
    }
    const int device = comm.rank_on_node() % count;
    const cudaDeviceProp p = properties_of(device);
    if (too_old(p))
        unavailable(fmt::format("backend: gpu needs compute capability {}.{}; device {} ({}) has {}.{}", oldest_major,
                                oldest_minor, device, p.name, p.major, p.minor));
    return device;
}

DeviceId device_id(int device) {
    DeviceId id{};
    std::copy_n(properties_of(device).uuid.bytes, id.size(), id.begin());
    return id;
}

}  // namespace gravlet
