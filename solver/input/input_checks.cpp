// SPDX-License-Identifier: Apache-2.0
#include "solver/input/input_checks.hpp"

#include "mpi/stages.hpp"
#include "physics/keys.hpp"
#include "solver/input/block_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace gravlet {
namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_input, message); }

constexpr std::size_t most_bodies = std::numeric_limits<cell_index>::max() - 1;

template <class Array>
void check_array(const char* name, const char* whose, const Array& array, std::size_t expected, bool may_be_empty) {
    if (array.size() != expected && !(may_be_empty && array.empty()))
        reject(fmt::format("{} of {} has {} elements, but x has {}", name, whose, array.size(), expected));
    if (array.data() == nullptr && !array.empty())
        reject(fmt::format("{} of {} is null, for {} of them", name, whose, array.size()));
}

/// The derivatives of a field of which some components are wanted and others are not; 0: there is none.
template <class Results>
int half_wanted(const Results& results) {
    const unsigned wanted = wanted_components(results);
    for (int d = 1; d <= max_derivatives; ++d)
        if ((wanted & bits_of(d)) != 0 && (wanted & bits_of(d)) != bits_of(d)) return d;
    return 0;
}

const char* all_or_none(int derivatives) {
    return derivatives == 1 ? "all three components or none" : "all six components or none";
}

void check_fields(const char* whose, const Fields& fields, std::size_t n) {
    for (std::size_t k = 0; k < result_count; ++k)
        check_array(result_components[k].name, whose, result_arrays(fields)[k], n, true);
    const int half = half_wanted(fields);
    if (half > 0) reject(fmt::format("{} of {}: {}", field_names[static_cast<std::size_t>(half)], whose, all_or_none(half)));
}

/// Throws also if a rank could not count its cells, those of its results' guards among them.
void check_extent(const Block& block, std::size_t index) {
    constexpr int most_layers = 1 << 16;  // and the numbers below are numbers
    std::size_t cells = 1, with_guards = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const int n = block.n[axis], guards = block.result_guards[axis];
        if (n < 1) reject(fmt::format("block {}: {} cells in direction {}: at least 1", index, n, axis));
        if (guards < 0 || guards > most_layers)
            reject(fmt::format("block {}: {} result_guards in direction {}: must be from 0 to {}", index, guards, axis,
                               most_layers));
        cells *= static_cast<std::size_t>(n);  // of two numbers below 2^32
        with_guards *= static_cast<std::size_t>(n) + 2 * static_cast<std::size_t>(guards);
        if (cells > most_bodies)
            reject(fmt::format("block {}: {} x {} x {} cells: at most {} on one rank", index, block.n[0], block.n[1], block.n[2],
                               most_bodies));
        if (with_guards > most_bodies || n > std::numeric_limits<int>::max() - 2 * guards)
            reject(fmt::format("block {}: {} x {} x {} cells with result_guards ({}, {}, {}): at most {} on one rank", index,
                               block.n[0], block.n[1], block.n[2], block.result_guards[0], block.result_guards[1],
                               block.result_guards[2], most_bodies));
    }
}

/// Faces at which the acceleration is wanted, of a block that check_extent() found good.
std::size_t count_faces(const Block& block, std::size_t index) {
    std::size_t faces = 0;
    for (int d = 0; d < 3; ++d) {
        if ((wanted_faces(block) >> d & 1u) == 0) continue;
        if (block.n[static_cast<std::size_t>(d)] == std::numeric_limits<int>::max())
            reject(fmt::format("block {}: {} cells in direction {} with face_acceleration: one too many", index,
                               std::numeric_limits<int>::max(), d));
        faces += count_cells(face_extent(block, d));
    }
    return faces;
}

void check_block(const Block& block, std::size_t index) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!is_side(block.cell_size[axis]))
            reject(fmt::format("block {}: cell size {} in direction {}: must be from {} to {}", index, block.cell_size[axis],
                               axis, smallest_length, largest_length));
    }
    const int half = half_wanted(block);
    if (half > 0) reject(fmt::format("block {}: {}: {}", index, field_names[static_cast<std::size_t>(half)], all_or_none(half)));
    if (block.density == nullptr) reject(fmt::format("block {}: no density", index));
}

/// Whether what check_strides() says of one block it says of the other.
[[nodiscard]] bool have_same_layout(const Block& a, const Block& b) {
    return a.n == b.n && a.stride == b.stride && a.result_stride == b.result_stride && a.result_guards == b.result_guards &&
           has_results(a) == has_results(b) && a.face_stride == b.face_stride && wanted_faces(a) == wanted_faces(b);
}

