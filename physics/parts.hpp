// SPDX-License-Identifier: Apache-2.0
// The arithmetic of merging (solver/essential/merge.hpp): what several ranks have of one cube, and how it falls apart.
#pragma once

#include "physics/keys.hpp"
#include "physics/partition_point.hpp"
#include "physics/types.hpp"

namespace gravlet {

/// What one rank has of some cube: a node with all that is below it, or a run of sources.
struct Part {
    key_type key;         ///< key of some place in the cube: that of the node, or of the first source
    std::uint32_t first;  ///< source, or node
    std::uint32_t count;  ///< number of sources; 0: a node
    std::uint8_t level;   ///< level of the cube
    std::uint8_t below;   ///< levels of nodes from here down, at most
    bool whole;           ///< whether it cannot fall apart
    std::uint8_t ahead;   ///< ends of its shared cube before it, up to 255, where it is one
};

/// Origin of a new node of a merged tree: other nodes are copies of one of its parts' nodes.
inline constexpr node_index no_origin = ~node_index{0};

/// A cube that several parts share: they are [first, first + count).
struct SharedCube {
    node_index node;
    std::uint32_t first, count;
    std::uint8_t level;
    std::uint8_t way;  ///< how it is divided
};

/// How many of each a level of shared cubes makes.
struct MergeCounts {
    std::uint32_t children, shared, parts;
};
GRAVLET_HD constexpr MergeCounts operator+(const MergeCounts& a, const MergeCounts& b) {
    return {a.children + b.children, a.shared + b.shared, a.parts + b.parts};
}

/// The arithmetic of merging, on nodes and sources of all ranks in one array each. Host or device.
struct Merging {
    static constexpr std::uint8_t nowhere = 0xff;
    static constexpr unsigned digits = 16;  ///< octants, and as many ends beside them
    enum Way : std::uint8_t {
        by_octants,  ///< a child an octant, and one for each end
        by_count,    ///< parts one by one or, if these are too many, in eighths
        ends_apart   ///< ends below one child, all else below another
    };

    const Node* nodes;
    const Source* sources;
    RootCube cube;
    std::uint32_t leaf_size;
    int lowest_level;

    /// What a child adds that so many parts go to.
    GRAVLET_HD static constexpr MergeCounts counts_of(std::uint32_t parts) {
        return {parts > 0 ? 1u : 0u, parts > 1 ? 1u : 0u, parts > 1 ? parts : 0u};
    }

    /// The key goes down to key_levels. Deeper ones are few, and found where they are asked for.
    template <class T>
    [[nodiscard]] GRAVLET_HD key_type key_of(const T& at) const {
        return hilbert_key(cube.place(at));
    }
    [[nodiscard]] GRAVLET_HD key_type lower_key(const Part& part) const {
        return part.count > 0 ? lower_hilbert_key(cube.place(sources[part.first]))
                              : lower_hilbert_key(cube.place(nodes[part.first]));
    }
    [[nodiscard]] GRAVLET_HD int common_level(const Part& a, const Part& b) const {
        return a.key != b.key ? gravlet::common_level(a.key, b.key)
                              : key_levels + gravlet::common_level(lower_key(a), lower_key(b));
    }
    [[nodiscard]] GRAVLET_HD unsigned digit_of(const Part& part, int level) const {
        return level < key_levels ? child_digit(part.key, level) : child_digit(lower_key(part), level - key_levels);
    }

    /// Size of a new node. The root of a far rank is as large as its mass (physics/virtual_root.hpp), and so not in one cube: the
    /// cube that its centre of mass is in holds some of its mass no more. That is seen by its size, which is no cube's side.
    /// Nothing leaves a cube of the lowest level.
    [[nodiscard]] GRAVLET_HD float size_of(const Node& node, const Vector3& centre) const {
        const float largest = cube.side_of(lowest_level);
        float size = node.size;
        for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
            const Node& child = nodes[k];
            if (cube.is_side(child.size)) continue;
            const double off = fmax(fabs(child.x - centre.x), fmax(fabs(child.y - centre.y), fabs(child.z - centre.z)));
            size = fmaxf(size, fminf(2.0f * (static_cast<float>(off) + child.size), largest));
        }
        return size;
    }

    /// Sources [first, first + count) of one rank.
    [[nodiscard]] GRAVLET_HD Part run(std::uint32_t first, std::uint32_t count) const {
        Part part{}, last{};
        part.first = first, part.count = count, part.below = 1;
        part.key = key_of(sources[first]);
        last.first = first + count - 1, last.count = 1;
        last.key = key_of(sources[last.first]);
        part.level = static_cast<std::uint8_t>(common_level(part, last));
        part.whole = part.level == deepest_level;
        return part;
    }

