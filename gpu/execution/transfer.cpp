// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/transfer.hpp"

#include "solver/arrays/known_blocks.hpp"
#include "solver/input/copy_box.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gravlet {
namespace {

/// Calls f(block, first cell, extent, its index among `begin` to `end`) for the blocks' cells [begin, end): for a block that is
/// all among them once, for each row of others, or what of it is.
template <class F>
void for_boxes(const Input& input, std::size_t begin, std::size_t end, int threads, F f) {
    const std::size_t first = input.block_of(begin), last = input.block_of(end - 1) + 1;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t b = first; b < last; ++b) {
        const Block& block = input.blocks[b];
        std::size_t row = input.block_begin[b];
        if (row >= begin && input.block_begin[b + 1] <= end) {
            f(block, BlockCell{b, 0, 0, 0}, block.n, row - begin);
            continue;
        }
        const std::size_t nx = static_cast<std::size_t>(block.n[0]);
        for (int k = 0; k < block.n[2]; ++k) {
            for (int j = 0; j < block.n[1]; ++j, row += nx) {
                const std::size_t from = std::max(row, begin), to = std::min(row + nx, end);
                if (from < to)
                    f(block, BlockCell{b, static_cast<int>(from - row), j, k}, std::array{static_cast<int>(to - from), 1, 1},
                      from - begin);
            }
        }
    }
}

/// Start of the blocks' arrays where they follow each other without gaps, as gathered ones do; else null.
template <class Array>
auto in_order(const Input& input, Array array, const Stride& (*stride)(const Block&)) {
    const auto start = array(input.blocks[0]);
    for (std::size_t b = 0; start != nullptr && b < input.block_count; ++b) {
        const Block& block = input.blocks[b];
        if (stride(block) != dense_stride(block.n) || array(block).is_single() != start.is_single() ||
            array(block) != start + static_cast<std::ptrdiff_t>(input.block_begin[b]))
            return decltype(array(block)){};
    }
    return start;
}

/// Whether the blocks' arrays, those that there are, are all of floats.
template <class Array>
bool all_single(const Input& input, Array array) {
    return std::all_of(input.blocks, input.blocks + input.block_count,
                       [&](const Block& b) { return array(b) == nullptr || array(b).is_single(); });
}

InputPointer density_of(const Block& block) { return block.density; }

auto result_of(std::size_t component) {
    return [component](const Block& block) { return result_array(block, component); };
}

/// A buffer's memory, as numbers of one precision.
ResultPointer numbers(DeviceBuffer<double>& here, bool single) {
    return single ? ResultPointer(reinterpret_cast<float*>(here.data())) : ResultPointer(here.data());
}

/// A buffer's memory, as n numbers of one precision, with room made for them.
ResultPointer room(DeviceBuffer<double>& here, std::size_t n, bool single) {
    here.resize_discard(single ? (n + 1) / 2 : n);
    return numbers(here, single);
}

[[noreturn]] void reject_block_in_two_memories(std::size_t block, const char* array) {
    throw Error(ErrorCode::invalid_input,
                "block " + std::to_string(block) + ": density in one memory and " + array + " in another (host, device)");
}

}  // namespace

GpuTransfer::GpuTransfer(const Gpu& gpu)
    : gpu_(gpu),
      copies_(*gpu.context, gpu.threads),
      changed_(*gpu.context),
      cell_active_(*gpu.context),
      point_active_(*gpu.context),
      cell_class_(*gpu.context),
      point_class_(*gpu.context),
      blocks_(*gpu.context),
      block_begin_(*gpu.context),
      guard_begin_(*gpu.context) {
    const auto make = [&](std::vector<Numbers>& arrays, int n) {
        for (int i = 0; i < n; ++i) arrays.emplace_back(*gpu.context);
    };
    make(cells_, 7);
    make(points_, 5);
    make(probes_, 3);
    make(cell_results_, static_cast<int>(result_count));
    make(point_results_, static_cast<int>(result_count));
    make(probe_results_, static_cast<int>(result_count));
    make(guard_results_, static_cast<int>(result_count));
}

bool GpuTransfer::on_device(const void* array) const { return memory_of(array, gpu_.context->device()) == Memory::device; }

