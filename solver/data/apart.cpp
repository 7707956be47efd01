// SPDX-License-Identifier: Apache-2.0
#include "solver/data/apart.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

namespace gravlet {
namespace {

using Range = BlockMemory::Range;

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_input, message); }

std::int64_t as_number(const void* address) { return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address)); }

// ---- cells and points

/// Of cells or points: contiguous.
struct Array {
    std::int64_t begin, end;
    std::size_t element;  ///< bytes
    const char *name, *whose;
    bool is_result;
};

bool overlap(std::int64_t begin, std::int64_t end, std::int64_t other_begin, std::int64_t other_end) {
    return begin < other_end && other_begin < end;
}

class Arrays {
public:
    void add(const Cells& c) {
        constexpr const char* whose = "cells";
        add(c.x, "x", whose), add(c.y, "y", whose), add(c.z, "z", whose);
        add(c.dx, "dx", whose), add(c.dy, "dy", whose), add(c.dz, "dz", whose);
        add(c.mass, "mass", whose), add(c.active, "active", whose);
    }
    void add(const Points& p) {
        constexpr const char* whose = "points";
        add(p.x, "x", whose), add(p.y, "y", whose), add(p.z, "z", whose);
        add(p.mass, "mass", whose), add(p.active, "active", whose), add(p.softening, "softening", whose);
    }
    void add(const Fields& fields, const char* whose) {
        for_results(fields, [&](const ResultSpan& array, std::size_t k) {
            if (!array.empty())
                add(array.data().address(), array.size(), array.data().element_size(), result_components[k].name, whose, true);
        });
    }
    [[nodiscard]] std::span<const Array> all() const { return {arrays_.data(), count_}; }

private:
    void add(const InputSpan& array, const char* name, const char* whose) {
        if (!array.empty()) add(array.data().address(), array.size(), array.data().element_size(), name, whose, false);
    }
    void add(std::span<const std::uint8_t> flags, const char* name, const char* whose) {
        if (!flags.empty()) add(flags.data(), flags.size(), 1, name, whose, false);
    }
    void add(const void* first, std::size_t n, std::size_t element, const char* name, const char* whose, bool is_result) {
        const std::int64_t begin = as_number(first);
        arrays_[count_++] = {begin, begin + static_cast<std::int64_t>(n * element), element, name, whose, is_result};
    }

    static constexpr std::size_t inputs = 8 + 6;
    std::array<Array, inputs + 2 * result_count> arrays_;
    std::size_t count_ = 0;
};

void check_pair(const Array& a, const Array& b) {
    if (!(a.is_result || b.is_result) || !overlap(a.begin, a.end, b.begin, b.end)) return;
    const bool in_place = !(a.is_result && b.is_result) && a.whose == b.whose && a.begin == b.begin && a.element == b.element;
    if (!in_place) reject(fmt::format("{} of {} and {} of {} are in the same memory", a.name, a.whose, b.name, b.whose));
}

// ---- blocks

constexpr std::uint8_t first_face = result_count, density = first_face + 3;

/// The elements of one array of a block: so many a direction, so many bytes apart.
struct Lattice {
    std::int64_t first;
    std::array<std::int64_t, 3> n, stride;
    std::int64_t element;

    /// Of block 0.
    [[nodiscard]] Range range(std::uint8_t array) const {
        Range out{first, first + element, 0, array};
        for (std::size_t d = 0; d < 3; ++d) {
            const std::int64_t reach = (n[d] - 1) * stride[d];
            (reach < 0 ? out.begin : out.end) += reach;
        }
        return out;
    }
};

Lattice lattice_of(const InputPointer& array, const std::array<int, 3>& n, const Stride& stride,
                   const std::array<int, 3>& below) {
    const auto element = static_cast<std::int64_t>(array.element_size());
    Lattice out{as_number(array.address()), {n[0], n[1], n[2]}, {}, element};
    for (std::size_t d = 0; d < 3; ++d) {
        out.stride[d] = n[d] > 1 ? element * stride[d] : 0;
        if (out.stride[d] == 0) out.n[d] = 1;  // one value for all
        out.first -= below[d] * element * stride[d];
    }
    return out;
}

const ResultPointer& result_of(const Block& block, std::size_t array) {
    return array < first_face ? result_array(block, array) : block.face_acceleration[array - first_face];
}

Lattice lattice_of(const Block& block, std::size_t array) {
    if (array == density) return lattice_of(block.density, block.n, block.stride, {});
    if (array < first_face)
        return lattice_of(result_of(block, array), result_extent(block), result_stride(block), block.result_guards);
    const int d = static_cast<int>(array - first_face);
    return lattice_of(result_of(block, array), face_extent(block, d), face_stride(block, d), {});
}

