// SPDX-License-Identifier: Apache-2.0
// Pieces of space for the ranks, by bisection; the points in them are drawn on the device.
#include "benchmarks/workload/bench_points.hpp"

#include "benchmarks/workload/bench_draw.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <utility>

namespace gravlet::bench {
namespace {

struct Piece {
    std::array<double, 3> lower{0.0, 0.0, 0.0}, upper{1.0, 1.0, 1.0};
};

// Ranks are halved, and the box with them, across x, y, z in turn.
Piece piece_of_cube(int rank, int ranks) {
    Piece piece;
    for (std::size_t axis = 0; ranks > 1; axis = (axis + 1) % 3) {
        const int below = ranks / 2;
        const double cut = piece.lower[axis] + (piece.upper[axis] - piece.lower[axis]) * below / ranks;
        if (rank < below) {
            piece.upper[axis] = cut;
            ranks = below;
        } else {
            piece.lower[axis] = cut;
            rank -= below;
            ranks -= below;
        }
    }
    return piece;
}

// Halves, quarters or octants around the centre hold equal masses.
std::array<int, 3> piece_of_sphere(int rank, int ranks) {
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
        const Piece piece = piece_of_cube(rank, ranks);
        draw_box(piece.lower, piece.upper, first, n, at[0].data(), at[1].data(), at[2].data());
    } else {
        draw_plummer(piece_of_sphere(rank, ranks), first, n, at[0].data(), at[1].data(), at[2].data());
    }
    for (Array& coordinates : at) coordinates = std::move(coordinates).moved_to(memory);
    return at;
}

}  // namespace gravlet::bench
