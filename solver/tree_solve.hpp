// SPDX-License-Identifier: Apache-2.0
// One solve, start to end: take_in() and sum() are its table of contents. docs/algorithm.md tells the whole story, and which file
// a stage is in.
#pragma once

#include "mpi/exchange.hpp"
#include "mpi/virtual_roots.hpp"
#include "physics/order.hpp"
#include "solver/build.hpp"
#include "solver/complete.hpp"
#include "solver/criterion/scales.hpp"
#include "solver/criterion/steering.hpp"
#include "solver/criterion/widen.hpp"
#include "solver/data/frame.hpp"
#include "solver/data/local_report.hpp"
#include "solver/data/timed_stages.hpp"
#include "solver/data/walk_targets.hpp"
#include "solver/errors/conservation.hpp"
#include "solver/essential.hpp"
#include "solver/guards.hpp"
#include "solver/heavy/heavy.hpp"
#include "solver/moments.hpp"
#include "solver/moved.hpp"
#include "solver/near/near_pairs.hpp"
#include "solver/periodic/periodicity.hpp"
#include "solver/periodic/table_walk.hpp"
#include "solver/precise/lane_walk.hpp"
#include "solver/precise/precise_tree.hpp"
#include "solver/refresh.hpp"
#include "solver/roots.hpp"
#include "solver/sort.hpp"
#include "solver/stage_in.hpp"
#include "solver/stage_out.hpp"
#include "solver/targets.hpp"
#include "solver/valid.hpp"
#include "solver/verify.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace gravlet {

template <class Exec>
class TreeSolve {
public:
    /// Local.
    TreeSolve(const Communicator& comm, const Exec& exec, const Options& options)
        : exec_(exec),
          options_(options),
          steering_(options, Exec::order_costs),
          periodicity_(exec, options),
          heavy_(exec),
          near_(exec),
          bodies_(exec),
          guards_(exec),
          tree_(exec),
          moved_(exec),
          precise_(exec),
          essential_(exec),
          send_(exec),
          completion_(exec),
          scales_(exec),
          rounds_(comm),
          root_exchange_(rounds_),
          exchange_(rounds_),
          transfer_(exec),
          messages_(exec),
          walk_(exec) {}

    /// Collective, once.
    void prepare(Stages& stages) { messages_.prepare(stages); }

    /// Collective. The first stages: bodies in order, and their tree. The caller's arrays may be in any memory. Throws the same
    /// Error on every rank.
    void take_in(Stages& stages, const Input& input) {
        local_ = {};
        local_.clock.start(input.begun);
        const TimedStages<Exec> run(stages, exec_, local_.clock);
        run.local("stage_in", [&] { scan_ = stage_in(exec_, transfer_, input, options_, input_); });
        frame_ = agree_on_units(
            exec_, options_, scan_, input_, [&](auto f) { run.local("stage_in", f); },
            [&](auto f) { run.collective("stage_in", f); });
        local_.background = frame_.background;
        heavy_.choose(run, stages, input_, frame_);
        near_.agree(run, stages, options_, input_, frame_);
        run.local("stage_in", [&] { keep_or_not(stages.narrator()); });
        run.local("sort", [&] { sort(); });
        run.local("build", [&] { build(); });
    }

