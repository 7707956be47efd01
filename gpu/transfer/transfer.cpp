// SPDX-License-Identifier: Apache-2.0
#include "gpu/transfer/transfer.hpp"

#include "gpu/transfer/block_runs.hpp"
#include "solver/arrays/known_blocks.hpp"
#include "solver/input/copy_box.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gravlet {
namespace {

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
      few_cells_(gpu),
      few_points_(gpu),
      density_(*gpu.context),
      changed_(*gpu.context),
      cell_active_(*gpu.context),
      point_active_(*gpu.context),
      cell_class_(*gpu.context),
      point_class_(*gpu.context),
      blocks_(*gpu.context),
      block_begin_(*gpu.context),
      guard_begin_(*gpu.context) {
    const auto make = [&](auto& arrays, int n) {
        for (int i = 0; i < n; ++i) arrays.emplace_back(*gpu.context);
    };
    make(cells_, 7);
    make(points_, 5);
    make(velocities_, 3);
    make(probes_, 3);
    make(cell_results_, static_cast<int>(result_count));
    make(point_results_, static_cast<int>(result_count));
    make(probe_results_, static_cast<int>(result_count));
    make(guard_results_, static_cast<int>(result_count));
}

bool GpuTransfer::on_device(const void* array) const { return memory_of(array, gpu_.context->device()) == Memory::device; }

GpuTransfer::Range GpuTransfer::changed_of(std::span<const std::uint8_t> changed, std::size_t n, bool known) {
    if (!known) return {0, n};
    const auto is_set = [](std::uint8_t flag) { return flag != 0; };
    const auto first = std::ranges::find_if(changed, is_set);
    if (first == changed.end()) return {0, 0};
    const auto last = std::find_if(changed.rbegin(), changed.rend(), is_set);
    return {static_cast<std::size_t>(first - changed.begin()), static_cast<std::size_t>(last.base() - changed.begin())};
}

InputSpan GpuTransfer::bring_in(const InputSpan& array, const Range& changed, Copy& here) {
    const std::size_t n = array.size(), held = std::exchange(here.held, 0);
    if (array.empty() || on_device(array.data().address())) return array;
    const bool single = array.data().is_single(), known = held == n && here.single == single;
    const ResultPointer there = room(here.numbers, n, single);
    const Range range = known ? changed : Range{0, n};
    const auto from = static_cast<std::ptrdiff_t>(range.begin);
    if (range.begin < range.end) copies_.upload(there + from, array.data() + from, range.end - range.begin);
    here.held = n, here.single = single;
    return {there, n};
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

void GpuTransfer::take_few(const Fields& fields, std::span<const std::uint8_t> active, FewResults& few) {
    const auto arrays = result_arrays(fields);
    const bool come_back = std::ranges::any_of(
        arrays, [&](const ResultSpan& array) { return !array.empty() && !on_device(array.data().address()); });
    few.take(come_back ? active : std::span<const std::uint8_t>(), copies_);
}

/// What is not active was not computed, and the caller's values stay.
void GpuTransfer::bring_out(const Fields& fields, std::span<const std::uint8_t> active, FewResults* few,
                            std::vector<Numbers>& here) {
    const auto one = [&](const ResultSpan& array, Numbers& from) {
        if (array.empty() || on_device(array.data().address())) return;
        const InputPointer there = numbers(from, array.data().is_single());
        if (few != nullptr && few->any()) return few->download(there, array, copies_);
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

Input GpuTransfer::bring_in(const Input& input, bool known) {
    Input out = input;
    const std::size_t before_points = input.changed.size() - std::min(input.changed.size(), input.point_count);
    const auto into = [this](std::vector<Copy>& copies, const Range& changed) {
        return [this, &copies, changed](const InputSpan& array, std::size_t k) { return bring_in(array, changed, copies[k]); };
    };
    if (input.blocks != nullptr) {
        for (Copy& copy : cells_) copy.held = 0;
        bring_in_blocks(input, known, out);
    } else {
        density_known_ = false;
        const Cells& c = input.cells;
        const auto in = into(cells_, changed_of(input.changed.first(before_points), input.cell_count, known));
        out.cells = {in(c.x, 0),
                     in(c.y, 1),
                     in(c.z, 2),
                     in(c.dx, 3),
                     in(c.dy, 4),
                     in(c.dz, 5),
                     in(c.mass, 6),
                     bring_in(c.active, cell_active_),
                     bring_in(c.source_class, cell_class_)};
        out.cell_fields = results(input.cell_fields, cell_results_);
        take_few(input.cell_fields, c.active, few_cells_);
    }
    const Points& p = input.points;
    const auto in = into(points_, changed_of(input.changed.subspan(before_points), input.point_count, known));
    out.points = {in(p.x, 0),
                  in(p.y, 1),
                  in(p.z, 2),
                  in(p.mass, 3),
                  bring_in(p.active, point_active_),
                  in(p.softening, 4),
                  bring_in(p.source_class, point_class_)};
    for (std::size_t d = 0; d < 3; ++d) out.drift.velocity[d] = bring_in(input.drift.velocity[d], velocities_[d]);
    take_few(input.point_fields, p.active, few_points_);
    out.point_fields = results(input.point_fields, point_results_);
    const Probes& q = input.probes;
    out.changed = bring_in(input.changed, changed_);
    out.probes = {bring_in(q.x, probes_[0]), bring_in(q.y, probes_[1]), bring_in(q.z, probes_[2]),
                  results(q.fields, probe_results_)};
    return out;
}

/// The blocks' descriptions as the device needs them: an array that is not there becomes a dense one of interior cells, in order.
/// What memory an array is in is asked of the first block that has it; asking for thousands would take longer than the solve.
void GpuTransfer::bring_in_blocks(const Input& input, bool unchanged, Input& out) {
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
    const bool density_known = std::exchange(density_known_, false) && known && unchanged;
    const std::size_t blocks = input.block_count;
    const Range changed = changed_of(input.changed.first(std::min(input.changed.size(), blocks)), blocks, density_known);
    if (!there && input.cell_count > 0) {
        bring_in_arrays(input, known, {input.block_begin[changed.begin], input.block_begin[changed.end]}, now, out);
        density_known_ = true;
    }
    if (!known || now != before) describe_blocks(input, now);
    blocks_there_ = now;
    out.blocks = blocks_.data();
    out.block_begin = block_begin_.data();
    out.guard_begin = guard_begin_.data();
}

/// Brings in blocks whose arrays are on the host.
void GpuTransfer::bring_in_arrays(const Input& input, bool known, const Range& changed, BlocksThere& now, Input& out) {
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
    now.density = room(density_, input.cell_count, now.density_single);
    copies_.reserve(input.cell_count);
    if (std::exchange(ahead_, 0) != input.cell_count || !known) upload_blocks(input, changed, now);
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

/// Brings in the densities of some cells, of whole blocks.
void GpuTransfer::upload_blocks(const Input& input, const Range& cells, const BlocksThere& now) {
    if (cells.begin == cells.end) return;
    const std::size_t count = cells.end - cells.begin;
    const auto from = static_cast<std::ptrdiff_t>(cells.begin);
    if (now.density_in_order != nullptr) return copies_.upload(now.density + from, now.density_in_order + from, count);
    with_type(now.density + from, [&](auto* device) {
        copies_.upload(device, count, [&](std::size_t begin, std::size_t some, auto* buffer) {
            for_boxes(input, cells.begin + begin, cells.begin + begin + some, gpu_.threads,
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
        const auto run = [&](std::size_t first, std::size_t end) {
            with_type(there + static_cast<std::ptrdiff_t>(first), [&](const auto* device) {
                copies_.download(device, end - first, [&](std::size_t begin, std::size_t count, const auto* buffer) {
                    for_boxes(input, first + begin, first + begin + count, gpu_.threads,
                              [&](const Block& block, const BlockCell& cell, const std::array<int, 3>& n, std::size_t at) {
                                  if (array(block) == nullptr || !block.active) return;
                                  const Stride& stride = result_stride(block);
                                  copy_box(n, InputPointer(buffer + at), dense_stride(block.n),
                                           array(block) + Input::offset(stride, cell), stride);
                              });
                });
            });
        };
        for_active_runs(input, run);
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
        bring_out(input.cell_fields, input.cells.active, &few_cells_, cell_results_);
    }
    bring_out(input.point_fields, input.points.active, &few_points_, point_results_);
    bring_out(input.probes.fields, {}, nullptr, probe_results_);
    gpu_.synchronize();
}

}  // namespace gravlet
