// SPDX-License-Identifier: Apache-2.0
// The solver's algorithms, instantiated for the GPU.
#include "gpu/gpu.cuh"

#include "gpu/device_engine.hpp"
#include "solver/backend_engine.hpp"

namespace gravlet {
namespace {

class GpuEngine final : public Engine {
public:
    GpuEngine(const Communicator& comm, const Options& options, int device, int threads)
        : context_(device), engine_(comm, options, Gpu{&context_, &context_.tally(), threads}) {}

    Report solve(const Input& input) override {
        const DeviceScope scope(context_.device());
        return engine_.solve(input);
    }
    [[nodiscard]] bool kept_tree() const override { return engine_.kept_tree(); }

private:
    GpuContext context_;
    BackendEngine<Gpu> engine_;
};

}  // namespace

std::unique_ptr<Engine> make_device_engine(const Communicator& comm, const Options& options, int device, int threads) {
    const DeviceScope scope(device);
    return std::make_unique<GpuEngine>(comm, options, device, threads);
}

}  // namespace gravlet
