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
        const auto place = place_of(source);
        for (auto cell = std::ranges::lower_bound(cells_, place, {}, place_of); cell != cells_.end() && place_of(*cell) == place;
             ++cell)
            if (cell->id != source.id) found_ = std::min(found_.value_or(cell->id), cell->id);
    }
}

}  // namespace gravlet
