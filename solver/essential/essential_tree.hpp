// SPDX-License-Identifier: Apache-2.0
// From this rank's tree to the locally essential tree of a set of targets: all ranks tell each other where theirs are
// (gather_roots()), each sends what the others need (begin_exchange()), and what has come is merged with its own
// (finish_exchange(), complete()). A solve does so for its bodies, and once more for places that are no bodies.
#pragma once

#include "mpi/exchange.hpp"
#include "mpi/virtual_roots.hpp"
#include "physics/order.hpp"
#include "solver/criterion/walk_law.hpp"
#include "solver/data/timed_stages.hpp"
#include "solver/essential/complete.hpp"
#include "solver/essential/essential.hpp"
#include "solver/essential/invariants.hpp"
#include "solver/essential/published.hpp"
#include "solver/essential/roots.hpp"
#include "solver/near/near_pairs.hpp"
#include "solver/tree/source_tree.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace gravlet {

/// A round of walks: what it goes by, and what of it the report is told. `stage`: the name there; null: each part has its own.
template <class Exec>
struct WalkRound {
    const TimedStages<Exec>& run;
    Stages& stages;
    const Frame& frame;
    const WalkLaw& law;
    SourceTree<Exec>& sources;
    NearPairs<Exec>& near;
    const char* stage = nullptr;

    template <class F>
    void local(const char* part, F f) const {
        run.local(stage != nullptr ? stage : part, f);
    }
    template <class F>
    void collective(const char* part, F f) const {
        run.collective(stage != nullptr ? stage : part, f);
    }
};

/// What a rank has been sent, and has sent.
struct Exchanged {
    std::size_t nodes = 0, sources = 0, bytes_sent = 0;
    std::size_t bytes_awaited = 0;  ///< bytes that come in messages
};

/// The locally essential tree, in the backend's memory. `others`: the tree without this rank's own, where some groups have walked
/// that already; else empty.
struct CompleteTree {
    TreeView all, others;
};

template <class Exec>
class EssentialTree {
public:
    EssentialTree(const Communicator& comm, const Exec& exec)
        : exec_(exec),
          essential_(exec),
          send_(exec),
          completion_(exec),
          rounds_(comm),
          root_exchange_(rounds_),
          exchange_(rounds_),
          messages_(exec) {}

    /// Collective, once. Prepares the messages.
    void prepare(Stages& stages) { messages_.prepare(stages); }

    /// Settles the exchange: whatever ends a solve, none of its messages stays under way.
    struct [[nodiscard]] Settle {
        MessageRounds& rounds;
        ~Settle() { rounds.settle(); }
    };
    [[nodiscard]] Settle settle_at_the_end() { return {rounds_}; }
    void poll() { rounds_.poll(); }

    /// Local. Makes this rank's virtual root, of `boxes` boxes around the bodies.
    void make_root(const WalkRound<Exec>& round, std::size_t boxes) {
        const auto make = [&](auto order) {
            return make_virtual_root<decltype(order)::value>(exec_, round.sources.bodies, round.sources.tree, round.frame.cube,
                                                             round.law.opening(round.frame), boxes, round.near.reach());
        };
        root_ = round.stages.size() > 1 ? with_order(round.law.order(), make) : OwnVirtualRoot{};
        if (round.law.in_double()) send_to_all(root_);
    }
    /// Local. Tells the virtual root other targets of the same masses.
    void change_targets(const TargetSet<Exec>& targets) {
        if (!root_.boxes.empty()) set_targets(exec_, targets, root_.boxes.size(), root_);
    }

    /// Collective. Gathers all ranks' roots. `between()` is a local stage once all roots are known; see pull_of_others().
    template <class Between>
    void gather_roots(const WalkRound<Exec>& round, const Between& between) {
        round.local("roots", [&] {
            root_exchange_.prepare(round.stages.size(), roots_);
            roots_.distance = distance_of(round.law.taken, round.frame);
        });
        round.collective("roots", [&](const Agreed& all) { root_exchange_.gather(all, root_, roots_); });
        between();
        published_ = {};
        if (static_cast<std::size_t>(round.stages.size()) > TellingRule{}.near && !round.law.in_double()) {
            round.local("roots", [&] { publish(round); });
            round.collective("roots", [&](const Agreed& all) { root_exchange_.gather_counts(all, parts(), roots_); });
        }
        round.local("roots", [&] { root_exchange_.prepare_parts(roots_); });
        if (root_exchange_.any_parts(roots_))
            round.collective("roots", [&](const Agreed& all) { root_exchange_.gather_parts(all, parts(), roots_); });
        round.local("roots", [&] { root_exchange_.post(round.stages.rank(), root_, roots_); });
        round.collective("roots", [&](const Agreed& all) { next_round(all); });
    }
    /// The virtual roots of all ranks, after gather_roots().
    [[nodiscard]] const VirtualRoots& roots() const { return roots_; }

    /// Collective. Finds what others need, and posts all messages.
    Exchanged begin_exchange(const WalkRound<Exec>& round) {
        round.local("essential", [&] { find_essential(round); });
        round.collective("exchange_begin", [&](const Agreed& all) {
            next_round(all);
            messages_.share(all);
        });
        Exchanged exchanged;
        round.local("exchange_begin", [&] { exchanged = post(round); });
        return exchanged;
    }

