// SPDX-License-Identifier: Apache-2.0
#include "mesh.hpp"

#include "levels.hpp"

#include <p8est_bits.h>
#include <p8est_extended.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <stdexcept>

namespace core_collapse {

namespace {

constexpr std::uint64_t no_key = std::numeric_limits<std::uint64_t>::max();

State& state_of(const p8est_quadrant_t& quadrant) { return *static_cast<State*>(quadrant.p.user_data); }

Leaf to_leaf(const p8est_quadrant_t& quadrant, GasFields* gas, AccelerationFields* acceleration, std::size_t number) {
    const int shift = P8EST_MAXLEVEL - quadrant.level;
    return {quadrant.level,
            {(quadrant.x >> shift) * n, (quadrant.y >> shift) * n, (quadrant.z >> shift) * n},
            gas,
            acceleration,
            number};
}

Leaf to_leaf(const p8est_quadrant_t& quadrant) {
    return to_leaf(quadrant, &state_of(quadrant).gas, &state_of(quadrant).acceleration, 0);
}

// ---- What p4est calls, from C.

const Criterion& criterion_of(const p8est_t* forest) { return *static_cast<const Criterion*>(forest->user_pointer); }

int wants_refinement(p8est_t* forest, p4est_topidx_t, p8est_quadrant_t* quadrant) noexcept {
    const Criterion& criterion = criterion_of(forest);
    return quadrant->level < criterion.finest && criterion.wants_finer(to_leaf(*quadrant)) ? 1 : 0;
}

int wants_coarsening(p8est_t* forest, p4est_topidx_t, p8est_quadrant_t* family[]) noexcept {
    const Criterion& criterion = criterion_of(forest);
    const auto allows = [&](const p8est_quadrant_t* child) { return criterion.allows_coarser(to_leaf(*child)); };
    return family[0]->level > criterion.coarsest && std::all_of(family, family + 8, allows) ? 1 : 0;
}

void replace(p8est_t*, p4est_topidx_t, int leaving, p8est_quadrant_t* old[], int, p8est_quadrant_t* fresh[]) noexcept {
    for (int child = 0; child < 8; ++child)
        if (leaving == 1)
            refine_block(state_of(*old[0]), child, state_of(*fresh[child]));
        else
            coarsen_block(state_of(*old[child]), child, state_of(*fresh[0]));
}

void set_to_zero(p8est_t*, p4est_topidx_t, p8est_quadrant_t* quadrant) noexcept { state_of(*quadrant) = State{}; }

// ---- Where leaves are.

std::uint64_t key(int level, const Index3& cell) {
    const auto block = [&](std::size_t axis) { return static_cast<std::uint64_t>(cell[axis] / n); };
    return ((static_cast<std::uint64_t>(level) << 19 | block(0)) << 19 | block(1)) << 19 | block(2);
}

Index3 in_block(const Index3& cell) { return {cell[0] % n, cell[1] % n, cell[2] % n}; }

}  // namespace

Mesh::Mesh(MPI_Comm comm, int level, bool periodic, const std::string& path)
    : periodic_(periodic),
      connectivity_(nullptr, &p8est_connectivity_destroy),
      forest_(nullptr, &p8est_destroy),
      ghost_(nullptr, &p8est_ghost_destroy) {
    p8est_connectivity_t* connectivity = nullptr;
    if (path.empty()) {
        connectivity = periodic ? p8est_connectivity_new_periodic() : p8est_connectivity_new_unitcube();
        forest_.reset(p8est_new_ext(comm, connectivity, 0, level, 1, sizeof(State), set_to_zero, nullptr));
    } else {
        if (!std::ifstream(path)) throw std::invalid_argument("no checkpoint " + path);  // p4est would abort
        forest_.reset(p8est_load_ext(path.c_str(), comm, sizeof(State), 1, 0, 0, nullptr, &connectivity));
    }
    connectivity_.reset(connectivity);
    look_around();
}

bool Mesh::adapt(const Criterion& criterion) {
    const long before = forest_->revision;
    forest_->user_pointer = const_cast<Criterion*>(&criterion);
    p8est_coarsen_ext(forest_.get(), 0, 0, wants_coarsening, nullptr, replace);
    p8est_refine_ext(forest_.get(), 0, criterion.finest, wants_refinement, nullptr, replace);
    p8est_balance_ext(forest_.get(), P8EST_CONNECT_FULL, nullptr, replace);
    if (forest_->revision == before) return false;
    p8est_partition(forest_.get(), 1, nullptr);  // 1: siblings stay on one rank, so that they can be coarsened
    look_around();
    return true;
}

void Mesh::save(const std::string& path) const {
    p8est_save(path.c_str(), forest_.get(), 1);
    MPI_Barrier(comm());
}

void Mesh::look_around() {
    ghost_.reset(p8est_ghost_new(forest_.get(), P8EST_CONNECT_FULL));
    leaves_.clear(), ghost_leaves_.clear(), leaf_at_.clear();
    found_.fill({no_key, nullptr});
    for (p4est_topidx_t tree = forest_->first_local_tree; tree <= forest_->last_local_tree; ++tree) {
        sc_array_t& quadrants = p8est_tree_array_index(forest_->trees, tree)->quadrants;
        for (std::size_t i = 0; i < quadrants.elem_count; ++i) {
            leaves_.push_back(to_leaf(*p8est_quadrant_array_index(&quadrants, i)));
            leaves_.back().number = i;
        }
    }
    ghost_gas_.resize(ghost_->ghosts.elem_count);
    for (std::size_t i = 0; i < ghost_gas_.size(); ++i)
        ghost_leaves_.push_back(
            to_leaf(*p8est_quadrant_array_index(&ghost_->ghosts, i), &ghost_gas_[i], nullptr, leaves_.size() + i));
    for (const Leaf& leaf : leaves_) leaf_at_.emplace(key(leaf.level, leaf.first), &leaf);
    for (const Leaf& leaf : ghost_leaves_) leaf_at_.emplace(key(leaf.level, leaf.first), &leaf);
}

void Mesh::share_bytes(std::size_t size, const std::function<void*(std::size_t)>& of_leaf, void* ghosts) const {
    std::vector<void*> mirrors(ghost_->mirrors.elem_count);
    for (std::size_t i = 0; i < mirrors.size(); ++i)
        mirrors[i] = of_leaf(static_cast<std::size_t>(p8est_quadrant_array_index(&ghost_->mirrors, i)->p.piggy3.local_num));
    p8est_ghost_exchange_custom(forest_.get(), ghost_.get(), size, mirrors.data(), ghosts);
}

void Mesh::share_gas() {
    share_bytes(
        sizeof(GasFields), [&](std::size_t leaf) { return static_cast<void*>(leaves_[leaf].gas); }, ghost_gas_.data());
}

const Leaf* Mesh::find(int level, const Index3& cell) const {
    const std::uint64_t wanted = key(level, cell);
    auto& [last, leaf] = found_[static_cast<std::size_t>(level)];
    if (last != wanted) {
        const auto found = leaf_at_.find(wanted);
        last = wanted, leaf = found == leaf_at_.end() ? nullptr : found->second;
    }
    return leaf;
}

bool Mesh::touches_finer(const Leaf& leaf) const {
    for (int direction = 0; direction < 27; ++direction) {
        Index3 beyond = leaf.first;
        beyond[0] += (direction % 3 - 1) * n, beyond[1] += (direction / 3 % 3 - 1) * n, beyond[2] += (direction / 9 - 1) * n;
        beyond = into_box(leaf.level, beyond);
        const Index3 coarse{beyond[0] / 2, beyond[1] / 2, beyond[2] / 2};
        if (!find(leaf.level, beyond) && (leaf.level == 0 || !find(leaf.level - 1, coarse))) return true;
    }
    return false;
}

bool Mesh::is_outside(int level, const Index3& cell) const {
    return std::any_of(cell.begin(), cell.end(), [&](int index) { return index < 0 || index >= n << level; });
}

Index3 Mesh::into_box(int level, Index3 cell) const {
    const int side = n << level;
    for (int& index : cell) index = periodic_ ? (index + side) % side : std::clamp(index, 0, side - 1);
    return cell;
}

/// The gas of the leaf that has this cell, or of those that have its parts.
Gas Mesh::mean(int level, const Index3& cell) const {
    if (const Leaf* leaf = find(level, cell)) return gas_at(*leaf->gas, offset(in_block(cell)));
    if (level + 1 >= static_cast<int>(found_.size())) throw std::logic_error("a cell that no leaf near this rank has");
    Gas out{};
    for (int c = 0; c < 8; ++c) {
        const Gas part = mean(level + 1, {2 * cell[0] + (c & 1), 2 * cell[1] + (c >> 1 & 1), 2 * cell[2] + (c >> 2)});
        for (std::size_t f = 0; f < 4; ++f) out[f] += 0.125 * part[f];
    }
    return out;
}

Gas Mesh::sample(int level, const Index3& wanted) const {
    const Index3 cell = into_box(level, wanted), coarse{cell[0] / 2, cell[1] / 2, cell[2] / 2};
    if (const Leaf* same = find(level, cell)) return gas_at(*same->gas, offset(in_block(cell)));
    if (level == 0 || !find(level - 1, coarse)) return mean(level, cell);
    Gas gas = mean(level - 1, coarse);
    const Gas here = gas;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        Index3 left = coarse, right = coarse;
        --left[axis], ++right[axis];
        const Gas a = mean(level - 1, into_box(level - 1, left)), b = mean(level - 1, into_box(level - 1, right));
        for (std::size_t f = 0; f < 4; ++f) gas[f] += (cell[axis] % 2 == 0 ? -0.25 : 0.25) * limited_slope(a[f], here[f], b[f]);
    }
    return gas[0] > 0.1 * here[0] ? gas : here;  // slopes of three directions add up
}

}  // namespace core_collapse
