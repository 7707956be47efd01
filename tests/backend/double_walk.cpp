// SPDX-License-Identifier: Apache-2.0
#include "tests/backend/double_walk.hpp"

#include "tests/softened_pair.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gravlet::test {
namespace {

/// Shorter softening lengths are marks of points that have none.
double length_of(const Source& body) { return body.softening > 1e-30f ? body.softening : 0.0; }

/// From a source or node, displaced, to a target.
template <class From>
std::array<double, 3> between(const Source& to, const From& from, const Vector3& shift) {
    const auto along = [](double a, double b, double by) { return static_cast<double>(static_cast<long double>(a) - b - by); };
    return {along(to.x, from.x, shift.x), along(to.y, from.y, shift.y), along(to.z, from.z, shift.z)};
}

double longest(const Bounds& box) {
    return std::max({box.upper.x - box.lower.x, box.upper.y - box.lower.y, box.upper.z - box.lower.z});
}
Vector3 middle(const Bounds& box) {
    return {0.5 * (box.lower.x + box.upper.x), 0.5 * (box.lower.y + box.upper.y), 0.5 * (box.lower.z + box.upper.z)};
}
void extend(Bounds& box, const Vector3& lower, const Vector3& upper) {
    box.lower = {std::min(box.lower.x, lower.x), std::min(box.lower.y, lower.y), std::min(box.lower.z, lower.z)};
    box.upper = {std::max(box.upper.x, upper.x), std::max(box.upper.y, upper.y), std::max(box.upper.z, upper.z)};
}
double distance(const Bounds& box, const Vector3& at) {
    const auto beyond = [](double x, double lower, double upper) { return std::max({lower - x, x - upper, 0.0}); };
    return std::hypot(beyond(at.x, box.lower.x, box.upper.x), beyond(at.y, box.lower.y, box.upper.y),
                      beyond(at.z, box.lower.z, box.upper.z));
}

/// What a node does, from the bodies below it.
struct Contents {
    MassSeries<4> series{};                                           ///< about its centre of mass
    double longest = 0.0;                                             ///< softening length
    double least2 = INFINITY, most2 = 0.0, mean2 = 0.0, curve = 0.0;  ///< of its softening^2: see softening2()

    Contents(const Node& node, const std::vector<const Source*>& bodies) {
        for (const Source* body : bodies) {
            const std::array<double, 3> s = between(*body, node, {});
            add_mass<4>(series, body->mass, s[0], s[1], s[2]);
            const double length = length_of(*body);
            longest = std::max(longest, length);
            least2 = std::min(least2, length * length);
            most2 = std::max(most2, length * length);
            mean2 += body->mass * length * length;
        }
        mean2 /= series[0];
        if (!(most2 > least2)) return;
        double area = 0.0;  // of the mean of the larger of the two, from least2 to most2
        for (const Source* body : bodies) {
            const double own = length_of(*body) * length_of(*body);
            area += body->mass / series[0] * (own * (own - least2) + 0.5 * (most2 * most2 - own * own));
        }
        curve = 6.0 * (0.5 * (mean2 + most2) * (most2 - least2) - area) / std::pow(most2 - least2, 3);
    }