    /// Collective, after take_in(). All other stages but the last: sums for all active targets. `table`: for periodic_method:
    /// table, in the backend's memory. Throws the same Error on every rank.
    void sum(Stages& stages, const EwaldView& table) {
        const TimedStages<Exec> run(stages, exec_, local_.clock);
        const Settle at_the_end{rounds_};
        run.local("moments", [&] { moments(); });
        if (near_.any()) run.local(near_stage, [&] { near_.measure(bodies_, local_tree(), tree_.levels, local_.unchanged); });
        find_scales(run, stages, bodies_, "scales");
        run.local("targets", [&] { targets(); });
        run.local("roots", [&] { root(stages.size()); });
        walk_complete_tree(run, stages, table, Round::bodies);
        if (by_table()) {
            run.local("background", [&] { squares_ = sum_of_squares(exec_, frame_, bodies_); });
            run.collective("background", [&](const Agreed& all) { all.all_reduce(&squares_, 1, MPI_SUM); });
            run.local("background", [&] { add_background(exec_, frame_, squares_, bodies_); });
        }
        if (near_.any()) run.local(near_stage, [&] { act_near(); });
        heavy_.act(run, image_targets(), bodies_.order.data(), exact_bodies(), bodies_.active_count, local_.counts);
        if (FarField<Exec>* const far = periodicity_.far())
            far->act(run, frame_, bodies_, exact_bodies(), [&] { heavy_.bring_to_nodes(*far, frame_); });
        run.local("verify", [&] { verify(); });
        moved_.walked(static_cast<double>(local_.counts.node) + static_cast<double>(local_.counts.cell), bodies_.active_count);
        if (frame_.derivatives > 0 && !is_periodic(options_))
            find_conservation([&](auto f) { run.local("conservation", f); }, [&](auto f) { run.collective("conservation", f); },
                              [&] { return mass_of_bodies(); },
                              [&](const Vector3& centre) {
                                  return force_sum(exec_, bodies_, centre, exact_bodies()) + heavy_.force_sum(centre);
                              },
                              local_);
        if (!frame_.guards) return;
        run.local(guard_stage, [&] { guards_.sort(input_, frame_, options_); });
        find_scales(run, stages, guards_.targets(), guard_stage);
        run.local(guard_stage, [&] { root_of_guards(); });
        walk_complete_tree(run, stages, table, Round::guards);
        run.local(guard_stage, [&] { complete_guards(); });
    }

    /// Collective, after sum(): in place of its sums those of what the steering takes now.
    void sum_again(Stages& stages, const EwaldView& table) {
        const TimedStages<Exec> run(stages, exec_, local_.clock);
        run.local("moments", [&] {
            local_.forget_walk();
            choose_walk(stages.narrator());
        });
        sum(stages, table);
    }

    /// Local, after sum(): the last stage. Writes the results.
    void write() {
        const typename Exec::Range range(last_stage);
        stage_out(exec_, input_, frame_, options_, bodies_);
        if (frame_.guards) guards_.write(input_, frame_, options_);
        transfer_.bring_out(input_.as_given());
        exec_.synchronize();
        local_.clock.lap(last_stage);
    }

    static constexpr const char* last_stage = "stage_out";
    [[nodiscard]] LocalReport& report() { return local_; }
    [[nodiscard]] const Options& taken() const { return taken_; }
    [[nodiscard]] Steering& steering() { return steering_; }
    /// Of this solve: the caller's arrays in the backend's memory, and what became of them.
    [[nodiscard]] const Input& input() const { return input_; }
    [[nodiscard]] Bodies<Exec>& bodies() { return bodies_; }
    [[nodiscard]] const Frame& frame() const { return frame_; }
    [[nodiscard]] typename Exec::Transfer& transfer() { return transfer_; }

private:
    /// Whatever ends a solve, no message of its exchange stays under way.
    struct [[nodiscard]] Settle {
        MessageRounds& rounds;
        ~Settle() { rounds.settle(); }
    };

    static constexpr const char* guard_stage = "guards";

    /// Who is walked for. Guard cells have a round to themselves, one stage of the report: what is sent for them, and so their
    /// tree, is their own, and the bodies' results are the same bits with them and without.
    enum class Round { bodies, guards };

    /// Collective, for criteria that ask what acts on targets: no less of it than the completed tree will say.
    void find_scales(const TimedStages<Exec>& run, Stages& stages, Bodies<Exec>& targets, const char* stage) {
        if (!is_adaptive(taken_)) return;
        run.local(stage, [&] { scales_.prepare(stages.size(), root_node()); });
        if (stages.size() == 1) return;
        run.collective(stage, [&](const Agreed& all) { scales_.gather(all); });
        run.local(stage, [&] { scales_.promise(stages.rank(), local_tree(), period_of(frame_), opening(), targets); });
    }

