// SPDX-License-Identifier: Apache-2.0
// Several ranks of one machine that share a device hand their bodies to one of them, through shared memory; it solves for all,
// with the leaders of other groups, and everyone gets its results back.
//   1. gather: every rank writes what it brings to the group's shared memory, its blocks without their guards. The leader sends
//      the first densities of blocks that it knows to its device while the others are still being written;
//   2. the leaders' engine, of any backend, takes these arrays as one input and writes its results beside them;
//   3. scatter: every rank copies its own results to its caller's arrays.
// One tree of many cells costs the device less than many trees of few, and there is one context's memory and no exchange.
#pragma once

#include "mpi/rank_group.hpp"
#include "mpi/shared_window.hpp"
#include "solver/data/engine.hpp"
#include "solver/gather/device_access.hpp"
#include "solver/gather/gather_layout.hpp"
#include "solver/gather/gather_progress.hpp"
#include "solver/gather/gather_view.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace gravlet {

class GatherEngine final : public Engine {
public:
    /// Collective over the leaders, whose communicator it is given. `threads`: the leader's own. With its members' too its solve
    /// would be a little shorter, but threads that OpenMP keeps awake would then take the cores that members need
    /// (docs/notebook/2026-11-performance.md).
    using MakeEngine = std::function<std::unique_ptr<Engine>(const Communicator& leaders, int threads, Narrator& narrator)>;

    /// Local. An engine whose ranks gather on a leader's, which `make` makes.
    GatherEngine(const Communicator& comm, const Options& options, int threads, MakeEngine make,
                 std::unique_ptr<DeviceAccess> device = std::make_unique<DeviceAccess>());

    /// Collective, once. Forms groups: ranks of one machine with one colour (>= 0) are a group. Throws the same Error on every
    /// rank: not_available if they cannot share memory, or what `make` throws on the leaders.
    void prepare(Stages& stages, int colour);
    void solve(Stages& stages, const Input& input, Report& report) override;
    void set_options(const Options& options) override {
        options_ = options;
        if (engine_ != nullptr) engine_->set_options(options);
    }
    [[nodiscard]] SteeringState get_steering() const override {
        return engine_ != nullptr ? engine_->get_steering() : SteeringState{};
    }
    void set_steering(const SteeringState& state) override {
        if (engine_ != nullptr) engine_->set_steering(state);
    }
    [[nodiscard]] int threads() const override { return threads_; }
    [[nodiscard]] bool kept_tree() const override { return engine_ != nullptr && engine_->kept_tree(); }

private:
    [[nodiscard]] GatherLayout agree_on_layout(Stages& stages, const Input& input) const;
    /// Writes this rank's part into the gathered arrays.
    void write(Stages& stages, const Input& input, const GatherLayout& layout, const GatherArrays& mine, bool described);
    /// The gathered arrays, in the shared memory behind what members say of their progress.
    [[nodiscard]] std::byte* arrays() const { return window_.data() + GatherProgress::bytes(group_.members().size()); }
    [[nodiscard]] Outcome lead(const GatherLayout& layout, Narrator& narrator, std::string& report) noexcept;
    void hear_report(Stages& stages, std::string& bytes) const;

    const Communicator& comm_;
    Options options_;
    int threads_;
    MakeEngine make_;
    std::unique_ptr<DeviceAccess> device_;
    RankGroup group_;
    SharedWindow window_;
    std::unique_ptr<Engine> engine_;      ///< the leader's
    std::optional<GatherLayout> layout_;  ///< layout of the last solve, if there were no errors
    std::optional<GatherView> view_;      ///< the leader's, of that
    std::uint64_t views_ = 0;
    std::uint32_t turn_ = 0;          ///< number of the solve
    std::optional<SendAhead> ahead_;  ///< the leader's, while there is a solve
};

}  // namespace gravlet
