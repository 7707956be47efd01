// SPDX-License-Identifier: Apache-2.0
// One solve, start to end: take_in() and sum() are its table of contents. docs/algorithm.md tells the whole story, and which file
// a stage is in.
#pragma once

#include "ewald/domain.hpp"
#include "solver/convolution/convolution.hpp"
#include "solver/criterion/scales.hpp"
#include "solver/criterion/steering.hpp"
#include "solver/criterion/widen.hpp"
#include "solver/data/local_report.hpp"
#include "solver/data/walk_targets.hpp"
#include "solver/errors/conservation.hpp"
#include "solver/essential/essential_tree.hpp"
#include "solver/essential/remote_twins.hpp"
#include "solver/heavy/heavy.hpp"
#include "solver/order/packed_targets.hpp"
#include "solver/order/stage_in.hpp"
#include "solver/order/targets.hpp"
#include "solver/targets/guards.hpp"
#include "solver/targets/mirrored.hpp"
#include "solver/targets/probes.hpp"
#include "solver/targets/stage_out.hpp"
#include "solver/targets/time_step.hpp"
#include "solver/tree/source_tree.hpp"
#include "solver/walks.hpp"

#include <cstddef>
#include <tuple>

namespace gravlet {

template <class Exec>
class TreeSolve {
public:
    /// Local. A solver by trees.
    TreeSolve(const Communicator& comm, const Exec& exec, const Options& options)
        : exec_(exec),
          options_(options),
          steering_(options, Exec::order_costs),
          transfer_(exec),
          look_(exec),
          sources_(exec),
          packed_(exec),
          essential_tree_(comm, exec),
          scales_(exec),
          walks_(exec, options),
          near_(exec),
          heavy_(exec),
          convolution_(exec),
          places_(exec, exec),
          mirrored_(exec) {}

    /// Local. Sums are without G: it is in results alone. With another softening or domain all is new.
    void set_options(const Options& options) {
        const bool alike = same_lengths(options, options_);
        options_ = options;
        steering_.set_options(options);
        if (alike) return;
        known_ = {};
        sources_.forget();
        convolution_.forget();
    }

    /// Collective, once. Prepares the exchange.
    void prepare(Stages& stages) { essential_tree_.prepare(stages); }

    /// Collective. The first stages: bodies in order, and their tree. The caller's arrays may be in any memory. Throws the same
    /// Error on every rank.
    void take_in(Stages& stages, const Input& input) {
        local_ = {};
        local_.clock.start(input.begun);
        const TimedStages<Exec> run(stages, exec_, local_.clock);
        InputScan scan;
        const InputKnown known = std::exchange(known_, {});
        const bool told = input.told && known.is_before(input);
        const bool checked = options_.check_changed || assertions, trusted = told && !checked;
        run.local("stage_in", [&] { scan = stage_in(exec_, transfer_, input, options_, trusted, look_, input_); });
        if (!known.is_before(input)) input_.drift = {};
        frame_ = agree_on_units(
            exec_, options_, scan, input_, [&](auto f) { run.local("stage_in", f); },
            [&](auto f) { run.collective("stage_in", f); });
        heavy_.choose(run, stages, input_, frame_);
        near_.agree(run, stages, options_, input_, frame_);
        run.local("stage_in", [&] {
            if (told && checked) reject_untold();
            if (checked) reject_astray_points();
            keep_what_can_be(stages.narrator(), trusted, scan);
        });
        apart_.look(run, frame_.cells && frame_.several_ranks && packs(), local_.unchanged_ranks > 0);
        run.local("sort", [&] { sources_.sort(input_, frame_, options_); });
        run.local("build", [&] { sources_.build(frame_, options_); });
        local_.sources = bodies().source_count + heavy_.count();
        local_.background = frame_.background;
        known_now_ = InputKnown(input);
    }