    /// Collective. From this rank's virtual root to the sums of the round's targets.
    void walk_complete_tree(const TimedStages<Exec>& run, Stages& stages, const EwaldView& table, Round round) {
        const auto stage = [round](const char* name) { return round == Round::guards ? guard_stage : name; };
        run.local(stage("roots"), [&] { prepare_roots(stages.size()); });
        run.collective(stage("roots"), [&](const Agreed& all) { root_exchange_.gather(all, root_, roots_); });
        if (round == Round::bodies) run.local("moments", [&] { widen(stages.rank()); });
        run.local(stage("roots"), [&] { root_exchange_.prepare_parts(roots_); });
        if (root_exchange_.any_parts(roots_))
            run.collective(stage("roots"), [&](const Agreed& all) { root_exchange_.gather_parts(all, root_, roots_); });
        run.local(stage("roots"), [&] { root_exchange_.post(stages.rank(), root_, roots_); });
        run.collective(stage("roots"), [&](const Agreed& all) { next_round(all); });
        run.local(stage("essential"), [&] { essential(stages.rank()); });
        run.collective(stage("exchange_begin"), [&](const Agreed& all) {
            next_round(all);
            messages_.share(all);
        });
        run.local(stage("exchange_begin"), [&] { post(round); });
        if (round == Round::bodies) run.local("walk_early", [&] { walk_early(table); });
        run.collective(stage("exchange_finish"), [&](const Agreed& all) { rounds_.finish(all); });
        run.local(stage("exchange_finish"), [&] { arrived(); });
        run.local(stage("complete"), [&] { complete(stages.rank()); });
        if (round == Round::guards) run.local(guard_stage, [&] { find_cells_of_guards(); });
        if (is_adaptive(taken_))
            run.local(stage("scales"), [&] { set_scales(round == Round::guards ? guards_.targets() : bodies_); });
        run.local(stage("walk"), [&] { round == Round::guards ? walk_guards(table) : walk(table); });
    }

    void next_round(const Agreed& all) {
        rounds_.finish(all);
        rounds_.open(all);
    }

    /// Criterion, order and angle of the walk that follows.
    void choose_walk(Narrator& narrator) {
        const bool adaptive = is_adaptive(taken_);
        taken_ = steering_.taken(frame_);
        if (adaptive && !is_adaptive(taken_)) scales_.clear(bodies_.groups.data(), bodies_.groups.size());
        periodicity_.begin(frame_, taken_, narrator);
    }

    void keep_or_not(Narrator& narrator) {
        steering_.begin();
        choose_walk(narrator);
        one_by_one_ = act_one_by_one();
        const std::optional<Frame> built = std::exchange(built_, std::nullopt);
        const bool kept = built && options_.keep_tree && same_places(*built, frame_) && bodies_.count == input_.size();
        local_.unchanged = kept && refresh(exec_, input_, frame_, bodies_);
        if (local_.unchanged || one_by_one_ || !built || !options_.keep_moved || in_double() || bodies_.count != input_.size())
            return;
        local_.followed = MovedTree<Exec>::may_follow(*built, frame_) && moved_.follow(input_, frame_, cube_, tree_, bodies_);
    }

    /// Whether all bodies act on all, without a tree, as few do where that takes less time, unless the host has a say in it. A
    /// solve that keeps the order of the last one does as that did: as many bodies, and cells among them or none.
    [[nodiscard]] bool act_one_by_one() const {
        const bool chosen = options_.theta != automatic || options_.order != automatic || options_.tolerance > 0.0 ||
                            options_.criterion != Criterion::automatic;
        return !chosen && !frame_.several_ranks && !is_periodic(options_) && input_.size() <= Exec::few_bodies(frame_.cells);
    }

    /// Whether this rank's order and tree are those of the last solve.
    [[nodiscard]] bool is_kept() const { return local_.unchanged || local_.followed; }

