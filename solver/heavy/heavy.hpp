// SPDX-License-Identifier: Apache-2.0
// What heavy bodies (solver/data/heavy_body.hpp) do and what is done to them, pair by pair in double:
//   1. Before the sort all ranks choose them, and a unit for the masses of all others.
//   2. Once the tree has been walked, each acts on all targets.
//   3. What all bodies do to each is added up, by the same pairs: it is minus what it does to them.
#pragma once

#include "mpi/communicator.hpp"
#include "mpi/stages.hpp"
#include "physics/close_pair.hpp"
#include "physics/order.hpp"
#include "physics/path_size.hpp"
#include "physics/precise/exact_source.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/frame.hpp"
#include "solver/data/heavy_body.hpp"
#include "solver/data/timed_stages.hpp"
#include "solver/data/walk_types.hpp"
#include "solver/errors/conservation.hpp"
#include "solver/periodic/far_field.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace gravlet {

/// Pairs of bodies, in the images that are walked.
struct HeavyPairs {
    SofteningKernel kernel;
    const Vector3* images;  ///< images of the box, as WalkTargets has them
    int image_count;
    BoxPieces pieces;

    explicit HeavyPairs(const WalkTargets& targets)
        : kernel(targets.softening_kernel), images(targets.images), image_count(targets.image_count), pieces(targets.pieces) {}

    /// Adds what one body does to another, with its images from `first` on. Returns 1 if the pair is left out.
    template <int D, class To, class From>
    GRAVLET_HD std::uint64_t add(Jet<double, D>& sum, const To& to, const From& from, int first = 0) const {
        if (pieces.side == 0.0) return first == 0 && !add_pair(sum, to, from, {0.0, 0.0, 0.0}, kernel) ? 1 : 0;
        const Vector3 piece{pieces.index(0, to.x), pieces.index(1, to.y), pieces.index(2, to.z)};
        Node here{};
        here.x = from.x, here.y = from.y, here.z = from.z;
        std::uint64_t left_out = 0;
        for (int image = first; image < image_count; ++image)
            if (is_walked(pieces, here, piece, images[image]) && !add_pair(sum, to, from, images[image], kernel)) ++left_out;
        return left_out;
    }
};

/// The heaviest of some points, the first of those; and the mass of all of them.
struct Heaviest {
    double mass = -1.0;
    std::size_t index = 0;
    double all = 0.0;

    GRAVLET_HD friend Heaviest operator+(const Heaviest& a, const Heaviest& b) {
        const bool first = a.mass > b.mass || (a.mass == b.mass && a.index < b.index);
        return {first ? a.mass : b.mass, first ? a.index : b.index, a.all + b.all};
    }
};

template <class Exec>
class HeavyBodies {
public:
    explicit HeavyBodies(const Exec& exec)
        : exec_(exec),
          record_(sizeof(HeavyBody)),
          heavy_(exec.template buffer<HeavyBody>()),
          partial_(exec.template buffer<double>()),
          left_out_(exec.template buffer<std::uint64_t>()) {}

    [[nodiscard]] bool any() const { return !chosen_.empty(); }

    /// Collective. Step 1. `input` is in the backend's memory; the frame's masses become those of all others.
    void choose(const TimedStages<Exec>& run, const Stages& stages, const GivenBodies& input, Frame& frame) {
        chosen_.clear();
        if (!frame.may_be_heavy) return;
        run.local("heavy", [&] { find(stages.rank(), stages.size(), input, frame); });
        run.collective("heavy", [&](const Agreed& all) { gather_counts(all); });
        run.local("heavy", [&] { make_room(); });
        run.collective("heavy", [&](const Agreed& all) { gather(all); });
        run.local("heavy", [&] { choose(frame); });
    }

    /// Collective. Steps 2 and 3. `targets`: of `set`, which are this rank's bodies or some of them. `exact`: of each body in a
    /// solve in double, for all of them; or null.
    void act(const TimedStages<Exec>& run, const WalkTargets& targets, const TargetSet<Exec>& set, const Bodies<Exec>& bodies,
             const ExactSource* exact, InteractionCounts& counts) {
        if (!any()) return;
        const cell_index* const order = set.order.data();
        run.local("heavy", [&] {
            act_on(targets, order, exact, set.active_count, counts);
            add_up(targets, bodies, exact, counts);
        });
        run.collective("heavy",
                       [&](const Agreed& all) { all.all_reduce(sums_.data(), static_cast<int>(sums_.size()), MPI_SUM); });
        run.local("heavy", [&] { write(targets, order); });
    }

