// SPDX-License-Identifier: Apache-2.0
// Hilbert keys in three dimensions, 21 levels of 3 bits. Unlike Morton order, any run of the curve is connected, so that target
// groups can be runs of fixed length with tight boxes, and the aligned cubes of an AMR block still come out as aligned runs.
// Where more bodies than a leaf should have crowd in one place of that grid, a second key holds the next 21 levels of the curve.
// The state machine follows C. Hamilton, "Compact Hilbert Indices" (Dalhousie University CS-2006-07): a state is the entry
// corner e and the direction d of the curve inside a cube.
#pragma once

#include "physics/types.hpp"

#include <array>

namespace gravlet {

inline constexpr int key_levels = 21;  ///< levels of the octree that one key tells
inline constexpr int deepest_level = 2 * key_levels;

namespace hilbert {

GRAVLET_HD constexpr unsigned gray_inverse(unsigned g) { return g ^ (g >> 1) ^ (g >> 2); }
/// Three bits, rotated to the left by 0 to 3 places.
GRAVLET_HD constexpr unsigned rotate_left(unsigned bits, unsigned by) { return ((bits << by) | (bits >> (3 - by))) & 7u; }
GRAVLET_HD constexpr unsigned rotate_right(unsigned bits, unsigned by) { return rotate_left(bits, 3 - by); }
/// Entry corner of the curve in sub-cube w: the Gray code of 2 floor((w - 1) / 2), 0 for w = 0; 3 bits for each w.
GRAVLET_HD constexpr unsigned entry(unsigned w) { return (0xbb3600u >> (3 * w)) & 7u; }
/// Direction of the curve in sub-cube w: 0, 1, 1, 2, 2, 1, 1, 0; 2 bits for each w.
GRAVLET_HD constexpr unsigned direction(unsigned w) { return (0x1694u >> (2 * w)) & 3u; }

/// The curve inside one cube.
struct State {
    unsigned e = 0, d = 0;

