// SPDX-License-Identifier: Apache-2.0
#include "solver/periodic/periodicity.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

namespace gravlet {

std::vector<Vector3> walked_images(const Frame& frame) {
    ImageRange range[3];
    for (std::size_t d = 0; d < 3; ++d) {
        if (!frame.box.periodic[d]) continue;
        for (int difference = 0; difference < frame.pieces.count[d]; ++difference) {
            const ImageRange of_pieces = frame.pieces.walked(frame.box, d, difference);
            if (of_pieces.last < of_pieces.first) continue;
            const int most = std::max(std::abs(of_pieces.first), std::abs(of_pieces.last));
            range[d] = {std::min(range[d].first, -most), std::max(range[d].last, most)};
        }
    }
    // Those that are displaced by half a period in each step in x, at most.
    const bool sheared = frame.box.shear != 0.0;
    if (sheared) range[1] = {range[1].first - range[0].last, range[1].last + range[0].last};
    const double last_row = frame.pieces.count[1] - 1.0;
    std::vector<Vector3> images{{0.0, 0.0, 0.0}};
    for (int k = range[2].first; k <= range[2].last; ++k)
        for (int j = range[1].first; j <= range[1].last; ++j)
            for (int i = range[0].first; i <= range[0].last; ++i) {
                const Vector3 by = frame.box.image(i, j, k);
                if (sheared && !is_walked(-last_row, last_row, by.y, frame.pieces.side)) continue;
                if (i != 0 || j != 0 || k != 0) images.push_back(by);
            }
    const double shortest = frame.box.shortest_period();
    if (images.size() > max_walked_images)
        throw Error(
            ErrorCode::invalid_option,
            fmt::format("domain: too elongated for periodic_method: images; its sides are {}, {} and {} times the shortest "
                        "period. Use periodic_method: table, or a domain that is no larger than the bodies need",
                        frame.box.side[0] / shortest, frame.box.side[1] / shortest, frame.box.side[2] / shortest));
    return images;
}

}  // namespace gravlet
