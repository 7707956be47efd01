// SPDX-License-Identifier: Apache-2.0
#include "solver/arrays/block_memory.hpp"

#include "solver/arrays/flat_arrays.hpp"
#include "solver/arrays/lattice.hpp"
#include "solver/arrays/shared_elements.hpp"
#include "solver/input/block_layout.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace gravlet {
namespace {

/// Bit k: array k is written.
unsigned written_arrays(const Block& block) {
    return block.active ? wanted_components(block) | wanted_faces(block) << first_face : 0;
}

template <class F>
void for_bits(unsigned bits, F f) {
    for (; bits != 0; bits &= bits - 1) f(static_cast<std::uint8_t>(std::countr_zero(bits)));
}

/// Whether strides are alike in directions in which there is more than one cell.
bool same_steps(const std::array<int, 3>& n, const Stride& a, const Stride& b) {
    for (std::size_t d = 0; d < 3; ++d)
        if (n[d] > 1 && a[d] != b[d]) return false;
    return true;
}

/// Whether a result is written where the density is, cell by cell.
bool is_in_place(const Block& block, std::size_t array) {
    const ResultPointer& result = result_of(block, array);
    return array < first_face && result == block.density && result.is_single() == block.density.is_single() &&
           same_steps(block.n, result_stride(block), block.stride);
}

/// Whether what is said of one block's own arrays, of which `written` are, holds of the other's.
bool lies_as(const Block& a, const Block& b, unsigned written) {
    const std::int64_t apart = as_number(a.density.address()) - as_number(b.density.address());
    bool same = a.n == b.n && a.stride == b.stride && a.result_stride == b.result_stride && a.result_guards == b.result_guards &&
                (written < 1u << first_face || a.face_stride == b.face_stride) && a.density.is_single() == b.density.is_single();
    for_bits(written, [&](std::size_t array) {
        const ResultPointer &of_a = result_of(a, array), &of_b = result_of(b, array);
        same = same && of_a.is_single() == of_b.is_single() && as_number(of_a.address()) - as_number(of_b.address()) == apart;
    });
    return same;
}

/// Ranges of one block's arrays, by address.
class RangesOfBlock {
public:
    RangesOfBlock() = default;
    RangesOfBlock(const Block& block, unsigned written) {
        bool in_place = false;  // what lies on that result lies on the density
        for_bits(written, [&](std::uint8_t array) {
            add(block, array);
            in_place = in_place || is_in_place(block, array);
        });
        if (!in_place) add(block, density_array);
        std::ranges::sort(all(), by_address);
    }
    [[nodiscard]] std::span<ArrayRange> all() { return {ranges_.data(), count_}; }
    void move_to(std::size_t block, std::int64_t by) {
        for (ArrayRange& range : all()) range.begin += by, range.end += by, range.block = static_cast<std::uint32_t>(block);
    }

private:
    void add(const Block& block, std::uint8_t array) { ranges_[count_++] = lattice_of(block, array).range(array); }

    std::array<ArrayRange, density_array + 1> ranges_;
    std::size_t count_ = 0;
};

/// Sorts ranges: those of one array after those of another, which are merged. Most hosts have each array in the order of
/// addresses.
void sort_by_address(std::vector<ArrayRange>& ranges) {
    if (std::ranges::is_sorted(ranges, by_address)) return;
    std::array<std::vector<ArrayRange>, density_array + 1> arrays;
    std::array<std::size_t, density_array + 1> counts{};
    for (const ArrayRange& range : ranges) ++counts[range.array];
    for (std::size_t array = 0; array < arrays.size(); ++array) arrays[array].reserve(counts[array]);
    for (const ArrayRange& range : ranges) arrays[range.array].push_back(range);
    ranges.clear();
    for (std::vector<ArrayRange>& array : arrays)
        if (!std::ranges::is_sorted(array, by_address)) std::ranges::sort(array, by_address);
    // By where they begin, so that arrays that lie one after the other need no merging.
    std::ranges::sort(arrays, [](const auto& a, const auto& b) { return !a.empty() && (b.empty() || by_address(a[0], b[0])); });
    for (const std::vector<ArrayRange>& array : arrays) {
        const auto count = static_cast<std::ptrdiff_t>(ranges.size());
        ranges.insert(ranges.end(), array.begin(), array.end());
        const auto middle = ranges.begin() + count;
        if (count > 0 && middle != ranges.end() && by_address(*middle, *(middle - 1)))
            std::inplace_merge(ranges.begin(), middle, ranges.end(), by_address);
    }
}

}  // namespace

void BlockMemory::look_through(std::span<const Block> blocks) {
    SharedElements search(blocks);
    ranges_.clear();
    ranges_.reserve(2 * blocks.size());
    RangesOfBlock own;
    unsigned written_before = 0;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const Block& block = blocks[b];
        const unsigned written = written_arrays(block);
        if (b > 0 && written == written_before && lies_as(block, blocks[b - 1], written)) {
            own.move_to(b, as_number(block.density.address()) - as_number(blocks[b - 1].density.address()));
        } else {
            own = RangesOfBlock(block, written);
            own.move_to(b, 0);
            for_overlapping(own.all(), [&](std::span<const ArrayRange> some) { search.reject_in(some); });
        }
        written_before = written;
        ranges_.insert(ranges_.end(), own.all().begin(), own.all().end());
    }
    sort_by_address(ranges_);
    for_overlapping(ranges_, [&](std::span<const ArrayRange> some) {
        const auto of_first = [&](const ArrayRange& range) { return range.block == some.front().block; };
        if (!std::ranges::all_of(some, of_first)) search.reject_in(some);
    });
    ends_.resize(ranges_.size());
    std::transform_inclusive_scan(
        ranges_.begin(), ranges_.end(), ends_.begin(), [](std::int64_t a, std::int64_t b) { return std::max(a, b); },
        [](const ArrayRange& range) { return range.end; });
}

void BlockMemory::require_others_apart(const Input& input) const {
    FlatArrays others;
    others.add(input.points), others.add(input.point_fields, "points");
    others.add(input.probes);
    for (const FlatArray& array : others.all()) {
        const auto after = std::ranges::lower_bound(ranges_, array.end, {}, &ArrayRange::begin);
        for (auto i = static_cast<std::size_t>(after - ranges_.begin()); i-- > 0 && ends_[i] > array.begin;) {
            const ArrayRange& range = ranges_[i];
            if ((array.is_result || range.array != density_array) &&
                touches(lattice_of(input.blocks[range.block], range.array), array.begin, array.end))
                throw Error(ErrorCode::invalid_input, fmt::format("block {}: {} and {} of {} are in the same memory", range.block,
                                                                  array_name(range.array), array.name, array.whose));
        }
    }
}

}  // namespace gravlet
