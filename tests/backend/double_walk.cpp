// SPDX-License-Identifier: Apache-2.0
#include "tests/backend/double_walk.hpp"

#include "physics/acceptance.hpp"
#include "physics/close_pair.hpp"
#include "physics/multipole.hpp"
#include "physics/order.hpp"
#include "physics/series_error.hpp"
#include "physics/walk_rules.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gravlet::test {
namespace {

/// Whom a node may act on, decided for a group and its frame.
struct Decisions {
    Bounds box;
    Vector3 centre;
    double far_radius, gap, frame_radius, softening, open_lengths, far_lengths, rounding = 1e-6;
    float factor, extents;
    bool doubtful = false;

    Decisions(const Group& group, const Bounds& frame, const WalkTargets& t, const Rules& rules) : box(group.box) {
        frame_radius = 0.5 * longest_side(frame);
        centre = {0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y), 0.5 * (box.lower.z + box.upper.z)};
        far_radius = std::max({gravlet::far_radius(t, group), frame_radius * rules.far, static_cast<double>(nearest_far_node)});
        softening = group.softening;
        factor = group.factor, extents = t.extents;
        open_lengths = open_margin(t.softening_kernel), far_lengths = t.far_margin;
        gap = longest_side(box) * rules.gap;
    }

    /// Positions are rounded to the frame, boxes grow a little, and distances are rounded.
    bool farther(double distance, double radius) {
        if (std::abs(distance - radius) <= rounding * radius + 3e-6 * frame_radius) doubtful = true;
        return distance > radius;
    }
    /// For another walk, if the backend makes one, with a far radius that is known as well as its sums are.
    void lengthen(double radius) {
        far_radius = radius;
        rounding = 1e-4;
    }
    [[nodiscard]] double reach() const {
        const double slack = 1e-6 * frame_radius;
        return std::hypot(0.5 * (box.upper.x - box.lower.x) + slack, 0.5 * (box.upper.y - box.lower.y) + slack,
                          0.5 * (box.upper.z - box.lower.z) + slack);
    }
    bool far(const Node& node, const Vector3& shift) {
        return farther(std::hypot(node.x + shift.x - centre.x, node.y + shift.y - centre.y, node.z + shift.z - centre.z),
                       open_distance(node, factor, extents) + std::max(far_radius, far_lengths * longer_softening(node)));
    }
    bool accepted(const Node& node, const Vector3& shift) {
        return farther(std::sqrt(distance_squared(box, node.x + shift.x, node.y + shift.y, node.z + shift.z, {})),
                       std::max<double>(open_distance(node, factor, extents) + open_lengths * longer_softening(node), gap));
    }
    [[nodiscard]] double longer_softening(const Node& node) const { return std::max<double>(softening, node.most_softening); }
};

/// A node or source of an image of the tree.
struct Entry {
    std::uint32_t index, image;
};

struct Lists {
    std::vector<Entry> far, nodes, sources;
};

std::vector<Entry> roots(const TreeView& tree, const HostTargets& targets) {
    std::vector<Entry> entries;
    for (std::uint32_t image = 0; image < targets.images.size(); ++image) entries.push_back({tree.root, image});
    return entries;
}

Lists collect(const TreeView& tree, const HostTargets& targets, const Group& group, Decisions& decisions, int order,
              std::vector<Entry> stack) {
    const BoxPieces& pieces = targets.backend_targets.pieces;
    Lists lists;
    while (!stack.empty()) {
        const Entry entry = stack.back();
        const Node& node = tree.nodes[entry.index];
        const Vector3& shift = targets.images[entry.image];
        stack.pop_back();
        if (pieces.side > 0.0 && !is_walked(pieces, node, piece_of(pieces, group), shift)) continue;
        if (decisions.far(node, shift)) {
            lists.far.push_back(entry);
        } else if (node.count == 0 || ((node.leaf == 0 || node.count > cheap_leaf(order)) && decisions.accepted(node, shift))) {
            lists.nodes.push_back(entry);
        } else {
            auto& list = node.leaf != 0 ? lists.sources : stack;
            for (std::uint32_t k = node.first; k < node.first + node.count; ++k) list.push_back({k, entry.image});
        }
    }
    return lists;
}