    /// Collective, after take_in(). Runs all other stages but the last: sums for all active targets. `table`: for
    /// periodic_method: table, in the backend's memory. Throws the same Error on every rank.
    void sum(Stages& stages, const EwaldView& table) {
        const TimedStages<Exec> run(stages, exec_, local_.clock);
        if (convolves_) return convolve(run);
        const auto settles = essential_tree_.settle_at_the_end();
        const WalkRound<Exec> round{run, stages, frame_, law_, sources_, near_};
        run.local("moments", [&] {
            sources_.measure(input_, frame_, law_);
            local_.predicted_nodes = static_cast<std::int64_t>(sources_.predicted().nodes);
            local_.predicted_shift = sources_.predicted().shift;
        });
        if (near_.any())
            run.local(near_stage,
                      [&] { near_.measure(bodies(), sources_.view(), sources_.tree.levels, local_.unchanged_ranks > 0); });
        gather_scales(round);
        run.local("targets", [&] { pack_targets(); });
        promise_scales(round, targets());  // before groups are copied
        run.local("targets", [&] {
            if (!packed_.any()) choose_targets(exec_, input_, frame_.derivatives, bodies());
        });
        run.local("roots", [&] {
            essential_tree_.make_root(round, static_cast<std::size_t>(options_.virtual_root_boxes));
            if (packed_.any()) essential_tree_.change_targets(targets());
        });
        const CompleteTree tree = walk_for_bodies(round, table);
        const double squares = add_background(run);
        if (near_.any()) run.local(near_stage, [&] { act_near(tree.all); });
        heavy_.act(run, walks_.with_images(frame_, walked_targets()), targets(), bodies(), exact_bodies(), local_.counts);
        if (bodies().has_places()) run.local("walk", [&] { leave_out_own(); });
        if (FarField<Exec>* const far = walks_.far())
            far->act(run, frame_, bodies(), targets(), exact_bodies(), [&] { heavy_.bring_to_nodes(*far, frame_); });
        reject_remote_overlaps(round);
        BodyPlaces<Exec> bodies_as_places;
        sum_images(round, bodies_as_places, targets(), table);
        sources_.walked(static_cast<double>(local_.counts.node) + static_cast<double>(local_.counts.cell),
                        targets().active_count);
        look_at_sums(run);
        for_places([&](auto& places) { sum_elsewhere(round, places, table, squares); });
        known_ = known_now_;
    }

    /// Collective, after sum(). Makes, in place of its sums, those of what the steering takes now.
    void sum_again(Stages& stages, const EwaldView& table) {
        const TimedStages<Exec> run(stages, exec_, local_.clock);
        run.local("moments", [&] {
            local_.forget_walk();
            choose_law(stages.narrator());
        });
        sum(stages, table);
    }

    /// Local, after sum(). Writes the results: the last stage.
    void write() {
        const typename Exec::Range range(last_stage);
        apart_.none();  // all ranks have agreed
        if (packed_.any())
            write_each(exec_, input_, frame_, options_, targets());
        else
            stage_out(exec_, input_, frame_, options_, bodies());
        for_places([&](auto& places) { places.write(input_, frame_, options_, targets()); });
        transfer_.bring_out(input_.as_given());
        exec_.synchronize();
        local_.clock.lap(last_stage);
    }

    static constexpr const char* last_stage = "stage_out";
    [[nodiscard]] LocalReport& report() { return local_; }
    [[nodiscard]] const Options& taken() const { return law_.taken; }
    [[nodiscard]] Steering& steering() { return steering_; }
    [[nodiscard]] const Steering& steering() const { return steering_; }
    /// The input of this solve: the caller's arrays in the backend's memory, and what became of them.
    [[nodiscard]] const Input& input() const { return input_; }
    /// The bodies that are solved for.
    [[nodiscard]] TargetSet<Exec>& targets() { return packed_.any() ? packed_.targets() : bodies(); }
    [[nodiscard]] const Frame& frame() const { return frame_; }
    [[nodiscard]] typename Exec::Transfer& transfer() { return transfer_; }

private:
    using Kept = typename SourceTree<Exec>::Kept;

    // The parts of take_in().

    /// Local. Throws Error(invalid_input) naming a body that has changed and was not said to have.
    void reject_untold() {
        const std::size_t body = sources_.untold(input_, frame_);
        if (body < input_.size()) reject_untold_change(input_.as_given(), body);
    }
    /// Local. Throws Error(invalid_input) naming a point that has not come by its velocity.
    void reject_astray_points() {
        const std::size_t point = sources_.astray(input_, frame_, options_);
        if (point < input_.size()) reject_astray(input_.as_given(), point);
    }