InputSpan GpuTransfer::bring_in(const InputSpan& array, Numbers& here) {
    if (array.empty() || on_device(array.data().address())) return array;
    const ResultPointer there = room(here, array.size(), array.data().is_single());
    copies_.upload(there, array.data(), array.size());
    return {there, array.size()};
}

std::span<const std::uint8_t> GpuTransfer::bring_in(std::span<const std::uint8_t> flags, DeviceBuffer<std::uint8_t>& here) {
    here.resize_discard(flags.size());
    copy_in(gpu_, flags.data(), here.data(), flags.size());
    return {here.data(), flags.size()};
}

ResultSpan GpuTransfer::result(const ResultSpan& array, Numbers& here) {
    if (array.empty() || on_device(array.data().address())) return array;
    copies_.reserve(array.size());
    return {room(here, array.size(), array.data().is_single()), array.size()};
}

Fields GpuTransfer::results(const Fields& fields, std::vector<Numbers>& here) {
    auto out = result_arrays(fields);
    for (std::size_t k = 0; k < result_count; ++k) out[k] = result(out[k], here[k]);
    return as_fields(out);
}

/// What is not active was not computed, and the caller's values stay.
void GpuTransfer::bring_out(const Fields& fields, std::span<const std::uint8_t> active, std::vector<Numbers>& here) {
    const auto one = [&](const ResultSpan& array, Numbers& from) {
        if (array.empty() || on_device(array.data().address())) return;
        const InputPointer there = numbers(from, array.data().is_single());
        if (active.empty()) {
            copies_.download(there, array.data(), array.size());
            return;
        }
        with_type(there, [&](const auto* device) {
            copies_.download(device, array.size(), [&](std::size_t begin, std::size_t count, const auto* buffer) {
                for (std::size_t i = 0; i < count; ++i)
                    if (active[begin + i] != 0) array.set(begin + i, buffer[i]);
            });
        });
    };
    for (std::size_t k = 0; k < result_count; ++k) one(result_arrays(fields)[k], here[k]);
}

Input GpuTransfer::bring_in(const Input& input) {
    Input out = input;
    if (input.blocks != nullptr) {
        bring_in_blocks(input, out);
    } else {
        const Cells& c = input.cells;
        out.cells = {bring_in(c.x, cells_[0]),    bring_in(c.y, cells_[1]),         bring_in(c.z, cells_[2]),
                     bring_in(c.dx, cells_[3]),   bring_in(c.dy, cells_[4]),        bring_in(c.dz, cells_[5]),
                     bring_in(c.mass, cells_[6]), bring_in(c.active, cell_active_), bring_in(c.source_class, cell_class_)};
        out.cell_fields = results(input.cell_fields, cell_results_);
    }
    const Points& p = input.points;
    out.points = {bring_in(p.x, points_[0]),
                  bring_in(p.y, points_[1]),
                  bring_in(p.z, points_[2]),
                  bring_in(p.mass, points_[3]),
                  bring_in(p.active, point_active_),
                  bring_in(p.softening, points_[4]),
                  bring_in(p.source_class, point_class_)};
    out.point_fields = results(input.point_fields, point_results_);
    const Probes& q = input.probes;
    out.changed = bring_in(input.changed, changed_);
    out.probes = {bring_in(q.x, probes_[0]), bring_in(q.y, probes_[1]), bring_in(q.z, probes_[2]),
                  results(q.fields, probe_results_)};
    return out;
}