    /// Collective. Waits for all messages.
    void finish_exchange(const WalkRound<Exec>& round) {
        round.collective("exchange_finish", [&](const Agreed& all) { rounds_.finish(all); });
        round.local("exchange_finish",
                    [&] { messages_.arrived(with_precise(round, arrivals(round.law, round.sources)), roots_.senders); });
    }

    /// Collective. Sends and receives, from roots on, what is needed for these targets, by themselves.
    Exchanged exchange_for(const WalkRound<Exec>& round, const TargetSet<Exec>& targets) {
        round.local("roots", [&] { change_targets(targets); });
        gather_roots(round, [] {});
        const Exchanged exchanged = begin_exchange(round);
        finish_exchange(round);
        return exchanged;
    }

    /// Local, after finish_exchange(). Makes the complete tree. `others_too`: the tree without this rank's own will be walked.
    CompleteTree complete(const WalkRound<Exec>& round, bool others_too) {
        SourceTree<Exec>& own = round.sources;
        if (own.one_by_one()) return {own.view(), {}};
        const WalkLaw& law = round.law;
        round.near.take_in(own.bodies, completion_.sources_arriving());
        completion_.take_in(law.order(), roots_, round.stages.rank(), own.bodies, own.tree);
        CompleteTree out;
        if (others_too) out.others = completion_.merge(false, own.bodies, round.frame, law.taken, own.tree);
        out.all = completion_.merge(true, own.bodies, round.frame, law.taken, own.tree);
        out.others.nodes = out.all.nodes, out.others.moments = out.all.moments;  // where they are now, behind each other
        round.near.complete(out.all, own.tree.count());
        if (law.in_double() && out.all.node_count > 0) {
            const TreeMerge<Exec>& merged = completion_.merged();
            own.precise.complete(own.tree.nodes.data(), own.tree.nodes.size(), own.bodies.sources(), merged.levels(),
                                 merged.origins());
        }
        return out;
    }

    /// What has come, behind this rank's own.
    [[nodiscard]] PrunedTreeArrays arrivals(const WalkLaw& law, SourceTree<Exec>& own) {
        return completion_.arrays(moment_count(law.order()), own.bodies, own.tree);
    }

private:
    void next_round(const Agreed& all) {
        rounds_.finish(all);
        rounds_.open(all);
    }

    /// Local, once all roots are known. Finds what all ranks are told of this one.
    void publish(const WalkRound<Exec>& round) {
        bound_ranges(roots_);
        const std::vector<FarNode>& own = root_.parts.nodes;
        const std::span<const FarNode> known = own.empty() ? std::span(&root_.root.root, root_.root.has_mass) : std::span(own);
        published_ = with_order(round.law.order(), [&](auto order) {
            return published<decltype(order)::value>(exec_, round.sources.tree, round.sources.bodies.sources(),
                                                     {round.near.reach(), round.near.sizes()}, known, roots_,
                                                     round.stages.rank());
        });
    }
    /// What stands for this rank's root in its place.
    [[nodiscard]] const RootParts& parts() const { return published_.nodes.empty() ? root_.parts : published_; }

    void find_essential(const WalkRound<Exec>& round) {
        const bool in_double = round.law.in_double();
        const int moments = moment_count(round.law.order());
        essential_.run(round.sources.view(), moments, roots_.nodes_of(round.stages.rank()), roots_.targets(),
                       roots_.audience.size(), send_, {round.near.reach(), round.near.sizes()},
                       in_double ? round.sources.precise.own() : PreciseArrays{});
        assert_invariants(exec_, send_, roots_, round.near.any() || in_double);
        messages_.offer(send_.arrays(moments), roots_.audience);
        exchange_.announce(roots_.audience, roots_.senders, send_.arrays(moments));
    }

    Exchanged post(const WalkRound<Exec>& round) {
        const int moments = moment_count(round.law.order());
        SourceTree<Exec>& own = round.sources;
        const PrunedTreeArrays arriving = with_precise(
            round, completion_.make_room(exchange_.expected(), roots_, round.stages.rank(), moments, own.bodies, own.tree));
        const PrunedTreeArrays leaving = messages_.outgoing(send_.arrays(moments), roots_.audience);
        exchange_.post(messages_, leaving, messages_.incoming(arriving, roots_.senders));
        messages_.read(arriving, roots_.senders, exchange_.expected());
        const std::size_t told = published_.nodes.size() * sizeof(FarNode) + published_.sources.size() * sizeof(Source);
        return {arriving.node_count() + completion_.told_nodes(), arriving.source_count(), exchange_.bytes_sent() + told,
                exchange_.bytes_awaited()};
    }

    static PrunedTreeArrays with_precise(const WalkRound<Exec>& round, PrunedTreeArrays arriving) {
        if (round.law.in_double())
            arriving.precise = round.sources.precise.arriving(round.sources.tree.count(), arriving.node_count(),
                                                              round.sources.bodies.source_count, arriving.source_count());
        return arriving;
    }

    Exec exec_;
    OwnVirtualRoot root_;
    RootParts published_;  ///< what all ranks are told in place of the root and its parts, if anything
    VirtualRoots roots_;
    EssentialWalk<Exec> essential_;
    PrunedTrees<Exec> send_;
    TreeCompletion<Exec> completion_;
    MessageRounds rounds_;
    VirtualRootExchange root_exchange_;
    EssentialExchange exchange_;
    typename Exec::Messages messages_;
};

}  // namespace gravlet
