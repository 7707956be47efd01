// SPDX-License-Identifier: Apache-2.0
// The host: gas, sinks and gravity on a mesh that follows the Jeans length, and its checkpoints.
#pragma once

#include "gravity.hpp"
#include "mesh.hpp"
#include "problems.hpp"
#include "settings.hpp"

namespace core_collapse {

/// What a checkpoint has beside the mesh, sinks, and what gravlet's tolerance has learned.
struct Status {
    int step = 0;
    double time = 0.0, dt = 0.0;
    double gravity_step = 0.0;  ///< the shortest sqrt(h/|a|)
    Gas first{}, left{};        ///< mass and momentum in the beginning; and what has left the box (flow())
};

/// Seconds of one step, and of gravity in it.
struct Seconds {
    double step = 0.0, gravity = 0.0;
};

/// What is in the box, of all ranks.
struct Totals {
    Gas gas{};  ///< mass and momentum; sinks' too
    double absolute_momentum = 0.0, densest = 0.0, sink_mass = 0.0;
    int finest = 0;
};

class Simulation {
public:
    /// Collective. A problem in its beginning, or as Settings::resume has it.
    Simulation(MPI_Comm comm, const Settings& settings, const Problem& problem);

    [[nodiscard]] bool goes_on() const;
    /// Collective. Half kicks around the gas's step, and one solve.
    void step();
    /// Collective. Writes `path` and `path`.mesh.
    void save(const std::string& path);

    [[nodiscard]] const Mesh& mesh() const { return mesh_; }
    [[nodiscard]] const Status& status() const { return status_; }
    [[nodiscard]] const std::vector<Sink>& sinks() const { return sinks_; }
    [[nodiscard]] const gravlet::Report& report() const { return gravity_.report(); }
    [[nodiscard]] Seconds seconds() const { return seconds_; }
    [[nodiscard]] double time() const { return status_.time / problem_.unit_of_time; }  ///< now, in the problem's unit
    [[nodiscard]] double end() const { return problem_.end; }                           ///< when the run ends, in that unit
    [[nodiscard]] double finest_cell() const { return settings_.gravity.softening; }
    /// Collective. Sums and extremes of all ranks.
    [[nodiscard]] Totals totals() const;

private:
    void begin();
    void resume(const std::string& path);
    bool adapt();
    void kick_all(double dt);
    void solve();
    [[nodiscard]] double choose_step() const;

    Settings settings_;
    Problem problem_;
    Mesh mesh_;
    Gravity gravity_;
    std::vector<Sink> sinks_;
    Status status_;
    Seconds seconds_;
};

}  // namespace core_collapse