/// The blocks' descriptions as the device needs them: an array that is not there becomes a dense one of interior cells, in order.
/// What memory an array is in is asked of the first block that has it; asking for thousands would take longer than the solve.
void GpuTransfer::bring_in_blocks(const Input& input, Input& out) {
    const auto wanted = [&input](std::size_t k) { return (input.component_bits >> k & 1u) != 0; };
    const bool there = input.block_count > 0 && on_device(input.blocks[0].density.address());
    for (std::size_t k = 0; k < result_count; ++k) {
        if (!wanted(k)) continue;
        std::size_t first = 0;
        while (result_array(input.blocks[first], k) == nullptr) ++first;
        if (on_device(result_array(input.blocks[first], k).address()) != there)
            reject_block_in_two_memories(first, result_components[k].name);
    }
    for (std::size_t d = 0; d < 3; ++d) {
        if ((input.face_bits >> d & 1u) == 0) continue;
        std::size_t first = 0;
        while ((wanted_faces(input.blocks[first]) >> d & 1u) == 0) ++first;
        if (on_device(input.blocks[first].face_acceleration[d].address()) != there)
            reject_block_in_two_memories(first, face_names[d]);
    }
    const BlocksThere before = std::exchange(blocks_there_, {});
    const bool known = input.blocks_version != 0 && before.version == input.blocks_version && before.arrays_there == there;
    BlocksThere now = known ? before : BlocksThere();
    now.version = input.blocks_version, now.arrays_there = there;
    if (!there && input.cell_count > 0) bring_in_arrays(input, known, now, out);
    if (!known || now != before) describe_blocks(input, now);
    blocks_there_ = now;
    out.blocks = blocks_.data();
    out.block_begin = block_begin_.data();
    out.guard_begin = guard_begin_.data();
}

/// Brings in blocks whose arrays are on the host.
void GpuTransfer::bring_in_arrays(const Input& input, bool known, BlocksThere& now, Input& out) {
    const auto wanted = [&input](std::size_t k) { return (input.component_bits >> k & 1u) != 0; };
    if (!known) {
        now.density_in_order = in_order(input, density_of, density_stride);
        now.density_single = all_single(input, density_of);
        for (std::size_t k = 0; k < result_count; ++k) {
            if (!wanted(k)) continue;
            now.result_in_order[k] = in_order(input, result_of(k), result_stride);
            now.result_single[k] = all_single(input, result_of(k));
        }
    }
    now.density = room(cells_[6], input.cell_count, now.density_single);
    copies_.reserve(input.cell_count);
    if (std::exchange(ahead_, 0) != input.cell_count || !known) upload_blocks(input, now);
    for (std::size_t k = 0; k < result_count; ++k)
        if (wanted(k)) now.results[k] = room(cell_results_[k], input.cell_count, now.result_single[k]);
    out.guards_apart = input.guard_count > 0;
    for (std::size_t k = 0; k < result_count && out.guards_apart; ++k) {
        if (((input.component_bits | input.face_bits << first_component(1)) >> k & 1u) == 0) continue;
        guard_results_[k].resize_discard(input.guard_count);
        copies_.reserve(input.guard_count);
        out.guard_results[k] = guard_results_[k].data();
    }
}

/// Copies the descriptions to the device, with the arrays there in place of the host's.
void GpuTransfer::describe_blocks(const Input& input, const BlocksThere& now) {
    const std::size_t n = input.block_count;
    host_blocks_.resize_discard(n);
    const int threads = threads_for_blocks(n, gpu_.threads);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (std::size_t b = 0; b < n; ++b) {
        Block& block = host_blocks_.data()[b];
        std::memcpy(&block, input.blocks + b, sizeof(Block));
        if (now.arrays_there) continue;
        const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(input.block_begin[b]);
        block.stride = dense_stride(block.n);
        block.result_stride = {};
        block.density = now.density + first;
        auto results = result_arrays(block);
        for (std::size_t k = 0; k < result_count; ++k)
            if (results[k] != nullptr) results[k] = now.results[k] + first;
        set_results(block, results);
    }
    blocks_.resize_discard(n);
    block_begin_.resize_discard(n + 1);
    copy_in(gpu_, host_blocks_.data(), blocks_.data(), n);
    copy_in(gpu_, input.block_begin, block_begin_.data(), n + 1);
    guard_begin_.resize_discard(input.guard_count > 0 ? input.guard_sections + 1 : 0);
    copy_in(gpu_, input.guard_begin, guard_begin_.data(), guard_begin_.size());
}

