// SPDX-License-Identifier: Apache-2.0
// One solve, start to end. Each line of run() is a stage with a file of its own; docs/algorithm.md tells the whole story.
#pragma once

#include "mpi/agreement.hpp"
#include "mpi/exchange.hpp"
#include "mpi/virtual_roots.hpp"
#include "solver/build.hpp"
#include "solver/essential.hpp"
#include "solver/frame.hpp"
#include "solver/let.hpp"
#include "solver/local_report.hpp"
#include "solver/local_tree.hpp"
#include "solver/moments.hpp"
#include "solver/periodicity.hpp"
#include "solver/refresh.hpp"
#include "solver/roots.hpp"
#include "solver/sort.hpp"
#include "solver/stage_in.hpp"
#include "solver/stage_out.hpp"
#include "solver/table_walk.hpp"
#include "solver/targets.hpp"
#include "solver/verify.hpp"

#include <numbers>
#include <utility>

namespace gravlet {

template <class Exec>
class TreeSolve {
public:
    /// `table`: for periodic_method: table, in the backend's memory; must outlive this.
    TreeSolve(const Communicator& comm, const Exec& exec, const Options& options, const EwaldView& table)
        : comm_(comm),
          exec_(exec),
          options_(options),
          table_(table),
          periodicity_(exec, options),
          bodies_(exec),
          tree_(exec),
          essential_(exec),
          send_(exec),
          receive_(exec),
          transfer_(exec),
          messages_(exec),
          walk_(exec) {}

    /// Collective. Throws the same Error on every rank; results are written in the last stage only.
    /// The caller's arrays may be in any memory.
    LocalReport run(const Input& input) {
        local_ = {};
        clock_.start();
        stage("stage_in", [&] { in(input); });
        stage("sort", [&] { sort(input); });
        stage("build", [&] { build(); });
        stage("moments", [&] { moments(); });
        stage("targets", [&] { targets(input); });
        stage("roots", [&] { roots(); });
        stage("essential", [&] { essential(); });

        EssentialExchange exchange(comm_);
        stage("exchange_begin", [&] { begin(exchange); });
        stage("walk_local", [&] { walk(local_tree(), [&] { exchange.poll(); }); });
        stage("exchange_finish", [&] { finish(exchange); });
        stage("graft", [&] { graft(); });
        stage("walk_remote", [&] { walk(remote_, [] {}); });
        if (by_table()) stage("background", [&] { add_background(); });
        if (periodicity_.far() != nullptr) stage("far_images", [&] { far_images(*periodicity_.far()); });
        stage("verify", [&] { verify(input); });
        stage("stage_out", [&] { out(input); });

        local_.clock = clock_;
        local_.bytes_sent = exchange.bytes_sent();
        return local_;
    }

    /// Of the last solve: the caller's arrays in the backend's memory, and what became of them.
    [[nodiscard]] const Input& input() const { return input_; }
    [[nodiscard]] const Bodies<Exec>& bodies() const { return bodies_; }
    [[nodiscard]] const Frame& frame() const { return frame_; }

private:
    template <class F>
    void stage(const char* name, F f) {
        const typename Exec::Range range(name);
        f();
        exec_.synchronize();
        clock_.lap(name);
    }

    void in(const Input& input) {
        InputScan scan;
        agree(comm_, [&] {
            input_ = transfer_.bring_in(input);
            scan = scan_input(exec_, input_, input, Domain(options_));
        });
        const Frame before = frame_;
        frame_ = agree_on_frame(comm_, scan, input.point_count > 0, input.acceleration, options_);
        const bool kept =
            std::exchange(built_, false) && options_.keep_tree && same_places(before, frame_) && bodies_.count == input.size();
        agree(comm_, [&] {
            periodicity_.begin(frame_);
            local_.unchanged = kept && refresh(exec_, input_, frame_, bodies_);
        });
    }

    void sort(const Input& input) {
        agree(comm_, [&] {
            if (!local_.unchanged) gravlet::sort(exec_, input_, input, frame_, options_, bodies_);
        });
        local_.sources = bodies_.source_count;
    }

    void build() {
        agree(comm_, [&] {
            if (!local_.unchanged)
                build_tree(exec_, bodies_.keys_of_sources(), static_cast<std::uint32_t>(bodies_.source_count),
                           static_cast<std::uint32_t>(options_.leaf_size), frame_.piece_level, tree_);
        });
        built_ = true;
    }

    void moments() {
        agree(comm_, [&] {
            with_order(options_.order,
                       [&](auto order) { compute_moments<decltype(order)::value>(exec_, bodies_.sources(), opening(), tree_); });
        });
    }

