// SPDX-License-Identifier: Apache-2.0
// Boxes around a rank's targets.
#pragma once

#include "physics/acceptance.hpp"
#include "solver/data/bodies.hpp"

#include <algorithm>
#include <vector>

namespace gravlet {

/// Local. The boxes of `count` consecutive runs of groups; the last one is repeated where there are fewer groups.
template <class Exec>
std::vector<TargetBox> target_boxes(const Exec& exec, const TargetSet<Exec>& b, std::size_t count) {
    const std::size_t groups = b.groups.size(), used = std::min(groups, count);
    std::vector<TargetBox> boxes(count, {empty_bounds(), 0.0, 0.0});
    if (used == 0) return boxes;
    // In two steps, so that more than a few threads have work: parts of the runs first.
    const std::size_t parts = std::min<std::size_t>(groups, 64 * used);
    auto unions = exec.template buffer<TargetBox>();
    unions.resize_discard(parts + used);
    TargetBox *const part = unions.data(), *const run = part + parts;
    const Group* const all = b.groups.data();
    for_each(exec, parts, [=] GRAVLET_HD(std::size_t k) {
        const std::size_t begin = groups * k / parts, end = groups * (k + 1) / parts;
        TargetBox out{all[begin].box, all[begin].softening, all[begin].factor};
        for (std::size_t g = begin + 1; g < end; ++g) out = united(out, {all[g].box, all[g].softening, all[g].factor});
        part[k] = out;
    });
    for_each(exec, used, [=] GRAVLET_HD(std::size_t k) {
        const std::size_t begin = parts * k / used, end = parts * (k + 1) / used;
        TargetBox out = part[begin];
        for (std::size_t p = begin + 1; p < end; ++p) out = united(out, part[p]);
        run[k] = out;
    });
    copy_out(exec, run, boxes.data(), used);
    std::fill(boxes.begin() + static_cast<std::ptrdiff_t>(used), boxes.end(), boxes[used - 1]);
    return boxes;
}

}  // namespace gravlet
