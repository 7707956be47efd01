// SPDX-License-Identifier: Apache-2.0
#include "solver/data/input.hpp"

#include <algorithm>

namespace gravlet {

Input make_input(const Cells& cells, const Fields& fields, const Points& points, const Fields& point_fields) {
    Input input;
    input.cells = cells;
    input.cell_fields = fields;
    input.points = points;
    input.point_fields = point_fields;
    input.cell_count = cells.x.size();
    input.point_count = points.x.size();
    input.derivatives = std::max(wanted_derivatives(fields), wanted_derivatives(point_fields));
    return input;
}

bool Input::any_inactive() const {
    return !cells.active.empty() || !points.active.empty() ||
           std::any_of(blocks, blocks + block_count, [](const Block& block) { return !block.active; });
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
    for (std::size_t b = 0; b < input.block_count; ++b) {
        const auto& n = input.blocks[b].n;
        begin.push_back(begin.back() +
                        static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(n[2]));
        input.derivatives = std::max(input.derivatives, wanted_derivatives(input.blocks[b]));
    }
    input.block_begin = begin.data();
    input.cell_count = begin.back();
    const std::size_t first = input.block_count > 0 ? begin[1] : 0;
    const auto alike = [&](const Block& block) { return block.n == input.blocks[0].n; };
    if (std::all_of(input.blocks, input.blocks + input.block_count, alike))
        input.cells_per_block = static_cast<std::uint32_t>(first);
}

}  // namespace gravlet
