// SPDX-License-Identifier: Apache-2.0
// The plain values that every stage of a solve passes on. Inside the solver lengths and masses are in powers of two of the
// caller's units, near the root cube's side and the mass of all bodies: single precision overflows in no units, and positions are
// the caller's, to the last bit. Nothing is subtracted from them, so that bodies that crowd near the caller's zero stay as exact
// there as the caller has them, whatever is far away.
#pragma once

#include <array>
#include <cmath>
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

/// A position, displacement or field.
struct Vector3 {
    double x, y, z;
};

/// A position, displacement or field by direction, 0 to 2, as hosts, files and loops have it.
using Array3 = std::array<double, 3>;

struct Bounds {
    Vector3 lower, upper;
};

/// The root cube of the octree: a node of level n has the side 2^-n times this one's.
struct RootCube {
    Vector3 corner{0.0, 0.0, 0.0};  ///< the lower one
    double side = 1.0;              ///< above 1/2, at most 1
    /// The last place in each direction: below 1, or below the upper face of a box that repeats.
    Vector3 last{before(1.0), before(1.0), before(1.0)};

    /// The double before one, from 2^-1000 to 1.
    [[nodiscard]] static constexpr double before(double place) { return place * (1.0 - 0x1p-53); }

    /// The place of a position, in [0, 1)^3: the one rule by which a position belongs to a cube of the octree, and so to a key, a
    /// node and a piece of a periodic box. What is on an upper face, or beyond a face by rounding, is in the cube inside. Places
    /// have rounding that positions do not have.
    template <class T>
    [[nodiscard]] GRAVLET_HD Vector3 place(const T& at) const {
        return {along(at.x - corner.x, last.x), along(at.y - corner.y, last.y), along(at.z - corner.z, last.z)};
    }
    /// The place of a coordinate in direction d alone.
    [[nodiscard]] GRAVLET_HD double place(int d, double coordinate) const {
        return d == 0   ? along(coordinate - corner.x, last.x)
               : d == 1 ? along(coordinate - corner.y, last.y)
                        : along(coordinate - corner.z, last.z);
    }
    [[nodiscard]] GRAVLET_HD float side_of(int level) const {
        return static_cast<float>(side) / static_cast<float>(std::uint64_t{1} << level);
    }
    /// Level of the smallest cubes that are at least as large as `size`.
    [[nodiscard]] GRAVLET_HD int level_of(float size) const { return ilogbf(static_cast<float>(side) / size); }
    /// Whether some cube is exactly as large.
    [[nodiscard]] GRAVLET_HD bool is_side(float size) const { return level_of(size) >= 0 && size == side_of(level_of(size)); }

private:
    [[nodiscard]] GRAVLET_HD double along(double from_corner, double end) const {
        return fmin(fmax(from_corner / side, 0.0), end);
    }
};

/// Length after which everything repeats, a direction; 0: it does not. In a sheared box what is a period away in x is displaced
/// by `shear` in y.
struct Period {
    double x, y, z, shear = 0.0;
};

/// Points that are not softened, or by less than this, carry a number from here to twice this instead of 0, so that a body with
/// softening > 0 is a point.
inline constexpr float point_mark = 0x1p-123f;

/// A cell or point as the tree and its messages hold it. Points have softening > 0 always, cells 0.
struct alignas(16) Source {
    double x, y, z;
    float mass;
    float softening;  ///< length; of points that are not softened in its place what of their mass the float leaves over
};

GRAVLET_HD constexpr bool is_mark(float softening) { return softening >= point_mark && softening < 2.0f * point_mark; }

/// What an unsoftened point of that mass carries for softening: what `rounded` lacks of it, in 2^-22 of its last place's half.
GRAVLET_HD inline float mark_of(double mass, float rounded) {
    constexpr float half = 0x1p22f;
    const double rest = rounded > 0.0f ? (mass - rounded) / (rounded * 0x1p-24) : 0.0;
    const float steps = rintf(static_cast<float>(fmin(fmax(rest, -1.0), 1.0)) * half) + half;
    return point_mark * (1.0f + fminf(steps, 2.0f * half - 1.0f) * 0x1p-23f);
}
/// A source's mass to 46 bits, if it is an unsoftened point: what such a one does to its own neighbours may be larger by any
/// factor than what all others do.
GRAVLET_HD inline double exact_mass(const Source& source) {
    const double mass = source.mass;
    if (!is_mark(source.softening)) return mass;
    return mass + mass * 0x1p-24 * (2.0f * (source.softening * (1.0f / point_mark) - 1.0f) - 1.0f);
}

/// A node of the octree. Its multipoles are beside it, moment_count(order) floats a node. What a walk tests first comes first, so
/// that a GPU's lane, which reads a node of its own, does so 16 bytes at a time.
struct alignas(16) Node {
    double x, y, z;  ///< centre of mass
    float mass;
    float size;                 ///< side l of its octree cube: the root cube's, rounded, times a power of two
    float open_radius;          ///< distance within which targets open it (acceptance.hpp)
    std::uint32_t first;        ///< first child, or first source of a leaf
    std::uint32_t count;        ///< children, or sources of a leaf; 0: a pruned node, which every target accepts
    std::uint16_t leaf : 1;     ///< 1 if `first` and `count` are of sources
    std::uint16_t extent : 15;  ///< extent_of() as an integer
    /// How much the variance of softening^2 is less than with the least and the most alone: 0, to 65535 for a quarter of their
    /// difference squared.
    std::uint16_t mixture;
    float softening2;                       ///< mass-weighted mean of its sources' softening^2
    float spread;                           ///< half of the mean of their distance^2 from the centre of mass
    float least_softening, most_softening;  ///< least and most softening length of its sources
};

/// A compact run of targets that walk the tree together: `count` of the sorted bodies, from `begin` on.
struct Group {
    Bounds box;
    float scale;      ///< the smallest length that matters here: a target's side, a point's softening (0: unsoftened points)
    float softening;  ///< the longest of its targets'
    std::uint32_t begin, count;
    float factor;  ///< factor of nodes' open radii (acceptance.hpp)
    float side;    ///< the longest of the group that it is a part of; 0: of none
};

/// Where some targets are, how softened they are at most, and the largest factor of nodes' open radii that they have.
struct TargetBox {
    Bounds box;
    double softening;
    double factor = 1.0;
};

/// A tree to be walked: this rank's own, the locally essential tree, or that of all other ranks alone.
struct TreeView {
    const Node* nodes = nullptr;
    const float* moments = nullptr;
    const Source* sources = nullptr;
    node_index node_count = 0;
    node_index root = 0;
    std::size_t source_count = 0;
    int depth = 0;                ///< levels of nodes, the root's among them, at most
    std::size_t own_sources = 0;  ///< the first of all: this rank's
    /// Sorted target index of each source, null where they are all targets in their order.
    const cell_index* source_target = nullptr;
};

}  // namespace gravlet
