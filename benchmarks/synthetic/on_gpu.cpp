// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/synthetic/middle_rank.hpp"
#include "gpu/gpu.hpp"

namespace gravlet::bench {

std::string gpu_name() {
    const DeviceScope scope(0);
    return Gpu::Machine(0, 1).exec().name();
}

std::vector<Run> measure_on_gpu(const Settings& settings, long ranks) {
    const DeviceScope scope(0);
    Gpu::Machine machine(0, 1);
    return measure<Gpu>(settings, ranks, machine);
}

}  // namespace gravlet::bench