/// Bit k: array k is written.
unsigned written_arrays(const Block& block) {
    return block.active ? wanted_components(block) | wanted_faces(block) << first_face : 0;
}

template <class F>
void for_bits(unsigned bits, F f) {
    for (; bits != 0; bits &= bits - 1) f(static_cast<std::uint8_t>(std::countr_zero(bits)));
}

/// In directions in which there is more than one cell.
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

const char* name_of(std::size_t array) {
    return array == density ? "density" : array < first_face ? result_components[array].name : face_names[array - first_face];
}

[[noreturn]] void reject(const Range& a, const Range& b) {
    if (a.block == b.block)
        reject(fmt::format("block {}: {} and {} are in the same memory", a.block, name_of(a.array), name_of(b.array)));
    reject(fmt::format("block {}: {} and {} of block {} are in the same memory", a.block, name_of(a.array), name_of(b.array),
                       b.block));
}

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

bool touches(const Lattice& lattice, std::int64_t begin, std::int64_t end) {
    bool found = false;
    for_runs(lattice, [&](std::int64_t first, std::int64_t last) { found = found || overlap(first, last, begin, end); });
    return found;
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

bool by_address(const Range& a, const Range& b) { return a.begin < b.begin; }

/// Calls f for each row of ranges, sorted by address, that overlap as wholes.
template <class F>
void for_overlapping(std::span<Range> ranges, F f) {
    for (std::size_t begin = 0, end = 0; begin < ranges.size(); begin = end) {
        std::int64_t reach = ranges[begin].end;
        for (end = begin + 1; end < ranges.size() && ranges[end].begin < reach; ++end) reach = std::max(reach, ranges[end].end);
        if (end - begin > 1) f(ranges.subspan(begin, end - begin));
    }
}

/// Looks for elements that two arrays share, among some that overlap as wholes.
class Search {
public:
    explicit Search(std::span<const Block> blocks) : blocks_(blocks) {}

    void run(std::span<const Range> overlapping) {
        if (!may_share(overlapping)) return;
        ranges_.assign(overlapping.begin(), overlapping.end());
        const std::span<Range> ranges(ranges_);
        // Elements whose addresses differ by no multiple of a factor of all strides are never in one place: variables of one
        // array.
        std::int64_t period = 0, longest = 0;
        for (const Range& range : ranges) {
            const Lattice lattice = lattice_of(range);
            longest = std::max(longest, lattice.element);
            for (const std::int64_t stride : lattice.stride)
                if (period == 0 || stride % period != 0) period = std::gcd(period, stride);
        }
        if (period <= longest) return mark(ranges);
        const auto phase = [&](const Range& range) { return range.begin % period; };
        if (!std::ranges::is_sorted(ranges, {}, phase)) std::ranges::sort(ranges, {}, phase);
        if (phase(ranges.back()) + longest > phase(ranges.front()) + period) return mark(ranges);
        for (std::size_t begin = 0, end = 0; begin < ranges.size(); begin = end) {
            std::int64_t last = phase(ranges[begin]);
            for (end = begin + 1; end < ranges.size() && phase(ranges[end]) < last + longest; ++end) last = phase(ranges[end]);
            const std::span<Range> together = ranges.subspan(begin, end - begin);
            std::ranges::sort(together, by_address);
            for_overlapping(together, [&](std::span<Range> some) { mark(some); });
        }
    }

private:
    [[nodiscard]] Lattice lattice_of(const Range& range) const { return gravlet::lattice_of(blocks_[range.block], range.array); }

    static bool may_share(std::span<const Range> ranges) {
        return std::ranges::any_of(ranges, [](const Range& range) { return range.array != density; });
    }

    /// Results first, and then whether densities lie on any.
    void mark(std::span<Range> ranges) const {
        if (!may_share(ranges)) return;
        const std::int64_t base = std::ranges::min(ranges, by_address).begin;
        std::ranges::sort(ranges, {}, [](const Range& r) { return std::tuple(r.array == density, r.block, r.array); });
        std::int64_t unit = 0;
        for (const Range& range : ranges) {
            const Lattice lattice = lattice_of(range);
            unit = std::gcd(std::gcd(unit, lattice.element), range.begin - base);
            for (const std::int64_t stride : lattice.stride) unit = std::gcd(unit, stride);
        }
        Bits bits;
        for (std::size_t r = 0; r < ranges.size(); ++r)
            for_runs(lattice_of(ranges[r]), [&](std::int64_t begin, std::int64_t end) {
                if (bits.test((begin - base) / unit, (end - base) / unit, ranges[r].array != density))
                    reject_shared(ranges.first(r), ranges[r], begin, end);
            });
    }

    /// One of those before has an element there.
    [[noreturn]] void reject_shared(std::span<const Range> before, const Range& range, std::int64_t begin,
                                    std::int64_t end) const {
        for (const Range& other : before)
            if (other.array != density && overlap(other.begin, other.end, begin, end) && touches(lattice_of(other), begin, end))
                reject(other, range);
        throw Error(ErrorCode::internal, "results of blocks share memory with none");
    }

    std::span<const Block> blocks_;
    std::vector<Range> ranges_;
};

/// Of one block's arrays, by address.
class RangesOfBlock {
public:
    RangesOfBlock() = default;
    RangesOfBlock(const Block& block, unsigned written) {
        bool in_place = false;  // what lies on that result lies on the density
        for_bits(written, [&](std::uint8_t array) {
            add(block, array);
            in_place = in_place || is_in_place(block, array);
        });
        if (!in_place) add(block, density);
        std::ranges::sort(all(), by_address);
    }
    [[nodiscard]] std::span<Range> all() { return {ranges_.data(), count_}; }
    void move_to(std::size_t block, std::int64_t by) {
        for (Range& range : all()) range.begin += by, range.end += by, range.block = static_cast<std::uint32_t>(block);
    }

private:
    void add(const Block& block, std::uint8_t array) { ranges_[count_++] = lattice_of(block, array).range(array); }

    std::array<Range, density + 1> ranges_;
    std::size_t count_ = 0;
};

/// Those of one array after those of another, which are merged: most hosts have each array in the order of addresses.
void sort_by_address(std::vector<Range>& ranges) {
    if (std::ranges::is_sorted(ranges, by_address)) return;
    std::array<std::vector<Range>, density + 1> arrays;
    std::array<std::size_t, density + 1> counts{};
    for (const Range& range : ranges) ++counts[range.array];
    for (std::size_t array = 0; array < arrays.size(); ++array) arrays[array].reserve(counts[array]);
    for (const Range& range : ranges) arrays[range.array].push_back(range);
    ranges.clear();
    for (std::vector<Range>& array : arrays)
        if (!std::ranges::is_sorted(array, by_address)) std::ranges::sort(array, by_address);
    // By where they begin, so that arrays that lie one after the other need no merging.
    std::ranges::sort(arrays, [](const auto& a, const auto& b) { return !a.empty() && (b.empty() || by_address(a[0], b[0])); });
    for (const std::vector<Range>& array : arrays) {
        const auto count = static_cast<std::ptrdiff_t>(ranges.size());
        ranges.insert(ranges.end(), array.begin(), array.end());
        const auto middle = ranges.begin() + count;
        if (count > 0 && middle != ranges.end() && by_address(*middle, *(middle - 1)))
            std::inplace_merge(ranges.begin(), middle, ranges.end(), by_address);
    }
}

}  // namespace

