// SPDX-License-Identifier: Apache-2.0
// The mesh: a p8est forest of one tree, a block a leaf, whose gas goes along when leaves are refined, coarsened and dealt out to
// ranks. Neighbours, across edges and corners too, differ by one level at most.
#pragma once

#include "block.hpp"

#include <mpi.h>
#include <p8est.h>
#include <p8est_ghost.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace core_collapse {

/// Which leaves are too coarse, and which may be coarser.
struct Criterion {
    int coarsest, finest;
    std::function<bool(const Leaf&)> wants_finer, allows_coarser;
};

class Mesh {
public:
    /// Collective. All blocks of one level; or those of a checkpoint, if `path` is not empty.
    Mesh(MPI_Comm comm, int level, bool periodic, const std::string& path);

    /// Collective. Whether the mesh is another one afterwards.
    bool adapt(const Criterion& criterion);
    /// Collective. Writes mesh, gas and accelerations.
    void save(const std::string& path) const;

    [[nodiscard]] MPI_Comm comm() const { return forest_->mpicomm; }
    [[nodiscard]] bool periodic() const { return periodic_; }
    [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
    [[nodiscard]] std::size_t ghosts() const { return ghost_gas_.size(); }
    [[nodiscard]] long long global_cells() const { return forest_->global_num_quadrants * static_cast<long long>(block_cells); }

    /// Collective: the other ranks' gas as it is now.
    void share_gas();
    /// Collective: what this rank has for its leaves goes to the ranks that touch them; theirs comes behind.
    template <class Item>
    void share(std::vector<Item>& items) const {
        items.resize(leaves_.size() + ghosts());
        share_bytes(
            sizeof(Item), [&](std::size_t leaf) { return static_cast<void*>(&items[leaf]); }, items.data() + leaves_.size());
    }

    /// The gas in a cell of some level that touches a leaf of this rank, from one level up or down if need be. Beyond faces that
    /// don't repeat it is that of the nearest cell.
    [[nodiscard]] Gas sample(int level, const Index3& cell) const;
    /// The leaf of this level in which this cell is, or null.
    [[nodiscard]] const Leaf* find(int level, const Index3& cell) const;
    /// Whether a block around this one is finer, which then must not become coarser.
    [[nodiscard]] bool touches_finer(const Leaf& leaf) const;
    [[nodiscard]] bool is_outside(int level, const Index3& cell) const;
    [[nodiscard]] Index3 into_box(int level, Index3 cell) const;

private:
    void look_around();
    [[nodiscard]] Gas mean(int level, const Index3& cell) const;
    void share_bytes(std::size_t size, const std::function<void*(std::size_t)>& of_leaf, void* ghosts) const;

    bool periodic_;
    std::unique_ptr<p8est_connectivity_t, decltype(&p8est_connectivity_destroy)> connectivity_;
    std::unique_ptr<p8est_t, decltype(&p8est_destroy)> forest_;  // goes before its connectivity
    std::unique_ptr<p8est_ghost_t, decltype(&p8est_ghost_destroy)> ghost_;
    std::vector<GasFields> ghost_gas_;
    std::vector<Leaf> leaves_, ghost_leaves_;
    std::unordered_map<std::uint64_t, const Leaf*> leaf_at_;
    mutable std::array<std::pair<std::uint64_t, const Leaf*>, 32> found_{};  // the last one of each level
};

}  // namespace core_collapse
