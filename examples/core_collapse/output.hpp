// SPDX-License-Identifier: Apache-2.0
// What a run says: lines for people, a CSV of all steps, slices through the middle for pictures.
#pragma once

#include "simulation.hpp"

#include <fstream>

namespace core_collapse {

/// What numerics have made of mass and momentum, which had to stay: relative to the mass, and to all momentum without directions.
struct Drift {
    double mass, momentum;
};
[[nodiscard]] Drift drift_of(const Status& status, const Totals& totals);

class Output {
public:
    Output(MPI_Comm comm, const Settings& settings);

    /// Collective. What there is to say after a step.
    void step(const Simulation& simulation);
    /// Collective. Gravity's share of the run, and a line that begins with "density" and is the same for the same bits.
    void end(const Simulation& simulation) const;

private:
    void slice(const Simulation& simulation, const std::string& path) const;

    Settings settings_;
    bool speaks_;
    std::ofstream csv_;
    Seconds sum_;
    double cells_ = 0.0;  ///< sum over all steps
};

}  // namespace core_collapse
