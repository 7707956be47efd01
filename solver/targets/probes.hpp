// SPDX-License-Identifier: Apache-2.0
// Probes: targets of a round of their own, as guard cells are, anywhere in space. A cell around a probe acts as the cuboid that
// it is (physics/cuboid/near_cells.hpp): its field as a point, which the walk adds, is taken off again. So large pulls are in
// double; and next to the centre, where even that would leave rounding alone, a probe moves onto it, and the walk leaves the pair
// out.
#pragma once

#include "physics/keys.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/walk_targets.hpp"
#include "solver/input/input.hpp"
#include "solver/order/groups.hpp"
#include "solver/order/sort.hpp"
#include "solver/order/targets.hpp"
#include "solver/targets/cell_lookup.hpp"
#include "solver/targets/stage_out.hpp"

#include <gravlet/options.hpp>

#include <cmath>

namespace gravlet {

/// Distance from a cell's centre at which a probe is there, in the caller's units: for tidal tensors m/r^3 must not outweigh the
/// cell's by more than double precision can tell.
[[nodiscard]] inline double at_the_centre(const Frame& frame) {
    return (frame.derivatives > 1 ? 3e-5 : 3e-6) * frame.smallest_cell * frame.unit;
}

/// Where a walk sees probes. Bodies lie in the root cube, and single precision reaches no farther around it than so many of its
/// sides: what is beyond is seen at that distance from its centre, and has the field of it by the powers of a point's. (Where
/// mass is off the centre that errs by less than one over these sides.)
struct ProbeView {
    ProbePlaces probes;
    Frame frame;
    Period period;
    double farthest;  ///< distance from the cube's centre

    ProbeView(const ProbePlaces& all, const Frame& of, const Options& options)
        : probes(all),
          frame(of),
          period(period_of(of)),
          farthest(of.cube.side * (options.precision == Precision::double_ ? 0x1p33 : 0x1p24)) {}

    struct Seen {
        Source at;
        double share;  ///< share of the probe's distance
    };
    [[nodiscard]] GRAVLET_HD Seen operator()(std::size_t p) const {
        const Vector3 given = probes.probe(p);
        const double unit = frame.per_unit, half = 0.5 * frame.cube.side;
        Source at = moved_into_box({given.x * unit, given.y * unit, given.z * unit, 0.0f, 0.0f}, frame, period);
        const Vector3 centre{frame.cube.corner.x + half, frame.cube.corner.y + half, frame.cube.corner.z + half},
            d{at.x - centre.x, at.y - centre.y, at.z - centre.z};
        const double distance = sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
        if (distance <= farthest) return {at, 1.0};
        const double share = farthest / distance;
        at.x = centre.x + share * d.x, at.y = centre.y + share * d.y, at.z = centre.z + share * d.z;
        return {at, share};
    }
    /// Along the curve, and then from octave to octave (octave_of()).
    [[nodiscard]] GRAVLET_HD key_type key(std::size_t p) const {
        Source at = (*this)(p).at;
        const RootCube& cube = frame.cube;
        const int octave = octave_of(cube, at);
        if (octave == 0) return hilbert_key(cube.place(at), key_levels) >> 1;
        const double half = 0.5 * cube.side, nearer = ldexp(1.0, -octave - 2);
        const auto seen = [=](double x, double corner) { return corner + half + nearer * (x - corner - half); };
        at.x = seen(at.x, cube.corner.x), at.y = seen(at.y, cube.corner.y), at.z = seen(at.z, cube.corner.z);
        const key_type far = key_type{1} << 62 | key_type(octave) << 56;
        return far | hilbert_key(cube.place(at), key_levels) >> 7;
    }
};

/// What stage_out() does for probes. Not a lambda, as WriteResult.
struct WriteProbe {
    ProbeView view;
    ResultUnits units;
    const cell_index* order;
    SumArrays sums;

    GRAVLET_HD void operator()(std::size_t t) const {
        const auto own = [] { return 0.0; };
        const double share = view(order[t]).share;
        view.probes.store_probe(order[t], [&](std::size_t k) {
            double sum = share * sums.of[k][t];
            for (int d = derivatives_of(k); d > 0; --d) sum *= share;
            return to_result(k, sum, own, units);
        });
    }
};

template <class Exec>
class ProbeTargets {
public:
    static constexpr const char* stage = "probes";
    static constexpr bool are_bodies = false;
    [[nodiscard]] static bool are_wanted(const Frame& frame) { return frame.probes; }