    void keep_what_can_be(Narrator& narrator, bool told, const InputScan& scan) {
        steering_.begin();
        const Kept kept = sources_.keep(input_, frame_, options_, act_one_by_one(), told);
        if (kept != Kept::unchanged) convolution_.forget();
        convolves_ = may_convolve() && !hides_others(scan, frame_, input_.cell_count) &&
                     convolution_.takes(input_, frame_, guard_layers(input_.as_given()));
        if (convolves_) sources_.need_no_tree();
        choose_law(narrator);
        local_.unchanged_ranks = kept == Kept::unchanged ? 1 : 0;
        local_.moved_ranks = kept == Kept::followed ? 1 : 0;
    }

    /// Criterion, order and angle of the walks that follow.
    void choose_law(Narrator& narrator) {
        const bool adaptive = law_.is_adaptive();
        law_.taken = steering_.taken(frame_);
        if (adaptive && !law_.is_adaptive()) scales_.clear(bodies().groups.data(), bodies().groups.size());
        if (!convolves_) walks_.begin(frame_, law_, narrator);
    }

    /// Whether all bodies act on all, without a tree, as few do where that takes less time, unless the host has a say in it. A
    /// solve that keeps the order of the last one does as that did: as many bodies, and cells among them or none.
    [[nodiscard]] bool act_one_by_one() const {
        return !has_a_say() && !frame_.several_ranks && !Domain(options_).has_images() &&
               input_.size() <= Exec::few_bodies(frame_.cells);
    }

    /// Whether the host says how a tree is to be walked.
    [[nodiscard]] bool has_a_say() const {
        return options_.theta != automatic || options_.order != automatic || options_.tolerance > 0.0 ||
               options_.criterion != Criterion::automatic;
    }
    /// Whether cells are summed by a convolution, if they are a lattice.
    [[nodiscard]] bool may_convolve() const {
        const bool wanted = options_.uniform_mesh == UniformMesh::convolution
                                ? options_.tolerance == 0.0
                                : options_.uniform_mesh == UniformMesh::automatic && !has_a_say() && !act_one_by_one();
        return wanted && Exec::Fft::is_there() && frame_.cells && !frame_.points && !frame_.several_ranks && !frame_.probes &&
               !has_faces(input_) && !Domain(options_).mirror().any() && options_.near_cells == NearCells::point;
    }

    // The parts of sum().

    /// Collective. All of sum(), without a tree.
    void convolve(const TimedStages<Exec>& run) {
        run.local("moments", [&] { sources_.measure(input_, frame_, law_); });
        run.local("targets", [&] {
            packed_.clear();
            choose_targets(exec_, input_, frame_.derivatives, bodies());
        });
        run.local(convolution_stage, [&] {
            convolution_.act(input_, frame_);
            convolution_.give(frame_.derivatives, bodies());
        });
        run.local("verify", [&] { reject_excess_volume(frame_); });
        look_at_sums(run);
        if (frame_.guards) run.local(GuardCells<Exec>::stage, [&] { give_guards(std::get<GuardCells<Exec>>(places_)); });
        known_ = known_now_;
    }

    /// Local. Guard cells of a convolution.
    void give_guards(GuardCells<Exec>& guards) {
        guards.sort(input_, frame_, options_, bodies(), {targets(), nullptr});
        guards.find_cells(frame_, bodies(), nullptr, 0, guards.targets());
        convolution_.give(frame_.derivatives, guards.targets());
        guards.add_self_potentials(input_, frame_, options_, guards.targets());
        local_.targets += guards.targets().count;
    }

    /// Collective. What the report says of the bodies' sums.
    void look_at_sums(const TimedStages<Exec>& run) {
        local_.targets = targets().active_count;
        if (frame_.derivatives > 0)
            run.local("time_step", [&] { local_.time_step = shortest_step(exec_, input_, frame_, options_, targets()); });
        if (frame_.derivatives > 0 && Domain(options_).conserves()) conserve(run);
    }

