// SPDX-License-Identifier: Apache-2.0
// Where in memory the elements of an array of the caller's are, from its address, its strides and its extent: nothing is read.
#pragma once

#include "solver/input/input.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace gravlet {

/// A block's arrays by number: its results as result_component has them, the accelerations at its faces, its density.
inline constexpr std::uint8_t first_face = result_count, density_array = first_face + 3;

/// A block's array, from its first byte to the end.
struct ArrayRange {
    std::int64_t begin, end;
    std::uint32_t block;
    std::uint8_t array;
};
inline bool by_address(const ArrayRange& a, const ArrayRange& b) { return a.begin < b.begin; }

inline std::int64_t as_number(const void* address) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address));
}
inline bool overlap(std::int64_t begin, std::int64_t end, std::int64_t other_begin, std::int64_t other_end) {
    return begin < other_end && other_begin < end;
}

/// The elements of one array of a block: so many a direction, so many bytes apart.
struct Lattice {
    std::int64_t first;
    std::array<std::int64_t, 3> n, stride;
    std::int64_t element;

    /// The range of `array`, as one of block 0.
    [[nodiscard]] ArrayRange range(std::uint8_t array) const {
        ArrayRange out{first, first + element, 0, array};
        for (std::size_t d = 0; d < 3; ++d) {
            const std::int64_t reach = (n[d] - 1) * stride[d];
            (reach < 0 ? out.begin : out.end) += reach;
        }
        return out;
    }
};

/// Array `array` of a block, which is no density.
const ResultPointer& result_of(const Block& block, std::size_t array);
Lattice lattice_of(const Block& block, std::size_t array);
const char* array_name(std::size_t array);

/// Calls f(first byte, end) for the runs of a lattice without gaps.
template <class F>
void for_runs(const Lattice& lattice, F f) {
    std::array<std::size_t, 3> axes = {0, 1, 2};
    const auto is_run = [&](std::size_t d) { return lattice.n[d] > 1 && lattice.stride[d] == lattice.element; };
    std::stable_partition(axes.begin(), axes.end(), is_run);
    const auto [along, i, j] = axes;
    const std::int64_t together = is_run(along) ? lattice.n[along] : 1;
    for (std::int64_t a = 0; a < lattice.n[j]; ++a)
        for (std::int64_t b = 0; b < lattice.n[i]; ++b)
            for (std::int64_t c = 0; c < lattice.n[along]; c += together) {
                const std::int64_t begin =
                    lattice.first + a * lattice.stride[j] + b * lattice.stride[i] + c * lattice.stride[along];
                f(begin, begin + together * lattice.element);
            }
}

/// Whether one of its elements has bytes there.
bool touches(const Lattice& lattice, std::int64_t begin, std::int64_t end);

}  // namespace gravlet
