// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/reduce.cuh"
#include "tools/evolve/motion_on.hpp"

namespace gravlet {

int devices_here() {
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError();
    return 0;
}

std::unique_ptr<Motion> make_device_motion(int device, bool tidal, double softening) {
    const DeviceScope scope(device);
    return std::make_unique<MotionOn<Gpu, Gpu::Machine, PinnedBuffer<std::uint8_t>>>(tidal, softening, device, 1);
}

}  // namespace gravlet
