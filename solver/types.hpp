// SPDX-License-Identifier: Apache-2.0
// The plain values that every stage of a solve passes on. Inside the solver lengths and masses are in powers of two of the
// caller's units, near the root cube's side and the mass of all bodies: single precision overflows in no units, and positions are
// the caller's, to the last bit. Nothing is subtracted from them, so that bodies that crowd near the caller's zero stay as exact
// there as the caller has them, whatever is far away.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define GRAVLET_HD __host__ __device__
#else
#define GRAVLET_HD
#endif

namespace gravlet {

using cell_index = std::uint32_t;  ///< a cell or point of one rank
using node_index = std::uint32_t;  ///< a node of one rank's tree
using key_type = std::uint64_t;    ///< a place on the space-filling curve, or below one: 63 bits, 21 a dimension

struct Point3 {
    double x, y, z;
};

struct Bounds {
    Point3 lower, upper;
};

/// The root cube of the octree: a node of level n has the side 2^-n times this one's.
struct RootCube {
    Point3 corner{0.0, 0.0, 0.0};  ///< the lower one
    double side = 1.0;             ///< above 1/2, at most 1

    /// In [0, 1)^3. Keys and cubes are of these places; they have rounding that positions do not have.
    template <class T>
    [[nodiscard]] GRAVLET_HD Point3 place(const T& at) const {
        return {(at.x - corner.x) / side, (at.y - corner.y) / side, (at.z - corner.z) / side};
    }
};

/// After what length everything repeats, a direction; 0: it does not.
struct Period {
    double x, y, z;
};

/// Points that are not softened, or by less than the root of this, carry it instead of 0, so that a body with softening2 > 0 is a
/// point. Negligible in any r^2 of single precision.
inline constexpr float point_mark = 1e-37f;

/// A cell or point as the tree and its messages hold it. Points have softening2 > 0 always, cells 0.
struct Source {
    double x, y, z;
    float mass;
    float softening2;
};

/// A node of the octree. Its multipoles are beside it, moment_count(order) floats a node.
struct Node {
    double x, y, z;  ///< centre of mass
    float mass;
    float size;           ///< side l of its octree cube: the root cube's, rounded, times a power of two
    float open_radius;    ///< about l/theta + delta (acceptance.hpp): targets nearer than this open it
    float softening2;     ///< mass-weighted mean of its sources'
    float spread;         ///< half of that of their distance^2 from the centre of mass
    std::uint32_t first;  ///< first child, or first source of a leaf
    std::uint32_t count;  ///< children, or sources of a leaf; 0: a pruned node, which every target accepts
    std::uint32_t leaf;   ///< 1 if `first` and `count` are of sources
};

/// A compact run of targets that walk the tree together: `count` of the sorted bodies, from `begin` on.
struct Group {
    Bounds box;
    double scale;  ///< the smallest length that matters here: a target's side, a point's softening (0: unsoftened points)
    std::uint32_t begin, count;
};

/// A tree to be walked: this rank's own, or the remote half of the locally essential tree.
struct TreeView {
    const Node* nodes = nullptr;
    const float* moments = nullptr;
    const Source* sources = nullptr;
    node_index node_count = 0;
    node_index root = 0;
    std::size_t source_count = 0;
    int depth = 0;  ///< levels of nodes, the root's among them, at most
    /// Sorted target index of each source, null where sources and targets are the same array or (remote) no source is a target.
    const cell_index* source_target = nullptr;
    bool remote = false;
};

}  // namespace gravlet