void GpuTransfer::upload_blocks(const Input& input, const BlocksThere& now) {
    if (now.density_in_order != nullptr) return copies_.upload(now.density, now.density_in_order, input.cell_count);
    with_type(now.density, [&](auto* device) {
        copies_.upload(device, input.cell_count, [&](std::size_t begin, std::size_t count, auto* buffer) {
            for_boxes(input, begin, begin + count, gpu_.threads,
                      [&](const Block& block, const BlockCell& cell, const std::array<int, 3>& n, std::size_t to) {
                          copy_box(n, block.density + Input::offset(block.stride, cell), block.stride, ResultPointer(buffer + to),
                                   dense_stride(block.n));
                      });
        });
    });
}

bool GpuTransfer::begin_ahead(const Input& input) {
    ahead_ = 0;
    const DeviceScope scope(gpu_.context->device());
    return input.blocks_version != 0 && blocks_there_.version == input.blocks_version && !blocks_there_.arrays_there &&
           blocks_there_.density_in_order != nullptr &&
           memory_of(blocks_there_.density_in_order.address(), gpu_.context->device()) == Memory::pinned;
}

void GpuTransfer::bring_ahead(std::size_t first, std::size_t count) {
    const DeviceScope scope(gpu_.context->device());
    const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(first);
    copies_.upload(blocks_there_.density + from, blocks_there_.density_in_order + from, count);
    ahead_ += count;
}

void GpuTransfer::end_ahead() noexcept {
    if (std::exchange(ahead_, 0) == 0) return;
    const DeviceScope scope(gpu_.context->device());
    if (cudaStreamSynchronize(gpu_.context->stream()) != cudaSuccess) cudaGetLastError();
}

void GpuTransfer::bring_out_blocks(const Input& input) {
    if (input.cell_count == 0 || on_device(input.blocks[0].density.address())) return;
    const bool all_active = !input.any_inactive();
    const auto one = [&](std::size_t k) {
        const InputPointer there = blocks_there_.results[k];
        if (const ResultPointer all = blocks_there_.result_in_order[k]; all != nullptr && all_active)
            return copies_.download(there, all, input.cell_count);
        const auto array = result_of(k);
        with_type(there, [&](const auto* device) {
            copies_.download(device, input.cell_count, [&](std::size_t begin, std::size_t count, const auto* buffer) {
                for_boxes(input, begin, begin + count, gpu_.threads,
                          [&](const Block& block, const BlockCell& cell, const std::array<int, 3>& n, std::size_t at) {
                              if (array(block) == nullptr || !block.active) return;
                              const Stride& stride = result_stride(block);
                              copy_box(n, InputPointer(buffer + at), dense_stride(block.n),
                                       array(block) + Input::offset(stride, cell), stride);
                          });
            });
        });
    };
    for (std::size_t k = 0; k < component_count(input.derivatives); ++k)
        if ((input.component_bits >> k & 1u) != 0) one(k);
}

void GpuTransfer::bring_out_guards(const Input& input) {
    if (input.guard_count == 0 || on_device(input.blocks[0].density.address())) return;
    for (std::size_t k = 0; k < result_count; ++k) {
        if (guard_results_[k].size() != input.guard_count) continue;
        copies_.download(guard_results_[k].data(), input.guard_count,
                         [&](std::size_t begin, std::size_t count, const double* buffer) {
#pragma omp parallel for schedule(static) num_threads(gpu_.threads)
                             for (std::size_t g = 0; g < count; ++g) {
                                 const GuardPlace place = input.guard_place(input, begin + g);
                                 const Block& block = input.blocks[place.cell.block];
                                 if (place.face != no_face) {
                                     if (k == component_at_face(place.face))
                                         GuardPlaces::face_result(input, place).set(0, buffer[g]);
                                     continue;
                                 }
                                 const ResultPointer to = result_array(block, k);
                                 if (to != nullptr) to.set(Input::offset(result_stride(block), place.cell), buffer[g]);
                             }
                         });
    }
}

void GpuTransfer::bring_out(const Input& input) {
    if (input.blocks != nullptr) {
        bring_out_blocks(input);
        bring_out_guards(input);
    } else {
        bring_out(input.cell_fields, input.cells.active, cell_results_);
    }
    bring_out(input.point_fields, input.points.active, point_results_);
    bring_out(input.probes.fields, {}, probe_results_);
    gpu_.synchronize();
}

}  // namespace gravlet