    /// Of its pairs with a target that has target2: the mean over its sources of the larger of the two, for more than two lengths
    /// the parabola with the same ends and the same area.
    [[nodiscard]] double softening2(double target2) const {
        if (target2 >= most2) return target2;
        if (target2 <= least2) return mean2;
        const double line = mean2 + (target2 - least2) * (most2 - mean2) / (most2 - least2);
        return std::max({line - curve * (target2 - least2) * (most2 - target2), target2, mean2});
    }
};

/// Adds a function of r^2 with these derivatives, times a sum with its derivatives.
template <int D>
void add_product(Sums& to, const std::array<double, 3>& r, const std::array<double, 3>& f, const Sums& of) {
    to[0] += f[0] * of[0];
    for (std::size_t i = 0, at = 4; i < 3 && D > 0; ++i) {
        to[1 + i] += f[0] * of[1 + i] + 2.0 * r[i] * f[1] * of[0];
        for (std::size_t j = i; j < 3 && D > 1; ++j, ++at)
            to[at] += f[0] * of[at] + 2.0 * f[1] * (r[i] * of[1 + j] + r[j] * of[1 + i]) +
                      ((i == j ? 2.0 * f[1] : 0.0) + 4.0 * r[i] * r[j] * f[2]) * of[0];
    }
}

/// A node's multipoles are those of 1/r with r^2 + softening^2 in place of r^2, and with what the trace of the second moments
/// does, which to 1/r itself is nothing.
template <int P, int D>
void add_node(Sums& sums, const Contents& node, const std::array<double, 3>& r, double softening2) {
    MassSeries<P> series;
    std::copy_n(node.series.begin(), series.size(), series.begin());
    const std::array<Sums, P + 1> field = field_by_degree<P, D>(series, r[0], r[1], r[2]);
    const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], q2 = r2 + softening2;
    for (std::size_t n = 0; n <= P; ++n) {
        if (n == 1) continue;  // about the centre of mass there is none
        if (softening2 == 0.0) {
            for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += field[n][k];
            continue;
        }
        const double power = static_cast<double>(n) + 0.5, part = softening2 / (r2 * q2), f = std::pow(r2 / q2, power);
        add_product<D>(sums, r, {f, power * f * part, power * f * part * (power * part - 1.0 / r2 - 1.0 / q2)}, field[n]);
    }
    if (softening2 == 0.0) return;
    const double trace =
        node.series[powers.of({2, 0, 0})] + node.series[powers.of({0, 2, 0})] + node.series[powers.of({0, 0, 2})];
    const double h = -0.5 * trace * softening2 / (q2 * q2 * std::sqrt(q2)), slope = -2.5 * h / q2;
    add_product<D>(sums, r, {h, slope, -3.5 * slope / q2}, {1.0});
}

template <int D>
void add_pair(Sums& sums, const Source& target, const Source& source, const Vector3& shift, SofteningKernel kernel) {
    const std::array<double, 3> r = between(target, source, shift);
    const double r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], softening = std::max(length_of(target), length_of(source)),
                 mass = source.mass;
    if (r2 == 0.0) {
        if (softening > 0.0) sums[0] += mass / softening;
        return;
    }
    const SoftenedPair<double> law = softened_pair(r2, softening, kernel);
    sums[0] += mass * law.potential;
    for (std::size_t i = 0, at = 4; i < 3 && D > 0; ++i) {
        sums[1 + i] -= mass * law.field * r[i];
        for (std::size_t j = i; j < 3 && D > 1; ++j, ++at)
            sums[at] += mass * (law.tide * r[i] * r[j] - (i == j ? law.field : 0.0));
    }
}

/// A node or source of an image of the tree.
struct Entry {
    std::uint32_t index, image;
};

struct Lists {
    std::vector<Entry> far, nodes, sources;
};

/// What is known of the series of all that is far from a group: how much it may err by.
struct Rest {
    double potential = 0.0, field = 0.0, tide = 0.0;
    double from = 0.0;  ///< as if all of it came from there

    Rest() = default;
    /// As that of one mass at the distance that degrees 3 and 4 tell: each degree is so many times the last one. No node in the
    /// series is nearer than `nearest`, no target farther from its centre than s.
    Rest(const Polynomial<4>& series, double s, double nearest) {
        if (!(series[0] > 0.0)) return;
        const double third = share_of_degree<4>(series, 3, s), fourth = share_of_degree<4>(series, 4, s);
        if (!(fourth > 0.0)) return;
        const double ratio = std::min(third > 0.0 ? fourth / third : INFINITY, s / nearest);
        double term = series[0] * fourth;
        for (int n = 5; n < 2000 && term > 0.0; ++n) {
            term *= ratio;
            potential += term;
            field += n * term / s;
            tide += n * (n - 1.0) * term / (s * s);
        }
        from = s / ratio;
    }
    void add(const Rest& other) { potential += other.potential, field += other.field, tide += other.tide; }
};

class Walk {
public:
    Walk(const HostTree& tree, const HostTargets& targets, int order, const Rules& rules, const std::vector<Source>& elsewhere)
        : tree_(tree.view()),
          targets_(targets),
          there_(targets.backend_targets),
          order_(order),
          rules_(rules),
          elsewhere_(elsewhere),
          node_error_(std::pow(0.5 * there_.theta, order + 1)) {
        out.of.resize(targets.bodies.size());
        out.doubtful.resize(targets.bodies.size());
        // Of a node that all accept the own sources are not here.
        contents_.resize(tree_.node_count, Contents({}, {}));
        take_in(tree_.root);
    }