/// A set of groups: what is far from all of it, and where its groups begin.
struct Set {
    Decisions decisions;  ///< as a group of all its targets would
    float least_factor;
    Bounds inner;
    std::vector<Entry> far, entries;
    double series[local_count] = {};
    SeriesError<double> error;
    bool begun = false;

    Set(const HostTargets& targets, std::size_t first, std::size_t last, const Rules& rules)
        : decisions(targets.groups[first], targets.groups[first].box, targets.backend_targets, rules),
          least_factor(targets.groups[first].factor),
          inner(targets.groups[first].box) {
        double sides = 0.0;
        for (std::size_t g = first; g < last; ++g) {
            const Group& group = targets.groups[g];
            const Bounds& b = group.box;
            decisions.box = united(decisions.box, b);
            decisions.softening = std::max<double>(decisions.softening, group.softening);
            decisions.factor = std::max(decisions.factor, group.factor);
            least_factor = std::min(least_factor, group.factor);
            sides = std::max(sides, far_sides(targets.backend_targets, group));
            inner = {
                {std::max(inner.lower.x, b.lower.x), std::max(inner.lower.y, b.lower.y), std::max(inner.lower.z, b.lower.z)},
                {std::min(inner.upper.x, b.upper.x), std::min(inner.upper.y, b.upper.y), std::min(inner.upper.z, b.upper.z)}};
        }
        const Bounds& b = decisions.box;
        decisions.centre = {0.5 * (b.lower.x + b.upper.x), 0.5 * (b.lower.y + b.upper.y), 0.5 * (b.lower.z + b.upper.z)};
        decisions.frame_radius = 0.5 * longest_side(b);
        decisions.far_radius = std::max<double>(longest_side(b) * sides, nearest_far_node);
    }

    /// Whether none of its groups could do anything but open the node.
    bool opened(const Node& node, const Vector3& shift) {
        if (node.leaf != 0 || node.count == 0) return false;
        const auto beyond = [](double position, double centre, double lower, double upper) {
            return std::max(std::abs(position - centre) - std::min(upper - centre, centre - lower), 0.0);
        };
        const Vector3& c = decisions.centre;
        const double distance = std::hypot(beyond(node.x + shift.x, c.x, inner.lower.x, inner.upper.x),
                                           beyond(node.y + shift.y, c.y, inner.lower.y, inner.upper.y),
                                           beyond(node.z + shift.z, c.z, inner.lower.z, inner.upper.z));
        return !decisions.farther(distance, open_distance(node, least_factor, decisions.extents));
    }

    void collect(const TreeView& tree, const HostTargets& targets, std::size_t first, std::size_t last, const Rules& rules) {
        const BoxPieces& pieces = targets.backend_targets.pieces;
        const auto piece = [&](std::size_t g) { return pieces.side > 0.0 ? piece_of(pieces, targets.groups[g]) : Vector3{}; };
        const Vector3 own = piece(first);
        for (std::size_t g = first; g < last; ++g)
            if (const Vector3 other = piece(g); other.x != own.x || other.y != own.y || other.z != own.z) return;
        std::vector<Entry> stack = roots(tree, targets);
        while (!stack.empty()) {
            const Entry entry = stack.back();
            const Node& node = tree.nodes[entry.index];
            const Vector3& shift = targets.images[entry.image];
            stack.pop_back();
            if (pieces.side > 0.0 && !is_walked(pieces, node, own, shift)) continue;
            if (decisions.far(node, shift)) {
                far.push_back(entry);
            } else if (opened(node, shift)) {
                for (std::uint32_t k = node.first; k < node.first + node.count; ++k) stack.push_back({k, entry.image});
            } else {
                entries.push_back(entry);
            }
        }
        begun = entries.size() <= rules.set_entries;
    }
};

/// The arithmetic, with the formulas of solver/.
template <int P>
class Evaluation {
public:
    Evaluation(const TreeView& tree, const HostTargets& targets, const Vector3& centre, const Lists& lists)
        : tree_(tree), targets_(targets), centre_(centre), lists_(lists) {
        for (const Entry& entry : lists.far) add_far(entry);
        complete_traces(local_, 0.0);
    }

