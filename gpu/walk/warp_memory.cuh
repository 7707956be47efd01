// SPDX-License-Identifier: Apache-2.0
// What a warp keeps in shared memory while it walks: its lists, the records that are evaluated, its local expansion, its stack.
#pragma once

#include "gpu/walk/source_pair.cuh"
#include "gpu/walk/walk_limits.hpp"
#include "physics/multipole.hpp"
#include "physics/types.hpp"

#include <cstdint>

namespace gravlet {

/// An entry of a list: a node or source, and the image of the tree that is meant.
struct ListEntry {
    std::uint32_t index;
    int image;
};

/// A node's record in shared memory: position, mass, side, moments.
template <int P>
struct NodeRecord {
    static constexpr int size = 4, moments = 5;
    static constexpr int length = P < 2 ? 8 : (moments + moment_count(P) + 3) / 4 * 4;
};

inline constexpr int source_list = 3 * warp_size;
inline constexpr int leaves_together = 4;  ///< a quarter of a warp takes the sources of a leaf
inline constexpr int leaf_lanes = warp_size / leaves_together;

/// The stack follows, as long as the tree is deep.
template <int P, Softened S>
struct WarpMemory {
    std::uint32_t nodes[2 * warp_size], far[2 * warp_size];
    std::uint32_t sources[2][source_list];                         ///< apart, near
    float local[local_terms][warp_size];                           ///< a column a lane
    alignas(16) float records[warp_size * NodeRecord<P>::length];  ///< records of nodes, or of sources: position, mass
    /// A node's softening (NodeSoftening, spread), or a source's (Target::softening).
    float record_softening[S == Softened::plummer ? 6 : 1][warp_size];
    std::uint32_t record_index[warp_size];
    uint2 leaves[leaves_together];  ///< first source; number of sources and whether they are near
    /// The image that each entry of the lists is of, and the piece that the group is in, in a periodic box.
    std::uint8_t node_image[2 * warp_size], far_image[2 * warp_size], source_image[2][source_list], record_image[warp_size];
    Vector3 piece;
    std::uint32_t entries_left;  ///< entries left of those that the group's set left to it

    __device__ __forceinline__ std::uint32_t* stack() { return reinterpret_cast<std::uint32_t*>(this + 1); }
};

/// Bytes of shared memory of one warp.
template <int P, Softened S>
GRAVLET_HD constexpr unsigned warp_bytes(const TreeView& tree) {
    return static_cast<unsigned>(sizeof(WarpMemory<P, S>) + walk_stack_entries(tree) * sizeof(std::uint32_t));
}

__device__ __forceinline__ unsigned this_warp() { return threadIdx.x / warp_size; }

/// Memory of one of the block's warps.
template <int P, Softened S>
__device__ __forceinline__ WarpMemory<P, S>& warp_memory(const TreeView& tree, unsigned warp) {
    extern __shared__ float4 shared[];
    return *reinterpret_cast<WarpMemory<P, S>*>(reinterpret_cast<char*>(shared) + warp * warp_bytes<P, S>(tree));
}

/// Reads a value 16 bytes at a time. Lanes that each read one of their own, member by member, would touch as many cache lines for
/// each of the members.
template <class T>
__device__ __forceinline__ T read_whole(const T& from) {
    static_assert(alignof(T) >= sizeof(uint4) && sizeof(T) % sizeof(uint4) == 0);
    uint4 parts[sizeof(T) / sizeof(uint4)];
    for (unsigned i = 0; i < sizeof(T) / sizeof(uint4); ++i) parts[i] = reinterpret_cast<const uint4*>(&from)[i];
    T value;
    memcpy(&value, parts, sizeof(T));
    return value;
}

/// A lane's column of the local expansion.
struct LaneLocal {
    float* column;

    /// Place of a term: of the 2n + 1 of degree n come first those with c = 0, then those with c = 1.
    __device__ static constexpr int place(int i) {
        int n = 0, begin = 0;
        while (begin + (n + 1) * (n + 2) / 2 <= i) begin += (n + 1) * (n + 2) / 2, ++n;
        int bc = 0, inside = i - begin;
        while ((bc + 1) * (bc + 2) / 2 <= inside) ++bc;
        const int c = inside - bc * (bc + 1) / 2, b = bc - c;
        return n * n + (c == 0 ? b : n + 1 + b);
    }
    template <int N>
    __device__ float& operator[](Index<N>) const {
        constexpr int at = place(N) * warp_size;
        return column[at];
    }
};

}  // namespace gravlet
