// SPDX-License-Identifier: Apache-2.0
#include "solver/gather/gather_view.hpp"

#include <algorithm>

namespace gravlet {
namespace {

template <class T>
std::span<T> span_of(T* array, std::size_t n) {
    return array == nullptr ? std::span<T>() : std::span<T>(array, n);
}

Fields fields_of(const std::array<double*, result_count>& arrays, std::size_t n) {
    std::array<ResultSpan, result_count> results;
    for (std::size_t k = 0; k < result_count; ++k) results[k] = span_of(arrays[k], n);
    return as_fields(results);
}

}  // namespace

GatherView::GatherView(const GatherArrays& a, std::uint64_t version) {
    const auto cells = [&](const double* array) { return span_of(array, a.cells); };
    const auto points = [&](const double* array) { return span_of(array, a.points); };
    input_.points = {points(a.point_x),
                     points(a.point_y),
                     points(a.point_z),
                     points(a.point_mass),
                     span_of(a.point_active, a.points),
                     points(a.point_softening),
                     span_of(a.point_class, a.points)};
    input_.point_fields = fields_of(a.point_results, a.points);
    input_.point_count = a.points;
    const auto probes = [&](const double* array) { return span_of(array, a.probes); };
    input_.probes = {probes(a.probe_x), probes(a.probe_y), probes(a.probe_z), fields_of(a.probe_results, a.probes)};
    input_.derivatives = std::max(wanted_derivatives(input_.point_fields), wanted_derivatives(input_.probes.fields));
    if (a.blocks != nullptr) {
        add_blocks(a);
        input_.blocks_version = version;
        return;
    }
    input_.cells = {cells(a.x),
                    cells(a.y),
                    cells(a.z),
                    cells(a.dx),
                    cells(a.dy),
                    cells(a.dz),
                    cells(a.mass),
                    span_of(a.active, a.cells),
                    span_of(a.source_class, a.cells)};
    input_.cell_fields = fields_of(a.cell_results, a.cells);
    input_.cell_count = a.cells;
    input_.derivatives = std::max(input_.derivatives, wanted_derivatives(input_.cell_fields));
}

void GatherView::add_blocks(const GatherArrays& a) {
    std::size_t cell = 0;
    blocks_.reserve(a.block_count);
    for (std::size_t b = 0; b < a.block_count; ++b) {
        const GatheredBlock& from = a.blocks[b];
        Block block{from.lower, from.cell_size, from.n, {}, a.mass + cell};
        block.stride = dense_stride(from.n);
        std::array<ResultPointer, result_count> results{};
        for (std::size_t k = 0; k < result_count; ++k)
            if (from.results[k]) results[k] = a.cell_results[k] + cell;
        set_results(block, results);
        block.active = from.active;
        cell += static_cast<std::size_t>(block.stride[2]) * static_cast<std::size_t>(from.n[2]);
        blocks_.push_back(block);
    }
    input_.blocks = blocks_.data();
    input_.block_count = blocks_.size();
    lay_out_blocks(input_, block_begin_);
}

}  // namespace gravlet
