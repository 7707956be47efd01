// SPDX-License-Identifier: Apache-2.0
#include "solver/periodic/periodicity.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

namespace gravlet {

namespace {

[[noreturn]] void reject_elongated(const PeriodicBox& box) {
    const double shortest = box.shortest_period();
    throw Error(ErrorCode::invalid_option,
                fmt::format("domain: too elongated for periodic_method: images; its sides are {}, {} and {} times the shortest "
                            "period. Use periodic_method: table, or a domain that is no larger than the bodies need",
                            box.side[0] / shortest, box.side[1] / shortest, box.side[2] / shortest));
}

}  // namespace

std::vector<Vector3> walked_images(const Frame& frame) {
    int most[3];
    for (std::size_t d = 0; d < 3; ++d) most[d] = walked_periods(frame.box, frame.pieces, d);
    const bool sheared = frame.box.shear != 0.0;
    if (sheared) most[1] += most[0];  // each step in x displaces by half a period of y at most
    const double last_row = frame.pieces.count[1] - 1.0;
    std::vector<Vector3> images{{0.0, 0.0, 0.0}};
    for (int k = -most[2]; k <= most[2]; ++k)
        for (int j = -most[1]; j <= most[1]; ++j)
            for (int i = -most[0]; i <= most[0]; ++i) {
                const Vector3 by = frame.box.image(i, j, k);
                if (sheared && !is_walked(-last_row, last_row, by.y, frame.pieces.side)) continue;
                if (i != 0 || j != 0 || k != 0) images.push_back(by);
                if (images.size() > max_walked_images) reject_elongated(frame.box);
            }
    return images;
}

}  // namespace gravlet
