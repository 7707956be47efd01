// SPDX-License-Identifier: Apache-2.0
#include "solver/validate_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gravlet {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_input, message); }

void check_length(const char* name, std::size_t length, std::size_t expected, bool may_be_empty) {
    if (length == expected || (may_be_empty && length == 0)) return;
    reject(fmt::format("{} has {} elements, but x has {}", name, length, expected));
}

void check_fields(const char* whose, const Fields& fields, std::size_t n) {
    check_length(fmt::format("potential of {}", whose).c_str(), fields.potential.size(), n, true);
    for (const auto& axis : fields.acceleration) {
        check_length(fmt::format("acceleration of {}", whose).c_str(), axis.size(), n, true);
        if (axis.empty() != fields.acceleration[0].empty())
            reject(fmt::format("acceleration of {}: all three components or none", whose));
    }
}

void check_block(const Block& block, std::size_t index) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (block.n[axis] < 1) reject(fmt::format("block {}: {} cells in direction {}: at least 1", index, block.n[axis], axis));
        if (!(block.cell_size[axis] > 0.0) || !std::isfinite(block.cell_size[axis]))
            reject(fmt::format("block {}: cell size {} in direction {}: must be positive", index, block.cell_size[axis], axis));
        if ((block.acceleration[axis] == nullptr) != (block.acceleration[0] == nullptr))
            reject(fmt::format("block {}: all three components of the acceleration or none", index));
    }
    if (block.density == nullptr) reject(fmt::format("block {}: no density", index));
}

/// As describe_place, by the rank that the body is of and its index there.
std::string describe_place_in_pieces(const Input& input, std::size_t i) {
    const Piece* const end = input.pieces + input.piece_count;
    const auto last = [&](auto first, std::size_t value) {
        return *(std::upper_bound(input.pieces, end, value, [&](std::size_t v, const Piece& p) { return v < p.*first; }) - 1);
    };
    if (input.is_point(i)) {
        const Piece piece = last(&Piece::first_point, i - input.cell_count);
        return fmt::format("point {} of rank {}", i - input.cell_count - piece.first_point, piece.rank);
    }
    const Piece piece = last(&Piece::first_cell, i);
    if (input.blocks == nullptr) return fmt::format("cell {} of rank {}", i - piece.first_cell, piece.rank);
    const BlockCell c = input.block_cell(i);
    return fmt::format("cell ({}, {}, {}) of block {} of rank {}", c.i, c.j, c.k, c.block - piece.first_block, piece.rank);
}

}  // namespace

std::string describe_place(const Input& input, std::size_t i) {
    if (input.pieces != nullptr) return describe_place_in_pieces(input, i);
    if (input.is_point(i)) return fmt::format("point {}", i - input.cell_count);
    if (input.blocks == nullptr) return fmt::format("cell {}", i);
    const BlockCell c = input.block_cell(i);
    return fmt::format("cell ({}, {}, {}) of block {}", c.i, c.j, c.k, c.block);
}

void reject_body(const Input& input, std::size_t i, const Body& b, const Domain& domain) {
    const std::string place = describe_place(input, i);
    if (!finite(b.x) || !finite(b.y) || !finite(b.z))
        reject(fmt::format("{}: position ({}, {}, {}) is not finite", place, b.x, b.y, b.z));
    if (std::isnan(b.mass)) reject(fmt::format("{}: mass is NaN", place));
    if (!finite(b.mass)) reject(fmt::format("{}: mass is infinite", place));
    if (b.mass < 0.0) reject(fmt::format("{}: mass {} is negative", place, b.mass));
    if (!input.is_point(i) && !acceptable(b, false, Domain()))
        reject(fmt::format("{}: side lengths ({}, {}, {}) must be positive", place, b.dx, b.dy, b.dz));
    reject(fmt::format("{}: at ({}, {}, {}) with sides ({}, {}, {}) it is outside the domain ({}, {}, {}) to ({}, {}, {})", place,
                       b.x, b.y, b.z, b.dx, b.dy, b.dz, domain.box.lower[0], domain.box.lower[1], domain.box.lower[2],
                       domain.box.upper[0], domain.box.upper[1], domain.box.upper[2]));
}

void reject_pair(const Input& input, std::size_t one, std::size_t other, const Body& at) {
    reject(fmt::format("{} and {} are at the same place ({}, {}, {})", describe_place(input, one), describe_place(input, other),
                       at.x, at.y, at.z));
}

void reject_overlap(const Input& input, std::size_t one, const Body& a, std::size_t other, const Body& b) {
    const auto describe = [&](std::size_t i, const Body& c) {
        return fmt::format("{} at ({}, {}, {}) with sides ({}, {}, {})", describe_place(input, i), c.x, c.y, c.z, c.dx, c.dy,
                           c.dz);
    };
    reject(fmt::format("{} and {} overlap", describe(one, a), describe(other, b)));
}

void reject_twin_elsewhere(const Input& input, std::size_t i, const Body& at) {
    reject(fmt::format("{} is at the same place ({}, {}, {}) as a cell of another rank", describe_place(input, i), at.x, at.y,
                       at.z));
}

void validate_shapes(const Input& input) {
    if (input.blocks != nullptr) {
        for (std::size_t b = 0; b < input.block_count; ++b) check_block(input.blocks[b], b);
    } else {
        const std::size_t n = input.cells.x.size();
        check_length("y of cells", input.cells.y.size(), n, false);
        check_length("z of cells", input.cells.z.size(), n, false);
        check_length("dx of cells", input.cells.dx.size(), n, false);
        check_length("dy of cells", input.cells.dy.size(), n, true);
        check_length("dz of cells", input.cells.dz.size(), n, true);
        if (input.cells.dy.empty() != input.cells.dz.empty()) reject("dy and dz of cells: both or neither");
        check_length("mass of cells", input.cells.mass.size(), n, false);
        check_length("active of cells", input.cells.active.size(), n, true);
        check_fields("cells", input.cell_fields, n);
    }
    const std::size_t n = input.points.x.size();
    check_length("y of points", input.points.y.size(), n, false);
    check_length("z of points", input.points.z.size(), n, false);
    check_length("mass of points", input.points.mass.size(), n, false);
    check_length("active of points", input.points.active.size(), n, true);
    check_fields("points", input.point_fields, n);
    if (input.size() >= std::numeric_limits<cell_index>::max())
        reject(
            fmt::format("{} cells and points on one rank: at most {}", input.size(), std::numeric_limits<cell_index>::max() - 1));
}

}  // namespace gravlet
