// SPDX-License-Identifier: Apache-2.0
#include "solver/gather/gather_copy.hpp"

#include "physics/path_size.hpp"
#include "solver/input/copy_box.hpp"

#include <algorithm>
#include <cstring>

namespace gravlet {
namespace {

/// Memory of so many numbers, as numbers of an array's precision.
template <class Double>
ResultPointer as_precise_as(const RealPointer<Double>& array, double* memory) {
    return array.is_single() ? ResultPointer(reinterpret_cast<float*>(memory)) : ResultPointer(memory);
}

/// Cells of blocks that are copied together while a device waits for more: 1 MB.
constexpr std::size_t cells_together = path_size(1 << 17, 100);

InputPointer density_of(const Block& block) { return block.density; }

/// A block's array of one component of the results, if it is to be written.
auto wanted_result(std::size_t component) {
    return [component](const Block& block) { return block.active ? result_array(block, component) : ResultPointer(); };
}

/// Whether the blocks' arrays are in a device's memory. Where one block's is, all are: asking for each of thousands would take
/// longer than a copy.
template <class Array>
bool blocks_are_there(const DeviceAccess& device, const Input& input, Array array) {
    for (const Block& block : std::span(input.blocks, input.block_count))
        if (array(block) != nullptr) return device.on_device(array(block).address());
    return false;
}

struct Copy {
    DeviceAccess& device;
    int threads;
    double* room;  ///< room for what of an array must be looked at on its way to or from a device

    template <class F>
    void for_parts(std::size_t n, F f) const {
        const std::size_t parts = static_cast<std::size_t>(threads);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (std::size_t p = 0; p < parts; ++p) f(n * p / parts, n * (p + 1) / parts);
    }
    void copy(InputPointer from, ResultPointer to, std::size_t n) const {
        for_parts(n, [=](std::size_t begin, std::size_t end) {
            const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(begin), last = static_cast<std::ptrdiff_t>(end);
            if (from.is_single() == to.is_single()) {
                std::memcpy((to + first).address(), (from + first).address(), (end - begin) * to.element_size());
            } else {
                for (std::ptrdiff_t i = first; i < last; ++i) to.set(i, from[i]);
            }
        });
    }
    void in(const InputSpan& from, double* to) const {
        if (from.empty()) return;
        if (!device.on_device(from.data().address())) return copy(from.data(), to, from.size());
        const ResultPointer fetched = from.data().is_single() ? as_precise_as(from.data(), room) : ResultPointer(to);
        device.fetch(from.data().address(), fetched.address(), from.size() * fetched.element_size());
        if (from.data().is_single()) copy(fetched, to, from.size());
    }
    /// What is not active was not computed, and the caller's values stay.
    void out(const double* from, const ResultSpan& to, std::span<const std::uint8_t> active) const {
        if (to.empty()) return;
        const auto merge = [&](const ResultPointer& into) {
            if (active.empty()) return copy(from, into, to.size());
            for (std::size_t i = 0; i < to.size(); ++i)
                if (active[i] != 0) into.set(static_cast<std::ptrdiff_t>(i), from[i]);
        };
        const ResultPointer start = to.data();
        if (!device.on_device(start.address())) return merge(start);
        const std::size_t bytes = to.size() * start.element_size();
        if (active.empty() && !start.is_single()) return device.store(from, start.address(), bytes);
        const ResultPointer merged = as_precise_as(start, room);
        if (!active.empty()) device.fetch(start.address(), merged.address(), bytes);
        merge(merged);
        device.store(merged.address(), start.address(), bytes);
    }
    void out(const std::array<double*, result_count>& from, const Fields& to, std::span<const std::uint8_t> active) const {
        for (std::size_t k = 0; k < result_count; ++k) out(from[k], result_arrays(to)[k], active);
    }

    /// Copies flags or classes. Another rank may have some where this one has none: all n are `otherwise`.
    static void bytes(std::span<const std::uint8_t> from, std::uint8_t* to, std::size_t n, std::uint8_t otherwise) {
        if (to == nullptr) return;
        if (from.empty()) {
            std::memset(to, otherwise, n);
        } else {
            std::memcpy(to, from.data(), n);
        }
    }

    /// Calls f(block, array, first cell, first plane, end) for parts of each block that has the array, and now and then done(n)
    /// when the first n blocks have been.
    template <class Array, class F, class Done>
    void blocks_on_host(const Input& input, Array array, F f, Done done) const {
        // Few blocks are shared out by planes.
        const std::size_t n = input.block_count, team = static_cast<std::size_t>(threads), parts = n < team ? team : 1,
                          together = std::max(team, n * cells_together / std::max(input.cell_count, std::size_t{1}));
        for (std::size_t begin = 0; begin < n; begin += together) {
            const std::size_t end = std::min(begin + together, n);
#pragma omp parallel for schedule(static) num_threads(threads)
            for (std::size_t p = begin * parts; p < end * parts; ++p) {
                const std::size_t b = p / parts;
                const Block& block = input.blocks[b];
                const auto plane = [&](std::size_t part) {
                    return static_cast<int>(static_cast<std::size_t>(block.n[2]) * part / parts);
                };
                if (array(block) != nullptr) f(block, array(block), input.block_begin[b], plane(p % parts), plane(p % parts + 1));
            }
            done(end);
        }
    }

