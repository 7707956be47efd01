// SPDX-License-Identifier: Apache-2.0
// Guard cells of blocks in which results are wanted, and faces at which the acceleration is: targets of a round of their own,
// after that of the bodies, so that those keep their bits. Each place is solved for once, however many blocks have it as a guard
// cell. Places beyond the faces of a periodic box are images of places in it.
//
// A guard cell may lie on a cell of another block, up to the rounding of the two blocks' coordinates. If that is this rank's, and
// has results, they are the guard cell's too (own_cells.hpp). Else it moves onto the cell, is left out of that pair as the cell
// itself is, and has the cell's own potential.
//
// Faces lie on the borders of the octree's cubes, where rounding would put one face of two blocks in two of them. So a face is
// sorted, and moved by periods, as the cell above it.
#pragma once

#include "ewald/domain.hpp"
#include "physics/keys.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/walk_targets.hpp"
#include "solver/input/input.hpp"
#include "solver/order/groups.hpp"
#include "solver/order/sort.hpp"
#include "solver/order/stage_in.hpp"
#include "solver/order/targets.hpp"
#include "solver/targets/cell_lookup.hpp"
#include "solver/targets/own_cells.hpp"
#include "solver/targets/stage_out.hpp"

#include <gravlet/error.hpp>
#include <gravlet/options.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace gravlet {

/// Factors on the sides of a group at which nodes act on its centre: layers are thin, and their groups wide for as many targets;
/// wider where cells of the rank leave but a few of a layer, and no faces lie between.
inline constexpr double thin_layers = 1.7, thin_layers_with_faces = 1.4;

/// Moves a cell's centre to the face on its lower side, which is in the box whatever rounding says.
GRAVLET_HD inline void move_to_face(int face, const Body& cell, const Frame& frame, Source& centre) {
    const Vector3& corner = frame.cube.corner;
    if (face == 0) centre.x = fmax(corner.x, centre.x - 0.5 * cell.dx * frame.per_unit);
    if (face == 1) centre.y = fmax(corner.y, centre.y - 0.5 * cell.dy * frame.per_unit);
    if (face == 2) centre.z = fmax(corner.z, centre.z - 0.5 * cell.dz * frame.per_unit);
}

/// What stage_out() does for guard cells and faces. Not a lambda, as WriteResult.
struct WriteGuard {
    BlockList blocks;
    GuardPlaces places;
    GivenBodies bodies;
    int derivatives;
    ResultUnits units;
    const double* self;  ///< what mass 1 in the cells of each block does to itself
    const std::uint8_t* on_cell;
    const cell_index* target;
    SumArrays sums;
    const cell_index* order_of_bodies;  ///< the caller's number of each body that is solved for
    SumArrays sums_of_bodies;

    GRAVLET_HD void operator()(std::size_t g) const {
        const bool body = on_cell[g] != 0;
        const std::size_t t = target[g];
        const SumArrays& from = body ? sums_of_bodies : sums;
        const auto own = [&] {  // that of a place is in its sum
            if (!body || !units.self_potential) return 0.0;
            const BlockCell cell = bodies.block_cell(order_of_bodies[t]);
            return self_potential(bodies.mass_of(cell), self[cell.block], units.G);
        };
        places.store_guard(blocks, g, derivatives, [&](std::size_t k) { return to_result(k, from.of[k][t], own, units); });
    }
};

/// Local. Throws Error(not_available) if guard cells of a block lie beyond a face that does not repeat of a box that repeats in
/// other directions: the far images' polynomials end there; or beyond one where the box's image is sheared: they lie anywhere in
/// its cells.
inline void refuse_guards_beyond(const Input& given, const Options& options) {
    const Domain domain(options);
    if (!domain.has_images()) return;
    const Box box = options.domain.value_or(Box{});
    for (std::size_t b = 0; b < given.block_count; ++b) {
        const Block& block = given.blocks[b];
        for (std::size_t d = 0; d < 3 && has_results(block); ++d) {
            const double side = block.cell_size[d], reach = (block.result_guards[d] - 0.5) * side;
            const bool sheared = d == 0 && domain.box().shear != 0.0;
            if (!(domain.ends(d) || sheared) || block.result_guards[d] == 0) continue;
            if (block.lower[d] - reach < box.lower[d] || block.lower[d] + block.n[d] * side + reach > box.upper[d])
                throw Error(ErrorCode::not_available, "block " + std::to_string(b) +
                                                          ": no result_guards beyond the domain in direction " +
                                                          std::to_string(d) +
                                                          (sheared ? ", where its image is sheared; probes may be there"
                                                                   : ", which is isolated, where others are periodic"));
        }
    }
}

