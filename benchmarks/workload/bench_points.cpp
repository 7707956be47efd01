// SPDX-License-Identifier: Apache-2.0
// Regions of space for the ranks, by bisection; the points in them are drawn on the device.
#include "benchmarks/workload/bench_points.hpp"

#include "benchmarks/workload/bench_draw.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <utility>

namespace gravlet::bench {
namespace {

struct Region {
    std::array<double, 3> lower{0.0, 0.0, 0.0}, upper{1.0, 1.0, 1.0};
};

// Ranks are halved, and the box with them, across x, y, z in turn.
Region region_of_cube(int rank, int ranks) {
    Region region;
    for (std::size_t axis = 0; ranks > 1; axis = (axis + 1) % 3) {
        const int below = ranks / 2;
        const double cut = region.lower[axis] + (region.upper[axis] - region.lower[axis]) * below / ranks;
        if (rank < below) {
            region.upper[axis] = cut;
            ranks = below;
        } else {
            region.lower[axis] = cut;
            rank -= below;
            ranks -= below;
        }
    }
    return region;
}

// Halves, quarters or octants around the centre hold equal masses.
std::array<int, 3> region_of_sphere(int rank, int ranks) {
    if (ranks != 1 && ranks != 2 && ranks != 4 && ranks != 8)
        throw Error(ErrorCode::invalid_option, fmt::format("--problem plummer on {} ranks: it must be 1, 2, 4 or 8", ranks));
    std::array<int, 3> signs{};
    for (std::size_t axis = 0; ranks > 1; ++axis, ranks /= 2, rank /= 2) signs[axis] = rank % 2 == 0 ? -1 : 1;
    return signs;
}

}  // namespace

std::array<Array, 3> make_points(ProblemKind kind, int rank, int ranks, std::size_t n, Memory memory) {
    std::array<Array, 3> at;
    for (Array& coordinates : at) coordinates = Array(Memory::device, n);
    const std::uint64_t first = static_cast<std::uint64_t>(rank) * n;
    if (kind == ProblemKind::cube) {
        const Region region = region_of_cube(rank, ranks);
        draw_box(region.lower, region.upper, first, n, at[0].data(), at[1].data(), at[2].data());
    } else {
        draw_plummer(region_of_sphere(rank, ranks), first, n, at[0].data(), at[1].data(), at[2].data());
    }
    for (Array& coordinates : at) coordinates = std::move(coordinates).moved_to(memory);
    return at;
}

}  // namespace gravlet::bench
