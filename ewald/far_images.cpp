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

namespace {

/// The factors of one direction. The sum is even, and periodic: differences that are alike have theirs in common.
struct FarAxis {
    std::vector<LatticeSum::Axis> distinct;
    std::vector<std::size_t> of;  ///< which of `distinct` each difference has, nodes' differences fastest

    FarAxis(const LatticeSum& sum, const PeriodicBox& box, const BoxPieces& pieces, const FarNodes& nodes, std::size_t d) {
        const int steps = nodes.differences(), zero = nodes.count - 1, count = pieces.count[d];
        const bool repeats = box.periodic[d] && std::abs(count * pieces.side - box.side[d]) < 1e-12 * box.side[d];
        const auto add = [&](int piece, int step) {
            of.push_back(distinct.size());
            distinct.push_back(
                sum.axis(d, piece * pieces.side + step * (pieces.side / nodes.steps), 0, pieces.walked(box, d, piece)));
        };
        for (int piece = 0; piece < count; ++piece)
            for (int step = -zero; step <= zero; ++step) {
                const int mirrored = piece == 0 ? 0 : repeats ? count - piece : count;
                const bool known = mirrored < piece || (mirrored == piece && step > 0);
                known ? of.push_back(of[static_cast<std::size_t>(mirrored * steps + zero - step)]) : add(piece, step);
            }
    }
};

}  // namespace

std::vector<double> far_kernel(const PeriodicBox& box, const BoxPieces& pieces, const FarNodes& nodes, double softening,
                               int threads, Narrator& narrator) {
    const double beyond = 2.0 * nodes.margin() * (pieces.side / nodes.steps);
    double reach = 0.0;
    for (const int count : pieces.count) reach = std::max(reach, count * pieces.side + beyond);
    const LatticeSum sum(box, reach, 0.99 * (pieces.side - beyond), softening);
    const FarAxis x(sum, box, pieces, nodes, 0), y(sum, box, pieces, nodes, 1), z(sum, box, pieces, nodes, 2);
    const std::size_t nx = x.distinct.size(), ny = y.distinct.size(), nz = z.distinct.size();
    std::vector<double> distinct(nx * ny * nz);
    Progress progress(narrator, "periodic kernel", ny * nz);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t row = 0; row < ny * nz; ++row) {
        for (std::size_t i = 0; i < nx; ++i)
            distinct[row * nx + i] = sum.value(x.distinct[i], y.distinct[row % ny], z.distinct[row / ny]);
        progress.step();
    }
    const auto steps = static_cast<std::size_t>(nodes.differences());
    const auto pieces_x = static_cast<std::size_t>(pieces.count[0]), pieces_y = static_cast<std::size_t>(pieces.count[1]);
    std::vector<double> kernel(x.of.size() * y.of.size() * z.of.size());
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t row = 0; row < kernel.size() / steps; ++row) {
        const std::size_t j = row % steps, k = row / steps % steps, piece = row / (steps * steps), px = piece % pieces_x,
                          py = piece / pieces_x % pieces_y, pz = piece / (pieces_x * pieces_y);
        const double* const from = distinct.data() + (z.of[pz * steps + k] * ny + y.of[py * steps + j]) * nx;
        for (std::size_t i = 0; i < steps; ++i) kernel[row * steps + i] = from[x.of[px * steps + i]];
    }
    return kernel;
}

}  // namespace gravlet
