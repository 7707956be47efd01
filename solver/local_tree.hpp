// SPDX-License-Identifier: Apache-2.0
// This rank's own tree, as the walks see it.
#pragma once

#include "physics/acceptance.hpp"
#include "solver/build.hpp"
#include "solver/data/bodies.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

template <class Exec>
TreeView view_of(const Bodies<Exec>& bodies, const Tree<Exec>& tree) {
    TreeView view;
    view.nodes = tree.nodes.data();
    view.moments = tree.moments.data();
    view.sources = bodies.sources();
    view.source_target = bodies.all_massive() ? nullptr : bodies.source_target.data();
    view.node_count = tree.count();
    view.source_count = view.own_sources = bodies.source_count;
    view.depth = tree.depth();
    return view;
}

inline Opening opening_of(const Options& options, const Frame& frame) {
    return {options.theta, frame.total_mass, frame.extent, frame.largest_node};
}

}  // namespace gravlet