void BlockMemory::look_through(std::span<const Block> blocks) {
    Search search(blocks);
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
            for_overlapping(own.all(), [&](std::span<const Range> some) { search.run(some); });
        }
        written_before = written;
        ranges_.insert(ranges_.end(), own.all().begin(), own.all().end());
    }
    sort_by_address(ranges_);
    for_overlapping(ranges_, [&](std::span<const Range> some) {
        const auto of_first = [&](const Range& range) { return range.block == some.front().block; };
        if (!std::ranges::all_of(some, of_first)) search.run(some);
    });
    ends_.resize(ranges_.size());
    std::transform_inclusive_scan(
        ranges_.begin(), ranges_.end(), ends_.begin(), [](std::int64_t a, std::int64_t b) { return std::max(a, b); },
        [](const Range& range) { return range.end; });
}

void BlockMemory::require_points_apart(const Input& input) const {
    Arrays points;
    points.add(input.points), points.add(input.point_fields, "points");
    for (const Array& array : points.all()) {
        const auto after = std::ranges::lower_bound(ranges_, array.end, {}, &Range::begin);
        for (auto i = static_cast<std::size_t>(after - ranges_.begin()); i-- > 0 && ends_[i] > array.begin;) {
            const Range& range = ranges_[i];
            if ((array.is_result || range.array != density) &&
                touches(lattice_of(input.blocks[range.block], range.array), array.begin, array.end))
                reject(fmt::format("block {}: {} and {} of points are in the same memory", range.block, name_of(range.array),
                                   array.name));
        }
    }
}

void require_apart(const Input& input) {
    Arrays arrays;
    if (input.block_count == 0) arrays.add(input.cells), arrays.add(input.cell_fields, "cells");
    arrays.add(input.points), arrays.add(input.point_fields, "points");
    const std::span<const Array> all = arrays.all();
    for (std::size_t a = 0; a < all.size(); ++a)
        for (std::size_t b = a + 1; b < all.size(); ++b) check_pair(all[a], all[b]);
}

}  // namespace gravlet
