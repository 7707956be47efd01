// SPDX-License-Identifier: Apache-2.0
// Options::redistribute: around an engine of any backend, bodies handed to their place on the curve. Ranks whose bodies lie in no
// order of space have groups of targets that are large, a tree that is each of them everywhere, and send each other nearly all.
//   1. hand_over: every rank checks what it brings, so that errors name it there; all agree on the root cube, and on whose
//      which stretch of the curve through it is (curve_split.hpp); bodies go to the ranks of their stretches (hand_over.hpp);
//   2. the engine solves for what has come;
//   3. hand_back: results go to where the bodies came from.
// A tree is kept where nothing has moved: the same bodies then come in the same order.
#pragma once

#include "mpi/communicator.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/engine.hpp"
#include "solver/gather/device_access.hpp"
#include "solver/gather/gather_copy.hpp"
#include "solver/gather/gather_view.hpp"
#include "solver/redistribute/curve_split.hpp"
#include "solver/redistribute/hand_over.hpp"

#include <memory>
#include <optional>
#include <utility>

namespace gravlet {

class RedistributeEngine final : public Engine {
public:
    /// Local. `device`: how to reach callers' arrays that may be in a device's memory; null: all are in the host's.
    RedistributeEngine(const Communicator& comm, const Options& options, int threads, std::unique_ptr<Engine> engine,
                       std::unique_ptr<DeviceAccess> device);

    void solve(Stages& stages, const Input& input, Report& report) override;
    void set_options(const Options& options) override {
        options_ = options;
        engine_->set_options(options);
    }
    [[nodiscard]] SteeringState get_steering() const override { return engine_->get_steering(); }
    void set_steering(const SteeringState& state) override { engine_->set_steering(state); }
    [[nodiscard]] int threads() const override { return threads_; }
    [[nodiscard]] bool kept_tree() const override { return engine_->kept_tree(); }

private:
    void bring_in(const Input& input);
    void hand_over(Stages& stages, const Input& input);
    void hand_back(Stages& stages, const Input& input);
    void hold_probes(Input& handed_over);
    void store_probes() const;

    Options options_;
    int threads_;
    std::unique_ptr<Engine> engine_;
    std::unique_ptr<DeviceAccess> device_;
    CurveSplit split_;
    HandOver messages_;
    Input here_;  ///< the caller's, in host memory
    std::vector<std::byte> copy_memory_;
    GatherArrays copy_;
    std::optional<GatherView> copy_view_;
    std::vector<double> probe_results_;  ///< what of probes is wanted, one component after the other
};

/// Collective. `engine`, which is of all ranks of `comm`, or one around it if the options ask for it. `access` (local) makes a
/// DeviceAccess.
template <class Access>
std::unique_ptr<Engine> redistributed(Stages& stages, const Communicator& comm, const Options& options, int threads,
                                      std::unique_ptr<Engine> engine, const Access& access) {
    if (!options.redistribute || comm.size() == 1) return engine;
    stages.local([&] {
        std::unique_ptr<DeviceAccess> device = access();
        engine = std::make_unique<RedistributeEngine>(comm, options, threads, std::move(engine), std::move(device));
    });
    stages.agree();
    return engine;
}

}  // namespace gravlet