    void sort() {
        if (!is_kept()) gravlet::sort(exec_, input_, frame_, options_, bodies_);
        local_.sources = bodies_.source_count + heavy_.count();
    }

    void build() {
        if (one_by_one_) {
            tree_.clear();
        } else if (!is_kept()) {
            build_tree(exec_, bodies_.keys_of_sources(), static_cast<std::uint32_t>(bodies_.source_count),
                       static_cast<std::uint32_t>(options_.leaf_size), frame_.piece_level, static_cast<float>(frame_.cube.side),
                       !frame_.points, tree_);
            if (options_.keep_moved) moved_.built(bodies_);
            cube_ = frame_.cube;
        }
        built_ = frame_;
    }

    void moments() {
        if (in_double()) precise_.measure_bodies(input_, frame_, bodies_);
        if (one_by_one_) return;
        if (moved_.is_moved()) return moved_.compute_moments(order(), bodies_.sources(), frame_.cube, opening(), tree_);
        compute_moments(exec_, order(), bodies_.sources(), frame_.cube, opening(), tree_);
    }

    /// Once all ranks' roots are known.
    void widen(int rank) {
        if (one_by_one_) return;
        Opening here = opening();
        if (roots_.all.size() > 1) here.around = pull_of_others(roots_.all, static_cast<std::size_t>(rank));
        gravlet::widen(exec_, here, tree_.levels, tree_.nodes.data(), tree_.pulls);
        if (!moved_.is_moved()) assert_valid(exec_, local_tree(), order(), options_, frame_.cube, here);
        if (in_double()) precise_.measure(taken_.order, tree_.levels, tree_.nodes.data(), bodies_.sources());
    }

    void targets() {
        choose_targets(exec_, input_, frame_.derivatives, bodies_);
        local_.targets = bodies_.active_count;
    }

    void root(int ranks) {
        const auto make = [&](auto order) {
            return make_virtual_root<decltype(order)::value>(exec_, bodies_, tree_, frame_.cube, opening(),
                                                             static_cast<std::size_t>(options_.virtual_root_boxes),
                                                             near_.reach());
        };
        root_ = ranks > 1 ? with_order(order(), make) : OwnVirtualRoot{};
        if (in_double()) send_to_all(root_);
    }

    /// The same masses, other targets.
    void root_of_guards() {
        if (!root_.boxes.empty()) set_targets(exec_, guards_.targets(), root_.boxes.size(), root_);
    }

    void prepare_roots(int ranks) {
        root_exchange_.prepare(ranks, roots_);
        roots_.distance = distance_of(taken_, frame_);
    }

    void essential(int rank) {
        const int moments = moment_count(order());
        essential_.run(local_tree(), moments, roots_.nodes_of(rank), roots_.targets(), roots_.audience.size(), send_,
                       {near_.reach(), near_.sizes()}, in_double() ? precise_.own() : PreciseArrays{});
        assert_valid(exec_, send_, roots_, near_.any() || in_double());
        messages_.offer(send_.arrays(moments), roots_.audience);
        exchange_.announce(roots_.audience, roots_.senders, send_.arrays(moments));
    }

    void post(Round round) {
        const int moments = moment_count(order());
        const PrunedTreeArrays arriving = with_precise(completion_.make_room(exchange_.expected(), moments, bodies_, tree_));
        const PrunedTreeArrays leaving = messages_.outgoing(send_.arrays(moments), roots_.audience);
        exchange_.post(messages_, leaving, messages_.incoming(arriving, roots_.senders));
        messages_.read(arriving, roots_.senders, exchange_.expected());
        local_.nodes_imported += arriving.node_count();
        local_.cells_imported += arriving.source_count();
        local_.bytes_sent += exchange_.bytes_sent();
        early_ = by_table() || in_double() || is_adaptive(taken_) || round == Round::guards
                     ? 0
                     : early_groups(exec_, exchange_.bytes_awaited(), taken_, frame_.points, bodies_);
    }