    /// Collective. Makes all ranks' masses known, for criteria that ask what acts on targets.
    void gather_scales(const WalkRound<Exec>& round) {
        if (!law_.is_adaptive()) return;
        round.local("scales", [&] { scales_.prepare(round.stages.size(), sources_.root_node()); });
        if (round.stages.size() > 1) round.collective("scales", [&](const Agreed& all) { scales_.gather(all); });
    }
    /// A local stage, after gather_scales(). Promises scales to the targets: no less of what acts on them than the completed tree
    /// will say.
    void promise_scales(const WalkRound<Exec>& round, TargetSet<Exec>& targets) {
        if (!law_.is_adaptive() || round.stages.size() == 1) return;
        round.local("scales", [&] {
            scales_.promise(round.stages.rank(), sources_.view(), period_of(frame_), law_.opening(frame_), targets);
        });
    }

    /// Local. Sets the targets' scales from the complete tree.
    void set_scales(const TreeView& tree, TargetSet<Exec>& targets) {
        Group* const groups = targets.all_active ? targets.groups.data() : targets.walked.data();
        scales_.set(tree, period_of(frame_), law_.opening(frame_), groups, targets.walked_groups());
    }

    /// Whether ranks with bodies that are not active pack the others. All agree.
    [[nodiscard]] bool packs() const {
        return frame_.inactive && options_.active_bits == ActiveBits::any && !law_.by_table() && !law_.in_double() &&
               !sources_.one_by_one();
    }
    /// Local. Packs those bodies that are active.
    void pack_targets() {
        packed_.clear();
        if (packs() && input_.as_given().any_inactive()) packed_.pack(input_, frame_, options_, bodies());
    }

    /// Collective. Walks for the bodies: some groups walk this rank's own tree while that of the others is on its way.
    CompleteTree walk_for_bodies(const WalkRound<Exec>& round, const EwaldView& table) {
        essential_tree_.gather_roots(round, [&] { round.local("moments", [&] { widen(round.stages.rank()); }); });
        const Exchanged exchanged = essential_tree_.begin_exchange(round);
        count(exchanged);
        std::size_t early = 0;
        TargetSet<Exec>& set = targets();
        const WalkTargets walked = walked_targets();
        round.local("walk_early", [&] {
            if (!law_.by_table() && !law_.in_double() && !law_.is_adaptive())
                early = early_groups(exec_, exchanged.bytes_awaited, law_.taken, frame_.points, set);
            walk(round, walked, packed_.seen(sources_.view()), 0, early, table, exact_bodies(), [&] { essential_tree_.poll(); });
        });
        essential_tree_.finish_exchange(round);
        CompleteTree tree;
        round.local("complete", [&] { tree = essential_tree_.complete(round, early > 0); });
        if (law_.is_adaptive()) round.local("scales", [&] { set_scales(tree.all, set); });
        round.local("walk", [&] {
            walk(round, walked, packed_.seen(tree.others), 0, early, table, exact_bodies(), [] {});
            walk(round, walked, packed_.seen(tree.all), early, set.walked_groups(), table, exact_bodies(), [] {});
        });
        return tree;
    }

    /// Local. Makes right what bodies have of themselves by sources that stand for several at one place.
    void leave_out_own() {
        local_.counts.coincident += gravlet::leave_out_own(exec_, bodies(), targets(), packed_.body_of_target(), exact_bodies(),
                                                           options_.softening_kernel, frame_.derivatives);
    }

    /// Local. Large and heavy nodes' radii, once all ranks' roots are known.
    void widen(int rank) {
        if (sources_.one_by_one()) return;
        Tree<Exec>& tree = sources_.tree;
        Opening here = law_.opening(frame_);
        const VirtualRoots& roots = essential_tree_.roots();
        if (roots.all.size() > 1) here.around = pull_of_others(roots.all, static_cast<std::size_t>(rank));
        sources_.widen(here);
        if (!sources_.is_moved()) assert_invariants(exec_, sources_.view(), law_.order(), options_, frame_.cube, here);
        if (law_.in_double()) sources_.precise.measure(law_.taken.order, tree.levels, tree.nodes.data(), bodies().sources());
    }

    /// Collective. Adds the background, where pairs are with the table's nearest images. Returns the sum of squares that the
    /// background goes by.
    double add_background(const TimedStages<Exec>& run) {
        double squares = 0.0;
        if (!law_.by_table()) return squares;
        run.local("background", [&] { squares = sum_of_squares(exec_, frame_, bodies()); });
        run.collective("background", [&](const Agreed& all) { all.all_reduce(&squares, 1, MPI_SUM); });
        run.local("background", [&] { gravlet::add_background(exec_, frame_, squares, bodies()); });
        return squares;
    }