    /// A node, `below` levels of which are left.
    [[nodiscard]] GRAVLET_HD Part part_of(node_index index, int below) const {
        const Node& node = nodes[index];
        const bool of_a_cube = cube.is_side(node.size);
        if (node.leaf != 0 && of_a_cube) return run(node.first, node.count);
        Part part{};
        part.first = index, part.below = static_cast<std::uint8_t>(below);
        part.key = key_of(node);
        const int level = cube.level_of(node.size);
        part.level = static_cast<std::uint8_t>(level > 0 ? level : 0);  // one that points have left is larger than the root
        part.whole = node.count == 0 || !of_a_cube;
        return part;
    }

    /// The first of a run's sources that is in octant `digit` of its cube or a later one.
    [[nodiscard]] GRAVLET_HD std::uint32_t seam(const Part& run, unsigned digit) const {
        return partition_point(run.first, run.first + run.count, [&](std::uint32_t i) {
            Part there{};
            there.first = i, there.count = 1, there.key = key_of(sources[i]);
            return digit_of(there, run.level) < digit;
        });
    }

    /// Step 1, by a team: level and way of a shared cube, and which of its ends come first.
    template <class Team>
    GRAVLET_HD void begin(Part* parts, SharedCube& shared, const Team& team) const {
        int level = parts[0].level;
        std::size_t source_count = 0, nodes_too = 0;
        for (std::uint32_t p = team.rank(); p < shared.count; p += Team::size) {
            const int together = common_level(parts[0], parts[p]), own = parts[p].level;
            level = together < level ? together : level;
            level = own < level ? own : level;
            source_count += parts[p].count;
            nodes_too += parts[p].count > 0 ? 0 : 1;
        }
        level = team.least(level), source_count = team.sum(source_count), nodes_too = team.sum(nodes_too);
        std::uint32_t ends = 0, fragments = 0;
        for (std::uint32_t first = 0; first < shared.count; first += Team::size) {
            const std::uint32_t p = first + team.rank();
            const bool there = p < shared.count, end = there && is_end(parts[p], level);
            std::uint32_t more = 0;
            const std::uint32_t ahead = ends + team.count_before(end, more);
            ends += more;
            if (end) {
                parts[p].ahead = static_cast<std::uint8_t>(ahead < 255 ? ahead : 255);
            } else if (there) {
                fragments += parts[p].level > level ? 1 : parts[p].count > 0 ? 8 : nodes[parts[p].first].count;
            }
        }
        fragments = team.sum(fragments);
        if (team.rank() != 0) return;
        shared.level = static_cast<std::uint8_t>(level);
        const bool leaf = nodes_too == 0 && source_count <= leaf_size && level >= lowest_level;
        shared.way = leaf || fragments == 0                                   ? by_count
                     : ends > 0 && ends + (fragments < 8 ? fragments : 8) > 8 ? ends_apart
                                                                              : by_octants;
    }

    /// Whether a part of a shared cube of this level is pruned there.
    [[nodiscard]] GRAVLET_HD static bool is_end(const Part& part, int level) { return part.level == level && part.whole; }

    /// Step 2: which child of a shared cube fragment `slot`, 0 to 7, of its part p goes to; or `nowhere`: there is none.
    GRAVLET_HD unsigned fragment(const Part* parts, const SharedCube& shared, std::uint32_t p, unsigned slot, Part& out) const {
        const Part& part = parts[p];
        const int level = shared.level;
        const bool end = is_end(part, level);
        if (shared.way != by_octants || end || part.level > level) {
            if (slot > 0) return nowhere;
            out = part;
            if (shared.way == by_count) return shared.count <= 8 ? p : static_cast<unsigned>(std::size_t{p} * 8 / shared.count);
            if (shared.way == ends_apart) return end ? 0 : 1;
            return end ? 8u + part.ahead : digit_of(part, level);
        }
        if (part.count > 0) {
            const std::uint32_t first = seam(part, slot), next = slot < 7 ? seam(part, slot + 1) : part.first + part.count;
            if (first == next) return nowhere;
            out = run(first, next - first);
            return slot;
        }
        const Node& node = nodes[part.first];
        if (slot >= node.count) return nowhere;
        out = part_of(node.first + slot, part.below - 1);
        return digit_of(out, level);
    }
};

}  // namespace gravlet