    [[nodiscard]] Jet<double, 1> at(std::size_t i) const {
        const Source& t = targets_.bodies[i];
        Jet<double, 1> sums = evaluate_polynomial<local_order, 0, 1>(
            t.x - centre_.x, t.y - centre_.y, t.z - centre_.z,
            [&](auto k) { return local_[local_index(k.a, k.b, k.c)] / multipole::factorials(k.a, k.b, k.c); });
        for (const Entry& entry : lists_.nodes) {
            const float* const moments = tree_.moments + entry.index * std::size_t{moment_count(P)};
            add_node_pair<P>(sums, t, tree_.nodes[entry.index], moments, targets_.images[entry.image], kernel());
        }
        for (const Entry& entry : lists_.sources) {
            const std::uint32_t s = entry.index;
            const bool self = target_of(tree_, s, static_cast<int>(entry.image)) == i;
            if (!self) add_pair(sums, t, tree_.sources[s], targets_.images[entry.image], kernel());
        }
        return sums;
    }

    [[nodiscard]] const double (&series() const)[local_count] { return local_; }

    /// One about another centre.
    void add_series(const double (&other)[local_count], const Vector3& from) {
        double shifted[local_count];
        std::copy_n(other, local_count, shifted);
        shift_series(shifted, {centre_.x - from.x, centre_.y - from.y, centre_.z - from.z});
        for (int i = 0; i < local_count; ++i) local_[i] += shifted[i];
    }

private:
    [[nodiscard]] SofteningKernel kernel() const { return targets_.backend_targets.softening_kernel; }

    void add_far(const Entry& entry) {
        const Node& node = tree_.nodes[entry.index];
        const Vector3& shift = targets_.images[entry.image];
        const double x = centre_.x - node.x - shift.x, y = centre_.y - node.y - shift.y, z = centre_.z - node.z - shift.z,
                     l = node.size, mass = node.mass;
        double derivative[local_count];
        const auto number = [](double v) { return v; };
        derivatives(x, y, z, 1.0 / std::sqrt(x * x + y * y + z * z), number, derivative);
        add_to_local<P>(local_, derivative, mass, [&](auto m) {
            constexpr int i = decltype(m)::value;
            return moment(entry.index, i) * std::pow(-l, moment_degree(i)) / multipole::odd_factorial(moment_degree(i));
        });
    }

    [[nodiscard]] double moment(node_index node, int i) const {
        return tree_.moments[node * std::size_t{moment_count(P)} + static_cast<std::size_t>(i)];
    }

    const TreeView& tree_;
    const HostTargets& targets_;
    Vector3 centre_;
    const Lists& lists_;
    double local_[local_count] = {};
};

class Walk {
public:
    Walk(const TreeView& tree, const HostTargets& targets, int order, const Rules& rules)
        : tree_(tree), targets_(targets), order_(order), rules_(rules) {
        const std::size_t n = targets.bodies.size();
        out = {std::vector<double>(n), std::vector<Vector3>(n), std::vector<bool>(n), {}, 0};
    }

    /// `set`: the group's, or null.
    void group(const Group& group, const Bounds& frame, const Set* set) {
        const WalkTargets& t = targets_.backend_targets;
        Decisions decisions(group, frame, t, rules_);
        if (set != nullptr && set->decisions.doubtful) decisions.doubtful = true;
        if (set != nullptr && !set->begun) set = nullptr;
        for (bool good = false; !good; set = nullptr) {
            const Lists lists =
                collect(tree_, targets_, group, decisions, order_, set != nullptr ? set->entries : roots(tree_, targets_));
            const std::size_t length = lists.nodes.size() + lists.sources.size();
            if (static_cast<double>(length) > rules_.longest_lists / (t.theta * t.theta * t.theta) && group.count > 1)
                return given_up_.push_back(group);
            out.counts.node += group.count * lists.nodes.size();
            out.counts.cell += group.count * lists.sources.size();
            out.counts.far += lists.far.size();
            with_order(order_, [&](auto p) {
                Evaluation<decltype(p)::value> evaluation(tree_, targets_, decisions.centre, lists);
                if (set != nullptr) evaluation.add_series(set->series, set->decisions.centre);
                for (std::size_t i = group.begin; i < group.begin + group.count; ++i) {
                    const Jet<double, 1> sums = evaluation.at(i);
                    out.potential[i] = sums.term[0];
                    out.field[i] = {sums.term[1], sums.term[2], sums.term[3]};
                }
                good = is_good(group, evaluation.series(), set != nullptr ? set->error : SeriesError<double>(), decisions);
            });
        }
        for (std::size_t i = group.begin; i < group.begin + group.count; ++i) out.doubtful[i] = decisions.doubtful;
    }