/// Whether results at faces are wanted.
[[nodiscard]] inline bool has_faces(const Input& input) { return input.guard_sections > input.block_count; }

/// Most layers of guard cells that some block wants results in, a direction.
[[nodiscard]] inline std::array<int, 3> guard_layers(const Input& given) {
    std::array<int, 3> most{};
    for (std::size_t b = 0; b < given.block_count; ++b)
        for (std::size_t d = 0; d < 3 && has_results(given.blocks[b]); ++d)
            most[d] = std::max(most[d], given.blocks[b].result_guards[d]);
    return most;
}

template <class Exec>
class GuardCells {
public:
    static constexpr const char* stage = "guards";
    static constexpr bool are_bodies = false;
    [[nodiscard]] static bool are_wanted(const Frame& frame) { return frame.guards; }

    explicit GuardCells(const Exec& exec)
        : exec_(exec),
          targets_(exec),
          places_(exec.template buffer<Source>()),
          keys_(exec.template buffer<key_type>()),
          order_(exec.template buffer<cell_index>()),
          number_(exec.template buffer<cell_index>()),
          target_(exec.template buffer<cell_index>()),
          on_cell_(exec.template buffer<std::uint8_t>()),
          own_cells_(exec),
          cells_(exec) {}

    /// Local. The places, sorted, and their groups. `input` is in the backend's memory; `own`: this rank's bodies.
    void sort(const Input& input, const Frame& frame, const Options& options, const Bodies<Exec>& own,
              const SolvedBodies<Exec>& solved);

    // Of `set`, which is targets() or an image of them:

    /// Local, before targets walk. Moves each onto the cell that it lies on, if there is one with mass: of this rank's sources,
    /// whose keys are sorted, or of those received.
    void find_cells(const Frame& frame, const Bodies<Exec>& own, const Source* received, std::size_t received_count,
                    TargetSet<Exec>& set);

    /// Local. Adds, after the walk, the own potentials of the cells that were found.
    void add_self_potentials(const Input& input, const Frame& frame, const Options& options, TargetSet<Exec>& set);

    [[nodiscard]] WalkTargets walk_targets(const Frame& frame, const Options& options, TargetSet<Exec>& set) const {
        WalkTargets targets = gravlet::walk_targets(set, frame, options);
        targets.far_sides *= faces_ ? thin_layers_with_faces : thin_layers;
        return targets;
    }

    /// Local, after the results of the bodies were walked for. Allocates nothing.
    void write(const Input& input, const Frame& frame, const Options& options, TargetSet<Exec>& solved);

    /// The places as targets, without sources: those of a walk are the bodies.
    [[nodiscard]] TargetSet<Exec>& targets() { return targets_; }

private:
    Exec exec_;
    TargetSet<Exec> targets_;                        ///< the places; `order`: a guard cell or face that is there
    typename Exec::template Buffer<Source> places_;  ///< guard cells and faces
    typename Exec::template Buffer<key_type> keys_;
    typename Exec::template Buffer<cell_index> order_;      ///< those that are on no cell of this rank, in the order of the curve
    typename Exec::template Buffer<cell_index> number_;     ///< places that begin before each of them
    typename Exec::template Buffer<cell_index> target_;     ///< place of each guard cell or face, or the solved body it is on
    typename Exec::template Buffer<std::uint8_t> on_cell_;  ///< which of the two
    OwnCells<Exec> own_cells_;
    CellLookup<Exec> cells_;
    bool faces_ = false;  ///< whether some places are faces
};