    /// Local. Adds what near cells do as cuboids. What is sampled is told apart: errors are the tree's.
    void act_near(const TreeView& tree) {
        const bool apart = options_.error_samples > 0 || options_.tolerance > 0.0;
        TargetSet<Exec>& set = targets();
        for (std::size_t k = 0; k < component_count(frame_.derivatives); ++k)
            clear(exec_, apart ? set.count : 0, set.near_sums[k]);
        WalkTargets walked = walked_targets();
        walked.one_by_one = sources_.one_by_one();
        near_.act_on(tree, walked, set.sizes.data(), apart ? arrays_of(set.near_sums) : SumArrays{}, exact_sources());
    }

    /// Collective. Cells at one place on two ranks are among what is sent around all, which the bits of few must not hang on.
    void reject_remote_overlaps(WalkRound<Exec> round) {
        round.stage = "verify";
        if (apart_.unsure()) count(essential_tree_.exchange_for(round, bodies()));
        round.local(round.stage, [&] {
            const PrunedTreeArrays arrived = essential_tree_.arrivals(law_, sources_);
            reject_remote_twin(exec_, input_, frame_, bodies(), arrived.sources, arrived.source_count());
            reject_excess_volume(frame_);
        });
    }

    void conserve(const TimedStages<Exec>& run) {
        find_conservation(
            [&](auto f) { run.local("conservation", f); }, [&](auto f) { run.collective("conservation", f); },
            [&] { return mass_of_bodies(); },
            [&](const Vector3& centre) { return force_sum(exec_, bodies(), centre, exact_bodies()) + heavy_.force_sum(centre); },
            local_);
    }

    /// f(places) for each kind of places that are no bodies, if some rank wants results there.
    template <class F>
    void for_places(const F& f) {
        std::apply([&](auto&... places) { ((places.are_wanted(frame_) ? f(places) : void()), ...); }, places_);
    }

    /// Collective. Places that are no bodies have a round to themselves, one stage of the report: what is sent for them, and so
    /// their tree, is their own, and the bodies' results are the same bits with them and without. `squares`: add_background()'s.
    template <class Places>
    void sum_elsewhere(WalkRound<Exec> round, Places& places, const EwaldView& table, double squares) {
        round.stage = Places::stage;
        round.local(round.stage, [&] { places.sort(input_, frame_, options_, bodies(), {targets(), packed_.target_of_body()}); });
        if (!frame_.cells && !frame_.points) return;  // nobody to feel
        TargetSet<Exec>& set = places.targets();
        sum_at(round, places, set, table);
        round.local(round.stage, [&] {
            local_.targets += set.count;
            if (law_.by_table()) gravlet::add_background(exec_, frame_, squares, set);
            if (FarField<Exec>* const far = walks_.far()) far->add_elsewhere(frame_, set);
        });
        sum_images(round, places, set, table);
    }

    /// Collective. Adds to a set's sums what all bodies' images beyond planes of symmetry do, a round for each.
    template <class Places>
    void sum_images(WalkRound<Exec> round, Places& places, TargetSet<Exec>& to, const EwaldView& table) {
        round.stage = Places::stage;
        const Mirror mirror = Domain(options_).mirror().in_units(frame_.per_unit);
        if (!frame_.cells && !frame_.points) return;
        mirror.for_images([&](Reflection by) {
            round.local(round.stage, [&] { mirrored_.mirror(mirror, by, frame_, Places::are_bodies, to); });
            sum_at(round, places, mirrored_.targets(), table);
            round.local(round.stage, [&] { mirrored_.give_back(by, frame_, to); });
        });
    }

    /// Collective. Adds to the sums of places that are no bodies what all bodies do.
    template <class Places>
    void sum_at(const WalkRound<Exec>& round, Places& places, TargetSet<Exec>& set, const EwaldView& table) {
        gather_scales(round);
        promise_scales(round, set);
        count(essential_tree_.exchange_for(round, set));
        CompleteTree tree;
        round.local(round.stage, [&] {
            tree = essential_tree_.complete(round, false);
            const PrunedTreeArrays arrived = essential_tree_.arrivals(law_, sources_);
            places.find_cells(frame_, bodies(), arrived.sources, arrived.source_count(), set);
        });
        if (law_.is_adaptive()) round.local(round.stage, [&] { set_scales(tree.all, set); });
        round.local(round.stage, [&] {
            const ExactSource* const exact = Places::are_bodies ? exact_bodies() : nullptr;
            walk_elsewhere(round, places.walk_targets(frame_, law_.taken, set), tree.all, table, exact, set);
            places.add_self_potentials(input_, frame_, options_, set);
        });
    }

