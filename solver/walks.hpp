// SPDX-License-Identifier: Apache-2.0
// The one walk that a solve's options ask for: by the Ewald table, in double, or in single precision with the nearest images.
#pragma once

#include "solver/criterion/walk_law.hpp"
#include "solver/periodic/periodicity.hpp"
#include "solver/periodic/table_walk.hpp"
#include "solver/precise/lane_walk.hpp"

namespace gravlet {

template <class Exec>
class Walks {
public:
    Walks(const Exec& exec, const Options& options) : exec_(exec), periodicity_(exec, options), walk_(exec) {}

    /// Local. Begins a solve, once its units are known, and what walks go by.
    void begin(const Frame& frame, const WalkLaw& law, Narrator& narrator) { periodicity_.begin(frame, law.taken, narrator); }

    /// The targets, with the images that are walked.
    [[nodiscard]] WalkTargets with_images(const Frame& frame, WalkTargets targets) const {
        periodicity_.set(frame, targets);
        return targets;
    }

    /// Local. Adds to the targets' sums. `precise`: in double. `poll` is called now and then, where the walk allows it.
    template <class Poll>
    InteractionCounts run(const WalkLaw& law, const Frame& frame, const TreeView& tree, const WalkTargets& targets,
                          const EwaldView& table, const PreciseView& precise, const Poll& poll) {
        if (law.by_table()) return run_table_walk(exec_, table_walk(frame, tree, targets, table), law.order());
        const WalkTargets all = with_images(frame, targets);
        if (law.in_double()) return walk_in_double(exec_, PreciseWalk{tree, precise, all}, poll);
        return walk_.run(tree, all, law.order(), poll);
    }

    /// The field of the images that are not walked; null where all are, and where nothing is periodic.
    [[nodiscard]] FarField<Exec>* far() { return periodicity_.far(); }

private:
    Exec exec_;
    Periodicity<Exec> periodicity_;
    typename Exec::Walk walk_;
};

}  // namespace gravlet