    static void descriptions(const Input& from, const GatherArrays& to) {
        for (std::size_t b = 0; b < from.block_count; ++b) {
            const Block& block = from.blocks[b];
            to.blocks[b] = {block.lower, block.cell_size, block.n, {}, block.active};
            for_results(block, [&](const ResultPointer& array, std::size_t k) { to.blocks[b].results[k] = array != nullptr; });
        }
    }
    template <class Done>
    void blocks_in(const Input& from, const GatherArrays& to, Done done) const {
        if (blocks_are_there(device, from, density_of)) {
            device.describe_blocks(from, threads);
            device.fetch_densities(to.mass);
            return done(from.block_count);
        }
        blocks_on_host(
            from, density_of,
            [&](const Block& b, InputPointer array, std::size_t cell, int plane, int end) {
                const Stride dense = dense_stride(b.n);
                copy_box({b.n[0], b.n[1], end - plane}, array + plane * b.stride[2], b.stride,
                         ResultPointer(to.mass + cell) + plane * dense[2], dense);
            },
            done);
    }
    void blocks_out(const double* from, const Input& to, std::size_t component) const {
        const auto array = wanted_result(component);
        if (blocks_are_there(device, to, array)) return device.store_results(component, from);
        blocks_on_host(
            to, array,
            [&](const Block& b, ResultPointer start, std::size_t cell, int plane, int end) {
                const Stride dense = dense_stride(b.n), &stride = result_stride(b);
                copy_box({b.n[0], b.n[1], end - plane}, InputPointer(from + cell) + plane * dense[2], dense,
                         start + plane * stride[2], stride);
            },
            [](std::size_t) {});
    }
};

/// Numbers of the longest array that must be looked at on its way from or to a device: of floats, or with `active`.
template <class Double>
std::size_t room_for(const DeviceAccess& device, const RealSpan<Double>& array, bool flags) {
    const bool looked_at = !array.empty() && (flags || array.data().is_single());
    return looked_at && device.on_device(array.data().address()) ? array.size() : 0;
}

std::size_t room_for_input(const DeviceAccess& device, const Input& input) {
    std::size_t most = 0;
    const Cells& c = input.cells;
    const Points& p = input.points;
    const Probes& q = input.probes;
    for (const InputSpan& array : {c.x, c.y, c.z, c.dx, c.dy, c.dz, c.mass, p.x, p.y, p.z, p.mass, p.softening, q.x, q.y, q.z})
        most = std::max(most, room_for(device, array, false));
    return most;
}

std::size_t room_for_results(const DeviceAccess& device, const Input& input) {
    std::size_t most = 0;
    for (std::size_t k = 0; k < result_count; ++k) {
        most = std::max(most, room_for(device, result_array(input.cell_fields, k), !input.cells.active.empty()));
        most = std::max(most, room_for(device, result_array(input.point_fields, k), !input.points.active.empty()));
        most = std::max(most, room_for(device, result_array(input.probes.fields, k), false));
    }
    return most;
}

}  // namespace

void gather(const Input& from, double softening, const GatherArrays& to, DeviceAccess& device, int threads, bool described,
            const std::function<void(std::size_t)>& wrote) {
    std::vector<double> room(room_for_input(device, from));
    const Copy copy{device, threads, room.data()};
    if (from.block_count > 0) {
        if (!described) Copy::descriptions(from, to);
        copy.blocks_in(from, to, [&](std::size_t blocks) { wrote(from.block_begin[blocks]); });
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
        Copy::bytes(c.active, to.active, to.cells, 1);
        Copy::bytes(c.source_class, to.source_class, to.cells, class_of_cells);
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
    Copy::bytes(from.points.active, to.point_active, to.points, 1);
    Copy::bytes(from.points.source_class, to.point_class, to.points, class_of_points);
    copy.in(from.probes.x, to.probe_x);
    copy.in(from.probes.y, to.probe_y);
    copy.in(from.probes.z, to.probe_z);
}

void Scatter::prepare() {
    room_.resize(room_for_results(device_, to_));
    for (std::size_t k = 0; k < result_count; ++k)
        if (blocks_are_there(device_, to_, wanted_result(k))) return device_.describe_blocks(to_, threads_);
}

void Scatter::write() {
    const Copy copy{device_, threads_, room_.data()};
    if (to_.block_count > 0) {
        for (std::size_t k = 0; k < result_count; ++k) copy.blocks_out(from_.cell_results[k], to_, k);
    } else {
        copy.out(from_.cell_results, to_.cell_fields, to_.cells.active);
    }
    copy.out(from_.point_results, to_.point_fields, to_.points.active);
    copy.out(from_.probe_results, to_.probes.fields, {});
}

}  // namespace gravlet
