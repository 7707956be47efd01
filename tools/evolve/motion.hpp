// SPDX-License-Identifier: Apache-2.0
// The points of one rank as they move: positions, velocities and what acts on them, in the memory that the solver works in. What
// a step does to them, a point at a time, is here for both backends; when it is done is evolve.cpp's.
//
// Kick, drift, kick (Quinn et al. 1997): in a step from t to t + dt a point's velocity is that of its middle, so that positions
// are linear in time between kicks, and those of points whose step goes on are right whenever others' ends.
#pragma once

#include "amr_adapter/files/gadget_file.hpp"
#include "tools/evolve/step_rule.hpp"

#include <gravlet/cells.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace gravlet {

/// What is conserved, and what is not, of some points.
struct MotionSums {
    double mass, kinetic, potential;  ///< energies; each pair of points counts once
    double mass_position[3], momentum[3], angular_momentum[3];
};

/// Points that leave a periodic box come back at its other side. side 0: of no periodic direction. Those that go through a plane
/// of symmetry are replaced by their image that comes. inward: 1 or -1, the way back from the plane; 0: there is none.
struct Wrap {
    double lower[3] = {}, side[3] = {};
    double plane[3] = {}, inward[3] = {};

    [[nodiscard]] bool mirrors() const { return inward[0] != 0.0 || inward[1] != 0.0 || inward[2] != 0.0; }
};

/// Local, all of it. A failure is an exception, and the points are then of no use.
class Motion {
public:
    virtual ~Motion() = default;

    /// Takes these points in place of all that it holds. Potentials and accelerations are to be found out.
    virtual void set(const Snapshot& from) = 0;
    /// Copies the points with potentials and accelerations; leaves the snapshot's time and numbers.
    virtual void get(Snapshot& to) const = 0;
    /// Sorts the points along a curve through their box: neighbours in space are neighbours in memory.
    virtual void sort() = 0;

    /// Arrays from which the solver takes the points, which of them are active, and (fields()) into which it writes results.
    [[nodiscard]] virtual Points points() = 0;
    [[nodiscard]] virtual Fields fields() = 0;

    /// Arrays of velocities: those by which points have drifted, until the next kick.
    [[nodiscard]] virtual std::array<InputSpan, 3> velocities() const = 0;

    /// Points on that level of steps and deeper ones are active.
    virtual void activate(int level) = 0;
    /// Active points take the level that their step should have, `least` at least.
    virtual void choose_levels(const StepRule& rule, int least) = 0;
    [[nodiscard]] virtual int deepest_level() const = 0;
    /// Points that should have a deeper level than there is.
    [[nodiscard]] virtual std::int64_t too_slow(const StepRule& rule) const = 0;
    /// Changes active points' velocities by half of their step.
    virtual void kick(double largest_step) = 0;
    /// Moves all points for this time.
    virtual void drift(double time, const Wrap& wrap) = 0;

    [[nodiscard]] virtual MotionSums sums() const = 0;
    /// What each point costs in a largest step: how often it is active.
    virtual void work(std::vector<double>& of) const = 0;
};

/// Local. A Motion in host memory. `tidal`: whether the rule asks for the tidal tensor.
[[nodiscard]] std::unique_ptr<Motion> make_host_motion(int threads, bool tidal, double softening);
/// Devices that this rank can see.
[[nodiscard]] int devices_here();
/// Local. A Motion whose points are in a device's memory. Throws Error(not_available) if there is no such device.
[[nodiscard]] std::unique_ptr<Motion> make_device_motion(int device, bool tidal, double softening);

}  // namespace gravlet