    /// The place along the curve of an octant (x bit + 2 y bit + 4 z bit), and the state in there.
    GRAVLET_HD constexpr unsigned descend(unsigned octant) {
        const unsigned digit = gray_inverse(rotate_right(octant ^ e, d + 1));
        e ^= rotate_left(entry(digit), d + 1);
        d = (d + direction(digit) + 1) % 3;
        return digit;
    }
    /// The other way round: the octant at a place along the curve.
    GRAVLET_HD constexpr unsigned follow(unsigned digit) {
        const unsigned octant = rotate_left(digit ^ digit >> 1, d + 1) ^ e;
        e ^= rotate_left(entry(digit), d + 1);
        d = (d + direction(digit) + 1) % 3;
        return octant;
    }
};

/// table[state * 8 + octant] = digit | next state << 3, with octant = x bit + 2 y bit + 4 z bit and state = e * 3 + d.
constexpr std::array<std::uint8_t, 24 * 8> make_table() {
    std::array<std::uint8_t, 24 * 8> table{};
    for (unsigned e = 0; e < 8; ++e) {
        for (unsigned d = 0; d < 3; ++d) {
            for (unsigned octant = 0; octant < 8; ++octant) {
                State state{e, d};
                const unsigned digit = state.descend(octant);
                table[(e * 3 + d) * 8 + octant] = static_cast<std::uint8_t>(digit | (state.e * 3 + state.d) << 3);
            }
        }
    }
    return table;
}

/// Two levels at once: table[state * 64 + upper octant * 8 + lower octant] = digits | next state << 6.
constexpr std::array<std::uint16_t, 24 * 64> make_double_table() {
    const auto single = make_table();
    std::array<std::uint16_t, 24 * 64> table{};
    for (unsigned i = 0; i < 24 * 64; ++i) {
        const unsigned upper = single[i >> 6 << 3 | (i >> 3 & 7u)];
        const unsigned lower = single[(upper >> 3) << 3 | (i & 7u)];
        table[i] = static_cast<std::uint16_t>((upper & 7u) << 3 | (lower & 7u) | (lower >> 3) << 6);
    }
    return table;
}

/// table[state * 8 + digit] = octant | next state << 3.
constexpr std::array<std::uint8_t, 24 * 8> make_inverse_table() {
    std::array<std::uint8_t, 24 * 8> inverse{};
    const auto forward = make_table();
    for (unsigned i = 0; i < 24 * 8; ++i)
        inverse[(i & ~7u) | (forward[i] & 7u)] = static_cast<std::uint8_t>((i & 7u) | (forward[i] & ~7u));
    return inverse;
}

inline constexpr std::array<std::uint8_t, 24 * 8> table = make_table();
inline constexpr std::array<std::uint8_t, 24 * 8> inverse_table = make_inverse_table();
inline constexpr std::array<std::uint16_t, 24 * 64> double_table = make_double_table();

}  // namespace hilbert

/// Integer coordinate of a position in [0, 1).
GRAVLET_HD inline std::uint32_t grid_coordinate(double position) {
    constexpr double cells = 1 << key_levels;
    const double scaled = position * cells;
    return scaled <= 0.0 ? 0u : scaled >= cells - 1.0 ? (1u << key_levels) - 1u : static_cast<std::uint32_t>(scaled);
}

/// Integer coordinate of a position within its cell of the grid of grid_coordinate(), in a grid as fine again.
GRAVLET_HD inline std::uint32_t lower_grid_coordinate(double position) {
    constexpr std::uint64_t cells = std::uint64_t{1} << deepest_level;
    const double scaled = position * static_cast<double>(cells);
    const std::uint64_t grid = scaled <= 0.0                              ? 0
                               : scaled >= static_cast<double>(cells - 1) ? cells - 1
                                                                          : static_cast<std::uint64_t>(scaled);
    return static_cast<std::uint32_t>(grid & ((std::uint64_t{1} << key_levels) - 1));
}

namespace hilbert {

/// The curve's digits on the way down `levels` levels of a grid (the rest of the key is 0). `state` is that of the cube at the
/// top, and becomes that of the one at the end. Tables are faster on the host; a device would need them in global memory.
GRAVLET_HD inline key_type descend(std::uint32_t ix, std::uint32_t iy, std::uint32_t iz, int levels, State& state) {
    const int end = key_levels - levels;
    const auto octant = [=](int level) { return (ix >> level & 1u) | (iy >> level & 1u) << 1 | (iz >> level & 1u) << 2; };
    key_type key = 0;
#if defined(__CUDA_ARCH__)
    for (int level = key_levels - 1; level >= end; --level) key = key << 3 | state.descend(octant(level));
#else
    unsigned number = state.e * 3 + state.d;
    int level = key_levels - 1;
    if (levels % 2 != 0) {
        const unsigned step = table[number << 3 | octant(level--)];
        key = step & 7u;
        number = step >> 3;
    }
    for (; level > end; level -= 2) {
        const unsigned step = double_table[number << 6 | octant(level) << 3 | octant(level - 1)];
        key = key << 6 | (step & 63u);
        number = step >> 6;
    }
    state = {number / 3, number % 3};
#endif
    return key << 3 * end;
}

/// A place in a cube of cells.
struct Offset {
    std::uint32_t x, y, z;
};

/// Where in a cube of 2^levels cells a side the curve is at cell `place` of it. `state` as descend() takes and leaves it.
GRAVLET_HD inline Offset follow(std::uint32_t place, int levels, State& state) {
    Offset at{0, 0, 0};
    const auto step = [&at](unsigned octant) {
        at = {at.x << 1 | (octant & 1u), at.y << 1 | (octant >> 1 & 1u), at.z << 1 | octant >> 2};
    };
#if defined(__CUDA_ARCH__)
    for (int level = levels - 1; level >= 0; --level) step(state.follow(place >> 3 * level & 7u));
#else
    unsigned number = state.e * 3 + state.d;
    for (int level = levels - 1; level >= 0; --level) {
        const unsigned next = inverse_table[number << 3 | (place >> 3 * level & 7u)];
        step(next & 7u);
        number = next >> 3;
    }
    state = {number / 3, number % 3};
#endif
    return at;
}

}  // namespace hilbert

/// Place on the curve of a position in the unit cube, down to `levels` levels, at most key_levels.
GRAVLET_HD inline key_type hilbert_key(double x, double y, double z, int levels = key_levels) {
    hilbert::State state;
    return hilbert::descend(grid_coordinate(x), grid_coordinate(y), grid_coordinate(z), levels, state);
}

/// Hilbert key of the next `levels` levels below key_levels.
GRAVLET_HD inline key_type lower_hilbert_key(double x, double y, double z, int levels = key_levels) {
    hilbert::State state;
    hilbert::descend(grid_coordinate(x), grid_coordinate(y), grid_coordinate(z), key_levels, state);
    return hilbert::descend(lower_grid_coordinate(x), lower_grid_coordinate(y), lower_grid_coordinate(z), levels, state);
}

GRAVLET_HD inline key_type hilbert_key(const Vector3& place, int levels = key_levels) {
    return hilbert_key(place.x, place.y, place.z, levels);
}
GRAVLET_HD inline key_type lower_hilbert_key(const Vector3& place, int levels = key_levels) {
    return lower_hilbert_key(place.x, place.y, place.z, levels);
}

/// The level of the smallest octree cube that holds both keys: 0 is the root cube, key_levels a cube of the grid.
GRAVLET_HD inline int common_level(key_type a, key_type b) {
    const key_type difference = a ^ b;
#if defined(__CUDA_ARCH__)
    const int leading = __clzll(static_cast<long long>(difference));
#else
    const int leading = difference == 0 ? 64 : __builtin_clzll(difference);
#endif
    return (leading - 1) / 3;  // 64 bits, of which the first is not used
}

/// Which child of a cube at `level` a key is in, 0 to 7 in the curve's order.
GRAVLET_HD inline unsigned child_digit(key_type key, int level) {
    return static_cast<unsigned>(key >> (3 * (key_levels - 1 - level))) & 7u;
}

/// Keys of an array of bodies. What is a key above is here a body's number.
struct Keys {
    const key_type* upper;
    const key_type* lower;  ///< lower keys; null: no bodies crowd, the upper keys tell enough

    [[nodiscard]] GRAVLET_HD bool equal(std::size_t a, std::size_t b) const {
        return upper[a] == upper[b] && (lower == nullptr || lower[a] == lower[b]);
    }
};

GRAVLET_HD inline int common_level(const Keys& keys, std::size_t a, std::size_t b) {
    if (keys.lower == nullptr || keys.upper[a] != keys.upper[b]) return common_level(keys.upper[a], keys.upper[b]);
    return key_levels + common_level(keys.lower[a], keys.lower[b]);
}

GRAVLET_HD inline unsigned child_digit(const Keys& keys, std::size_t i, int level) {
    return level < key_levels ? child_digit(keys.upper[i], level) : child_digit(keys.lower[i], level - key_levels);
}

}  // namespace gravlet
