// SPDX-License-Identifier: Apache-2.0
#include "solver/input/input.hpp"

#include "ewald/domain.hpp"

#include <gravlet/error.hpp>

#include <algorithm>
#include <string>

namespace gravlet {

Input make_input(const Cells& cells, const Fields& fields, const Points& points, const Fields& point_fields,
                 const Probes& probes) {
    Input input;
    input.cells = cells;
    input.cell_fields = fields;
    input.points = points;
    input.point_fields = point_fields;
    input.cell_count = cells.x.size();
    input.point_count = points.x.size();
    input.probes = probes;
    input.derivatives =
        std::max({wanted_derivatives(fields), wanted_derivatives(point_fields), wanted_derivatives(probes.fields)});
    return input;
}

void set_rules_of_points(Input& input, const Options& options) {
    input.softening = options.softening;
    input.wrap = {};
    if (!options.wrap) return;
    const std::array<double, 3> lower = options.domain.value_or(Box{}).lower;
    input.wrap = {{lower[0], lower[1], lower[2]}, Domain(options).box().period()};
}

InputKnown::InputKnown(const Input& input)
    : number(input.number),
      numbers_version(input.numbers_version),
      blocks(input.block_count),
      cells(input.cell_count),
      points(input.point_count) {}

bool InputKnown::is_before(const Input& input) const {
    InputKnown next(input);
    next.number = number;
    return number != 0 && number + 1 == input.number && next == *this;
}

std::vector<std::size_t> Input::active_bodies() const {
    std::vector<std::size_t> bodies;
    bodies.reserve(size());
    for (std::size_t i = 0; i < size(); ++i)
        if (active(i)) bodies.push_back(i);
    return bodies;
}

void lay_out_blocks(Input& input, std::vector<std::size_t>& begin) {
    if (input.blocks == nullptr) return;
    begin.assign(1, 0);
    bool alike = input.block_count > 0;
    for (const Block& block : std::span(input.blocks, input.block_count)) {
        begin.push_back(begin.back() + count_cells(block.n));
        alike = alike && block.n == input.blocks[0].n;
        input.derivatives = std::max(input.derivatives, wanted_derivatives(block));
        input.component_bits |= wanted_components(block);
        input.face_bits |= wanted_faces(block);
        input.inactive_blocks |= !block.active;
    }
    input.block_begin = begin.data();
    input.cell_count = begin.back();
    if (alike) input.cells_per_block = static_cast<std::uint32_t>(begin[1]);
}

namespace {

void lay_out_faces(Input& input, std::vector<std::size_t>& begin) {
    if (input.face_bits == 0) return;
    const std::span blocks(input.blocks, input.block_count);
    for (int d = 0; d < 3; ++d)
        for (const Block& block : blocks)
            begin.push_back(begin.back() + ((wanted_faces(block) >> d & 1u) != 0 ? count_cells(face_extent(block, d)) : 0));
    input.derivatives = std::max(input.derivatives, 1);
}

}  // namespace

void lay_out_guards(Input& input, std::vector<std::size_t>& begin) {
    begin.assign(1, 0);
    for (const Block& block : std::span(input.blocks, input.block_count))
        begin.push_back(begin.back() + (has_results(block) ? count_cells(result_extent(block)) - count_cells(block.n) : 0));
    const std::size_t each = input.block_count > 0 ? begin[1] : 0;
    const auto others = std::ranges::adjacent_find(begin, [each](std::size_t a, std::size_t b) { return b - a != each; });
    if (others == begin.end()) input.guards_per_block = static_cast<std::uint32_t>(each);
    lay_out_faces(input, begin);
    input.guard_begin = begin.data();
    input.guard_sections = begin.size() - 1;
    input.guard_count = begin.back();
}

void refuse_guards(const Input& input, const char* where) {
    if (input.guard_count == 0) return;
    const GuardPlace first = input.guard_place(input, 0);
    throw Error(ErrorCode::not_available, "block " + std::to_string(first.cell.block) + ": no " +
                                              (first.face == no_face ? "result_guards" : "face_acceleration") + " " + where);
}

}  // namespace gravlet