    /// `frame`: that of the group's precision. `set`: the group's, or null.
    struct Set;
    void group(const Group& group, const Bounds& frame, const Set* set);
    Set set(std::size_t first, std::size_t last);

    /// Walks in subgroups for those that were given up.
    void split() {
        out.split_groups = given_up_.size();
        for (std::uint32_t length = static_cast<std::uint32_t>(there_.group_size); !given_up_.empty();) {
            length = rules_.subgroup(given_up_.size(), length);
            for (const Group& whole : std::exchange(given_up_, {})) {
                const std::uint32_t end = whole.begin + whole.count;
                for (std::uint32_t begin = whole.begin; begin < end; begin += length) {
                    Group part = whole;
                    part.begin = begin;
                    part.count = std::min(length, end - begin);
                    group(part, box_of(part), nullptr);
                }
            }
        }
    }

    [[nodiscard]] Bounds box_of(const Group& group) const {
        const Source& first = targets_.bodies[group.begin];
        Bounds box{{first.x, first.y, first.z}, {first.x, first.y, first.z}};
        for (std::size_t i = group.begin; i < group.begin + group.count; ++i) {
            const Source& body = targets_.bodies[i];
            extend(box, {body.x, body.y, body.z}, {body.x, body.y, body.z});
        }
        return box;
    }
    [[nodiscard]] double longest_softening(const Group& group) const {
        double most = 0.0;
        for (std::size_t i = group.begin; i < group.begin + group.count; ++i)
            most = std::max(most, length_of(targets_.bodies[i]));
        return most;
    }

    DoubleSums out;

private:
    /// Whom a node may act on, decided for a group, or a set of groups.
    struct Decisions {
        Bounds box;
        Vector3 centre;
        double softening, factor, far_radius, gap, frame_radius, rounding = 1e-6;
        bool doubtful = false;

        /// Positions are rounded to the frame, boxes grow a little, and distances are rounded.
        bool farther(double distance, double radius) {
            if (std::abs(distance - radius) <= rounding * radius + 3e-6 * frame_radius) doubtful = true;
            return distance > radius;
        }
        /// Half of the box's diagonal, as rounded.
        [[nodiscard]] double reach() const {
            const double slack = 1e-6 * frame_radius;
            return std::hypot(0.5 * (box.upper.x - box.lower.x) + slack, 0.5 * (box.upper.y - box.lower.y) + slack,
                              0.5 * (box.upper.z - box.lower.z) + slack);
        }
    };

