// SPDX-License-Identifier: Apache-2.0
// The unit that a solve works in, and this rank's bodies in it, sorted along the curve.
#pragma once

#include "ewald/far_images.hpp"
#include "physics/acceptance.hpp"
#include "physics/fields.hpp"
#include "physics/keys.hpp"
#include "physics/path_size.hpp"
#include "physics/softening.hpp"
#include "physics/types.hpp"
#include "solver/data/block_curve.hpp"

#include <gravlet/options.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace gravlet {

/// Solver units: position = x / unit, mass = m / mass_unit. The same on every rank.
struct Frame {
    double origin[3] = {};                       ///< lower corner of the root cube, the caller's units
    double side = 1.0;                           ///< of the root cube, likewise
    double unit = 1.0;                           ///< the power of two from `side` on
    double mass_unit = 1.0;                      ///< a power of two
    double per_unit = 1.0, per_mass_unit = 1.0;  ///< one over these, exact: devices divide slowly
    RootCube cube;
    double extent = 1.0;     ///< longest side of the box of all mass, in solver units
    double softening = 0.0;  ///< the longest of all points, in solver units
    SofteningKernel softening_kernel = SofteningKernel::plummer;
    double total_mass = 1.0;       ///< of all ranks, but for heavy bodies, in solver units, to 10 bits
    bool may_be_heavy = false;     ///< some body outweighs a part of the others
    double heavy_mass = INFINITY;  ///< of points from which they are heavy (solver/data/heavy_body.hpp), in the caller's units
    /// Levels of the curve that tell bodies apart: those down to the smallest cell.
    int used_levels = deepest_level;
    bool cells = false;   ///< some rank has cells
    bool points = false;  ///< some rank has points
    bool guards = false;  ///< some rank wants results in guard cells or at faces
    int derivatives = 0;  ///< of the potential, the most that some rank wants
    bool several_ranks = false;
    PeriodicBox box;            ///< of a periodic solve, from the root cube's corner on: Options::domain
    BoxPieces pieces;           ///< of that box: octree cubes
    int piece_level = 0;        ///< their level
    double largest_node = 0.0;  ///< larger ones may not be accepted; 0: any
    double background = 0.0;    ///< density that cells are without (agree_on_units()), in the caller's units
    double cell_volume = 0.0;   ///< of all cells together, in the caller's units
    double cell_box = 0.0;      ///< volume of the box that holds them, likewise
};

[[nodiscard]] inline Period period_of(const Frame& frame) {
    const auto period = [&](std::size_t d) { return frame.box.periodic[d] ? frame.box.side[d] : 0.0; };
    return {period(0), period(1), period(2)};
}

/// Of those levels, how many the keys have (Bodies::keys; the others are in lower_keys).
[[nodiscard]] GRAVLET_HD inline int levels_of_keys(const Frame& frame) {
    return frame.used_levels < key_levels ? frame.used_levels : key_levels;
}

inline Opening opening_of(const Options& options, const Frame& frame) {
    const int degree = (options.order > 1 ? options.order : 1) + 1;  // there is no dipole about a centre of mass
    return {options.theta,     frame.total_mass, frame.extent, frame.largest_node,
            options.criterion, options.alpha,    degree,       frame.derivatives > 0};
}

/// How targets of other ranks and nodes are compared.
inline Distance distance_of(const Options& options, const Frame& frame) {
    return {period_of(frame), open_margin(options.softening_kernel), opening_of(options, frame).extents()};
}

/// Room for what is known of one body between the caller's order and the curve's. Bodies that are anywhere are moved as a whole:
/// of arrays of single numbers each would touch a stretch of memory of its own.
struct alignas(32) InTransit {
    std::byte bytes[32];
};
/// So many are worth a pass more; fewer are in a cache.
inline constexpr std::size_t worth_moving_whole = path_size(std::size_t{1} << 18, std::size_t{32});

template <class Buffer>
[[nodiscard]] SumArrays arrays_of(std::array<Buffer, result_count>& sums) {
    SumArrays out;
    for (std::size_t k = 0; k < result_count; ++k) out.of[k] = sums[k].data();
    return out;
}

template <class Exec>
struct Bodies {
    template <class T>
    using Buffer = typename Exec::template Buffer<T>;

