// SPDX-License-Identifier: Apache-2.0
// What a walk's kernels are given and give back. All that their files include: there are many of these (gpu/CMakeLists.txt), and
// headers of the host would take most of the time that they compile.
#pragma once

#include "gpu/walk/walk_limits.hpp"
#include "solver/data/walk_types.hpp"

#include <cstddef>
#include <cstdint>

namespace gravlet {

/// What the warps count, in device memory.
struct WalkCounters {
    unsigned long long node, cell, far, coincident;
    std::uint32_t given_up, again;
};

/// A group, and the least far radius that it is walked with.
struct WalkedGroup {
    std::uint32_t group;
    float far_radius;
};

/// Where the groups of a set begin.
struct SetStart {
    SeriesError<double> error;  ///< error of their SetLocal
    std::uint32_t entries;      ///< nodes that are left to them, or no_set
};

/// What is far from all of a group's set, as the group's local expansion: the terms with c <= 1.
struct SetLocal {
    float terms[local_terms];
};

/// A kernel's arguments.
struct WalkArguments {
    TreeView tree;
    WalkTargets targets;
    const WalkedGroup* walked;  ///< the groups to walk for; null: all
    std::size_t walked_count;
    bool shared;               ///< the warps of a block walk for one group
    std::uint32_t list_limit;  ///< a group whose lists get longer is given up, and noted in given_up[]
    WalkedGroup* given_up;
    WalkedGroup* again;  ///< groups are noted here whose local expansion was not good enough
    WalkCounters* counters;
    std::size_t first_group;  ///< first group of this launch, where all groups are walked for
    /// Starts of the sets of this launch's groups, gpu_set_groups each, or null: then they begin at the root.
    SetStart* sets;
    SetLocal* set_local;  ///< local expansion of each group from its set
    std::uint32_t set_entries;
    std::uint32_t* set_nodes;  ///< set_entries each
    std::uint8_t* set_images;  ///< images of set_nodes; null: image 0
};

}  // namespace gravlet