    /// Finds what is below a node, and what it so does.
    std::vector<const Source*> take_in(node_index i) {
        const Node& node = tree_.nodes[i];
        std::vector<const Source*> bodies;
        if (node.count == 0) {  // what lies in its cube: of side 2^-n, and the root cube's corner is 0
            const auto cube = [&](double x) { return std::floor(x / node.size); };
            for (const Source& s : elsewhere_)
                if (cube(s.x) == cube(node.x) && cube(s.y) == cube(node.y) && cube(s.z) == cube(node.z)) bodies.push_back(&s);
        }
        for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
            if (node.leaf != 0) {
                bodies.push_back(&tree_.sources[k]);
                continue;
            }
            const std::vector<const Source*> child = take_in(k);
            bodies.insert(bodies.end(), child.begin(), child.end());
        }
        contents_[i] = Contents(node, bodies);
        return bodies;
    }

    [[nodiscard]] std::vector<Entry> roots() const {
        std::vector<Entry> entries;
        for (std::uint32_t image = 0; image < targets_.images.size(); ++image) entries.push_back({tree_.root, image});
        return entries;
    }

    /// How near a node may be to act on such targets, but for softening.
    [[nodiscard]] double open_distance(const Node& node, double factor) const {
        if (!(there_.extents > 0.0f)) return node.open_radius;
        return node.open_radius * factor + node.extent * 0x1p-13 * node.size;
    }
    /// How far nodes at least are that are far: so many sides of the group that their series errs as nodes do at their radius.
    [[nodiscard]] double far_sides(const Group& group) const {
        const double sides = std::pow(2.0 / there_.theta, (order_ + 1.0) / (5.0 - there_.derivatives));
        const double dense = 4.0 * group.scale, side = longest(box_of(group));  // of 64 cells side by side
        return !there_.points && side > dense ? sides * std::pow(side / dense, 0.4) : sides;
    }
    [[nodiscard]] bool far(Decisions& decisions, node_index i, const Vector3& shift) const {
        const Node& node = tree_.nodes[i];
        const bool plummer = there_.softening_kernel == SofteningKernel::plummer;
        // softening^2/2R^2 of a potential is a quarter of what the series may err by
        const double lengths = plummer ? std::sqrt(2.0 / (1e-3 * node_error_)) : 2.8;
        const Vector3& c = decisions.centre;
        return decisions.farther(
            std::hypot(node.x + shift.x - c.x, node.y + shift.y - c.y, node.z + shift.z - c.z),
            open_distance(node, decisions.factor) +
                std::max(decisions.far_radius, lengths * std::max(decisions.softening, contents_[i].longest)));
    }
    [[nodiscard]] bool accepted(Decisions& decisions, node_index i, const Vector3& shift) const {
        const Node& node = tree_.nodes[i];
        const double lengths = there_.softening_kernel == SofteningKernel::plummer ? 4.0 : 2.8;
        return decisions.farther(
            distance(decisions.box, {node.x + shift.x, node.y + shift.y, node.z + shift.z}),
            std::max(open_distance(node, decisions.factor) + lengths * std::max(decisions.softening, contents_[i].longest),
                     decisions.gap));
    }
    /// A leaf of so few is cheaper than its node.
    [[nodiscard]] bool is_cheap(const Node& node) const {
        return node.leaf != 0 && node.count <= (order_ < 2 ? 1u : order_ < 4 ? 2u : 4u);
    }

    /// The piece of a periodic box that a coordinate is in.
    [[nodiscard]] double piece(std::size_t d, double at) const {
        return std::clamp(std::floor(at / there_.pieces.side), 0.0, there_.pieces.count[d] - 1.0);
    }
    /// Whether an image of the node, or of a piece in it, is less than two pieces from the targets' own.
    [[nodiscard]] bool is_walked(const Node& node, const Vector3& target, const Vector3& shift) const {
        const double side = there_.pieces.side;
        const double in_row = std::max(1.0, std::round(node.size / side));
        const auto near = [&](std::size_t d, double at, double target_at, double by) {
            const double first = std::floor(piece(d, at) / in_row) * in_row;
            for (double p = first; p < first + in_row; p += 1.0)
                if (std::abs(p + by / side - piece(d, target_at)) < 1.999) return true;
            return false;
        };
        return side == 0.0 ||
               (near(0, node.x, target.x, shift.x) && near(1, node.y, target.y, shift.y) && near(2, node.z, target.z, shift.z));
    }

    Lists collect(const Group& group, Decisions& decisions, std::vector<Entry> stack) const {
        const Source& one = targets_.bodies[group.begin];
        Lists lists;
        while (!stack.empty()) {
            const Entry entry = stack.back();
            const Node& node = tree_.nodes[entry.index];
            const Vector3& shift = targets_.images[entry.image];
            stack.pop_back();
            if (!is_walked(node, {one.x, one.y, one.z}, shift)) continue;
            if (far(decisions, entry.index, shift)) {
                lists.far.push_back(entry);
            } else if (node.count == 0 || (!is_cheap(node) && accepted(decisions, entry.index, shift))) {
                lists.nodes.push_back(entry);
            } else {
                auto& list = node.leaf != 0 ? lists.sources : stack;
                for (std::uint32_t k = node.first; k < node.first + node.count; ++k) list.push_back({k, entry.image});
            }
        }
        return lists;
    }

    [[nodiscard]] Polynomial<4> series_of(const std::vector<Entry>& far, const Vector3& centre) const {
        Polynomial<4> series{};
        for (const Entry& entry : far) {
            const Node& node = tree_.nodes[entry.index];
            const Vector3& shift = targets_.images[entry.image];
            MassSeries<4> masses = contents_[entry.index].series;
            for (const Power& k : {Power{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) masses[powers.of(k)] = 0.0;
            add_far_masses<4>(series, masses, order_, centre.x - node.x - shift.x, centre.y - node.y - shift.y,
                              centre.z - node.z - shift.z);
        }
        return series;
    }

    template <int P, int D>
    [[nodiscard]] Sums sums_at(std::size_t i, const Lists& lists, const Polynomial<4>& series, const Vector3& centre) const {
        const Source& target = targets_.bodies[i];
        const double own = length_of(target) * length_of(target);
        const bool plummer = there_.softening_kernel == SofteningKernel::plummer;
        Sums sums = value_of<4>(series, target.x - centre.x, target.y - centre.y, target.z - centre.z);
        for (const Entry& entry : lists.nodes) {
            const Contents& node = contents_[entry.index];
            add_node<P, D>(sums, node, between(target, tree_.nodes[entry.index], targets_.images[entry.image]),
                           plummer ? node.softening2(own) : 0.0);
        }
        for (const Entry& entry : lists.sources) {
            const std::uint32_t s = entry.index;
            const bool is_own = s < tree_.own_sources && entry.image == 0;
            if (is_own && (tree_.source_target != nullptr ? tree_.source_target[s] : s) == i) continue;
            add_pair<D>(sums, target, tree_.sources[s], targets_.images[entry.image], there_.softening_kernel);
        }
        return sums;
    }

    void evaluate(const Group& group, const Lists& lists, const Polynomial<4>& series, const Vector3& centre) {
        const auto run = [&](auto p, auto d) {
#pragma omp parallel for schedule(static) if (group.count * (lists.nodes.size() + lists.sources.size()) > 200'000)
            for (std::size_t i = group.begin; i < group.begin + group.count; ++i)
                out.of[i] = sums_at<decltype(p)::value, decltype(d)::value>(i, lists, series, centre);
        };
        const auto with_order = [&](auto d) {
            if (order_ == 0) return run(std::integral_constant<int, 0>(), d);
            if (order_ == 2) return run(std::integral_constant<int, 2>(), d);
            if (order_ == 3) return run(std::integral_constant<int, 3>(), d);
            run(std::integral_constant<int, 4>(), d);
        };
        if (there_.derivatives == 0) return with_order(std::integral_constant<int, 0>());
        if (there_.derivatives == 1) return with_order(std::integral_constant<int, 1>());
        with_order(std::integral_constant<int, 2>());
    }

    /// How a group decides, in a frame of single precision.
    [[nodiscard]] Decisions decisions_of(const Group& group, const Bounds& frame) const {
        const Bounds box = box_of(group);
        const double frame_radius = 0.5 * longest(frame);
        return {box,
                middle(box),
                longest_softening(group),
                group.factor,
                std::max({longest(box) * far_sides(group), frame_radius * rules_.far, 0x1p-38}),
                longest(box) * rules_.gap,
                frame_radius};
    }
    /// Whether all these groups open a node. In doubt if that hangs on one that is.
    [[nodiscard]] bool all_open(std::vector<Decisions>& groups, const std::vector<Vector3>& places, const Entry& entry,
                                bool& doubtful) const {
        const Node& node = tree_.nodes[entry.index];
        const Vector3& shift = targets_.images[entry.image];
        if (node.leaf != 0 || node.count == 0) return false;
        bool all = true, in_doubt = false;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            groups[g].doubtful = false;
            const bool opens = is_walked(node, places[g], shift) && !far(groups[g], entry.index, shift) &&
                               !accepted(groups[g], entry.index, shift);
            if (groups[g].doubtful)
                in_doubt = true;
            else if (!opens)
                return false;
            all = all && opens;
        }
        if (in_doubt) doubtful = true;
        return all;
    }

    /// How many times farther away nodes must be to be far, so that the series errs by no more than a part of what acts on the
    /// group. Where a field vanishes, a quarter of the field of one mass of that potential stands for it, and likewise a tensor.
    [[nodiscard]] double missing(const Group& group, const Rest& rest) const {
        const double mass = tree_.nodes[tree_.root].mass;
        double phi = INFINITY, field = INFINITY, tide = INFINITY;
        for (std::size_t i = group.begin; i < group.begin + group.count; ++i) {
            const Sums& s = out.of[i];
            const double alone = mass / s[0];  // the distance of such a mass
            phi = std::min(phi, s[0]);
            field = std::min(field, std::max(std::hypot(s[1], s[2], s[3]), 0.25 * mass / (alone * alone)));
            double square = 0.0;
            for (const std::size_t k : {4, 5, 5, 6, 6, 7, 8, 8, 9}) square += s[k] * s[k];
            tide = std::min(tide, std::max(std::sqrt(square), 0.25 * std::sqrt(6.0) * mass / std::pow(alone, 3)));
        }
        // Errors go with the fourth power of the distance or more, those of tides with the third.
        double times = std::pow(rest.potential / (1e-3 * node_error_ * phi), 0.25);
        if (there_.derivatives > 0) times = std::max(times, std::pow(rest.field / (3e-2 * node_error_ * field), 0.25));
        if (there_.derivatives > 1) times = std::max(times, std::cbrt(rest.tide / (0.1 * node_error_ * tide)));
        return times;
    }

    TreeView tree_;
    const HostTargets& targets_;
    const WalkTargets& there_;
    int order_;
    const Rules& rules_;
    const std::vector<Source>& elsewhere_;
    double node_error_;  ///< at its open radius, about
    std::vector<Contents> contents_;
    std::vector<Group> given_up_;
};

