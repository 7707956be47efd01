// SPDX-License-Identifier: Apache-2.0
// Copies in host memory of what a backend made: a tree, targets and their sums.
#pragma once

#include "solver/data/walk_types.hpp"

#include <array>
#include <vector>

namespace gravlet::test {

struct HostTree {
    std::vector<Node> nodes;
    std::vector<float> moments;
    std::vector<Source> sources;
    std::vector<cell_index> source_target;
    TreeView backend_view;

    [[nodiscard]] TreeView view() const {
        TreeView view = backend_view;
        view.nodes = nodes.data();
        view.moments = moments.data();
        view.sources = sources.data();
        view.source_target = source_target.empty() ? nullptr : source_target.data();
        return view;
    }
};

struct HostTargets {
    std::vector<Source> bodies;
    std::vector<Group> groups;
    std::vector<double> potential;
    std::array<std::vector<double>, 3> field;  ///< empty if no acceleration was wanted
    std::array<std::vector<double>, 6> tide;   ///< likewise
    WalkTargets backend_targets;
    std::vector<Vector3> images;  ///< displacements

    [[nodiscard]] Vector3 acceleration(std::size_t i) const { return {field[0][i], field[1][i], field[2][i]}; }
};

}  // namespace gravlet::test
