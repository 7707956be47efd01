// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/order/sort.hpp"
#include "solver/order/targets.hpp"
#include "solver/tree/build.hpp"
#include "solver/tree/moments.hpp"

namespace gravlet::bench {

/// Sorts a rank's bodies and builds their tree, with moments and targets. `input`: in the backend's memory.
template <class Exec>
void make_rank_tree(const Exec& exec, const Input& input, const Frame& frame, const Options& options, Bodies<Exec>& bodies,
                    Tree<Exec>& tree) {
    sort(exec, input, frame, options, bodies);
    build_tree(exec, bodies.keys_of_sources(), static_cast<std::uint32_t>(bodies.source_count),
               static_cast<std::uint32_t>(options.leaf_size), 0, static_cast<float>(frame.cube.side), frame.cells, tree);
    compute_moments(exec, options.order, bodies.sources(), frame.cube, opening_of(options, frame), tree);
    choose_targets(exec, input, 0, bodies);
}

}  // namespace gravlet::bench