template <class Exec>
void GuardCells<Exec>::sort(const Input& input, const Frame& frame, const Options& options, const Bodies<Exec>& own,
                            const SolvedBodies<Exec>& solved) {
    refuse_guards_beyond(input.as_given(), options);
    const std::size_t all = input.guard_count;
    faces_ = has_faces(input);
    const int levels = levels_of_keys(frame);
    const Period period = period_of(frame);
    const BlockList blocks = input;
    const GuardPlaces places = input;
    places_.resize_discard(all), target_.resize_discard(all), on_cell_.resize_discard(all), order_.resize_discard(all);
    Source* const cells = places_.data();  // with their sizes in place of masses
    cell_index *const target = target_.data(), *const order = order_.data();
    std::uint8_t* const on_cell = on_cell_.data();
    const CellsHere here = own_cells_.look(input, frame, own, solved);
    for_each(exec_, all, [=] GRAVLET_HD(std::size_t g) {
        const GuardPlace place = places.guard_place(blocks, g);
        const Body guard = blocks.body_at(place.cell, 0.0);
        cells[g] = guard_source(guard, frame, period);
        target[g] = place.face == no_face ? here.under(place.cell, guard, cells[g]) : CellsHere::none;
        on_cell[g] = target[g] != CellsHere::none ? 1 : 0;
    });
    const std::size_t n = select_indices(exec_, all, order, [=] GRAVLET_HD(cell_index g) { return on_cell[g] == 0; });
    keys_.resize_discard(n), number_.resize_discard(n);
    key_type* const keys = keys_.data();
    cell_index* const number = number_.data();
    for_each(exec_, n, [=] GRAVLET_HD(std::size_t i) {
        const cell_index g = order[i];
        const GuardPlace place = places.guard_place(blocks, g);
        keys[i] = hilbert_key(frame.cube.place(cells[g]), levels);
        move_to_face(place.face, blocks.body_at(place.cell, 0.0), frame, cells[g]);
    });
    sort_by_key(exec_, keys, order, n, 3 * (key_levels - levels));

    const bool cubes = all_cubes(exec_, input);
    const auto begins = [=] GRAVLET_HD(std::size_t i) {
        if (i == 0 || keys[i] != keys[i - 1]) return true;
        const Source &at = cells[order[i]], &before = cells[order[i - 1]];
        if (fabsf(before.mass - at.mass) > 1e-6f * at.mass || !at_one_place(at, before, one_place * at.mass)) return true;
        return !cubes && !of_one_shape(places.guard(blocks, order[i]), places.guard(blocks, order[i - 1]));
    };
    for_each(exec_, n, [=] GRAVLET_HD(std::size_t i) { number[i] = begins(i) ? 1 : 0; });
    TargetSet<Exec>& b = targets_;
    b.count = b.active_count = exclusive_scan(exec_, number, number, n);
    b.bodies.resize_discard(b.count), b.sizes.resize_discard(b.count), b.keys.resize_discard(b.count);
    b.order.resize_discard(b.count);
    Source* const bodies = b.bodies.data();
    float* const sizes = b.sizes.data();
    key_type* const body_keys = b.keys.data();
    cell_index* const guards = b.order.data();
    for_each(exec_, n, [=] GRAVLET_HD(std::size_t i) {
        const cell_index g = order[i];
        const bool begin = begins(i);
        const cell_index t = begin ? number[i] : number[i] - 1;
        target[g] = t;
        if (!begin) return;
        bodies[t] = cells[g];
        bodies[t].mass = 0.0f;
        sizes[t] = cells[g].mass;
        body_keys[t] = keys[i];
        guards[t] = g;
    });
    b.group_size = Exec::group_size(options);
    make_groups(exec_, frame, b.group_size, b);
    clear_sums(exec_, frame.derivatives, b);
}

template <class Exec>
void GuardCells<Exec>::find_cells(const Frame& frame, const Bodies<Exec>& own, const Source* received, std::size_t received_count,
                                  TargetSet<Exec>& set) {
    const KeyedCells cells = cells_.look_up(frame, own, received, received_count);
    Source* const bodies = set.bodies.data();
    const float* const sizes = set.sizes.data();
    for_each(exec_, set.count, [=] GRAVLET_HD(std::size_t t) {
        const Source* const cell = cells.at(bodies[t], sizes[t], one_place * sizes[t]);
        if (cell != nullptr) bodies[t] = *cell;
    });
    // That may have taken one across a border of pieces, in one of which a group is.
    if (frame.pieces.side > 0.0) make_groups(exec_, frame, set.group_size, set);
}

template <class Exec>
void GuardCells<Exec>::add_self_potentials(const Input& input, const Frame& frame, const Options& options, TargetSet<Exec>& set) {
    if (!options.self_potential) return;
    const Source* const bodies = set.bodies.data();
    const cell_index* const guards = set.order.data();
    double* const potential = set.sums[0].data();
    const ResultUnits units(frame, options);
    const double mass_unit = frame.mass_unit;
    const BlockList blocks = input;
    const GuardPlaces places = input;
    for_each(exec_, set.count, [=] GRAVLET_HD(std::size_t t) {
        if (!(bodies[t].mass > 0.0f)) return;
        Body cell = places.guard(blocks, guards[t]);
        cell.mass = bodies[t].mass * mass_unit;
        potential[t] -= self_potential(cell, units.G) / units.of_degree[0];
    });
}

template <class Exec>
void GuardCells<Exec>::write(const Input& input, const Frame& frame, const Options& options, TargetSet<Exec>& solved) {
    for_each(exec_, input.guard_count,
             WriteGuard{input, input, input, input.derivatives, ResultUnits(frame, options), own_cells_.self(), on_cell_.data(),
                        target_.data(), targets_.sum_arrays(), solved.order.data(), solved.sum_arrays()});
}

}  // namespace gravlet