    /// A set that its groups begin with.
    Set set(std::size_t first, std::size_t last) {
        Set made(targets_, first, last, rules_);
        made.collect(tree_, targets_, first, last, rules_);
        if (!made.begun) return made;
        out.counts.far += made.far.size();
        with_order(order_, [&](auto p) {
            const Lists lists{made.far, {}, {}};
            const Evaluation<decltype(p)::value> evaluation(tree_, targets_, made.decisions.centre, lists);
            std::copy_n(evaluation.series(), local_count, made.series);
        });
        made.error = series_error(made.series, made.decisions.reach(), made.decisions.far_radius);
        return made;
    }

    /// Walks in subgroups for those that were given up.
    void split() {
        const std::uint32_t group_size = static_cast<std::uint32_t>(targets_.backend_targets.group_size);
        out.split_groups = given_up_.size();
        for (std::uint32_t length = group_size; !given_up_.empty();) {
            length = gpu_subgroup(given_up_.size(), length);
            for (const Group& whole : std::exchange(given_up_, {})) split(whole, length);
        }
    }

    DoubleSums out;

private:
    /// Whether the group's series was; if not, its far radius is longer now.
    bool is_good(const Group& group, const double (&series)[local_count], const SeriesError<double>& before,
                 Decisions& decisions) const {
        const WalkTargets& t = targets_.backend_targets;
        SeriesError<double> error = series_error(series, decisions.reach(), decisions.far_radius);
        error.potential += before.potential, error.field += before.field, error.tide += before.tide;
        SeriesScale<double> least;
        for (std::size_t i = group.begin; i < group.begin + group.count; ++i) {
            const Vector3& f = out.field[i];
            const Jet<double, 1> sums{{out.potential[i], f.x, f.y, f.z}};
            const double mass = tree_.nodes[tree_.root].mass;
            if (t.derivatives > 0)
                least.take(sums, mass);
            else
                least.take(Jet<double, 0>{{out.potential[i]}}, mass);
        }
        const double missing = missing_distance<1>(error, least, t.series_limits);
        if (std::abs(missing - 1.0) < 1e-4) decisions.doubtful = true;
        if (!(missing > 1.0)) return true;
        decisions.lengthen(longer_far_radius(decisions.far_radius, error, missing));
        return false;
    }

    void split(const Group& whole, std::uint32_t length) {
        const std::uint32_t end = whole.begin + whole.count;
        for (std::uint32_t begin = whole.begin; begin < end; begin += length) {
            Group subgroup = whole;
            subgroup.begin = begin;
            subgroup.count = std::min(length, end - begin);
            const auto bounds = [&](std::size_t i) {
                const Source& s = targets_.bodies[i];
                return Bounds{{s.x, s.y, s.z}, {s.x, s.y, s.z}};
            };
            subgroup.box = bounds(begin);
            for (std::size_t i = begin; i < begin + subgroup.count; ++i) subgroup.box = united(subgroup.box, bounds(i));
            group(subgroup, subgroup.box, nullptr);
        }
    }

    TreeView tree_;
    const HostTargets& targets_;
    int order_;
    const Rules& rules_;
    std::vector<Group> given_up_;
};

}  // namespace

DoubleSums double_walk(const HostTree& tree, const HostTargets& targets, int order, const Rules& rules) {
    Walk walk(tree.view(), targets, order, rules);
    std::vector<Set> sets;
    const std::size_t groups = tree.nodes.empty() ? 0 : targets.groups.size();
    for (std::size_t first = 0; rules.set_entries > 0 && first < groups; first += rules.set_groups)
        sets.push_back(walk.set(first, std::min(first + rules.set_groups, groups)));
    for (std::size_t first = 0; first < targets.groups.size() && !tree.nodes.empty(); first += rules.frame_groups) {
        const std::size_t last = std::min(first + rules.frame_groups, targets.groups.size());
        Bounds frame = targets.groups[first].box;
        for (std::size_t g = first; g < last; ++g) frame = united(frame, targets.groups[g].box);
        for (std::size_t g = first; g < last; ++g)
            walk.group(targets.groups[g], frame, sets.empty() ? nullptr : &sets[g / rules.set_groups]);
    }
    walk.split();
    return walk.out;
}

}  // namespace gravlet::test
