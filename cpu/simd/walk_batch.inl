// SPDX-License-Identifier: Apache-2.0
// One batch, start to end: frame, lists, arithmetic. Compiled for each instruction set and chosen at run time, in a file for each
// number of derivatives (GRAVLET_DERIVATIVES): one for all of them took up to three minutes.
#include "cpu/simd/collect.hpp"
#include "cpu/simd/targets.hpp"

#include "physics/acceptance.hpp"
#include "physics/close_pair.hpp"
#include "physics/multipole.hpp"
#include "physics/order.hpp"
#include "physics/series_error.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/simd/walk_batch.inl"
#include <hwy/foreach_target.h>

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gravlet {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#include "cpu/simd/close-inl.hpp"

#include "cpu/simd/vectors-inl.hpp"

#include "cpu/simd/evaluate-inl.hpp"

#include "cpu/simd/local-inl.hpp"

/// The batch's targets relative to its frame, padded to whole vectors (two of them: the most evaluated together) by far-away
/// ones.
TargetArrays load_targets(const WalkTargets& targets, const BatchFrame& frame, std::size_t begin, std::size_t end,
                          BatchWorkspace& work) {
    const std::size_t padded = end - begin + 2 * batch_groups;
    using Arrays = TargetArrays;
    work.targets.assign(Arrays::count * padded, 1e15f);
    float* const t = work.targets.data();
    std::fill_n(t + Arrays::softening * padded, padded, 0.0f);
    for (std::size_t i = 0; i < end - begin; ++i) {
        const Source& body = targets.bodies[begin + i];
        const auto at = [&](std::size_t array) { return t + array * padded + i; };
        split(body.x - frame.x, at(Arrays::x), at(Arrays::x_low));
        split(body.y - frame.y, at(Arrays::y), at(Arrays::y_low));
        split(body.z - frame.z, at(Arrays::z), at(Arrays::z_low));
        *at(Arrays::x_rounded) = static_cast<float>(body.x - frame.x);
        *at(Arrays::y_rounded) = static_cast<float>(body.y - frame.y);
        *at(Arrays::z_rounded) = static_cast<float>(body.z - frame.z);
        *at(Arrays::softening) =
            targets.softening_kernel == SofteningKernel::spline ? inverse_support(body.softening) : body.softening;
        const std::uint32_t index = static_cast<std::uint32_t>(begin + i);
        std::memcpy(at(Arrays::index), &index, sizeof index);
    }
    return {t, padded};
}

/// Adds up the lists of group g for N vectors of its targets, from `from` on: n of them.
template <int P, int D, std::size_t N>
void evaluate_vectors(const TargetArrays& targets, std::size_t at, ClosePairs close, std::size_t from, std::size_t n, int g,
                      bool precise_nodes, Care care, std::size_t stride, BatchWorkspace& work) {
    const GroupLists& lists = work.lists[g];
    double* const sums = work.sums.data() + from;
    close.skip(from);
    const float* const nodes = work.node_records.data();
    at += from;
    const auto evaluate = [&](auto kind) HWY_ATTR {
        constexpr Nodes k = decltype(kind)::value;
        if constexpr (N == 1) {
            if (8 * n <= hn::Lanes(FloatTag())) return share_nodes<P, D, k>(targets, at, n, nodes, lists.nodes, sums, stride);
        }
        evaluate_nodes<P, D, k, N>(targets, at, nodes, lists.nodes, sums, stride);
    };
    if (care == Care::plummer) {
        evaluate(std::integral_constant<Nodes, Nodes::softened>());
    } else if (precise_nodes) {
        evaluate(std::integral_constant<Nodes, Nodes::split>());
    } else {
        evaluate(std::integral_constant<Nodes, Nodes::rounded>());
    }
    const float *const plain = work.source_records.data(), *const precise = work.precise_records.data();
    evaluate_sources<D, Pairs::apart, N>(targets, at, plain, lists.apart, sums, stride, close);
    switch (care) {
        case Care::none: return evaluate_sources<D, Pairs::self, N>(targets, at, plain, lists.near, sums, stride, close);
        case Care::close: return evaluate_sources<D, Pairs::close, N>(targets, at, precise, lists.near, sums, stride, close);
        case Care::plummer: return evaluate_sources<D, Pairs::plummer, N>(targets, at, precise, lists.near, sums, stride, close);
        case Care::spline: return evaluate_sources<D, Pairs::spline, N>(targets, at, precise, lists.near, sums, stride, close);
    }
}

/// What the series of the nodes that act on the frame's centre may be off by, anywhere in the batch.
SeriesError<double> error_about_centre(const BatchFrame& frame, const BatchWorkspace& work) {
    const double unit = frame.far_scale;
    return series_error(work.whole_local, frame.reach * unit, frame.whole_far_radius * unit).in_units(unit);
}

/// What the far radius of group g must be for its n targets' sums to be good; 0: they are.
template <int D>
float needed_far_radius(const TreeView& tree, const WalkTargets& targets, const BatchFrame& frame,
                        const double (&series)[local_count], const SeriesError<double>& error_of_whole, std::size_t n, int g,
                        std::size_t stride, const BatchWorkspace& work) {
    const double unit = frame.far_scale, x = frame.half[0][g], y = frame.half[1][g], z = frame.half[2][g];
    const double radius = frame.far_radius[g];
    SeriesError<double> error = series_error(series, std::sqrt(x * x + y * y + z * z) * unit, radius * unit).in_units(unit);
    error.add(error_of_whole);
    const double mass = tree.nodes[tree.root].mass;
    SeriesScale<double> least;
    for (std::size_t i = 0; i < n; ++i) {
        gravlet::Jet<double, D> sum;
        for (std::size_t k = 0; k < component_count(D); ++k) sum.term[k] = work.sums[k * stride + i];
        least.take(sum, mass);
    }
    const double missing = missing_distance<D>(error, least, targets.series_limits);
    return missing > 1.0 ? static_cast<float>(longer_far_radius(radius, error, missing)) : 0.0f;
}

/// Adds a group's sums to the caller's, if they are good, and its interactions to the counts.
template <int D>
void finish_group(const WalkTargets& targets, std::size_t begin, std::size_t n, int g, std::size_t stride, bool good,
                  const BatchWorkspace& work, InteractionCounts& counts) {
    for (std::size_t i = 0; i < n && good; ++i) {
        for (std::size_t k = 0; k < component_count(D); ++k) targets.sums.of[k][begin + i] += work.sums[k * stride + i];
        counts.coincident += work.coincident[i];
    }
    std::uint64_t sources = 0;
    for (const auto* list : {&work.lists[g].apart, &work.lists[g].near})
        for (std::size_t r = 0; r < list->size(); ++r) sources += list->data()[r].count;
    counts.node += n * (work.lists[g].nodes.size() + work.lists[g].close_nodes.size());
    counts.cell += n * sources;
}

/// Adds up all lists of group g at its targets (the batch begins at body `begin`, the group `at` further on), and sees whether
/// its local expansion was good enough: if not, the sums are worthless, and this is what the far radius must be. 0: it was.
template <int P, int D>
float evaluate_group(const TreeView& tree, const WalkTargets& targets, const BatchFrame& frame, const TargetArrays& arrays,
                     std::size_t begin, std::size_t at, std::size_t n, int g, bool precise_nodes, Care care, std::size_t stride,
                     const SeriesError<double>& error_of_whole, BatchWorkspace& work) {
    const std::size_t lanes = hn::Lanes(FloatTag());
    constexpr std::size_t together = vectors_together<D>;
    work.sums.assign(component_count(D) * stride, 0.0);
    work.coincident.assign(stride, 0);
    double series[local_count];
    complete_local(g, work, series);
    evaluate_local<D>(frame, arrays, at, n, g, work.sums.data(), stride, series);
    const ClosePairs close{&tree, &targets, begin + at, n, work.sums.data(), stride, work.coincident.data()};
    for (std::size_t i = 0; i < work.lists[g].close_nodes.size(); ++i)
        add_close_node<P, D>(close, work.lists[g].close_nodes.data()[i]);
    std::size_t from = 0;
    for (; from + together * lanes <= n; from += together * lanes)
        evaluate_vectors<P, D, together>(arrays, at, close, from, n - from, g, precise_nodes, care, stride, work);
    for (; from < n; from += lanes)
        evaluate_vectors<P, D, 1>(arrays, at, close, from, n - from, g, precise_nodes, care, stride, work);
    return needed_far_radius<D>(tree, targets, frame, series, error_of_whole, n, g, stride, work);
}

template <int P, int D>
void walk(const TreeView& tree, const WalkTargets& targets, std::size_t first, int groups, BatchWorkspace& work,
          InteractionCounts& counts) {
    const std::size_t size = static_cast<std::size_t>(targets.group_size);
    const Group* const batch = targets.groups + first;
    const std::size_t begin = batch->begin, end = batch[groups - 1].begin + batch[groups - 1].count;
    BatchFrame frame = make_frame(targets, first, groups);

    float scale = std::numeric_limits<float>::max();
    for (int g = 0; g < groups; ++g) scale = std::min(scale, batch[g].scale);
    const bool wide = frame.radius > widest_single_precision * scale;
    const Care softened = targets.softening_kernel == SofteningKernel::plummer ? Care::plummer : Care::spline;
    const Care care = targets.softened ? softened : targets.points || wide ? Care::close : Care::none;
    const TargetArrays arrays = load_targets(targets, frame, begin, end, work);
    const std::size_t stride = size + 2 * batch_groups;
    SeriesError<double> error_of_whole;
    const auto gather = [&](std::uint32_t chosen, bool whole) {
        collect(tree, targets, frame, P, chosen, whole, care, work);
        error_of_whole = error_about_centre(frame, work);
        counts.far += work.whole_nodes.size();
        for (std::size_t i = 0; i < work.far_nodes.size(); ++i)
            counts.far += static_cast<std::uint64_t>(std::popcount(work.far_nodes.data()[i].groups));
    };
    // Whether the sums of group g are good; if not, its far radius is longer now.
    const auto evaluate = [&](int g, bool precise_nodes) {
        const std::size_t at = batch[g].begin - begin, n = batch[g].count;
        const float radius = evaluate_group<P, D>(tree, targets, frame, arrays, begin, at, n, g, precise_nodes, care, stride,
                                                  error_of_whole, work);
        finish_group<D>(targets, begin + at, n, g, stride, radius == 0.0f, work, counts);
        if (radius > 0.0f) frame.far_radius[g] = radius;
        return radius == 0.0f;
    };

    gather((1u << groups) - 1u, groups > 1);
    const bool precise_nodes = frame.radius > widest_single_precision * static_cast<double>(work.smallest_open_radius);
    std::uint32_t again = 0;
    for (int g = 0; g < groups; ++g)
        if ((targets.active == nullptr || targets.active[first + static_cast<std::size_t>(g)] != 0) &&
            !evaluate(g, precise_nodes))
            again |= 1u << g;
    // Each alone, so that its sums do not depend on who else is walked for again.
    for (; again != 0; again &= again - 1) {
        const int g = std::countr_zero(again);
        do gather(1u << g, false);
        while (!evaluate(g, true));
    }
}

void walk_any(const TreeView& tree, const WalkTargets& targets, int order, std::size_t first, int groups, BatchWorkspace& work,
              InteractionCounts& counts) {
    with_order(order, [&](auto p) { walk<decltype(p)::value, GRAVLET_DERIVATIVES>(tree, targets, first, groups, work, counts); });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace gravlet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gravlet {

HWY_EXPORT(walk_any);

template <int D>
void walk_batch(const TreeView& tree, const WalkTargets& targets, int order, std::size_t first, int groups,
                BatchWorkspace& workspace, InteractionCounts& counts) {
    HWY_DYNAMIC_DISPATCH(walk_any)(tree, targets, order, first, groups, workspace, counts);
}
template void walk_batch<GRAVLET_DERIVATIVES>(const TreeView&, const WalkTargets&, int, std::size_t, int, BatchWorkspace&,
                                              InteractionCounts&);

}  // namespace gravlet
#endif
