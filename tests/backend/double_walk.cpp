// SPDX-License-Identifier: Apache-2.0
#include "tests/backend/double_walk.hpp"

#include "solver/acceptance.hpp"
#include "solver/moments.hpp"
#include "solver/multipole.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet::test {
namespace {

double side_of(const Bounds& box) {
    return std::max({box.upper.x - box.lower.x, box.upper.y - box.lower.y, box.upper.z - box.lower.z});
}

struct Decisions {
    Bounds box;
    Point3 centre;
    double far_radius, gap, frame_radius;
    bool doubtful = false;

    Decisions(const HostTargets& targets, std::size_t group, const Rules& rules) : box(targets.groups[group].box) {
        const std::size_t first = group / rules.frame_groups * rules.frame_groups;
        const std::size_t last = std::min(first + rules.frame_groups, targets.groups.size());
        Bounds frame = targets.groups[first].box;
        for (std::size_t g = first; g < last; ++g) frame = united(frame, targets.groups[g].box);
        frame_radius = 0.5 * side_of(frame);
        centre = {0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y), 0.5 * (box.lower.z + box.upper.z)};
        const WalkTargets& t = targets.backend_targets;
        far_radius = std::max({side_of(box) * t.far_sides, frame_radius * rules.far, 1000.0 * t.softening});
        gap = side_of(box) * rules.gap;
    }

    /// Positions are rounded to the frame, boxes grow a little, and distances are rounded.
    bool farther(double distance, double radius) {
        if (std::abs(distance - radius) <= 1e-6 * radius + 3e-6 * frame_radius) doubtful = true;
        return distance > radius;
    }
    bool far(const Node& node) {
        return farther(std::hypot(node.x - centre.x, node.y - centre.y, node.z - centre.z), node.open_radius + far_radius);
    }
    bool accepted(const Node& node) {
        return farther(std::sqrt(distance_squared(box, node.x, node.y, node.z)), std::max<double>(node.open_radius, gap));
    }
};

template <int P>
class GroupWalk {
public:
    GroupWalk(const TreeView& tree, const HostTargets& targets, std::size_t begin, std::size_t end, DoubleSums& out)
        : tree_(tree), targets_(targets), begin_(begin), end_(end), out_(out) {}

    void run(Decisions decisions) {
        constexpr std::uint32_t cheap_leaf = P < 2 ? 1 : P < 4 ? 2 : 4;
        std::vector<node_index> stack = {tree_.root};
        while (!stack.empty()) {
            const node_index index = stack.back();
            const Node& node = tree_.nodes[index];
            stack.pop_back();
            if (decisions.far(node)) {
                add_far(index, decisions.centre);
            } else if (node.count == 0 || ((node.leaf == 0 || node.count > cheap_leaf) && decisions.accepted(node))) {
                for (std::size_t i = begin_; i < end_; ++i) add_node_to(i, index);
            } else {
                for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
                    if (node.leaf == 0) stack.push_back(k);
                    for (std::size_t i = begin_; i < end_ && node.leaf != 0; ++i) add_source_to(i, k);
                }
            }
        }
        evaluate_local(decisions.centre);
        for (std::size_t i = begin_; i < end_; ++i) out_.doubtful[i] = decisions.doubtful;
    }

private:
    void add(std::size_t i, const Sums<double>& sums) {
        out_.potential[i] += sums.potential;
        out_.field[i] = {out_.field[i].x + sums.x, out_.field[i].y + sums.y, out_.field[i].z + sums.z};
    }

    void add_source_to(std::size_t i, std::size_t s) {
        const Source &t = targets_.bodies[i], &source = tree_.sources[s];
        ++out_.counts.cell;
        if (!tree_.remote && (tree_.source_target != nullptr ? tree_.source_target[s] : s) == i) return;
        const double x = t.x - source.x, y = t.y - source.y, z = t.z - source.z;
        const double r = std::sqrt(x * x + y * y + z * z + std::max(t.softening2, source.softening2));
        Sums<double> sums{};
        add_node<0, true>(sums, x, y, z, 1.0 / r, static_cast<double>(source.mass), 1.0, 1.0, 5.0, 0);
        add(i, sums);
    }

    void add_node_to(std::size_t i, node_index index) {
        const Source& t = targets_.bodies[i];
        const Node& node = tree_.nodes[index];
        ++out_.counts.node;
        const double x = t.x - node.x, y = t.y - node.y, z = t.z - node.z;
        const double r = std::sqrt(x * x + y * y + z * z + std::max(t.softening2, node.softening2));
        Sums<double> sums{};
        add_node<P, true>(sums, x, y, z, 1.0 / r, static_cast<double>(node.mass), static_cast<double>(node.size), 1.0, 5.0,
                          [&](auto c) { return moment(index, moment_index(c.a, c.b, c.c)); });
        add(i, sums);
    }

    void add_far(node_index index, const Point3& centre) {
        const Node& node = tree_.nodes[index];
        ++out_.counts.far;
        const double x = centre.x - node.x, y = centre.y - node.y, z = centre.z - node.z, l = node.size;
        double derivative[local_count];
        derivatives(
            x, y, z, 1.0 / std::sqrt(x * x + y * y + z * z), [](double v) { return v; }, derivative);
        add_to_local<P>(local_, derivative, static_cast<double>(node.mass), [&](auto m) {
            constexpr int i = decltype(m)::value;
            constexpr int n = i < moment_count(2) ? 2 : i < moment_count(3) ? 3 : 4;
            constexpr double odd_factorial[] = {3.0, -15.0, 105.0};
            return moment(index, i) * std::pow(l, n) / odd_factorial[n - 2];
        });
    }

    void evaluate_local(const Point3& centre) {
        complete_traces(local_, 0.0);
        for (std::size_t i = begin_; i < end_; ++i) {
            const Source& t = targets_.bodies[i];
            const auto value =
                evaluate_polynomial<local_order, 0, true>(t.x - centre.x, t.y - centre.y, t.z - centre.z, [&](auto k) {
                    constexpr double factorial[] = {1, 1, 2, 6, 24};
                    return local_[local_index(k.a, k.b, k.c)] / (factorial[k.a] * factorial[k.b] * factorial[k.c]);
                });
            add(i, {value.value, value.x, value.y, value.z});
        }
    }

    [[nodiscard]] double moment(node_index node, int i) const {
        return tree_.moments[node * std::size_t{moment_count(P)} + static_cast<std::size_t>(i)];
    }

    const TreeView tree_;
    const HostTargets& targets_;
    std::size_t begin_, end_;
    DoubleSums& out_;
    double local_[local_count] = {};
};

}  // namespace

DoubleSums double_walk(const HostTree& tree, const HostTargets& targets, int order, const Rules& rules) {
    const std::size_t n = targets.bodies.size(), size = static_cast<std::size_t>(targets.backend_targets.group_size);
    DoubleSums out{std::vector<double>(n), std::vector<Point3>(n), std::vector<bool>(n), {}};
    if (tree.nodes.empty()) return out;
    for (std::size_t group = 0; group < targets.groups.size(); ++group) {
        const std::size_t begin = group * size, end = std::min(begin + size, n);
        with_order(order, [&](auto p) {
            GroupWalk<decltype(p)::value>(tree.view(), targets, begin, end, out).run(Decisions(targets, group, rules));
        });
    }
    return out;
}

}  // namespace gravlet::test
