// SPDX-License-Identifier: Apache-2.0
// The engine that solves on a device.
#include "gpu/device.hpp"
#include "gpu/gpu.hpp"
#include "solver/backend_engine.hpp"

namespace gravlet {

std::unique_ptr<Engine> make_device_engine(Stages& stages, const Communicator& comm, const Options& options, int device,
                                           int threads) {
    return prepared_engine(stages, [&] {
        const DeviceScope scope(device);
        return std::make_unique<BackendEngine<Gpu>>(comm, options, device, threads);
    });
}

}  // namespace gravlet
