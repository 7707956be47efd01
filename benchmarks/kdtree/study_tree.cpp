// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/kdtree/study_tree.hpp"

#include "benchmarks/kdtree/kd_tree.hpp"
#include "benchmarks/kdtree/tight.hpp"
#include "physics/order.hpp"
#include "solver/criterion/scales.hpp"
#include "solver/data/walk_targets.hpp"
#include "solver/essential/complete.hpp"
#include "solver/order/sort.hpp"
#include "solver/order/targets.hpp"
#include "solver/tree/moments.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace gravlet::bench {
namespace {

class Clock {
public:
    /// Seconds since the last call, or since it was made.
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

double extent_of(const StudyPoints& points) {
    double longest = 0.0;
    for (const auto* places : {&points.x, &points.y, &points.z}) {
        const auto [low, high] = std::minmax_element(places->begin(), places->end());
        longest = std::max(longest, *high - *low);
    }
    return longest;
}

}  // namespace

const char* to_string(TreeKind kind) {
    switch (kind) {
        case TreeKind::octree: return "octree";
        case TreeKind::tight_octree: return "octree, tight boxes";
        case TreeKind::kdtree: return "kd-tree";
        case TreeKind::kdtree_on_curve: return "kd-tree, targets on the curve";
    }
    return "";
}

StudyTree::StudyTree(const StudyPoints& points, TreeKind kind, int leaf_size, int threads)
    : machine_(threads), exec_(machine_.exec()), bodies_(exec_), tree_(exec_), leaf_size_(static_cast<std::uint32_t>(leaf_size)) {
    const Cpu::Scope scope(exec_);
    frame_.points = true;
    frame_.derivatives = 1;
    frame_.extent = extent_of(points);
    Input input;
    input.points = {points.x, points.y, points.z, points.mass, {}, {}};
    input.point_count = points.size();
    Cpu::Transfer transfer(exec_);
    Input here = transfer.bring_in(input);
    here.caller = &input;
    Options options;
    options.leaf_size = leaf_size;
    Clock clock;
    sort(exec_, here, frame_, options, bodies_);
    sort_seconds_ = clock.lap();
    if (kind == TreeKind::kdtree || kind == TreeKind::kdtree_on_curve) {
        build_kd(kind == TreeKind::kdtree_on_curve);
    } else {
        build_tree(exec_, bodies_.keys_of_sources(), static_cast<std::uint32_t>(bodies_.source_count), leaf_size_, 0,
                   static_cast<float>(frame_.cube.side), false, tree_);
    }
    if (kind != TreeKind::octree) boxes_ = tight_boxes(sources(), tree_);
    build_seconds_ = clock.lap();
}

void StudyTree::build_kd(bool on_curve) {
    const std::size_t n = bodies_.count;
    source_target_ = build_kd_tree({bodies_.bodies.data(), n}, leaf_size_, tree_);
    own_sources_.resize(n);
    for (std::size_t k = 0; k < n; ++k) own_sources_[k] = bodies_.bodies.data()[source_target_[k]];
    if (on_curve) return;
    std::vector<cell_index> order(n);
    for (std::size_t k = 0; k < n; ++k) order[k] = bodies_.order.data()[source_target_[k]];
    std::copy(order.begin(), order.end(), bodies_.order.data());
    std::copy(own_sources_.begin(), own_sources_.end(), bodies_.bodies.data());
    own_sources_.clear(), source_target_.clear();
    make_groups(exec_, frame_, bodies_.group_size, bodies_);  // points have no size: b.sizes stays as it is
}

TreeView StudyTree::view() const {
    TreeView view = view_of(bodies_, tree_);
    if (own_sources_.empty()) return view;
    view.sources = own_sources_.data();
    view.source_target = source_target_.data();
    return view;
}

WalkCost StudyTree::walk(Options options) {
    const Cpu::Scope scope(exec_);
    options.leaf_size = static_cast<int>(leaf_size_);
    options = resolved(options, true);
    const Opening opening = opening_of(options, frame_);
    WalkCost cost{};
    Clock clock;
    for (std::size_t i = 0; i < tree_.count(); ++i) tree_.nodes.data()[i].extent = 0;  // not those of an earlier walk
    with_order(options.order, [&](auto p) {
        constexpr int order = decltype(p)::value;
        if (boxes_.empty()) {
            compute_moments(exec_, order, sources(), frame_.cube, opening, tree_);
        } else {
            compute_tight_moments<order>(exec_, sources(), frame_.cube, opening, boxes_, tree_);
        }
    });
    cost.moments_seconds = clock.lap();
    clear_sums(exec_, frame_.derivatives, bodies_);
    for (std::size_t g = 0; g < bodies_.groups.size(); ++g) bodies_.groups.data()[g].factor = 1.0f;  // likewise
    if (is_adaptive(options)) {
        GroupScales<Cpu> scales(exec_);
        scales.prepare(1, {});
        scales.set(view(), period_of(frame_), opening, bodies_.groups.data(), bodies_.groups.size());
    }
    CpuWalk walk(exec_);
    cost.counts = walk.run(view(), walk_targets(bodies_, frame_, options), options.order, [] {});
    cost.walk_seconds = clock.lap();
    return cost;
}

std::vector<Vector3> StudyTree::accelerations() const {
    std::vector<Vector3> out(bodies_.count);
    for (std::size_t i = 0; i < bodies_.count; ++i)
        out[bodies_.order.data()[i]] = {bodies_.sums[1].data()[i], bodies_.sums[2].data()[i], bodies_.sums[3].data()[i]};
    return out;
}

std::vector<Vector3> direct_accelerations(const StudyPoints& points, const std::vector<std::size_t>& sample, int threads) {
    std::vector<Vector3> out(sample.size());
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::size_t k = 0; k < sample.size(); ++k) {
        const std::size_t i = sample[k];
        double ax = 0.0, ay = 0.0, az = 0.0;
        for (std::size_t j = 0; j < points.size(); ++j) {
            const double dx = points.x[j] - points.x[i], dy = points.y[j] - points.y[i], dz = points.z[j] - points.z[i];
            const double r2 = dx * dx + dy * dy + dz * dz, pull = r2 > 0.0 ? points.mass[j] / (r2 * std::sqrt(r2)) : 0.0;
            ax += pull * dx, ay += pull * dy, az += pull * dz;
        }
        out[k] = {ax, ay, az};
    }
    return out;
}

}  // namespace gravlet::bench
