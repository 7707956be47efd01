// SPDX-License-Identifier: Apache-2.0
// The solver's algorithms, instantiated for the GPU.
#include "gpu/gpu.cuh"

#include "gpu/device_engine.hpp"
#include "solver/backend_engine.hpp"

#include <optional>

namespace gravlet {
namespace {

class GpuEngine final : public Engine {
public:
    GpuEngine(const Communicator& comm, const Options& options, int device, int threads)
        : context_(device), engine_(comm, options, Gpu{&context_, &context_.tally(), threads}) {}

    void prepare(Stages& stages) {
        std::optional<DeviceScope> scope;
        stages.local([&] { scope.emplace(context_.device()); });
        engine_.prepare(stages);
    }
    void solve(Stages& stages, const Input& input, Report& report) override {
        std::optional<DeviceScope> scope;
        stages.local([&] { scope.emplace(context_.device()); });
        engine_.solve(stages, input, report);
    }
    [[nodiscard]] bool kept_tree() const override { return engine_.kept_tree(); }

private:
    GpuContext context_;
    BackendEngine<Gpu> engine_;
};

}  // namespace

std::unique_ptr<Engine> make_device_engine(Stages& stages, const Communicator& comm, const Options& options, int device,
                                           int threads) {
    return prepared_engine(stages, [&] {
        const DeviceScope scope(device);
        return std::make_unique<GpuEngine>(comm, options, device, threads);
    });
}

}  // namespace gravlet