    // The parts of step 1.

    /// Local. Finds this rank's candidates: what is heavy by itself alone. `input` is in the backend's memory.
    void find(int rank, int ranks, const GivenBodies& input, const Frame& frame);

    /// Collective. Gathers the numbers of candidates.
    void gather_counts(const Agreed& all) {
        all.check(MPI_Allgather(&found_count_, 1, MPI_INT, counts_.data(), 1, MPI_INT, all.get()), "MPI_Allgather");
        all.all_reduce(&rest_, 1, MPI_SUM);
    }

    /// Local. Makes room for all ranks' candidates.
    void make_room() {
        std::exclusive_scan(counts_.begin(), counts_.end(), begins_.begin(), 0);
        candidates_.resize(static_cast<std::size_t>(begins_.back()) + static_cast<std::size_t>(counts_.back()));
    }

    /// Collective. Gathers the candidates.
    void gather(const Agreed& all) {
        all.check(MPI_Allgatherv(found_.data(), found_count_, record_.get(), candidates_.data(), counts_.data(), begins_.data(),
                                 record_.get(), all.get()),
                  "MPI_Allgatherv");
    }

    /// Local, alike on all ranks. The frame's masses become those of all others.
    void choose(Frame& frame) {
        HeavyChoice choice = choose_heavy(std::move(candidates_), rest_);
        if (!choice.bodies.empty()) set_heavy(choice, frame);
        chosen_ = std::move(choice.bodies);
        for (HeavyBody& h : chosen_) h.mass *= frame.per_mass_unit;
        heavy_.resize_discard(chosen_.size());
        copy_in(exec_, chosen_.data(), heavy_.data(), chosen_.size());
    }

    // Step 2.

    /// Local. Adds to the targets' sums, of which so many are asked for. `order`: the caller's index of each, null where none is
    /// a body.
    void act_on(const WalkTargets& targets, const cell_index* order, const ExactSource* exact, std::size_t active,
                InteractionCounts& counts);

    // Step 3.

    /// Local. What this rank's bodies do to each that is active.
    void add_up(const WalkTargets& targets, const Bodies<Exec>& bodies, const ExactSource* exact, InteractionCounts& counts);

    /// Local. Writes the sums of this rank's heavy bodies, in place of those in which there was nobody else heavy.
    void write(const WalkTargets& targets, const cell_index* order);

    /// Local. Brings the masses of this rank's to the nodes of the far images.
    void bring_to_nodes(FarField<Exec>& far, const Frame& frame) const {
        for_mine([&](std::size_t, const HeavyBody& h) { far.bring_to_nodes(frame, {h.x, h.y, h.z}, h.mass); });
    }

    // Local. Of this rank's.

    [[nodiscard]] std::size_t count() const {
        std::size_t mine = 0;
        for_mine([&](std::size_t, const HeavyBody&) { ++mine; });
        return mine;
    }
    [[nodiscard]] MassSum mass_sum() const {
        MassSum sum;
        for_mine([&](std::size_t, const HeavyBody& h) { sum = sum + mass_of(h); });
        return sum;
    }
    [[nodiscard]] ForceSum force_sum(const Vector3& centre) const {
        ForceSum sum;
        for_mine([&](std::size_t i, const HeavyBody& h) {
            const double* const of = sums_.data() + i * components_;
            sum = sum + force_on(h, Vector3{of[1], of[2], of[3]}, centre);
        });
        return sum;
    }

    // The parts of these; public because CUDA's extended lambdas may not be in private functions.

    template <int D>
    void act_on(const WalkTargets& targets, const cell_index* order, const ExactSource* exact);

    /// Sums of bodies_together bodies each.
    template <int D>
    void sum_chunks(const WalkTargets& targets, const Bodies<Exec>& own, const ExactSource* exact, std::size_t chunks);

    void count_pairs(std::size_t pairs, InteractionCounts& counts) const;

private:
    static constexpr std::size_t bodies_together = path_size(4096, 16);

    template <class F>
    void for_mine(const F& f) const {
        for (std::size_t i = 0; i < chosen_.size(); ++i)
            if (chosen_[i].rank == rank_) f(i, chosen_[i]);
    }

