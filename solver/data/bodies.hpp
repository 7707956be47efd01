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
#include "solver/data/target_set.hpp"
#include "solver/input/block_curve.hpp"

#include <gravlet/options.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace gravlet {

/// Solver units: position = x / unit, mass = m / mass_unit. The same on every rank.
struct Frame {
    double origin[3] = {};                       ///< lower corner of the root cube, the caller's units
    double side = 1.0;                           ///< side of the root cube, the caller's units
    double unit = 1.0;                           ///< the power of two from `side` on
    double mass_unit = 1.0;                      ///< a power of two
    double per_unit = 1.0, per_mass_unit = 1.0;  ///< one over these, exact: devices divide slowly
    RootCube cube;
    double extent = 1.0;     ///< longest side of the box of all mass, in solver units
    double softening = 0.0;  ///< the longest of all points, in solver units
    SofteningKernel softening_kernel = SofteningKernel::plummer;
    double total_mass = 1.0;       ///< mass of all ranks, but for heavy bodies, in solver units, to 10 bits
    bool may_be_heavy = false;     ///< some body outweighs a part of the others
    double heavy_mass = INFINITY;  ///< mass from which points are heavy (solver/data/heavy_body.hpp), in the caller's units
    /// Levels of the curve that tell bodies apart: all down to the smallest cell.
    int used_levels = deepest_level;
    bool cells = false;     ///< some rank has cells
    bool points = false;    ///< some rank has points
    bool inactive = false;  ///< some rank does not want results of all its bodies
    bool guards = false;    ///< some rank wants results in guard cells or at faces
    bool probes = false;    ///< some rank has probes
    int derivatives = 0;    ///< most derivatives of the potential that some rank wants
    bool several_ranks = false;
    PeriodicBox box;             ///< box of a periodic solve, Options::domain, from the root cube's corner on
    BoxPieces pieces;            ///< pieces of that box: octree cubes
    int piece_level = 0;         ///< level of the pieces
    double largest_node = 0.0;   ///< nodes larger than this may not be accepted; 0: any
    double background = 0.0;     ///< density that cells are without (agree_on_units()), in the caller's units
    double smallest_cell = 0.0;  ///< shortest side of all cells, in solver units
    double cell_volume = 0.0;    ///< volume of all cells together, in the caller's units
    double cell_box = 0.0;       ///< volume of the box that holds all cells, in the caller's units
};

[[nodiscard]] inline Period period_of(const Frame& frame) { return frame.box.period(); }

/// How many of Frame::used_levels the keys have (Bodies::keys; the others are in lower_keys).
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
/// Number of bodies that are worth a pass more; fewer are in a cache.
inline constexpr std::size_t worth_moving_whole = path_size(std::size_t{1} << 18, std::size_t{32});

/// The curve that a rank's bodies are sorted along.
template <class Exec>
struct CurveOrder {
    template <class T>
    using Buffer = typename Exec::template Buffer<T>;

    explicit CurveOrder(const Exec& exec)
        : lower_keys(exec.template buffer<key_type>()),
          block_keys(exec.template buffer<key_type>()),
          block_order(exec.template buffer<cell_index>()),
          blocks(exec.template buffer<BlockOnCurve>()),
          in_transit(exec.template buffer<InTransit>()) {}

    /// Keys of the lower levels, if more bodies than a leaf should have share one: equal keys are sorted by them. Else empty.
    Buffer<key_type> lower_keys;
    Buffer<key_type> block_keys;     ///< sorted keys of blocks, where they are sorted in place of bodies
    Buffer<cell_index> block_order;  ///< the caller's number of each sorted block
    Buffer<BlockOnCurve> blocks;     ///< blocks in the caller's order
    int levels_in_blocks = -1;       ///< levels of the octree within a block; -1: blocks are not sorted

    [[nodiscard]] bool crowded() const { return lower_keys.size() > 0; }
    [[nodiscard]] CellsOnCurve cells_on_curve() const { return {block_order.data(), blocks.data(), levels_in_blocks}; }
    /// Whether it is of that input's blocks. (A kept order may be of the same cells, handed over otherwise.)
    [[nodiscard]] bool is_of_blocks(const Input& input) const {
        return levels_in_blocks >= 0 && side_of_cubic_blocks(input) == 1u << levels_in_blocks;
    }

    Buffer<InTransit> in_transit;
    /// Room for so many bodies as values of T, in the caller's order.
    template <class T>
    [[nodiscard]] T* moved_whole(std::size_t count) {
        static_assert(sizeof(T) == sizeof(InTransit) && std::is_trivially_copyable_v<T>);
        in_transit.resize_discard(count);
        return reinterpret_cast<T*>(in_transit.data());
    }
};

/// This rank's bodies: as targets, all of them; as sources, those with mass (and where that is all, nothing is copied).
template <class Exec>
struct Bodies : TargetSet<Exec>, CurveOrder<Exec> {
    template <class T>
    using Buffer = typename Exec::template Buffer<T>;

    explicit Bodies(const Exec& exec)
        : TargetSet<Exec>(exec),
          CurveOrder<Exec>(exec),
          source_target(exec.template buffer<cell_index>()),
          source_bodies(exec.template buffer<Source>()),
          source_keys(exec.template buffer<key_type>()),
          source_lower_keys(exec.template buffer<key_type>()),
          place_begin(exec.template buffer<cell_index>()),
          place_count(exec.template buffer<cell_index>()) {}

    [[nodiscard]] Keys all_keys() const { return {this->keys.data(), this->crowded() ? this->lower_keys.data() : nullptr}; }

    std::size_t source_count = 0;
    Buffer<cell_index> source_target;  ///< the sorted body that each is, or no_target
    Buffer<Source> source_bodies;
    Buffer<key_type> source_keys, source_lower_keys;
    /// Where some sources stand for several bodies at one place (solver/order/places.hpp): the first sorted body of each, and the
    /// number of its bodies. Else empty.
    Buffer<cell_index> place_begin, place_count;
    [[nodiscard]] bool has_places() const { return place_begin.size() > 0; }
    [[nodiscard]] bool all_massive() const { return source_count == this->count; }
    /// Sources of this rank; behind them, while a solve lasts, those that other ranks have sent.
    [[nodiscard]] Buffer<Source>& source_buffer() { return all_massive() ? this->bodies : source_bodies; }
    [[nodiscard]] const Source* sources() const { return all_massive() ? this->bodies.data() : source_bodies.data(); }
    [[nodiscard]] Keys keys_of_sources() const {
        return all_massive() ? all_keys() : Keys{source_keys.data(), this->crowded() ? source_lower_keys.data() : nullptr};
    }
};

}  // namespace gravlet