void check_face_strides(const Block& block, std::size_t index) {
    for (int d = 0; d < 3; ++d) {
        if ((wanted_faces(block) >> d & 1u) == 0) continue;
        const std::array<int, 3> n = face_extent(block, d);
        const Stride stride = face_stride(block, d);
        const auto reject_stride = [&](const char* what) {
            reject(fmt::format("block {}: face_stride[{}] ({}, {}, {}) {} {} x {} x {} faces", index, d, stride[0], stride[1],
                               stride[2], what, n[0], n[1], n[2]));
        };
        if (!fits_in_memory(n, stride)) reject_stride("reaches beyond any memory with");
        if (has_cells_in_one_place(n, stride)) reject_stride("puts the results of several in one place of its");
    }
}

void check_strides(const Block& block, std::size_t index) {
    const auto describe = [&](const Stride& stride) {
        return fmt::format("block {}: {} ({}, {}, {})", index, &stride == &block.stride ? "stride" : "result_stride", stride[0],
                           stride[1], stride[2]);
    };
    for (const Stride* stride : {&block.stride, &block.result_stride})
        if (!fits_in_memory(block.n, *stride)) reject(fmt::format("{} reaches beyond any memory", describe(*stride)));
    check_face_strides(block, index);
    if (!has_results(block)) return;
    const std::array<int, 3> extent = result_extent(block);
    if (!fits_in_memory(extent, result_stride(block)))
        reject(fmt::format("{} reaches beyond any memory with {} x {} x {} cells", describe(result_stride(block)), extent[0],
                           extent[1], extent[2]));
    if (has_cells_in_one_place(extent, result_stride(block)))
        reject(fmt::format("{} puts the results of several of its {} x {} x {} cells in one place",
                           describe(result_stride(block)), extent[0], extent[1], extent[2]));
}

/// Returns their number.
std::size_t check_cells(const Cells& cells) {
    const std::size_t n = cells.x.size();
    check_array("x", "cells", cells.x, n, false);
    check_array("y", "cells", cells.y, n, false);
    check_array("z", "cells", cells.z, n, false);
    check_array("dx", "cells", cells.dx, n, false);
    check_array("dy", "cells", cells.dy, n, true);
    check_array("dz", "cells", cells.dz, n, true);
    if (cells.dy.empty() != cells.dz.empty()) reject("dy and dz of cells: both or neither");
    check_array("mass", "cells", cells.mass, n, false);
    check_array("active", "cells", cells.active, n, true);
    check_array("source_class", "cells", cells.source_class, n, true);
    return n;
}

void check_probes(const Probes& probes) {
    const std::size_t n = probes.x.size();
    check_array("x", "probes", probes.x, n, false);
    check_array("y", "probes", probes.y, n, false);
    check_array("z", "probes", probes.z, n, false);
    check_fields("probes", probes.fields, n);
    if (n > most_bodies) reject(fmt::format("{} probes on one rank: at most {}", n, most_bodies));
}

std::size_t check_points(const Points& points) {
    const std::size_t n = points.x.size();
    check_array("x", "points", points.x, n, false);
    check_array("y", "points", points.y, n, false);
    check_array("z", "points", points.z, n, false);
    check_array("mass", "points", points.mass, n, false);
    check_array("active", "points", points.active, n, true);
    check_array("softening", "points", points.softening, n, true);
    check_array("source_class", "points", points.source_class, n, true);
    return n;
}

/// Whose body it is, in an input that holds those of several ranks, and where it sits among those.
struct Place {
    std::string text;
    int owner;
};

/// The last part whose `first` is `value` or less.
RankPart part_of(const Input& input, std::size_t RankPart::*first, std::size_t value) {
    if (input.parts == nullptr) return {no_rank, 0, 0, 0, 0};
    return *(std::upper_bound(input.parts, input.parts + input.part_count, value,
                              [&](std::size_t v, const RankPart& p) { return v < p.*first; }) -
             1);
}

RankPart part_of(const Input& input, std::size_t i) {
    return input.is_point(i) ? part_of(input, &RankPart::first_point, i - input.cell_count)
                             : part_of(input, &RankPart::first_cell, i);
}

Place place_of(const Input& input, std::size_t i) {
    const auto [rank, block, cell] = origin_of(input, i);
    if (block == BodyOrigin::no_block) return {fmt::format("{} {}", input.is_point(i) ? "point" : "cell", cell[0]), rank};
    return {fmt::format("cell ({}, {}, {}) of block {}", cell[0], cell[1], cell[2], block), rank};
}

[[noreturn]] void reject(const Place& place, const std::string& message) {
    throw OwnedError(ErrorCode::invalid_input, place.text + message, place.owner);
}

