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

/// Points that leave a periodic box come back at its other side. side 0: of no periodic direction.
struct Wrap {
    double lower[3] = {}, side[3] = {};
};

/// Local, all of it. A failure is an exception, and the points are then of no use.
class Motion {
public:
    virtual ~Motion() = default;

    /// In place of all that it holds. Potentials and accelerations are to be found out.
    virtual void set(const Snapshot& from) = 0;
    /// With potentials and accelerations; but for time and numbers.
    virtual void get(Snapshot& to) const = 0;
    /// Sorted along a curve through their box: neighbours in space are neighbours in memory.
    virtual void sort() = 0;

    /// Where the solver finds them, active ones alone, and where it puts what it finds.
    [[nodiscard]] virtual Points points() = 0;
    [[nodiscard]] virtual Fields fields() = 0;

    /// Points on that level of steps and deeper ones are active.
    virtual void activate(int level) = 0;
    /// Active points take the level that their step should have, `least` at least.
    virtual void choose_levels(const StepRule& rule, int least) = 0;
    [[nodiscard]] virtual int deepest_level() const = 0;
    /// Points that should have a deeper level than there is.
    [[nodiscard]] virtual std::int64_t too_slow(const StepRule& rule) const = 0;
    /// Active points through half of their step.
    virtual void kick(double largest_step) = 0;
    /// All points.
    virtual void drift(double time, const Wrap& wrap) = 0;

    [[nodiscard]] virtual MotionSums sums() const = 0;
    /// What each costs in a largest step: how often it is active.
    virtual void work(std::vector<double>& of) const = 0;
};

/// Local. `tidal`: whether the rule asks for the tidal tensor.
[[nodiscard]] std::unique_ptr<Motion> make_host_motion(int threads, bool tidal, double softening);
/// Devices that this rank can see.
[[nodiscard]] int devices_here();
/// The same on a device. Throws Error(not_available) if there is none.
[[nodiscard]] std::unique_ptr<Motion> make_device_motion(int device, bool tidal, double softening);

}  // namespace gravlet
