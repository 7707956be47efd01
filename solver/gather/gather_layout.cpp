// SPDX-License-Identifier: Apache-2.0
#include "solver/gather/gather_layout.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace gravlet {
namespace {

/// Hands out a window's memory from the start, a cache line's multiple at a time. Without a window it only measures.
class Cursor {
public:
    explicit Cursor(std::byte* window) : window_(window) {}

    template <class T>
    void take(T*& array, std::size_t n, bool wanted = true) {
        if (!wanted) return;
        if (window_ != nullptr) array = reinterpret_cast<T*>(window_ + used_);
        used_ += (n * sizeof(T) + line - 1) / line * line;
    }
    [[nodiscard]] std::size_t used() const { return used_; }

private:
    static constexpr std::size_t line = 64;
    std::byte* window_;
    std::size_t used_ = 0;
};

std::size_t lay_out(const GatherShare& sum, std::byte* window, GatherArrays& a) {
    Cursor cursor(window);
    cursor.take(a.blocks, sum.blocks, sum.as_blocks);
    for (double** const array : {&a.x, &a.y, &a.z, &a.dx}) cursor.take(*array, sum.cells, !sum.as_blocks);
    for (double** const array : {&a.dy, &a.dz}) cursor.take(*array, sum.cells, sum.three_sides);
    cursor.take(a.mass, sum.cells);
    for (std::size_t k = 0; k < result_count; ++k) cursor.take(a.cell_results[k], sum.cells, sum.cell_results[k]);
    for (double** const array : {&a.point_x, &a.point_y, &a.point_z, &a.point_mass}) cursor.take(*array, sum.points);
    cursor.take(a.point_softening, sum.points, sum.point_softening);
    for (std::size_t k = 0; k < result_count; ++k) cursor.take(a.point_results[k], sum.points, sum.point_results[k]);
    for (double** const array : {&a.probe_x, &a.probe_y, &a.probe_z}) cursor.take(*array, sum.probes);
    for (std::size_t k = 0; k < result_count; ++k) cursor.take(a.probe_results[k], sum.probes, sum.probe_results[k]);
    cursor.take(a.active, sum.cells, sum.cell_active);
    cursor.take(a.point_active, sum.points, sum.point_active);
    cursor.take(a.source_class, sum.cells, sum.cell_class);
    cursor.take(a.point_class, sum.points, sum.point_class);
    a.cells = sum.cells;
    a.block_count = sum.blocks;
    a.points = sum.points;
    a.probes = sum.probes;
    return cursor.used();
}

}  // namespace

GatherShare share_of(const Input& input, int rank) {
    GatherShare share;
    share.rank = rank;
    share.cells = input.cell_count;
    share.blocks = input.block_count;
    share.points = input.point_count;
    share.probes = input.probe_count();
    share.as_blocks = input.block_count > 0;
    share.three_sides = !input.cells.dy.empty();
    share.cell_active = !input.cells.active.empty();
    share.point_active = !input.points.active.empty();
    share.cell_class = !input.cells.source_class.empty();
    share.point_class = !input.points.source_class.empty();
    share.point_softening = !input.points.softening.empty();
    for (std::size_t k = 0; k < result_count; ++k) {
        share.cell_results[k] = !result_arrays(input.cell_fields)[k].empty();
        share.point_results[k] = !result_arrays(input.point_fields)[k].empty();
        share.probe_results[k] = !result_arrays(input.probes.fields)[k].empty();
    }
    if (share.as_blocks)
        for (std::size_t k = 0; k < result_count; ++k) share.cell_results[k] = (input.component_bits >> k & 1u) != 0;
    share.blocks_version = input.blocks_version;
    return share;
}

GatherLayout::GatherLayout(const std::vector<GatherShare>& shares) : shares_(shares) {
    bool cells = false;
    for (const GatherShare& share : shares_) {
        if (share.cells + share.points + share.probes > 0)
            rank_parts_.push_back({share.rank, sum_.cells, sum_.blocks, sum_.points, sum_.probes});
        sum_.cells += share.cells;
        sum_.blocks += share.blocks;
        sum_.points += share.points;
        sum_.probes += share.probes;
        sum_.as_blocks |= share.as_blocks;
        cells |= share.cells > 0 && !share.as_blocks;
        sum_.three_sides |= share.three_sides;
        sum_.cell_active |= share.cell_active;
        sum_.point_active |= share.point_active;
        sum_.cell_class |= share.cell_class;
        sum_.point_class |= share.point_class;
        sum_.point_softening |= share.point_softening;
        for (std::size_t k = 0; k < result_count; ++k) {
            sum_.cell_results[k] |= share.cell_results[k];
            sum_.point_results[k] |= share.point_results[k];
            sum_.probe_results[k] |= share.probe_results[k];
        }
    }
    if (cells && sum_.as_blocks) throw Error(ErrorCode::invalid_input, "some ranks bring blocks, others cells");
    constexpr std::size_t most = std::numeric_limits<cell_index>::max() - 1;
    if (sum_.probes > most)
        throw Error(ErrorCode::out_of_memory,
                    fmt::format("{} probes on the {} ranks that share a GPU: at most {}", sum_.probes, shares_.size(), most));
    if (sum_.cells + sum_.points > most)
        throw Error(ErrorCode::out_of_memory, fmt::format("{} cells and points on the {} ranks that share a GPU: at most {}",
                                                          sum_.cells + sum_.points, shares_.size(), most));
}

bool GatherLayout::has_blocks_of(const GatherLayout& before) const {
    return shares_ == before.shares_ && std::all_of(shares_.begin(), shares_.end(),
                                                    [](const GatherShare& s) { return !s.as_blocks || s.blocks_version != 0; });
}

std::size_t GatherLayout::bytes() const {
    GatherArrays unused;
    return lay_out(sum_, nullptr, unused);
}

std::vector<std::size_t> GatherLayout::first_cells() const {
    std::vector<std::size_t> first{0};
    for (const GatherShare& share : shares_) first.push_back(first.back() + share.cells);
    return first;
}

GatherArrays GatherLayout::all(std::byte* window) const {
    GatherArrays arrays;
    lay_out(sum_, window, arrays);
    return arrays;
}

GatherArrays GatherLayout::part(std::byte* window, std::size_t member) const {
    std::size_t cell = 0, block = 0, point = 0, probe = 0;
    for (std::size_t m = 0; m < member; ++m) {
        cell += shares_[m].cells;
        block += shares_[m].blocks;
        point += shares_[m].points;
        probe += shares_[m].probes;
    }
    GatherArrays a = all(window);
    a.cells = shares_[member].cells;
    a.block_count = shares_[member].blocks;
    a.points = shares_[member].points;
    a.probes = shares_[member].probes;
    const auto advance = [](auto*& array, std::size_t n) {
        if (array != nullptr) array += n;
    };
    advance(a.blocks, block);
    for (double** const array : {&a.x, &a.y, &a.z, &a.dx, &a.dy, &a.dz, &a.mass}) advance(*array, cell);
    for (double*& array : a.cell_results) advance(array, cell);
    for (double** const array : {&a.point_x, &a.point_y, &a.point_z, &a.point_mass, &a.point_softening}) advance(*array, point);
    for (double*& array : a.point_results) advance(array, point);
    for (double** const array : {&a.probe_x, &a.probe_y, &a.probe_z}) advance(*array, probe);
    for (double*& array : a.probe_results) advance(array, probe);
    advance(a.active, cell);
    advance(a.point_active, point);
    advance(a.source_class, cell);
    advance(a.point_class, point);
    return a;
}

}  // namespace gravlet