    Exec exec_;
    RecordType record_;
    int rank_ = 0, found_count_ = 0;
    double rest_ = 0.0;
    std::vector<int> counts_, begins_;  ///< counts and beginnings of the ranks' candidates
    std::vector<HeavyBody> found_, candidates_, chosen_;
    typename Exec::template Buffer<HeavyBody> heavy_;  ///< chosen_
    typename Exec::template Buffer<double> partial_;
    typename Exec::template Buffer<std::uint64_t> left_out_;
    std::size_t components_ = 0;
    std::vector<double> sums_;  ///< sums of the heavy bodies, by component
};

template <class Exec>
void HeavyBodies<Exec>::find(int rank, int ranks, const GivenBodies& input, const Frame& frame) {
    rank_ = rank;
    counts_.assign(static_cast<std::size_t>(ranks), 0);
    begins_.assign(static_cast<std::size_t>(ranks), 0);
    found_.clear();
    const std::size_t cells = input.cell_count, points = input.point_count;
    const double mass_of_cells = transform_reduce(
        exec_, cells, [=] GRAVLET_HD(std::size_t i) { return input.body(i).mass; }, 0.0,
        [] GRAVLET_HD(double a, double b) { return a + b; });
    heavy_.resize_discard(1);
    HeavyBody* const one = heavy_.data();
    Heaviest last{std::numeric_limits<double>::infinity(), 0, 0.0};
    for (;;) {
        const Heaviest next = transform_reduce(
            exec_, points,
            [=] GRAVLET_HD(std::size_t p) {
                const double mass = input.mass_of_point(p);
                const bool left = mass < last.mass || (mass == last.mass && p > last.index);
                return left ? Heaviest{mass, p, mass} : Heaviest{};
            },
            Heaviest{}, [] GRAVLET_HD(const Heaviest& a, const Heaviest& b) { return a + b; });
        rest_ = mass_of_cells + next.all;
        if (!(next.mass > 0.0) || found_.size() > most_heavy || !outweighs(next.mass, rest_ - next.mass)) break;
        for_each(exec_, 1, [=] GRAVLET_HD(std::size_t) {
            const std::size_t i = cells + next.index;
            const Body body = input.body(i);
            *one = {body.x * frame.per_unit,         body.y * frame.per_unit,
                    body.z * frame.per_unit,         next.mass,
                    body.softening * frame.per_unit, rank,
                    static_cast<cell_index>(i),      input.active(i) ? 1u : 0u};
        });
        found_.push_back(read(exec_, one));
        last = next;
    }
    found_count_ = static_cast<int>(found_.size());
}

template <class Exec>
template <int D>
void HeavyBodies<Exec>::act_on(const WalkTargets& targets, const cell_index* order, const ExactSource* exact) {
    const HeavyPairs pairs(targets);
    const HeavyBody* const heavy = heavy_.data();
    const std::size_t heavy_count = chosen_.size(), size = static_cast<std::size_t>(targets.group_size);
    const int rank = rank_;
    left_out_.resize_discard(targets.group_count * size);
    std::uint64_t* const left_out = left_out_.data();
    for_each(exec_, left_out_.size(), [=] GRAVLET_HD(std::size_t k) {
        const std::size_t g = k / size, place = k % size;
        left_out[k] = 0;
        if (place >= targets.groups[g].count || (targets.active != nullptr && targets.active[g] == 0)) return;
        const std::size_t i = targets.groups[g].begin + place;
        const Source target = targets.bodies[i];
        Jet<double, D> sum{};
        std::uint64_t skipped = 0;
        for (std::size_t h = 0; h < heavy_count; ++h) {
            if (order != nullptr && heavy[h].rank == rank && heavy[h].index == order[i]) return;  // itself: see add_up()
            skipped +=
                exact != nullptr ? pairs.add(sum, exact_body(target, exact[i]), heavy[h]) : pairs.add(sum, target, heavy[h]);
        }
        left_out[k] = skipped;
        unrolled<component_count(D)>([&](auto c) { targets.sums.of[c][i] += sum.term[c]; });
    });
}

template <class Exec>
void HeavyBodies<Exec>::act_on(const WalkTargets& targets, const cell_index* order, const ExactSource* exact, std::size_t active,
                               InteractionCounts& counts) {
    with_derivatives(targets.derivatives, [&](auto d) { act_on<decltype(d)::value>(targets, order, exact); });
    count_pairs(active * chosen_.size(), counts);
}

