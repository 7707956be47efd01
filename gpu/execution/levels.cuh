// SPDX-License-Identifier: Apache-2.0
// A tree's levels, narrow ones, by one kernel, whose blocks are all resident and wait for each other: by itself a level costs a
// launch or several, and where a tree is made the host must hear how many nodes the next one has. A team has one node of each
// level, or a few.
#pragma once

#include "gpu/execution/loops.cuh"
#include "gpu/execution/team.cuh"
#include "physics/keys.hpp"
#include "physics/path_size.hpp"

#include <cooperative_groups.h>
#include <cub/block/block_scan.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace gravlet {

/// Most blocks of a kernel whose blocks wait for each other; 0: the device cannot do that.
template <class Kernel>
unsigned resident_blocks(const Gpu& gpu, Kernel kernel, unsigned threads) {
    const auto attribute = [&](cudaDeviceAttr which) {
        int value = 0;
        cuda_check(cudaDeviceGetAttribute(&value, which, gpu.context->device()), "cudaDeviceGetAttribute");
        return value;
    };
    if (attribute(cudaDevAttrCooperativeLaunch) == 0) return 0;
    int resident = 0;
    cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, static_cast<int>(threads), 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<unsigned>(resident * attribute(cudaDevAttrMultiProcessorCount));
}

/// Launches a kernel, whose blocks wait for each other, with these parameters.
template <class... Parameters>
void launch_resident(const Gpu& gpu, void (*kernel)(Parameters...), unsigned blocks, unsigned threads, Parameters... parameters) {
    void* arguments[] = {&parameters...};
    cuda_check(
        cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), blocks, threads, arguments, 0, gpu.context->stream()),
        "a kernel");
}

constexpr unsigned grow_block = 512, grow_teams = grow_block / 8;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr unsigned grow_blocks = 2;  // a multiprocessor; Turing's holds 1,024 threads
#else
constexpr unsigned grow_blocks = 3;
#endif
/// Nodes of a level that a team may have.
constexpr unsigned most_of_a_team = 4;

/// What the host hears: the ends of the levels.
struct LevelEnds {
    std::uint32_t count;
    node_index end[deepest_level + 2];  ///< keys part at one level of deepest_level; then leaves follow, and a level of no nodes
};

/// Grows the first levels of a tree. `added`: room for one number a block.
template <class Grow>
__global__ void __launch_bounds__(grow_block, grow_blocks)
    first_levels_kernel(Grow grow, node_index room, node_index* added, LevelEnds* out) {
    using Scan = cub::BlockScan<std::uint64_t, grow_block, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage storage;
    __shared__ std::uint32_t all_seams[grow_teams][most_of_a_team][8];
    __shared__ LevelEnds ends;
    const GpuTeam<8> team;
    std::uint32_t(*const seams)[8] = all_seams[threadIdx.x / 8];
    const node_index teams = gridDim.x * grow_teams, number = blockIdx.x * grow_teams + threadIdx.x / 8;
    node_index begin = 0, end = 1;
    std::uint32_t count = 1;
    if (threadIdx.x == 0) ends.end[0] = end;
    for (;;) {
        const node_index each = (end - begin + teams - 1) / teams, first = begin + number * each;
        node_index children[most_of_a_team], all = 0;
#pragma unroll
        for (unsigned k = 0; k < most_of_a_team; ++k) {
            children[k] = k < each && first + k < end ? grow.count(first + k, seams[k], team) : 0;
            all += children[k];
        }
        std::uint64_t before, sum;  // of the team's last lane, so that it is before all of them
        Scan(storage).ExclusiveSum(std::uint64_t{team.rank() + 1 == team.size ? all : 0}, before, sum);
        if (threadIdx.x == 0) added[blockIdx.x] = static_cast<node_index>(sum);
        cooperative_groups::this_grid().sync();
        std::uint64_t of_blocks = 0;  // all of them; and, in the upper half, those before this one
        for (unsigned block = threadIdx.x; block < gridDim.x; block += grow_block)
            of_blocks += added[block] * (block < blockIdx.x ? (std::uint64_t{1} << 32) + 1 : 1);
        Scan(storage).ExclusiveSum(of_blocks, of_blocks, sum);
        const node_index next = end + static_cast<node_index>(sum);
        if (next > room) break;
        node_index child = end + static_cast<node_index>((sum >> 32) + before);
#pragma unroll
        for (unsigned k = 0; k < most_of_a_team; ++k) {
            if (children[k] > 0) grow.divide(first + k, seams[k], child, children[k], team);
            child += children[k];
        }
        begin = end;
        end = next;
        if (threadIdx.x == 0) ends.end[count] = end;
        ++count;
        if (begin == end || end - begin > most_of_a_team * teams) break;
        cooperative_groups::this_grid().sync();
    }
    __syncthreads();
    if (blockIdx.x > 0) return;
    if (threadIdx.x == 0) out->count = count;
    for (unsigned k = threadIdx.x; k < count; k += grow_block) out->end[k] = ends.end[k];
}