    explicit Bodies(const Exec& exec)
        : keys(exec.template buffer<key_type>()),
          lower_keys(exec.template buffer<key_type>()),
          block_keys(exec.template buffer<key_type>()),
          block_order(exec.template buffer<cell_index>()),
          blocks(exec.template buffer<BlockOnCurve>()),
          order(exec.template buffer<cell_index>()),
          bodies(exec.template buffer<Source>()),
          sizes(exec.template buffer<float>()),
          groups(exec.template buffer<Group>()),
          runs(exec.template buffer<Group>()),
          first_group(exec.template buffer<std::uint32_t>()),
          massive(exec.template buffer<std::uint32_t>()),
          in_transit(exec.template buffer<InTransit>()),
          walked(exec.template buffer<Group>()),
          walked_active(exec.template buffer<std::uint8_t>()),
          active(exec.template buffer<std::uint32_t>()),
          set(exec.template buffer<std::uint32_t>()),
          source_target(exec.template buffer<cell_index>()),
          source_bodies(exec.template buffer<Source>()),
          source_keys(exec.template buffer<key_type>()),
          source_lower_keys(exec.template buffer<key_type>()),
          near_sums(empty_sums(exec, std::make_index_sequence<result_count>())),
          sums(empty_sums(exec, std::make_index_sequence<result_count>())) {}

    std::size_t count = 0;  ///< targets: all bodies of this rank
    Buffer<key_type> keys;  ///< sorted
    /// Of the lower levels, if more bodies than a leaf should have share a key: equal keys are sorted by them. Else empty.
    Buffer<key_type> lower_keys;
    Buffer<key_type> block_keys;     ///< sorted, where blocks are sorted in place of bodies
    Buffer<cell_index> block_order;  ///< the caller's number of each sorted block
    Buffer<BlockOnCurve> blocks;     ///< in the caller's order
    int levels_in_blocks = -1;       ///< of the octree; -1: blocks are not sorted
    Buffer<cell_index> order;        ///< the caller's index of each sorted body
    Buffer<Source> bodies;           ///< sorted
    Buffer<float> sizes;             ///< of the sorted bodies, as size_of()
    Buffer<Group> groups;
    Buffer<Group> runs;                 ///< of group_size bodies each, before they are cut
    Buffer<std::uint32_t> first_group;  ///< of each run
    Buffer<std::uint32_t> massive;      ///< bodies with mass of each run; then (solver/order/sort.hpp) of those before it
    std::size_t group_size = 0;

    [[nodiscard]] CellsOnCurve cells_on_curve() const { return {block_order.data(), blocks.data(), levels_in_blocks}; }
    /// Whether it is of that input's blocks. (A kept order may be of the same cells, handed over otherwise.)
    [[nodiscard]] bool is_of_blocks(const Input& input) const {
        return levels_in_blocks >= 0 && side_of_cubic_blocks(input) == 1u << levels_in_blocks;
    }

    Buffer<InTransit> in_transit;
    /// As values of T, in the caller's order.
    template <class T>
    [[nodiscard]] T* moved_whole() {
        static_assert(sizeof(T) == sizeof(InTransit) && std::is_trivially_copyable_v<T>);
        in_transit.resize_discard(count);
        return reinterpret_cast<T*>(in_transit.data());
    }

    /// Targets that are asked for: all of them, or (solver/order/targets.hpp) those in `walked` groups with a flag.
    bool all_active = true;
    std::size_t active_count = 0;
    Buffer<Group> walked;
    Buffer<std::uint8_t> walked_active;
    [[nodiscard]] std::size_t walked_groups() const { return all_active ? groups.size() : walked.size(); }
    Buffer<std::uint32_t> active;  ///< active targets of each group
    Buffer<std::uint32_t> set;     ///< numbers of the sets of groups that are walked

    /// The bodies with mass: all of them (and then nothing is copied), or the arrays below.
    std::size_t source_count = 0;
    Buffer<cell_index> source_target;
    Buffer<Source> source_bodies;
    Buffer<key_type> source_keys, source_lower_keys;
    [[nodiscard]] bool all_massive() const { return source_count == count; }
    /// Behind them, while a solve lasts, those that other ranks have sent.
    [[nodiscard]] Buffer<Source>& source_buffer() { return all_massive() ? bodies : source_bodies; }
    [[nodiscard]] const Source* sources() const { return all_massive() ? bodies.data() : source_bodies.data(); }
    [[nodiscard]] bool crowded() const { return lower_keys.size() > 0; }
    [[nodiscard]] Keys all_keys() const { return {keys.data(), crowded() ? lower_keys.data() : nullptr}; }
    [[nodiscard]] Keys keys_of_sources() const {
        return all_massive() ? all_keys() : Keys{source_keys.data(), crowded() ? source_lower_keys.data() : nullptr};
    }

    /// What near cells have added to sums as cuboids, where it is asked for apart (solver/near/near_pairs.hpp); else empty.
    std::array<Buffer<double>, result_count> near_sums;

    /// What the walks add to, sorted, by component: sum m/r and its derivatives, as many as are wanted.
    std::array<Buffer<double>, result_count> sums;
    [[nodiscard]] SumArrays sum_arrays() { return arrays_of(sums); }

private:
    template <std::size_t... K>
    static std::array<Buffer<double>, result_count> empty_sums(const Exec& exec, std::index_sequence<K...>) {
        return {(static_cast<void>(K), exec.template buffer<double>())...};
    }
};

}  // namespace gravlet