/// A set of groups: what is far from all of it, and where its groups begin.
struct Walk::Set {
    Decisions decisions{};  ///< as a group of all its targets would
    std::vector<Entry> far, entries;
    Polynomial<4> series{};
    Rest rest;
    bool begun = false;
};

void Walk::group(const Group& group, const Bounds& frame, const Set* set) {
    Decisions decisions = decisions_of(group, frame);
    if (set != nullptr && set->decisions.doubtful) decisions.doubtful = true;
    if (set != nullptr && !set->begun) set = nullptr;
    for (bool good = false; !good; set = nullptr) {
        const Lists lists = collect(group, decisions, set != nullptr ? set->entries : roots());
        const std::size_t length = lists.nodes.size() + lists.sources.size();
        if (static_cast<double>(length) > rules_.longest_lists / std::pow(there_.theta, 3) && group.count > 1)
            return given_up_.push_back(group);
        out.counts.node += group.count * lists.nodes.size();
        out.counts.cell += group.count * lists.sources.size();
        out.counts.far += lists.far.size();
        Polynomial<4> own = series_of(lists.far, decisions.centre), series = own;
        if (set != nullptr) {
            const Vector3 &from = set->decisions.centre, &to = decisions.centre;
            const Polynomial<4> others = moved<4>(set->series, to.x - from.x, to.y - from.y, to.z - from.z);
            for (std::size_t k = 0; k < series.size(); ++k) series[k] += others[k];
        }
        evaluate(group, lists, series, decisions.centre);
        Rest rest(series, decisions.reach(), decisions.far_radius);
        if (set != nullptr) rest.add(set->rest);
        const double times = missing(group, rest);
        if (std::abs(times - 1.0) < 1e-4) decisions.doubtful = true;
        good = !(times > 1.0);
        decisions.far_radius = std::max(decisions.far_radius, rest.from) * times * 1.1;
        decisions.rounding = 1e-4;  // known as well as sums are
    }
    for (std::size_t i = group.begin; i < group.begin + group.count; ++i) out.doubtful[i] = decisions.doubtful;
}

