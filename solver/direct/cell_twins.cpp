// SPDX-License-Identifier: Apache-2.0
#include "solver/direct/cell_twins.hpp"

#include <algorithm>
#include <tuple>

namespace gravlet {
namespace {

constexpr auto place_of = [](const auto& at) { return std::tuple(at.x, at.y, at.z); };

}  // namespace

void CellTwins::sort() { std::ranges::sort(cells_, {}, place_of); }

void CellTwins::look(std::span<const DirectSource> sources) {
    for (const DirectSource& source : sources) {
        if (is_point(source)) continue;
        for (const Cell& cell : std::ranges::equal_range(cells_, place_of(source), {}, place_of))
            if (cell.id != source.id) found_ = std::min(found_.value_or(cell.id), cell.id);
    }
}

}  // namespace gravlet