/// `describe_a` and `describe_b` follow the cells' names.
[[noreturn]] void reject(const Place& a, const std::string& describe_a, const Place& b, const std::string& describe_b) {
    if (a.owner == b.owner) reject(a, fmt::format("{} and {}{}", describe_a, b.text, describe_b));
    throw OwnedError(ErrorCode::invalid_input,
                     fmt::format("{} of rank {}{} and {} of rank {}{}", a.text, a.owner, describe_a, b.text, b.owner, describe_b),
                     no_rank);
}

}  // namespace

BodyOrigin origin_of(const Input& input, std::size_t i) {
    if (input.origins != nullptr) return input.origins[i];
    const RankPart part = part_of(input, i);
    const auto number = [](auto n) { return static_cast<std::uint32_t>(n); };
    if (input.is_point(i)) return {part.rank, BodyOrigin::no_block, {number(i - input.cell_count - part.first_point)}};
    if (input.blocks == nullptr) return {part.rank, BodyOrigin::no_block, {number(i - part.first_cell)}};
    const BlockCell c = input.block_cell(i);
    return {part.rank, number(c.block - part.first_block), {number(c.i), number(c.j), number(c.k)}};
}

void reject_body(const Input& input, std::size_t i, const Body& b, const BodyLimits& limits) {
    const Place place = place_of(input, i);
    if (!std::isfinite(b.x) || !std::isfinite(b.y) || !std::isfinite(b.z))
        reject(place, fmt::format(": position ({}, {}, {}) is not finite", b.x, b.y, b.z));
    if (!is_coordinate(b.x) || !is_coordinate(b.y) || !is_coordinate(b.z))
        reject(place, fmt::format(": position ({}, {}, {}) must be within {} of 0", b.x, b.y, b.z, largest_length));
    // A block's cells were handed over as densities.
    const bool dense = origin_of(input, i).block != BodyOrigin::no_block;
    const char* const amount = dense ? "density" : "mass";
    if (std::isnan(b.mass)) reject(place, fmt::format(": {} is NaN", amount));
    if (std::isinf(b.mass)) reject(place, fmt::format(": {} is infinite", amount));
    if (b.mass < 0.0)
        reject(place, fmt::format(": {} {:.15g} is negative", amount, dense ? b.mass / (b.dx * b.dy * b.dz) : b.mass));
    if (b.mass > largest_mass)
        reject(place,
               fmt::format(": mass {}{} must be at most {}", b.mass, dense ? ", density times volume," : "", largest_mass));
    if (!is_softening(b.softening))
        reject(place, fmt::format(": softening {} must be 0 or from {} to {}", b.softening, smallest_length, largest_length));
    if (input.is_point(i) && !within(b.softening, limits.least_softening, limits.most_softening)) {
        if (limits.one_softening)
            reject(place,
                   fmt::format(": softening {} must be that of the options, {}: in a periodic domain the Plummer kernel has one "
                               "length for all points (softening_kernel: spline has any)",
                               b.softening, limits.softening_limit));
        reject(place,
               fmt::format(": softening {} must be at most a tenth of the period, {}", b.softening, limits.softening_limit));
    }
    if (!input.is_point(i) && !acceptable(b, false, BodyLimits()))
        reject(place, fmt::format(": side lengths ({}, {}, {}) must be positive, from {} to {}", b.dx, b.dy, b.dz,
                                  smallest_length, largest_length));
    reject(place, fmt::format(": at ({}, {}, {}) with sides ({}, {}, {}) it is outside the domain ({}, {}, {}) to ({}, {}, {})",
                              b.x, b.y, b.z, b.dx, b.dy, b.dz, limits.box.lower[0], limits.box.lower[1], limits.box.lower[2],
                              limits.box.upper[0], limits.box.upper[1], limits.box.upper[2]));
}

void reject_probe(const Input& input, std::size_t p, const Vector3& at, const ProbeLimits& limits) {
    const RankPart part = part_of(input, &RankPart::first_probe, p);
    const Place place{fmt::format("probe {}", p - part.first_probe), part.rank};
    if (!std::isfinite(at.x) || !std::isfinite(at.y) || !std::isfinite(at.z))
        reject(place, fmt::format(": position ({}, {}, {}) is not finite", at.x, at.y, at.z));
    if (!is_coordinate(at.x) || !is_coordinate(at.y) || !is_coordinate(at.z))
        reject(place, fmt::format(": position ({}, {}, {}) must be within {} of 0", at.x, at.y, at.z, largest_length));
    reject(place,
           fmt::format(": position ({}, {}, {}) must be from ({}, {}, {}) to ({}, {}, {}), in the domain in directions that "
                       "are isolated, where others are periodic",
                       at.x, at.y, at.z, limits.lower[0], limits.lower[1], limits.lower[2], limits.upper[0], limits.upper[1],
                       limits.upper[2]));
}

