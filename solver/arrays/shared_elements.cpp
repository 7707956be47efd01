// SPDX-License-Identifier: Apache-2.0
#include "solver/arrays/shared_elements.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace gravlet {
namespace {

[[noreturn]] void reject_pair(const ArrayRange& a, const ArrayRange& b) {
    if (a.block == b.block)
        throw Error(ErrorCode::invalid_input,
                    fmt::format("block {}: {} and {} are in the same memory", a.block, array_name(a.array), array_name(b.array)));
    throw Error(ErrorCode::invalid_input, fmt::format("block {}: {} and {} of block {} are in the same memory", a.block,
                                                      array_name(a.array), array_name(b.array), b.block));
}

/// A bit for each unit of memory, in pages that are made when they are needed.
class Bits {
public:
    /// Whether some of [begin, end) was set before; with `set`, all is now.
    bool test(std::int64_t begin, std::int64_t end, bool set) {
        bool found = false;
        for (std::int64_t word = begin / 64; word * 64 < end; ++word) {
            const std::int64_t low = std::max<std::int64_t>(begin - word * 64, 0),
                               high = std::min<std::int64_t>(end - word * 64, 64);
            const std::uint64_t bits = (~std::uint64_t{0} >> (64 - (high - low))) << low;
            std::uint64_t& there = at(word);
            found = found || (there & bits) != 0;
            if (set) there |= bits;
        }
        return found;
    }

private:
    static constexpr std::int64_t page_words = 64;
    using Page = std::array<std::uint64_t, page_words>;

    std::uint64_t& at(std::int64_t word) {
        if (const std::int64_t number = word / page_words; last_ == nullptr || number != last_number_) {
            last_ = &pages_[number];
            last_number_ = number;
        }
        return (*last_)[static_cast<std::size_t>(word % page_words)];
    }

    std::unordered_map<std::int64_t, Page> pages_;
    Page* last_ = nullptr;
    std::int64_t last_number_ = 0;
};

bool may_share(std::span<const ArrayRange> ranges) {
    return std::ranges::any_of(ranges, [](const ArrayRange& range) { return range.array != density_array; });
}

}  // namespace

void SharedElements::reject_in(std::span<const ArrayRange> overlapping) {
    if (!may_share(overlapping)) return;
    ranges_.assign(overlapping.begin(), overlapping.end());
    const std::span<ArrayRange> ranges(ranges_);
    // Elements whose addresses differ by no multiple of a factor of all strides are never in one place: variables of one
    // array.
    std::int64_t period = 0, longest = 0;
    for (const ArrayRange& range : ranges) {
        const Lattice lattice = lattice_of(range);
        longest = std::max(longest, lattice.element);
        for (const std::int64_t stride : lattice.stride)
            if (period == 0 || stride % period != 0) period = std::gcd(period, stride);
    }
    if (period <= longest) return mark(ranges);
    const auto phase = [&](const ArrayRange& range) { return range.begin % period; };
    if (!std::ranges::is_sorted(ranges, {}, phase)) std::ranges::sort(ranges, {}, phase);
    if (phase(ranges.back()) + longest > phase(ranges.front()) + period) return mark(ranges);
    for (std::size_t begin = 0, end = 0; begin < ranges.size(); begin = end) {
        std::int64_t last = phase(ranges[begin]);
        for (end = begin + 1; end < ranges.size() && phase(ranges[end]) < last + longest; ++end) last = phase(ranges[end]);
        const std::span<ArrayRange> together = ranges.subspan(begin, end - begin);
        std::ranges::sort(together, by_address);
        for_overlapping(together, [&](std::span<ArrayRange> some) { mark(some); });
    }
}

void SharedElements::mark(std::span<ArrayRange> ranges) const {
    if (!may_share(ranges)) return;
    const std::int64_t base = std::ranges::min(ranges, by_address).begin;
    std::ranges::sort(ranges, {}, [](const ArrayRange& r) { return std::tuple(r.array == density_array, r.block, r.array); });
    std::int64_t unit = 0;
    for (const ArrayRange& range : ranges) {
        const Lattice lattice = lattice_of(range);
        unit = std::gcd(std::gcd(unit, lattice.element), range.begin - base);
        for (const std::int64_t stride : lattice.stride) unit = std::gcd(unit, stride);
    }
    Bits bits;
    for (std::size_t r = 0; r < ranges.size(); ++r)
        for_runs(lattice_of(ranges[r]), [&](std::int64_t begin, std::int64_t end) {
            if (bits.test((begin - base) / unit, (end - base) / unit, ranges[r].array != density_array))
                reject_shared(ranges.first(r), ranges[r], begin, end);
        });
}

void SharedElements::reject_shared(std::span<const ArrayRange> before, const ArrayRange& range, std::int64_t begin,
                                   std::int64_t end) const {
    for (const ArrayRange& other : before)
        if (other.array != density_array && overlap(other.begin, other.end, begin, end) && touches(lattice_of(other), begin, end))
            reject_pair(other, range);
    throw Error(ErrorCode::internal, "results of blocks share memory with none");
}

}  // namespace gravlet
