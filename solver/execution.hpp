// SPDX-License-Identifier: Apache-2.0
// What a backend must bring for the stages of solver/ to run on it, checked where backends are whole (cpu/cpu.hpp, gpu/gpu.cuh).
// Its value is passed to the stages, which find the primitives by overloading. Classes' functions that call primitives are
// defined outside of their classes, where they are not inline: a backend whose kernels take long to compile has them in files of
// their own (gpu/stages/), and nobody else compiles them.
#pragma once

#include "mpi/exchange.hpp"
#include "physics/fft_lines.hpp"
#include "physics/memory_tally.hpp"
#include "solver/criterion/order_costs.hpp"
#include "solver/data/walk_types.hpp"
#include "solver/direct/direct.hpp"

#include <gravlet/options.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace gravlet {

/// An array in the backend's memory that grows and keeps its capacity.
template <class Buffer, class T>
concept BackendBuffer = std::movable<Buffer> && requires(Buffer& buffer, const Buffer& constant, std::size_t n) {
    buffer.resize(n);          // keeps the first elements
    buffer.resize_discard(n);  // keeps none
    { buffer.data() } -> std::same_as<T*>;
    { constant.data() } -> std::same_as<const T*>;
    { constant.size() } -> std::same_as<std::size_t>;
};

// In place of the stages' lambdas.
struct SomeLoop {
    GRAVLET_HD void operator()(std::size_t) const;
};
struct SomeQuestion {
    bool operator()() const;
};
struct SomeCondition {
    GRAVLET_HD bool operator()(std::size_t) const;
};
template <class Team>
struct SomeTeamLoop {
    GRAVLET_HD void operator()(std::size_t, Team) const;
};
struct SomeGrowth {
    template <class Team>
    GRAVLET_HD node_index count(std::size_t, std::uint32_t*, const Team&) const;
    template <class Team>
    GRAVLET_HD void divide(std::size_t, const std::uint32_t*, node_index, node_index, const Team&) const;
};
struct SomeNodeLoop {
    template <class Team>
    GRAVLET_HD void operator()(std::size_t, const Team&) const;
};
struct SomeNumber {
    GRAVLET_HD std::size_t operator()(std::size_t) const;
};
struct SomeSum {
    GRAVLET_HD std::size_t operator()(std::size_t, std::size_t) const;
};

/// Loops over [0, n), and copies from and to host memory. All are done, or in the order of calls, when the next one begins.
template <class Exec>
concept HasPrimitives = requires(const Exec& exec, std::size_t n, std::size_t* numbers, const std::size_t* constant,
                                 key_type* keys, cell_index* values, int unused_bits) {
    for_each(exec, n, SomeLoop());
    // By all lanes of a team (physics/team.hpp) each.
    for_each_team<8>(exec, n, SomeTeamLoop<typename Exec::template Team<8>>());
    // Makes the first levels of a tree of which there is the root, with room for so many nodes, where one go is faster than level
    // by level. Returns each level's first node, and the last one's end: its nodes are still to be looked at, and there are none
    // once the tree is whole. SomeGrowth: GrowLevel (solver/tree/build.hpp).
    { first_levels(exec, SomeGrowth(), node_index{1}) } -> std::same_as<std::vector<node_index>>;
    // For each node of a tree, by a team or alone, from the last of these levels up.
    for_levels_up<8>(exec, std::vector<node_index>{0}, SomeNodeLoop());
    // Down to it, likewise.
    for_levels_down<8>(exec, std::vector<node_index>{0}, SomeNodeLoop());
    { any_of(exec, n, SomeCondition()) } -> std::same_as<bool>;
    { transform_reduce(exec, n, SomeNumber(), n, SomeSum()) } -> std::same_as<std::size_t>;
    { exclusive_scan(exec, constant, numbers, n) } -> std::same_as<std::size_t>;
    { select_indices(exec, n, values, SomeNumber()) } -> std::same_as<std::size_t>;
    sort_by_key(exec, keys, values, n, unused_bits);
    copy_in(exec, constant, numbers, n);
    copy_out(exec, constant, numbers, n);
    { read(exec, constant) } -> std::same_as<std::size_t>;
};