void reject_pair(const Input& input, std::size_t one, std::size_t other, const Body& at) {
    reject(place_of(input, one), "", place_of(input, other),
           fmt::format(" are at the same place ({}, {}, {})", at.x, at.y, at.z));
}

void reject_overlap(const Input& input, std::size_t one, const Body& a, std::size_t other, const Body& b) {
    const auto describe = [](const Body& c) {
        return fmt::format(" at ({}, {}, {}) with sides ({}, {}, {})", c.x, c.y, c.z, c.dx, c.dy, c.dz);
    };
    reject(place_of(input, one), describe(a), place_of(input, other), describe(b) + " overlap");
}

void reject_crowd(const Input& input, std::size_t i, const Body& at, double root_side) {
    reject(place_of(input, i),
           fmt::format(" at ({}, {}, {}) and more than {} others are within {} of each other, 2^-{} of the {} that all bodies "
                       "reach over: so many no tree can divide there; something is too far away",
                       at.x, at.y, at.z, most_in_a_crowd - 1, std::ldexp(root_side, -deepest_level), deepest_level, root_side));
}

void reject_twin_elsewhere(const Input& input, std::size_t i, const Body& at) {
    reject(place_of(input, i), fmt::format(" is at the same place ({}, {}, {}) as a cell of another rank", at.x, at.y, at.z));
}

void reject_untold_change(const Input& input, std::size_t i) {
    reject(place_of(input, i), " has changed since the last solve, and only_changed() did not say so");
}

void reject_astray(const Input& input, std::size_t i) {
    reject(place_of(input, i), " is not where its velocity takes it from where it was in the last solve, and drifted() said so");
}

void check_blocks(std::span<const Block> blocks) {
    std::size_t cells = 0, with_guards = 0, faces = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        check_extent(blocks[b], b);
        cells += count_cells(blocks[b].n);
        with_guards += count_cells(result_extent(blocks[b]));
        if (cells > most_bodies) reject(fmt::format("{} cells in blocks 0 to {}: at most {} on one rank", cells, b, most_bodies));
        if (with_guards > most_bodies)
            reject(fmt::format("{} cells with result_guards in blocks 0 to {}: at most {} on one rank", with_guards, b,
                               most_bodies));
        faces += count_faces(blocks[b], b);
        if (faces > most_bodies - with_guards)
            reject(
                fmt::format("{} faces with face_acceleration and {} cells with result_guards in blocks 0 to {}: at most {} on "
                            "one rank",
                            faces, with_guards, b, most_bodies));
        check_block(blocks[b], b);
        if (b == 0 || !have_same_layout(blocks[b], blocks[b - 1])) check_strides(blocks[b], b);
    }
}

void check_shapes(const Input& input) {
    std::size_t cells = input.cell_count;
    if (input.block_count == 0) {
        cells = check_cells(input.cells);
        check_fields("cells", input.cell_fields, cells);
    }
    const std::size_t points = check_points(input.points);
    check_fields("points", input.point_fields, points);
    check_probes(input.probes);
    if (cells > most_bodies || points > most_bodies - cells)
        reject(fmt::format("{} cells and {} points on one rank: at most {} together", cells, points, most_bodies));
}

std::span<const std::uint8_t> flags_of_changed(const Input& input, std::span<const std::uint8_t> flags) {
    const std::size_t first = input.blocks != nullptr ? input.block_count : input.cell_count, n = first + input.point_count;
    if (!flags.empty() && flags.size() != n)
        reject(fmt::format("{} flags of what has changed: none, or one for each of {} {} and {} points", flags.size(), first,
                           input.blocks != nullptr ? "blocks" : "cells", input.point_count));
    return flags;
}

Drift checked_drift(const Input& input, const Drift& drift) {
    constexpr const char* directions = "xyz";
    for (std::size_t d = 0; d < 3; ++d)
        if (drift.velocity[d].size() != input.point_count)
            reject(fmt::format("{} velocities in {}: one for each of {} points", drift.velocity[d].size(), directions[d],
                               input.point_count));
    if (!(std::abs(drift.time) < 1e30)) reject(fmt::format("points drifted for a time of {}", drift.time));
    return drift;
}

void check_classes(const Input& input) {
    const auto check = [](const char* body, std::span<const std::uint8_t> classes) {
        const auto bad = std::ranges::find_if(classes, [](std::uint8_t c) { return c >= class_limit; });
        if (bad != classes.end())
            reject(fmt::format("{} {}: source_class is {}, must be from 0 to {}", body, bad - classes.begin(), *bad,
                               class_limit - 1));
    };
    check("cell", input.cells.source_class);
    check("point", input.points.source_class);
}

}  // namespace gravlet
