// SPDX-License-Identifier: Apache-2.0
// What is known of the problems: free fall, Shu's expansion wave, and for all of them that mass and momentum stay.
#pragma once

#include "simulation.hpp"

#include <memory>

namespace core_collapse {

class Judge {
public:
    Judge() = default;
    Judge(const Judge&) = delete;
    Judge& operator=(const Judge&) = delete;
    virtual ~Judge() = default;
    /// Collective. A look at the simulation after a step.
    virtual void look(const Simulation& simulation) = 0;
    /// Collective, at the end: says what it has found (rank 0), and whether that is right.
    [[nodiscard]] virtual bool is_right(const Simulation& simulation, bool speaks) const = 0;
};

[[nodiscard]] std::unique_ptr<Judge> make_judge(const Settings& settings);

}  // namespace core_collapse
