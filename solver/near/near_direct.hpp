// SPDX-License-Identifier: Apache-2.0
// Near cells in a direct sum: what a packet of sources does as cuboids, over what it does as points.
#pragma once

#include "mpi/stages.hpp"
#include "solver/direct/direct_types.hpp"
#include "solver/near/near_table.hpp"

#include <gravlet/options.hpp>

#include <span>
#include <vector>

namespace gravlet {

class NearDirect {
public:
    /// Collective. Agrees on the law of near cells among all ranks' cells; these are the first `cells` of this rank's bodies.
    void agree(Stages& stages, const Options& options, const std::vector<Body>& bodies, std::size_t cells);
    /// Size of a body as it travels: 0 unless it is a cell that can be near to targets.
    [[nodiscard]] double size_of(const Body& body, bool is_point) const;
    /// Local. Adds to the sums of targets that are cells. `in_cells`: to those of targets that are no cells, and may be
    /// anywhere in one.
    void add(const DirectTargets& targets, std::span<const DirectSource> sources, bool in_cells = false);

private:
    template <int D>
    void add(const DirectTargets& targets, bool in_cells) const;

    CellShapes shapes_;
    NearTable table_;
    NearLaw law_;
    std::vector<Vector3> images_;
    std::vector<DirectSource> sorted_;  ///< cells of a packet and their images, by x
    double reach_ = 0.0;                ///< the longest of these in x
};

}  // namespace gravlet