    explicit ProbeTargets(const Exec& exec) : exec_(exec), targets_(exec), cells_(exec) { targets_.anywhere = true; }

    /// Local. The probes along the curve, and their groups. `input` is in the backend's memory.
    void sort(const Input& input, const Frame& frame, const Options& options, const Bodies<Exec>&, const SolvedBodies<Exec>&);

    // Of `set`, which is targets() or an image of them:

    /// Local, before targets walk. Moves those at a cell's centre onto it: of a cell of this rank's sources, whose keys are
    /// sorted, or of those received.
    void find_cells(const Frame& frame, const Bodies<Exec>& own, const Source* received, std::size_t received_count,
                    TargetSet<Exec>& set);

    /// Local. Nothing: cells act as they do on all that is near.
    void add_self_potentials(const Input&, const Frame&, const Options&, TargetSet<Exec>&) {}

    [[nodiscard]] WalkTargets walk_targets(const Frame& frame, const Options& options, TargetSet<Exec>& set) const {
        WalkTargets targets = gravlet::walk_targets(set, frame, options);
        targets.points = targets.in_cells = true;
        targets.nearest_far_node = 0x1p-18f;  // so lengths keep their unit in local expansions, which reach as far as probes
        if (frame.cells) targets.close2_of_mass = frame.extent * frame.extent / frame.total_mass;
        return targets;
    }

    /// Local. Allocates nothing.
    void write(const Input& input, const Frame& frame, const Options& options, const TargetSet<Exec>&);

    /// The probes as targets, without sources.
    [[nodiscard]] TargetSet<Exec>& targets() { return targets_; }

private:
    Exec exec_;
    TargetSet<Exec> targets_;
    CellLookup<Exec> cells_;
};

template <class Exec>
void ProbeTargets<Exec>::sort(const Input& input, const Frame& frame, const Options& options, const Bodies<Exec>&,
                              const SolvedBodies<Exec>&) {
    TargetSet<Exec>& b = targets_;
    const std::size_t n = b.count = b.active_count = input.probe_count();
    const ProbeView view(input, frame, options);
    b.keys.resize_discard(n), b.order.resize_discard(n), b.bodies.resize_discard(n), b.sizes.resize_discard(n);
    key_type* const keys = b.keys.data();
    cell_index* const order = b.order.data();
    Source* const bodies = b.bodies.data();
    float* const sizes = b.sizes.data();
    for_each(exec_, n, [=] GRAVLET_HD(std::size_t p) {
        keys[p] = view.key(p);
        order[p] = static_cast<cell_index>(p);
    });
    sort_by_key(exec_, keys, order, n, 0);
    for_each(exec_, n, [=] GRAVLET_HD(std::size_t t) {
        bodies[t] = view(order[t]).at;
        sizes[t] = 0.0f;
    });
    b.group_size = Exec::group_size(options);
    make_groups(exec_, frame, b.group_size, b);
    clear_sums(exec_, frame.derivatives, b);
}

template <class Exec>
void ProbeTargets<Exec>::find_cells(const Frame& frame, const Bodies<Exec>& own, const Source* received,
                                    std::size_t received_count, TargetSet<Exec>& set) {
    if (!frame.cells || set.count == 0) return;
    const KeyedCells cells = cells_.look_up(frame, own, received, received_count);
    const double within = at_the_centre(frame) / frame.unit;
    Source* const bodies = set.bodies.data();
    for_each(exec_, set.count, [=] GRAVLET_HD(std::size_t t) {
        const Source* const cell = cells.at(bodies[t], static_cast<float>(4.0 * within), within);
        if (cell != nullptr) bodies[t].x = cell->x, bodies[t].y = cell->y, bodies[t].z = cell->z;
    });
}

template <class Exec>
void ProbeTargets<Exec>::write(const Input& input, const Frame& frame, const Options& options, const TargetSet<Exec>&) {
    for_each(
        exec_, input.probe_count(),
        WriteProbe{ProbeView(input, frame, options), ResultUnits(frame, options), targets_.order.data(), targets_.sum_arrays()});
}

}  // namespace gravlet
