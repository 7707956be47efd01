// SPDX-License-Identifier: Apache-2.0
// The engine that solves on a device. What its stages launch is compiled by files of their own (gpu/CMakeLists.txt).
#include "gpu/device.hpp"
#include "gpu/execution/messages.hpp"
#include "gpu/execution/transfer.hpp"
#include "gpu/stages/bodies.hpp"
#include "gpu/stages/caller.hpp"
#include "gpu/stages/changed_tree.hpp"
#include "gpu/stages/periodic.hpp"
#include "gpu/stages/tree.hpp"
#include "gpu/walk/walk.hpp"
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