template <class Exec>
template <int D>
void HeavyBodies<Exec>::sum_chunks(const WalkTargets& targets, const Bodies<Exec>& own, const ExactSource* exact,
                                   std::size_t chunks) {
    const HeavyPairs pairs(targets);
    const HeavyBody* const heavy = heavy_.data();
    const Source* const bodies = own.bodies.data();
    const std::size_t heavy_count = chosen_.size(), count = own.count;
    const int rank = rank_;
    double* const partial = partial_.data();
    std::uint64_t* const left_out = left_out_.data();
    for_each_team<32>(exec_, heavy_count * chunks, [=] GRAVLET_HD(std::size_t t, const typename Exec::template Team<32>& team) {
        const HeavyBody to = heavy[t / chunks];
        const std::size_t begin = t % chunks * bodies_together,
                          end = begin + bodies_together < count ? begin + bodies_together : count;
        Jet<double, D> sum{};
        std::uint64_t skipped = 0;
        for (std::size_t i = begin + team.rank(); i < end && to.active != 0; i += team.size) {
            if (!(bodies[i].mass > 0.0f)) continue;
            // A pair that is left out the walk has counted.
            exact != nullptr ? pairs.add(sum, to, exact_body(bodies[i], exact[i])) : pairs.add(sum, to, bodies[i]);
        }
        // The last chunk is of the heavy ones: of each on its own rank.
        for (std::size_t h = team.rank(); t % chunks == chunks - 1 && h < heavy_count && to.active != 0; h += team.size)
            if (heavy[h].rank == rank) skipped += pairs.add(sum, to, heavy[h], h == t / chunks ? 1 : 0);
        skipped = team.sum(skipped);
        unrolled<component_count(D)>([&](auto c) {
            const double all = team.sum(sum.term[c]);
            if (team.rank() == 0) partial[t * component_count(D) + c] = all;
        });
        if (team.rank() == 0) left_out[t] = skipped;
    });
}

template <class Exec>
void HeavyBodies<Exec>::add_up(const WalkTargets& targets, const Bodies<Exec>& bodies, const ExactSource* exact,
                               InteractionCounts& counts) {
    const std::size_t heavy_count = chosen_.size(), chunks = (bodies.count + bodies_together - 1) / bodies_together + 1;
    components_ = component_count(targets.derivatives);
    partial_.resize_discard(heavy_count * chunks * components_);
    left_out_.resize_discard(heavy_count * chunks);
    with_derivatives(targets.derivatives, [&](auto d) { sum_chunks<decltype(d)::value>(targets, bodies, exact, chunks); });
    std::vector<double> parts(partial_.size());
    copy_out(exec_, partial_.data(), parts.data(), parts.size());
    sums_.assign(heavy_count * components_, 0.0);
    for (std::size_t i = 0; i < parts.size(); ++i) sums_[i / (chunks * components_) * components_ + i % components_] += parts[i];
    std::size_t active = 0;
    for (const HeavyBody& h : chosen_) active += h.active;
    count_pairs(bodies.count * active, counts);
}

template <class Exec>
void HeavyBodies<Exec>::count_pairs(std::size_t pairs, InteractionCounts& counts) const {
    const std::uint64_t* const left_out = left_out_.data();
    counts.cell += pairs;
    counts.coincident += transform_reduce(
        exec_, left_out_.size(), [=] GRAVLET_HD(std::size_t k) { return left_out[k]; }, std::uint64_t{0},
        [] GRAVLET_HD(std::uint64_t a, std::uint64_t b) { return a + b; });
}

template <class Exec>
void HeavyBodies<Exec>::write(const WalkTargets& targets, const cell_index* order) {
    partial_.resize_discard(sums_.size());
    copy_in(exec_, sums_.data(), partial_.data(), sums_.size());
    const double* const of = partial_.data();
    const HeavyBody* const heavy = heavy_.data();
    const std::size_t heavy_count = chosen_.size(), components = components_;
    const int rank = rank_;
    for_each(exec_, targets.count, [=] GRAVLET_HD(std::size_t i) {
        if (targets.bodies[i].mass > 0.0f) return;
        for (std::size_t h = 0; h < heavy_count; ++h)
            for (std::size_t c = 0; heavy[h].rank == rank && heavy[h].index == order[i] && c < components; ++c)
                targets.sums.of[c][i] = of[h * components + c];
    });
}

}  // namespace gravlet
