// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/data/bodies.hpp"
#include "solver/tree/build.hpp"

namespace gravlet {

/// A view of this rank's own tree, as walks see it.
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

}  // namespace gravlet
