// SPDX-License-Identifier: Apache-2.0
#include "solver/input/host_memory.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace gravlet {
namespace {

[[noreturn]] void reject(const std::string& name) {
    throw Error(ErrorCode::invalid_input,
                fmt::format("{}: not in memory that the CPU can read (a device's memory is for the GPU backend)", name));
}

const void* moved(const void* address, std::uintptr_t bytes) {
    return reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(address) + bytes);
}

bool is_mapped(const void* address) {
#if defined(__linux__)
    // The kernel copies the eight bytes before it finds that -1 says nothing of what to do with them.
    const std::uintptr_t word = reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{7};
    return address != nullptr && !(syscall(SYS_rt_sigprocmask, -1, word, nullptr, 8) == -1 && errno == EFAULT);
#else
    return address != nullptr;
#endif
}

void check(const void* array, std::size_t count, std::size_t size, const char* name, const char* whose) {
    if (!is_readable(array, count, size)) reject(fmt::format("{} of {}", name, whose));
}

void check(const InputSpan& array, const char* name, const char* whose) {
    check(array.data().address(), array.size(), array.data().element_size(), name, whose);
}

void check(std::span<const std::uint8_t> flags, const char* name, const char* whose) {
    check(flags.data(), flags.size(), 1, name, whose);
}

void check(const Fields& fields, const char* whose) {
    for (std::size_t k = 0; k < result_count; ++k) check(result_arrays(fields)[k], result_components[k].name, whose);
}

/// Whether both ends of an array are in memory, whatever the strides' signs.
bool reaches_memory(const InputPointer& array, const std::array<int, 3>& n, const std::array<int, 3>& below,
                    const Stride& stride) {
    std::ptrdiff_t low = 0, high = 0;
    for (std::size_t d = 0; d < 3; ++d) {
        const std::ptrdiff_t first = -below[d] * stride[d], last = (n[d] - 1 - below[d]) * stride[d];
        low += std::min(first, last), high += std::max(first, last);
    }
    const std::size_t size = array.element_size();
    const void* const first = moved(array.address(), static_cast<std::uintptr_t>(low) * size);
    return is_readable(first, static_cast<std::size_t>(high - low + 1), size);
}

void check_block(const Block& block, std::size_t index) {
    const auto check = [&](const InputPointer& array, const std::array<int, 3>& n, const std::array<int, 3>& below,
                           const Stride& stride, const char* name) {
        if (array != nullptr && !reaches_memory(array, n, below, stride)) reject(fmt::format("block {}: {}", index, name));
    };
    check(block.density, block.n, {}, density_stride(block), "density");
    if (!block.active) return;
    for (std::size_t k = 0; k < result_count; ++k)
        check(result_array(block, k), result_extent(block), block.result_guards, result_stride(block), result_components[k].name);
    for (int d = 0; d < 3; ++d) {
        const std::size_t along = static_cast<std::size_t>(d);
        check(block.face_acceleration[along], face_extent(block, d), {}, face_stride(block, d), face_names[along]);
    }
}

/// Whether two blocks reach alike: which elements of their arrays they are, and so how far these reach.
bool reach_alike(const Block& a, const Block& b) {
    return a.n == b.n && a.stride == b.stride && a.result_stride == b.result_stride && a.result_guards == b.result_guards &&
           a.face_stride == b.face_stride;
}

}  // namespace

bool is_readable(const void* array, std::size_t count, std::size_t size) {
    return count == 0 || (is_mapped(array) && is_mapped(moved(array, (count - 1) * size)));
}

void require_readable_blocks(const Input& input) {
    if (is_readable(input.blocks, input.block_count, sizeof(Block))) return;
    throw Error(ErrorCode::invalid_input,
                fmt::format("the {} blocks are not in memory that the CPU can read", input.block_count));
}

void require_host_memory(std::span<const Block> blocks) {
    for (std::size_t b = 0; b < blocks.size(); ++b)
        if (b == 0 || !reach_alike(blocks[b], blocks[b - 1])) check_block(blocks[b], b);
}

void require_host_memory(const Input& input) {
    if (input.block_count > 0) {
        check_block(input.blocks[0], 0);
        check_block(input.blocks[input.block_count - 1], input.block_count - 1);
    }
    const Cells& c = input.cells;
    check(c.x, "x", "cells"), check(c.y, "y", "cells"), check(c.z, "z", "cells");
    check(c.dx, "dx", "cells"), check(c.dy, "dy", "cells"), check(c.dz, "dz", "cells");
    check(c.mass, "mass", "cells");
    check(input.cell_fields, "cells");
    const Points& p = input.points;
    check(p.x, "x", "points"), check(p.y, "y", "points"), check(p.z, "z", "points"), check(p.mass, "mass", "points");
    check(p.softening, "softening", "points");
    for (const InputSpan& velocity : input.drift.velocity) check(velocity, "velocity", "points");
    check(input.point_fields, "points");
    const Probes& q = input.probes;
    check(q.x, "x", "probes"), check(q.y, "y", "probes"), check(q.z, "z", "probes");
    check(q.fields, "probes");
}

void require_flags_in_host_memory(const Input& input) {
    check(input.cells.active, "active", "cells");
    check(input.points.active, "active", "points");
    check(input.cells.source_class, "source_class", "cells");
    check(input.points.source_class, "source_class", "points");
}

}  // namespace gravlet
