// SPDX-License-Identifier: Apache-2.0
// The first levels of a tree, narrow ones, by one kernel: by itself a level costs three kernels, and the host must hear how many
// nodes the next one has. All blocks are resident, and wait for each other twice a level. A team has one node of each level.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/execution/team.cuh"
#include "physics/keys.hpp"

#include <cooperative_groups.h>
#include <cub/block/block_scan.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gravlet {

constexpr unsigned grow_block = 512, grow_teams = grow_block / 8;

/// What the host hears: the ends of the levels.
struct LevelEnds {
    std::uint32_t count;
    node_index end[deepest_level + 2];  ///< keys part at one level of deepest_level; then leaves follow, and a level of no nodes
};

/// `added`: room for one number a block.
template <class Grow>
__global__ void __launch_bounds__(grow_block, 3)
    first_levels_kernel(Grow grow, node_index room, node_index* added, LevelEnds* out) {
    using Scan = cub::BlockScan<std::uint64_t, grow_block, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage storage;
    __shared__ std::uint32_t all_seams[grow_teams][8];
    __shared__ LevelEnds ends;
    const GpuTeam<8> team;
    std::uint32_t* const seams = all_seams[threadIdx.x / 8];
    const node_index most = gridDim.x * grow_teams;
    node_index begin = 0, end = 1;
    std::uint32_t count = 1;
    if (threadIdx.x == 0) ends.end[0] = end;
    for (;;) {
        const node_index i = begin + blockIdx.x * grow_teams + threadIdx.x / 8;
        const node_index children = i < end ? grow.count(i, seams, team) : 0;
        std::uint64_t before, sum;  // of the team's last lane, so that it is before all of them
        Scan(storage).ExclusiveSum(std::uint64_t{team.rank() + 1 == team.size ? children : 0}, before, sum);
        if (threadIdx.x == 0) added[blockIdx.x] = static_cast<node_index>(sum);
        cooperative_groups::this_grid().sync();
        std::uint64_t of_blocks = 0;  // all of them; and, in the upper half, those before this one
        for (unsigned block = threadIdx.x; block < gridDim.x; block += grow_block)
            of_blocks += added[block] * (block < blockIdx.x ? (std::uint64_t{1} << 32) + 1 : 1);
        Scan(storage).ExclusiveSum(of_blocks, of_blocks, sum);
        const node_index next = end + static_cast<node_index>(sum);
        if (next > room) break;
        if (i < end) grow.divide(i, seams, end + static_cast<node_index>((sum >> 32) + before), children, team);
        begin = end;
        end = next;
        if (threadIdx.x == 0) ends.end[count] = end;
        ++count;
        if (begin == end || end - begin > most) break;
        cooperative_groups::this_grid().sync();
    }
    __syncthreads();
    if (blockIdx.x > 0) return;
    if (threadIdx.x == 0) out->count = count;
    for (unsigned k = threadIdx.x; k < count; k += grow_block) out->end[k] = ends.end[k];
}

/// See solver/execution.hpp.
template <class Grow>
std::vector<node_index> first_levels(const Gpu& gpu, const Grow& grow, node_index room) {
    static_assert(sizeof(LevelEnds) <= GpuContext::slot_bytes);
    const auto kernel = first_levels_kernel<Grow>;
    const auto attribute = [&](cudaDeviceAttr which) {
        int value = 0;
        cuda_check(cudaDeviceGetAttribute(&value, which, gpu.context->device()), "cudaDeviceGetAttribute");
        return value;
    };
    if (attribute(cudaDevAttrCooperativeLaunch) == 0) return {0, 1};
    int resident = 0;
    cuda_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, grow_block, 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    // For a level of half of the nodes: leaves are most of them.
    const unsigned useful = room / (2 * grow_teams) + 1;
    const unsigned blocks = std::min(useful, static_cast<unsigned>(resident * attribute(cudaDevAttrMultiProcessorCount)));
    node_index* added = static_cast<node_index*>(gpu.context->scratch(blocks * sizeof(node_index)));
    LevelEnds* ends = static_cast<LevelEnds*>(gpu.context->pinned_slot());
    Grow grows = grow;
    void* arguments[] = {&grows, &room, &added, &ends};
    cuda_check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), blocks, grow_block, arguments, 0,
                                           gpu.context->stream()),
               "a kernel");
    gpu.context->synchronize();
    std::vector<node_index> levels{0};
    levels.insert(levels.end(), ends->end, ends->end + ends->count);
    return levels;
}

}  // namespace gravlet