    void arrived() { messages_.arrived(with_precise(completion_.arrays(moment_count(order()), bodies_, tree_)), roots_.senders); }
    /// `arriving`: behind this rank's own.
    [[nodiscard]] PrunedTreeArrays with_precise(PrunedTreeArrays arriving) {
        if (in_double())
            arriving.precise =
                precise_.arriving(tree_.count(), arriving.node_count(), bodies_.source_count, arriving.source_count());
        return arriving;
    }

    void walk_early(const EwaldView& table) {
        if (early_ > 0) walk(targets_of_bodies(), local_tree(), 0, early_, table, [&] { rounds_.poll(); });
    }

    void complete(int rank) {
        if (one_by_one_) {
            complete_ = local_tree();
            return;
        }
        near_.take_in(bodies_, completion_.sources_arriving());
        completion_.take_in(order(), roots_, rank, bodies_, tree_);
        others_ = early_ > 0 ? completion_.merge(false, bodies_, frame_, taken_, tree_) : TreeView{};
        complete_ = completion_.merge(true, bodies_, frame_, taken_, tree_);
        others_.nodes = complete_.nodes, others_.moments = complete_.moments;  // where they are now, behind each other
        near_.complete(complete_, tree_.count());
        if (in_double() && complete_.node_count > 0) {
            const TreeMerge<Exec>& merged = completion_.merged();
            precise_.complete(tree_.nodes.data(), tree_.nodes.size(), bodies_.sources(), merged.levels(), merged.origins());
        }
    }

    void set_scales(Bodies<Exec>& targets) {
        Group* const groups = targets.all_active ? targets.groups.data() : targets.walked.data();
        scales_.set(complete_, period_of(frame_), opening(), groups, targets.walked_groups());
    }

    void walk(const EwaldView& table) {
        if (early_ > 0) walk(targets_of_bodies(), others_, 0, early_, table, [] {});
        walk(targets_of_bodies(), complete_, early_, bodies_.walked_groups(), table, [] {});
    }

    /// What is sampled is told apart: errors are the tree's.
    void act_near() {
        const bool apart = options_.error_samples > 0 || options_.tolerance > 0.0;
        for (std::size_t k = 0; k < component_count(frame_.derivatives); ++k)
            clear(exec_, apart ? bodies_.count : 0, bodies_.near_sums[k]);
        WalkTargets targets = targets_of_bodies();
        targets.one_by_one = one_by_one_;
        near_.act_on(complete_, targets, bodies_.sizes.data(), apart ? arrays_of(bodies_.near_sums) : SumArrays{},
                     exact_sources());
    }

    void find_cells_of_guards() {
        const PrunedTreeArrays arrived = completion_.arrays(moment_count(order()), bodies_, tree_);
        guards_.find_cells(frame_, bodies_, arrived.sources, arrived.source_count());
    }

    /// No target is a source. Pairs at distance zero are counted where bodies meet them.
    void walk_guards(const EwaldView& table) {
        TreeView tree = complete_;
        tree.own_sources = 0;
        const std::uint64_t coincident = local_.counts.coincident;
        WalkTargets targets = guards_.walk_targets(frame_, taken_);
        walk(targets, tree, 0, guards_.targets().walked_groups(), table, [] {});
        periodicity_.set(frame_, targets);
        near_.act_on(complete_, targets, guards_.targets().sizes.data(), {}, exact_sources());
        if (heavy_.any()) heavy_.act_on(targets, nullptr, nullptr, guards_.targets().count, local_.counts);
        local_.counts.coincident = coincident;
        local_.targets += guards_.targets().count;
    }

    void complete_guards() {
        guards_.add_self_potentials(input_, frame_, options_);
        if (by_table()) add_background(exec_, frame_, squares_, guards_.targets());
        if (FarField<Exec>* const far = periodicity_.far()) far->add_elsewhere(frame_, guards_.targets());
    }

