// SPDX-License-Identifier: Apache-2.0
// The images that no walk visits, at the level that suits a solve (solver/periodic/far_levels.hpp). What a level knows of the box
// is kept while others are used: a tolerance may lead to and fro, and kernels take longer than a solve.
#pragma once

#include "solver/periodic/far_images.hpp"

#include <mpi.h>

#include <optional>
#include <type_traits>
#include <vector>

namespace gravlet {

template <class Exec>
class FarField {
public:
    explicit FarField(const Exec& exec) : exec_(exec) {}

    /// Local. Begins a solve, before all else of it, which takes these options.
    void begin(const Frame& frame, const Options& taken, Narrator& narrator) {
        const bool heavy = frame.heavy_mass < INFINITY;
        level_ = taken.precision == Precision::double_ ? FarLevel::fine : far_level(taken, frame.derivatives, heavy);
        with_level([&](auto& far) {
            if (!far) far.emplace(exec_);
            far->begin(frame, narrator);
        });
    }

    /// Collective, by stages of `run`. Adds what the images do to the sums of targets, this rank's bodies or some of them.
    /// `bring_others()`: brings this rank's masses that are no bodies of the tree to the nodes. `exact`: of all bodies, or null
    /// (solver/precise).
    template <class Run, class BringOthers>
    void act(const Run& run, const Frame& frame, const Bodies<Exec>& b, TargetSet<Exec>& targets, const ExactSource* exact,
             const BringOthers& bring_others) {
        run.local(stage, [&] {
            with_level([&](auto& far) { masses_ = far->collect(frame, b, exact); });
            bring_others();
        });
        run.collective(stage,
                       [&](const auto& all) { all.all_reduce(masses_.data(), static_cast<int>(masses_.size()), MPI_SUM); });
        run.local(stage, [&] {
            if (&targets != &b) return add_elsewhere(frame, targets);
            with_level([&](auto& far) { far->add(masses_, frame, targets); });
        });
    }

    /// Local, called by bring_others(). Brings a mass to the nodes.
    void bring_to_nodes(const Frame& frame, const Vector3& at, double mass) {
        with_level([&](auto& far) {
            using Grid = typename std::decay_t<decltype(*far)>::Grid;
            gravlet::bring_to_nodes(Grid(frame.pieces), at, mass, masses_.data());
        });
    }

    /// Local, after act(). Adds what the images do to the sums of other targets.
    void add_elsewhere(const Frame& frame, TargetSet<Exec>& targets) {
        with_level([&](auto& far) { far->add_elsewhere(masses_, frame, targets); });
    }

private:
    static constexpr const char* stage = "far_images";

    template <class F>
    void with_level(F f) {
        switch (level_) {
            case FarLevel::coarse: return f(coarse_);
            case FarLevel::medium: return f(medium_);
            case FarLevel::fine: return f(fine_);
        }
    }

    Exec exec_;
    FarLevel level_ = FarLevel::coarse;
    std::vector<double> masses_;  ///< masses at the nodes, of all ranks
    std::optional<FarImages<Exec, CoarseNodes>> coarse_;
    std::optional<FarImages<Exec, MediumNodes>> medium_;
    std::optional<FarImages<Exec, FineNodes>> fine_;
};

}  // namespace gravlet
