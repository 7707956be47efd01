// SPDX-License-Identifier: Apache-2.0
#include "solver/gather/gather_copy.hpp"

#include <algorithm>
#include <cstring>

namespace gravlet {
namespace {

struct Copy {
    const DeviceAccess& device;
    int threads;

    void on_host(const double* from, double* to, std::size_t n) const {
        const std::size_t parts = static_cast<std::size_t>(threads);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (std::size_t p = 0; p < parts; ++p) {
            const std::size_t begin = n * p / parts, end = n * (p + 1) / parts;
            std::memcpy(to + begin, from + begin, (end - begin) * sizeof(double));
        }
    }
    void in(std::span<const double> from, double* to) const {
        if (from.empty()) return;
        if (device.on_device(from.data())) {
            device.fetch(from.data(), to, from.size());
        } else {
            on_host(from.data(), to, from.size());
        }
    }
    /// What is not active was not computed, and the caller's values stay. `merged`: room for an array.
    void out(const double* from, std::span<double> to, std::span<const std::uint8_t> active, double* merged) const {
        if (to.empty()) return;
        if (!active.empty()) {
            out_active(from, to, active, merged);
        } else if (device.on_device(to.data())) {
            device.store(from, to.data(), to.size());
        } else {
            on_host(from, to.data(), to.size());
        }
    }
    void out_active(const double* from, std::span<double> to, std::span<const std::uint8_t> active, double* merged) const {
        const auto merge = [&](double* into) {
            for (std::size_t i = 0; i < to.size(); ++i)
                if (active[i] != 0) into[i] = from[i];
        };
        if (!device.on_device(to.data())) return merge(to.data());
        device.fetch(to.data(), merged, to.size());
        merge(merged);
        device.store(merged, to.data(), to.size());
    }
    void out(const std::array<double*, result_count>& from, const Fields& to, std::span<const std::uint8_t> active,
             double* merged) const {
        for (std::size_t k = 0; k < result_count; ++k) out(from[k], result_arrays(to)[k], active, merged);
    }

    /// Another rank may have flags where this one has none: all n are active.
    static void flags(std::span<const std::uint8_t> from, std::uint8_t* to, std::size_t n) {
        if (to == nullptr) return;
        if (from.empty()) {
            std::memset(to, 1, n);
        } else {
            std::memcpy(to, from.data(), n);
        }
    }

    /// Calls on_device(block, array, first cell) or on_host(array of a row's first cell, first cell, row) for each block that has
    /// the array. Where one block's array is, all are: asking for each of thousands would take longer than the copy.
    template <class Array, class OnDevice, class OnHost>
    void blocks(const Input& input, Array array, const Stride& (*stride_of)(const Block&), OnDevice whole_block,
                OnHost row) const {
        const Block *const first = input.blocks, *const last = first + input.block_count;
        const Block* given = first;
        while (given != last && array(*given) == nullptr) ++given;
        if (given == last) return;
        if (device.on_device(array(*given))) {
            for (const Block* block = given; block != last; ++block)
                if (array(*block) != nullptr) whole_block(*block, array(*block), input.block_begin[block - first]);
            return;
        }
        // Few blocks are shared out by planes.
        const bool many = input.block_count >= static_cast<std::size_t>(threads);
#pragma omp parallel for schedule(static) num_threads(threads) if (many)
        for (std::size_t b = 0; b < input.block_count; ++b) {
            const Block& block = input.blocks[b];
            auto* const start = array(block);
            if (start == nullptr) continue;
            const Stride& stride = stride_of(block);
#pragma omp parallel for schedule(static) num_threads(threads) if (!many)
            for (int k = 0; k < block.n[2]; ++k) {
                for (int j = 0; j < block.n[1]; ++j) {
                    const std::size_t rows =
                        static_cast<std::size_t>(k) * static_cast<std::size_t>(block.n[1]) + static_cast<std::size_t>(j);
                    row(block, start + j * stride[1] + k * stride[2],
                        input.block_begin[b] + rows * static_cast<std::size_t>(block.n[0]));
                }
            }
        }
    }

    void blocks_in(const Input& from, const GatherArrays& to) const {
        for (std::size_t b = 0; b < from.block_count; ++b) {
            const Block& block = from.blocks[b];
            to.blocks[b] = {block.lower, block.cell_size, block.n, {}, block.active};
            for (std::size_t k = 0; k < result_count; ++k) to.blocks[b].results[k] = result_arrays(block)[k] != nullptr;
        }
        blocks(
            from, [](const Block& b) { return b.density; }, density_stride,
            [&](const Block& b, const double* array, std::size_t cell) {
                device.fetch_block(b, b.stride, array, to.mass + cell);
            },
            [&](const Block& b, const double* array, std::size_t cell) {
                for (int i = 0; i < b.n[0]; ++i) to.mass[cell++] = array[i * b.stride[0]];
            });
    }
    template <class Array>
    void blocks_out(const double* from, const Input& to, Array array) const {
        blocks(
            to, array, result_stride,
            [&](const Block& b, double* start, std::size_t cell) { device.store_block(b, result_stride(b), from + cell, start); },
            [&](const Block& b, double* start, std::size_t cell) {
                const std::ptrdiff_t step = result_stride(b)[0];
                for (int i = 0; i < b.n[0]; ++i) start[i * step] = from[cell++];
            });
    }
};

}  // namespace

void gather(const Input& from, double softening, const GatherArrays& to, const DeviceAccess& device, int threads) {
    const Copy copy{device, threads};
    if (from.block_count > 0) {
        copy.blocks_in(from, to);
    } else {
        const Cells& c = from.cells;
        copy.in(c.x, to.x);
        copy.in(c.y, to.y);
        copy.in(c.z, to.z);
        copy.in(c.dx, to.dx);
        // Another rank's cells may not be cubes.
        if (to.dy != nullptr) copy.in(c.dy.empty() ? c.dx : c.dy, to.dy);
        if (to.dz != nullptr) copy.in(c.dz.empty() ? c.dx : c.dz, to.dz);
        copy.in(c.mass, to.mass);
        Copy::flags(c.active, to.active, to.cells);
    }
    copy.in(from.points.x, to.point_x);
    copy.in(from.points.y, to.point_y);
    copy.in(from.points.z, to.point_z);
    copy.in(from.points.mass, to.point_mass);
    // Another rank may bring lengths where this one does not.
    if (to.point_softening != nullptr && from.points.softening.empty())
        std::fill_n(to.point_softening, to.points, softening);
    else
        copy.in(from.points.softening, to.point_softening);
    Copy::flags(from.points.active, to.point_active, to.points);
}

void Scatter::prepare() {
    const auto reserve = [&](std::span<const std::uint8_t> active, const Fields& fields) {
        if (active.empty()) return;
        for (const std::span<double> array : result_arrays(fields))
            if (!array.empty() && device_.on_device(array.data())) merged_.resize(std::max(merged_.size(), array.size()));
    };
    reserve(to_.cells.active, to_.cell_fields);
    reserve(to_.points.active, to_.point_fields);
}

void Scatter::write() {
    const Copy copy{device_, threads_};
    if (to_.block_count > 0) {
        for (std::size_t k = 0; k < result_count; ++k)
            copy.blocks_out(from_.cell_results[k], to_, [=](const Block& b) { return b.active ? result_arrays(b)[k] : nullptr; });
    } else {
        copy.out(from_.cell_results, to_.cell_fields, to_.cells.active, merged_.data());
    }
    copy.out(from_.point_results, to_.point_fields, to_.points.active, merged_.data());
}

}  // namespace gravlet
