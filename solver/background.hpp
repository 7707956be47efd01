// SPDX-License-Identifier: Apache-2.0
// An even density pulls nobody in a box that is periodic in all directions, and its potential, whose mean is 0, is 0. So where
// cells fill the box, what all of them have alike is taken off: what a tree errs by is then relative to what differs, and cells
// of unequal size, as points, do not pull where the density is even.
#pragma once

#include "solver/data/frame.hpp"
#include "solver/stage_in.hpp"

namespace gravlet {

/// Collective, by stages local(f) and collective(f). The units of a solve of `here`, in the backend's memory and looked at, whose
/// cells then are without the background.
template <class Exec, class LocalStage, class CollectiveStage>
Frame agree_on_units(const Exec& exec, const Options& options, const InputScan& scan, Input& here, const LocalStage& local,
                     const CollectiveStage& collective) {
    Frame frame;
    InputScan left;
    const auto agree = [&](const InputScan& found) {
        collective([&](const Agreed& all) {
            frame = agree_on_frame(all, found, here.point_count > 0, here.derivatives, options, here.background);
        });
    };
    agree(scan);
    if (frame.background == 0.0) return frame;
    here.background = frame.background;
    local([&] { left = look_at(exec, here, Domain(options)); });
    agree(left);
    return frame;
}

}  // namespace gravlet
