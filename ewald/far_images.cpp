// SPDX-License-Identifier: Apache-2.0
#include "ewald/far_images.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {

ImageRange BoxPieces::walked(const PeriodicBox& box, std::size_t d, int difference) const {
    ImageRange range{0, 0};
    if (!box.periodic[d]) {
        if (!is_walked(difference, difference, 0.0, side)) range.last = -1;
        return range;
    }
    const auto is = [&](int image) { return is_walked(difference, difference, image * box.side[d], side); };
    // The middle of those that are walked, if any is, lies where the distance is least.
    const int nearest = -static_cast<int>(std::lround(difference * side / box.side[d]));
    range = {nearest, nearest - 1};
    while (is(range.last + 1)) ++range.last;
    if (range.last < range.first) return range;
    while (is(range.first - 1)) --range.first;
    return range;
}

std::size_t far_kernel_steps(const BoxPieces& pieces, const FarNodes& nodes) {
    auto steps = static_cast<std::size_t>(nodes.differences());
    for (const int count : pieces.count) steps *= static_cast<std::size_t>(count);
    return steps;
}

std::vector<double> far_kernel(const PeriodicBox& box, const BoxPieces& pieces, const FarNodes& nodes, double softening,
                               int threads, Progress& progress) {
    const double step = pieces.side / nodes.steps, beyond = 2.0 * nodes.margin() * step;
    double reach = 0.0;
    for (const int count : pieces.count) reach = std::max(reach, count * pieces.side + beyond);
    const LatticeSum sum(box, reach, 0.99 * (pieces.side - beyond), softening);
    const int differences = nodes.differences();
    std::array<std::vector<LatticeSum::Axis>, 3> axes;  // so many for each difference of pieces
    for (std::size_t d = 0; d < 3; ++d)
        for (int piece = 0; piece < pieces.count[d]; ++piece)
            for (int i = 0; i < differences; ++i)
                axes[d].push_back(
                    sum.axis(d, piece * pieces.side + (i - (nodes.count - 1)) * step, 0, pieces.walked(box, d, piece)));
    const auto steps = static_cast<std::size_t>(differences), block = steps * steps * steps;
    const std::size_t nx = static_cast<std::size_t>(pieces.count[0]), ny = static_cast<std::size_t>(pieces.count[1]),
                      nz = static_cast<std::size_t>(pieces.count[2]);
    std::vector<double> kernel(nx * ny * nz * block);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t row = 0; row < far_kernel_steps(pieces, nodes); ++row) {
        const std::size_t piece = row / steps, k = row % steps;
        const std::size_t px = piece % nx, py = piece / nx % ny, pz = piece / (nx * ny);
        for (std::size_t j = 0; j < steps; ++j)
            for (std::size_t i = 0; i < steps; ++i)
                kernel[piece * block + (k * steps + j) * steps + i] =
                    sum.value(axes[0][px * steps + i], axes[1][py * steps + j], axes[2][pz * steps + k]);
        progress.step();
    }
    return kernel;
}

}  // namespace gravlet