    void targets(const Input& input) {
        agree(comm_, [&] { choose_targets(exec_, input_, input, frame_.acceleration, bodies_); });
        local_.targets = bodies_.active_count;
    }

    void roots() {
        std::vector<Bounds> boxes;
        const VirtualRootHeader mine = make_virtual_root(exec_, bodies_, tree_, moment_count(options_.order),
                                                         static_cast<std::size_t>(options_.virtual_root_boxes), boxes);
        roots_ = root_table_.gather(comm_, mine, boxes, period_of(frame_));
    }

    void essential() {
        agree(comm_, [&] { essential_.run(local_tree(), moment_count(options_.order), roots_, comm_.rank(), send_); });
    }

    void begin(EssentialExchange& exchange) {
        const int moments = moment_count(options_.order);
        exchange.announce(send_.node_begin, send_.source_begin, receive_.node_begin, receive_.source_begin);
        agree(comm_, [&] {
            receive_.nodes.resize_discard(receive_.node_begin.back());
            receive_.moments.resize_discard(receive_.node_begin.back() * static_cast<std::size_t>(moments));
            receive_.sources.resize_discard(receive_.source_begin.back());
        });
        exchange.begin(messages_.outgoing(send_), messages_.incoming(receive_), moments);
        local_.nodes_imported = receive_.node_begin.back();
        local_.cells_imported = receive_.source_begin.back();
    }

    void finish(EssentialExchange& exchange) {
        exchange.finish();
        messages_.arrived(receive_);
    }

    void graft() {
        agree(comm_, [&] {
            with_order(options_.order, [&](auto order) {
                remote_ = gravlet::graft<decltype(order)::value>(exec_, receive_, roots_, comm_.rank(), opening());
            });
        });
    }

    template <class Poll>
    void walk(const TreeView& tree, const Poll& poll) {
        WalkTargets targets = walk_targets(bodies_, frame_, options_);
        if (by_table()) {
            local_.counts.add(run_table_walk(exec_, table_walk(tree, targets), options_.order));
            return;
        }
        periodicity_.set(frame_, targets);
        local_.counts.add(walk_.run(tree, targets, options_.order, poll));
    }

    [[nodiscard]] bool by_table() const { return is_periodic(options_) && options_.periodic_method == PeriodicMethod::table; }

    [[nodiscard]] TableWalk table_walk(const TreeView& tree, const WalkTargets& targets) const {
        const PeriodicBox& box = frame_.box;
        const double volume = box.side[0] * box.side[1] * box.side[2];
        return {
            tree, targets, {table_, box.shortest_period()}, box.dimensions() == 3 ? 2.0 / 3.0 * std::numbers::pi / volume : 0.0};
    }

    /// What the mean density adds to all potentials; see TableWalk.
    void add_background() {
        double squares = 0.0;
        agree(comm_, [&] { squares = sum_of_squares(exec_, bodies_); });
        squares = table_walk({}, {}).background * all_reduce(comm_.get(), squares, MPI_SUM);
        agree(comm_, [&] { add_constant(exec_, bodies_, squares); });
    }

    void far_images(FarField<Exec>& far) {
        std::vector<double> masses;
        agree(comm_, [&] { masses = far.collect(frame_, bodies_); });
        all_reduce(comm_.get(), masses.data(), static_cast<int>(masses.size()), MPI_SUM);
        agree(comm_, [&] { far.add(masses, frame_, bodies_); });
    }

    void verify(const Input& input) {
        agree(comm_, [&] { reject_remote_twin(exec_, input_, input, bodies_, remote_, local_.counts.coincident_target); });
        reject_excess_volume(frame_);
    }

    void out(const Input& input) {
        stage_out(exec_, input_, frame_, options_, bodies_);
        transfer_.bring_out(input);
    }

    [[nodiscard]] TreeView local_tree() const { return view_of(bodies_, tree_); }
    [[nodiscard]] Opening opening() const { return opening_of(options_, frame_); }

    const Communicator& comm_;
    Exec exec_;
    Options options_;
    EwaldView table_;
    Periodicity<Exec> periodicity_;
    Frame frame_;
    Bodies<Exec> bodies_;
    Tree<Exec> tree_;
    bool built_ = false;  ///< bodies and tree belong together, and to the frame
    VirtualRootTable root_table_;
    VirtualRoots roots_;
    EssentialWalk<Exec> essential_;
    PrunedTrees<Exec> send_, receive_;
    Input input_;
    TreeView remote_;
    typename Exec::Transfer transfer_;
    typename Exec::Messages messages_;
    typename Exec::Walk walk_;
    StageClock clock_;
    LocalReport local_;
};

}  // namespace gravlet