/// What it does in ways of its own: the caller's arrays, messages between ranks, the walk, the direct sum.
template <class Exec>
concept HasTransferAndWalk = std::constructible_from<typename Exec::Transfer, const Exec&> &&
    std::constructible_from<typename Exec::Messages, const Exec&> && std::constructible_from<typename Exec::Walk, const Exec&> &&
    requires(const Exec& exec, typename Exec::Transfer& transfer, typename Exec::Messages& messages, typename Exec::Walk& walk,
             const Input& input, Stages& stages, const Agreed& all, const PrunedTreeArrays& trees, int rank,
             const std::vector<int>& ranks, std::size_t n, const std::vector<Announcement>& announcements, const TreeView& tree,
             const WalkTargets& targets, int order, void (*poll)(), const DirectLaw& law) {
    { transfer.bring_in(input, true) } -> std::convertible_to<Input>;  // as GpuTransfer has it
    transfer.bring_out(input);
    { transfer.begin_ahead(input) } -> std::same_as<bool>;  // as Engine's
    transfer.bring_ahead(n, n);
    transfer.end_ahead();
    messages.prepare(stages);      // collective, once
    messages.offer(trees, ranks);  // local: to those ranks that read this one's memory
    messages.share(all);           // collective: where they find it
    { messages.outgoing(trees, ranks) } -> std::convertible_to<PrunedTreeArrays>;  // which MPI can send, once they are
    messages.ready(n);                                                             // so for the n-th rank
    { messages.incoming(trees, ranks) } -> std::convertible_to<PrunedTreeArrays>;  // which MPI can receive into
    { messages.reads(rank) } -> std::same_as<bool>;  // whether this rank and that one read each other's memory
    messages.read(trees, ranks, announcements);      // from those ranks
    messages.arrived(trees, ranks);                  // from the others
    { walk.run(tree, targets, order, poll) } -> std::same_as<InteractionCounts>;
    { exec.direct(law) } -> std::same_as<DirectKernel>;
};

/// Fourier transforms by a library, if it has one.
template <class Exec>
concept HasTransforms = std::movable<typename Exec::Fft> &&
    std::constructible_from<typename Exec::Fft, const Exec&, const FftLines&> &&
    requires(const typename Exec::Fft& fft, double* numbers) {
    { Exec::Fft::is_there() } -> std::same_as<bool>;
    fft.forward(numbers);
    fft.inverse(numbers);
};

/// Numbers that suit it.
template <class Exec>
concept HasTuning = requires(const Options& options) {
    // Targets in a group.
    { Exec::group_size(options) } -> std::same_as<std::size_t>;
    // The same of active targets: how many, and whether they are few among the others, to be asked at need.
    { Exec::packed_group_size(options, std::size_t{}, SomeQuestion()) } -> std::same_as<std::size_t>;
    // What walks are told that it is, at least.
    { Exec::least_group_size } -> std::convertible_to<std::size_t>;
    // So many bodies of one rank, or fewer, act one by one sooner than by a tree; whether there are cells among them.
    { Exec::few_bodies(true) } -> std::same_as<std::size_t>;
    // Groups that walk together, whose results depend on each other in their last bits.
    { Exec::groups_together } -> std::convertible_to<std::size_t>;
    // Whether threads that run side by side should take elements that lie side by side.
    { Exec::strided } -> std::convertible_to<bool>;
    // Nodes that a tree's first levels may have together if they are made in one go; 1: none are.
    { Exec::nodes_at_once } -> std::convertible_to<node_index>;
    // Bodies are scanned in chunks: in so many, unless they get very short.
    { Exec::least_scan_chunks } -> std::convertible_to<std::size_t>;
    // Guesses that decide how many groups walk while messages travel: bytes and pairs a second.
    { Exec::exchange_speed } -> std::convertible_to<double>;
    // Far images: so many groups keep it busy even where several make one run.
    { Exec::groups_for_long_runs } -> std::convertible_to<std::size_t>;
    // Far images: chunks of runs that are brought to the nodes at once.
    { Exec::far_batch } -> std::convertible_to<std::size_t>;
};

template <class Exec>
concept Execution = std::copyable<Exec> && HasPrimitives<Exec> && HasTransferAndWalk<Exec> && HasTransforms<Exec> &&
    HasTuning<Exec> && BackendBuffer<typename Exec::template Buffer<Source>, Source> &&
    std::constructible_from<typename Exec::Range, const char*> && requires(const Exec& exec) {
    { exec.template buffer<Source>() } -> std::same_as<typename Exec::template Buffer<Source>>;
    { *exec.tally } -> std::same_as<MemoryTally&>;
    { exec.name() } -> std::convertible_to<std::string>;
    { exec.threads } -> std::convertible_to<int>;  // of the host
    { exec.walk_speed() } -> std::convertible_to<double>;
    { Exec::order_costs } -> std::convertible_to<OrderCosts>;
    exec.synchronize();
};

}  // namespace gravlet