    /// Local. Walks for places that are no bodies: no target is a source. Pairs at distance zero are counted where bodies meet
    /// them.
    void walk_elsewhere(const WalkRound<Exec>& round, const WalkTargets& targets, const TreeView& complete,
                        const EwaldView& table, const ExactSource* exact, TargetSet<Exec>& set) {
        TreeView tree = complete;
        tree.own_sources = 0;
        const std::uint64_t coincident = local_.counts.coincident;
        walk(round, targets, tree, 0, set.walked_groups(), table, exact, [] {});
        const WalkTargets with_images = walks_.with_images(frame_, targets);
        const SumArrays apart = set.has_near_sums() ? arrays_of(set.near_sums) : SumArrays{};
        near_.act_on(complete, with_images, set.sizes.data(), apart, exact_sources());
        if (heavy_.any()) heavy_.act_on(with_images, nullptr, exact, set.active_count, local_.counts);
        local_.counts.coincident = coincident;
    }

    /// Local. Walks for groups [begin, end). `exact`: exact values of each target; null: in a solve in single precision, or of
    /// places that are no bodies.
    template <class Poll>
    void walk(const WalkRound<Exec>& round, const WalkTargets& all, const TreeView& tree, std::size_t begin, std::size_t end,
              const EwaldView& table, const ExactSource* exact, const Poll& poll) {
        if (begin == end) return;
        WalkTargets targets = groups_of(all, begin, end);
        targets.one_by_one = sources_.one_by_one();
        PreciseView precise = sources_.precise.view();
        precise.targets = exact;
        local_.counts.add(walks_.run(law_, frame_, tree, targets, table, precise, [&] {
            poll();
            round.stages.narrator().stop_if_cancelled_now_and_then();
        }));
    }

    void count(const Exchanged& exchanged) {
        local_.nodes_imported += exchanged.nodes;
        local_.cells_imported += exchanged.sources;
        local_.bytes_sent += exchanged.bytes_sent;
    }

    [[nodiscard]] Bodies<Exec>& bodies() { return sources_.bodies; }
    [[nodiscard]] WalkTargets walked_targets() { return walk_targets(targets(), frame_, law_.taken); }
    /// Exact values of this rank's bodies, or null.
    [[nodiscard]] const ExactSource* exact_bodies() const { return law_.in_double() ? sources_.precise.bodies() : nullptr; }
    /// Exact values of the complete tree's sources, or null.
    [[nodiscard]] const ExactSource* exact_sources() const { return law_.in_double() ? sources_.precise.sources() : nullptr; }

    [[nodiscard]] MassSum mass_of_bodies() {
        MassSum sum = (sources_.one_by_one() ? mass_sum(exec_, bodies()) : mass_of(sources_.root_node())) + heavy_.mass_sum();
        sum.inactive = static_cast<double>(bodies().count - targets().active_count);
        return sum;
    }

    Exec exec_;
    Options options_;
    Steering steering_;
    WalkLaw law_;
    typename Exec::Transfer transfer_;
    Input input_;
    InputLook<Exec> look_;
    InputKnown known_, known_now_;  ///< what is known of the last solve that came to its end; of this one
    Frame frame_;
    KnownApart apart_;
    SourceTree<Exec> sources_;
    PackedTargets<Exec> packed_;
    EssentialTree<Exec> essential_tree_;
    GroupScales<Exec> scales_;
    Walks<Exec> walks_;
    NearPairs<Exec> near_;
    HeavyBodies<Exec> heavy_;
    Convolution<Exec> convolution_;
    bool convolves_ = false;  ///< this solve is a convolution
    std::tuple<GuardCells<Exec>, ProbeTargets<Exec>> places_;
    MirroredTargets<Exec> mirrored_;
    LocalReport local_;
};

}  // namespace gravlet
