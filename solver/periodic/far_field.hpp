// SPDX-License-Identifier: Apache-2.0
// The images that no walk visits, at the level that suits a solve (solver/periodic/far_levels.hpp). What a level knows of the box
// is kept while others are used: a tolerance may lead to and fro, and kernels take longer than a solve.
#pragma once

#include "solver/periodic/far_images.hpp"

#include <optional>
#include <vector>

namespace gravlet {

template <class Exec>
class FarField {
public:
    explicit FarField(const Exec& exec) : exec_(exec) {}

    /// Local. Before all else of a solve, which takes these options.
    void begin(const Frame& frame, const Options& taken, Narrator& narrator) {
        level_ = far_level(taken, frame.derivatives);
        with_level([&](auto& far) {
            if (!far) far.emplace(exec_);
            far->begin(frame, narrator);
        });
    }

    /// As FarImages has them.
    std::vector<double> collect(const Frame& frame, const Bodies<Exec>& b) {
        std::vector<double> masses;
        with_level([&](auto& far) { masses = far->collect(frame, b); });
        return masses;
    }
    void add(const std::vector<double>& masses, const Frame& frame, Bodies<Exec>& b) {
        with_level([&](auto& far) { far->add(masses, frame, b); });
    }
    void add_elsewhere(const std::vector<double>& masses, const Frame& frame, Bodies<Exec>& targets) {
        with_level([&](auto& far) { far->add_elsewhere(masses, frame, targets); });
    }

    /// Local. Adds a mass that is no body of the tree to what collect() gave.
    void bring_to_nodes(const Frame& frame, const Vector3& at, double mass, std::vector<double>& masses) {
        with_level([&](auto& far) {
            using Grid = typename std::decay_t<decltype(*far)>::Grid;
            gravlet::bring_to_nodes(Grid(frame.pieces), at, mass, masses.data());
        });
    }

private:
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
    std::optional<FarImages<Exec, CoarseNodes>> coarse_;
    std::optional<FarImages<Exec, MediumNodes>> medium_;
    std::optional<FarImages<Exec, FineNodes>> fine_;
};

}  // namespace gravlet