    template <class Poll>
    void walk(const WalkTargets& all, const TreeView& tree, std::size_t begin, std::size_t end, const EwaldView& table,
              const Poll& poll) {
        WalkTargets targets = groups_of(all, begin, end);
        targets.one_by_one = one_by_one_;
        if (by_table()) {
            local_.counts.add(run_table_walk(exec_, table_walk(frame_, tree, targets, table), order()));
            return;
        }
        periodicity_.set(frame_, targets);
        if (in_double()) {
            PreciseWalk work{tree, precise_.view(), targets};
            if (targets.bodies != bodies_.bodies.data()) work.precise.targets = nullptr;  // guard cells
            local_.counts.add(walk_in_double(exec_, work));
            return;
        }
        local_.counts.add(walk_.run(tree, targets, order(), poll));
    }

    [[nodiscard]] WalkTargets targets_of_bodies() { return walk_targets(bodies_, frame_, taken_); }
    /// With the images that are walked.
    [[nodiscard]] WalkTargets image_targets() {
        WalkTargets targets = targets_of_bodies();
        periodicity_.set(frame_, targets);
        return targets;
    }
    [[nodiscard]] bool by_table() const { return is_periodic(options_) && options_.periodic_method == PeriodicMethod::table; }

    /// Of this rank's bodies, or null.
    [[nodiscard]] const ExactSource* exact_bodies() const { return in_double() ? precise_.bodies() : nullptr; }
    /// Of the complete tree's, or null.
    [[nodiscard]] const ExactSource* exact_sources() const { return in_double() ? precise_.sources() : nullptr; }
    [[nodiscard]] bool in_double() const { return options_.precision == Precision::double_; }
    /// Of the moments in single precision, by which nodes are accepted, and where not in double act.
    [[nodiscard]] int order() const { return std::min(taken_.order, max_order); }

    void verify() {
        const PrunedTreeArrays arrived = completion_.arrays(moment_count(order()), bodies_, tree_);
        reject_remote_twin(exec_, input_, frame_, bodies_, arrived.sources, arrived.source_count());
        reject_excess_volume(frame_);
    }

    [[nodiscard]] MassSum mass_of_bodies() const {
        MassSum sum = (one_by_one_ ? mass_sum(exec_, bodies_) : mass_of(root_node())) + heavy_.mass_sum();
        sum.inactive = static_cast<double>(bodies_.count - bodies_.active_count);
        return sum;
    }
    [[nodiscard]] Node root_node() const { return tree_.count() > 0 ? read(exec_, tree_.nodes.data()) : Node{}; }
    [[nodiscard]] TreeView local_tree() const { return view_of(bodies_, tree_); }
    [[nodiscard]] Opening opening() const { return opening_of(taken_, frame_); }

    Exec exec_;
    Options options_, taken_;  ///< taken: with criterion, theta and order as this solve has them
    Steering steering_;
    Periodicity<Exec> periodicity_;
    InputScan scan_;
    Frame frame_;
    HeavyBodies<Exec> heavy_;
    NearPairs<Exec> near_;
    Bodies<Exec> bodies_;
    GuardCells<Exec> guards_;
    Tree<Exec> tree_;
    MovedTree<Exec> moved_;
    PreciseTree<Exec> precise_;
    bool one_by_one_ = false;
    RootCube cube_;               ///< in which the tree was built
    std::optional<Frame> built_;  ///< of the bodies and the tree, if they belong together
    OwnVirtualRoot root_;
    VirtualRoots roots_;
    EssentialWalk<Exec> essential_;
    PrunedTrees<Exec> send_;
    TreeCompletion<Exec> completion_;
    GroupScales<Exec> scales_;
    MessageRounds rounds_;
    VirtualRootExchange root_exchange_;
    EssentialExchange exchange_;
    Input input_;
    std::size_t early_ = 0;       ///< groups that walk before all has arrived
    TreeView complete_, others_;  ///< the locally essential tree, and that without this rank's own
    double squares_ = 0.0;
    typename Exec::Transfer transfer_;
    typename Exec::Messages messages_;
    typename Exec::Walk walk_;
    LocalReport local_;
};

}  // namespace gravlet