Walk::Set Walk::set(std::size_t first, std::size_t last) {
    Set made;
    Decisions& all = made.decisions;
    double least_factor = INFINITY, sides = 0.0;
    Bounds inner{{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};  // what is in all groups' boxes
    all.box = box_of(targets_.groups[first]);
    const Vector3 one = all.box.lower;
    bool in_one_piece = true;
    for (std::size_t g = first; g < last; ++g) {
        const Group& group = targets_.groups[g];
        const Bounds box = box_of(group);
        extend(all.box, box.lower, box.upper);
        inner.lower = {std::max(inner.lower.x, box.lower.x), std::max(inner.lower.y, box.lower.y),
                       std::max(inner.lower.z, box.lower.z)};
        inner.upper = {std::min(inner.upper.x, box.upper.x), std::min(inner.upper.y, box.upper.y),
                       std::min(inner.upper.z, box.upper.z)};
        all.softening = std::max(all.softening, longest_softening(group));
        all.factor = std::max<double>(all.factor, group.factor);
        least_factor = std::min<double>(least_factor, group.factor);
        sides = std::max(sides, far_sides(group));
        if (there_.pieces.side > 0.0)
            in_one_piece = in_one_piece && piece(0, box.lower.x) == piece(0, one.x) && piece(1, box.lower.y) == piece(1, one.y) &&
                           piece(2, box.lower.z) == piece(2, one.z);
    }
    if (rules_.set_asks_groups ? last - first == 1 : !in_one_piece) return made;
    all.centre = middle(all.box);
    all.frame_radius = 0.5 * longest(all.box);
    all.far_radius = std::max(longest(all.box) * sides * rules_.set_sides, 0x1p-38);
    /// Whether none of its groups could do anything but open the node: a box about the centre that all boxes hold is near.
    const auto opened = [&](const Node& node, const Vector3& shift) {
        if (node.leaf != 0 || node.count == 0) return false;
        const auto beyond = [](double at, double centre, double lower, double upper) {
            return std::max(std::abs(at - centre) - std::min(upper - centre, centre - lower), 0.0);
        };
        const Vector3& c = all.centre;
        const double to_it = std::hypot(beyond(node.x + shift.x, c.x, inner.lower.x, inner.upper.x),
                                        beyond(node.y + shift.y, c.y, inner.lower.y, inner.upper.y),
                                        beyond(node.z + shift.z, c.z, inner.lower.z, inner.upper.z));
        return !all.farther(to_it, open_distance(node, least_factor));
    };
    std::vector<Decisions> groups;
    std::vector<Vector3> places;
    for (std::size_t g = first; g < last && rules_.set_asks_groups; ++g) {
        groups.push_back(decisions_of(targets_.groups[g], all.box));
        places.push_back(groups.back().box.lower);
    }
    const auto walked_by_all = [&](const Node& node, const Vector3& shift) {
        return std::all_of(places.begin(), places.end(), [&](const Vector3& at) { return is_walked(node, at, shift); });
    };
    std::vector<Entry> stack = roots();
    while (!stack.empty()) {
        const Entry entry = stack.back();
        const Node& node = tree_.nodes[entry.index];
        const Vector3& shift = targets_.images[entry.image];
        stack.pop_back();
        if (!rules_.set_asks_groups && !is_walked(node, one, shift)) continue;
        if (walked_by_all(node, shift) && far(all, entry.index, shift)) {
            made.far.push_back(entry);
        } else if (rules_.set_asks_groups ? all_open(groups, places, entry, all.doubtful) : opened(node, shift)) {
            for (std::uint32_t k = node.first; k < node.first + node.count; ++k) stack.push_back({k, entry.image});
        } else {
            made.entries.push_back(entry);
        }
    }
    made.begun = made.entries.size() <= rules_.set_entries;
    if (!made.begun) return made;
    out.counts.far += made.far.size();
    made.series = series_of(made.far, all.centre);
    made.rest = Rest(made.series, all.reach(), all.far_radius);
    return made;
}

}  // namespace

