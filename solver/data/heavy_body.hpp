// SPDX-License-Identifier: Apache-2.0
// Which bodies are heavy: points that outweigh a good part of all that is lighter, a star among planetesimals, a black hole in a
// bulge, or all of a few bodies. A node with one in it is known to a part of its pull, and any pull to single precision: where
// that pull is large it would drown what all else does. So heavy bodies are in no tree (solver/heavy/heavy.hpp).
#pragma once

#include "physics/types.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gravlet {

struct HeavyBody {
    double x, y, z;  ///< position in solver units
    double mass;     ///< the caller's unit; once they are chosen, the solver's
    double softening;
    std::int32_t rank;  ///< rank that brought it
    cell_index index;   ///< index among that rank's bodies, in the caller's order
    std::uint32_t active;
};

/// A body is heavy if its mass is more than this times that of all that are lighter (no number that masses are likely to differ
/// by), and at most so many are.
inline constexpr double heavy_share = 0.0153;
inline constexpr std::size_t most_heavy = 64;

GRAVLET_HD inline bool outweighs(double mass, double all_lighter) { return mass > heavy_share * all_lighter; }

struct HeavyChoice {
    std::vector<HeavyBody> bodies;  ///< the heaviest first
    double lighter;                 ///< the mass of all others
};

/// Chooses the heavy bodies among the candidates of all ranks, in the order of the ranks; `rest` is the mass of all other bodies.
/// Bodies of one mass are heavy all or none.
HeavyChoice choose_heavy(std::vector<HeavyBody> candidates, double rest);

}  // namespace gravlet