/// Grows the first levels of a tree: solver/execution.hpp.
template <class Grow>
std::vector<node_index> first_levels(const Gpu& gpu, const Grow& grow, node_index room) {
    static_assert(sizeof(LevelEnds) <= GpuContext::slot_bytes);
    // For a level of half of the nodes: leaves are most of them.
    const unsigned useful = room / (2 * grow_teams) + 1;
    const unsigned blocks = std::min(useful, resident_blocks(gpu, first_levels_kernel<Grow>, grow_block));
    if (blocks == 0) return {0, 1};
    node_index* const added = static_cast<node_index*>(gpu.context->scratch(blocks * sizeof(node_index)));
    LevelEnds* const ends = static_cast<LevelEnds*>(gpu.context->pinned_slot());
    launch_resident<Grow, node_index, node_index*, LevelEnds*>(gpu, first_levels_kernel<Grow>, blocks, grow_block, grow, room,
                                                               added, ends);
    gpu.context->synchronize();
    std::vector<node_index> levels{0};
    levels.insert(levels.end(), ends->end, ends->end + ends->count);
    return levels;
}

constexpr unsigned level_block = 256;

/// Levels, and where the last one ends.
struct LevelBegins {
    node_index begin[deepest_level + 2];
};

enum class Way { up, down };

template <std::uint32_t Size>
using LevelTeam = std::conditional_t<Size == 1, Alone, GpuTeam<Size>>;

template <std::uint32_t Size, Way way, class F>
__global__ void __launch_bounds__(level_block) levels_kernel(LevelBegins levels, unsigned count, F f) {
    const std::size_t mine = (std::size_t{blockIdx.x} * level_block + threadIdx.x) / Size;
    for (unsigned done = 0; done < count; ++done) {
        const unsigned level = way == Way::up ? count - 1 - done : done;
        const std::size_t i = levels.begin[level] + mine;
        if (i < levels.begin[level + 1]) f(i, LevelTeam<Size>());
        if (done + 1 < count) cooperative_groups::this_grid().sync();
    }
}

/// Nodes that keep a device busy by themselves on the way up, and lanes that share one would only wait for each other.
constexpr std::size_t nodes_without_teams = path_size(1 << 18, 64);

template <std::uint32_t Size, Way way, class F>
class LevelLoop {
public:
    LevelLoop(const Gpu& gpu, const std::vector<node_index>& levels, const F& f) : gpu_(gpu), levels_(levels), f_(f) {
        const std::size_t resident = together * resident_blocks(gpu, levels_kernel<Size, way, F>, level_block);
        while (top_ + 1 < levels.size() && width(top_) <= resident) widest_ = std::max(widest_, width(top_++));
    }

    /// Narrow levels, which one kernel does: those from the root on.
    void run_narrow() const {
        if (widest_ == 0) return;
        LevelBegins first{};
        std::copy_n(levels_.begin(), top_ + 1, first.begin);
        launch_resident<LevelBegins, unsigned, F>(gpu_, levels_kernel<Size, way, F>, blocks(widest_), level_block, first,
                                                  static_cast<unsigned>(top_), f_);
    }
    /// The others, by a kernel each.
    void run_wide() const {
        for (std::size_t done = 0; done < levels_.size() - 1 - top_; ++done)
            run_level(way == Way::up ? levels_.size() - 2 - done : top_ + done);
    }

    // Public because CUDA's extended lambdas may not be in private functions.
    void run_level(std::size_t level) const {
        const node_index begin = levels_[level];
        if (width(level) == 0) return;
        if constexpr (way == Way::up) {
            if (width(level) >= nodes_without_teams) {
                const F f = f_;
                return for_each(gpu_, width(level), [=] GRAVLET_HD(std::size_t k) { f(begin + k, Alone()); });
            }
        }
        levels_kernel<Size, way>
            <<<blocks(width(level)), level_block, 0, gpu_.context->stream()>>>({{begin, levels_[level + 1]}}, 1, f_);
        cuda_check(cudaGetLastError(), "a kernel");
    }

private:
    static constexpr std::size_t together = level_block / Size;
    [[nodiscard]] static unsigned blocks(std::size_t nodes) { return static_cast<unsigned>((nodes + together - 1) / together); }
    [[nodiscard]] std::size_t width(std::size_t level) const { return std::size_t{levels_[level + 1] - levels_[level]}; }

    const Gpu& gpu_;
    const std::vector<node_index>& levels_;
    const F& f_;
    std::size_t top_ = 0, widest_ = 0;
};

/// Calls f(i, team) for the nodes i of each level, once those of the level below are done.
template <std::uint32_t Size, class F>
void for_levels_up(const Gpu& gpu, const std::vector<node_index>& levels, F f) {
    const LevelLoop<Size, Way::up, F> loop(gpu, levels, f);
    loop.run_wide();
    loop.run_narrow();
}

/// Calls f for the nodes of all levels, from the first level down.
template <std::uint32_t Size, class F>
void for_levels_down(const Gpu& gpu, const std::vector<node_index>& levels, F f) {
    const LevelLoop<Size, Way::down, F> loop(gpu, levels, f);
    loop.run_narrow();
    loop.run_wide();
}

}  // namespace gravlet