DoubleSums double_walk(const HostTree& tree, const HostTargets& targets, int order, const Rules& rules,
                       const std::vector<Source>& elsewhere) {
    if (tree.nodes.empty()) {
        DoubleSums none;
        none.of.resize(targets.bodies.size());
        none.doubtful.resize(targets.bodies.size());
        return none;
    }
    Walk walk(tree, targets, order, rules, elsewhere);
    std::vector<Walk::Set> sets;
    const std::size_t groups = targets.groups.size();
    for (std::size_t first = 0; rules.set_entries > 0 && first < groups; first += rules.set_groups)
        sets.push_back(walk.set(first, std::min(first + rules.set_groups, groups)));
    for (std::size_t first = 0; first < groups; first += rules.frame_groups) {
        const std::size_t last = std::min(first + rules.frame_groups, groups);
        Bounds frame = walk.box_of(targets.groups[first]);
        for (std::size_t g = first; g < last; ++g) {
            const Bounds box = walk.box_of(targets.groups[g]);
            extend(frame, box.lower, box.upper);
        }
        for (std::size_t g = first; g < last; ++g)
            walk.group(targets.groups[g], frame, sets.empty() ? nullptr : &sets[g / rules.set_groups]);
    }
    walk.split();
    return walk.out;
}

}  // namespace gravlet::test
