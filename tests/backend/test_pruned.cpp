// SPDX-License-Identifier: Apache-2.0
// What ranks send each other: no target opens a node whose children were not sent, every body is in what arrives once, and no
// more is sent than some box of targets opens. Radii, distances and margins are found from the bodies
// (tests/backend/node_rules.hpp).
#include "physics/order.hpp"
#include "tests/backend/node_rules.hpp"
#include "tests/backend/ranks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

/// Who is opened: a group of this rank's targets, or several.
struct Targets {
    Bounds box;
    Real softening, factor;
};

/// One sender's tree, and all the bodies that the sender has.
class Judge {
public:
    Judge(const LocalTree& local, const std::vector<Source>& bodies, const std::vector<Targets>& groups,
          const std::vector<Targets>& boxes)
        : rules_{local.options, local.frame}, bodies_(bodies), groups_(groups), boxes_(boxes), met_(bodies.size(), 0) {
        for (std::size_t i = 0; i < bodies.size(); ++i) at_[{bodies[i].x, bodies[i].y, bodies[i].z}] = i;
    }

    /// Ends and opened nodes of node i and below; the first is the sender's root.
    void look(const Node* nodes, const Source* sources, std::size_t i, Real around) {
        const Node& node = nodes[i];
        const Real size = node.size, pull = node.mass / (size * size);
        if (node.leaf != 0) {
            for (std::uint32_t s = node.first; s < node.first + node.count; ++s) {
                const auto found = at_.find({sources[s].x, sources[s].y, sources[s].z});
                ASSERT_NE(found, at_.end());
                ++met_[found->second];
                EXPECT_EQ(sources[s].mass, bodies_[found->second].mass);
            }
            if (node.count == 1) return;  // itself, wherever it is
        }
        const std::vector<const Source*> inside = bodies_in(node);
        ASSERT_FALSE(inside.empty());
        const NodeSums sums(inside, rules_.options.order);
        const Real kept = rules_.adaptive() ? node.extent * 0x1p-13L * size : 0;
        EXPECT_TRUE(!rules_.adaptive() || kept >= sums.extent * (1 - 1e-6L));
        const Real radius = rules_.radius(sums, size, NodeRules::cube_of(*inside.front(), size), kept) *
                            (i == 0 ? 1 : rules_.growth(pull / (around + pull), node.mass, size));
        if (node.count == 0) {
            ++ends;
            for (const Source* body : inside) ++met_[static_cast<std::size_t>(body - bodies_.data())];
            for (const Targets& group : groups_) least = std::min(least, room(sums, radius, kept, group));
            return;
        }
        ++opened;
        Real least_here = INFINITY;
        for (const Targets& box : boxes_) least_here = std::min(least_here, room(sums, radius, kept, box));
        most_of_opened = std::max(most_of_opened, least_here);
        for (std::uint32_t k = node.first; node.leaf == 0 && k < node.first + node.count; ++k)
            look(nodes, sources, k, around + pull);
    }

    /// What stands for the sender, where it sent nothing: of all its bodies, or of those in one piece.
    void look_from_afar(const FarNode& far, bool part, const Bounds& all) {
        const Node& node = far.node;
        std::vector<const Source*> inside = bodies_in(node);
        if (!part) {
            inside.clear();
            for (const Source& body : bodies_) inside.push_back(&body);
        }
        ASSERT_FALSE(inside.empty());
        const NodeSums sums(inside, rules_.options.order);
        EXPECT_NEAR(node.mass / static_cast<double>(sums.mass), 1.0, 3.6e-7);
        Real size = node.size;
        std::array<Real, 3> centre = NodeRules::cube_of(*inside.front(), size);
        if (std::exp2(std::round(std::log2(size))) != size) {  // as large as the box around all bodies, those without mass too
            const auto& [low, high] = all;
            centre = {0.5L * (low.x + high.x), 0.5L * (low.y + high.y), 0.5L * (low.z + high.z)};
            EXPECT_NEAR(node.size, std::max({high.x - low.x, high.y - low.y, high.z - low.z}), 1.7e-7 * node.size);
        }
        const Real kept = rules_.adaptive() ? node.extent * 0x1p-13L * size : 0, radius = rules_.radius(sums, size, centre, kept);
        for (const Targets& group : groups_) least = std::min(least, room(sums, radius, kept, group));
        EXPECT_NEAR(part || std::isinf(radius) ? 1.0 : static_cast<double>(node.open_radius / radius), 1.0, 3e-7);
        ++ends;
    }

    void expect_all_met() const {
        for (std::size_t i = 0; i < met_.size(); ++i) EXPECT_EQ(met_[i], 1) << i;
    }

    Real least = INFINITY;            ///< of all ends: by what part of its own a group's distance is beyond the node's radius
    Real most_of_opened = -INFINITY;  ///< of all others, for the box that is nearest
    std::size_t ends = 0, opened = 0;

private:
    [[nodiscard]] std::vector<const Source*> bodies_in(const Node& node) const {
        std::vector<const Source*> inside;
        const auto cube = [&](double x) { return std::floor(x / static_cast<Real>(node.size)); };
        for (const Source& b : bodies_)
            if (cube(b.x) == cube(node.x) && cube(b.y) == cube(node.y) && cube(b.z) == cube(node.z)) inside.push_back(&b);
        return inside;
    }

    /// (distance - radius) / radius, radius with all that is added to it.
    [[nodiscard]] Real room(const NodeSums& node, Real radius, Real kept, const Targets& targets) const {
        const Real whole = (rules_.adaptive() ? radius * targets.factor + kept : radius) +
                           rules_.softening_lengths() * std::max<Real>(node.softening, targets.softening);
        const auto beyond = [&](std::size_t d, double lower, double upper) {
            Real nearest = INFINITY;
            const bool periodic = rules_.options.boundary[d] == Boundary::periodic;
            for (int image = periodic ? -1 : 0; image <= (periodic ? 1 : 0); ++image) {
                const Real x = node.centre[d] + image;
                nearest = std::min(nearest, std::max<Real>({lower - x, x - upper, 0}));
            }
            return nearest;
        };
        const Real distance =
            std::hypot(beyond(0, targets.box.lower.x, targets.box.upper.x), beyond(1, targets.box.lower.y, targets.box.upper.y),
                       beyond(2, targets.box.lower.z, targets.box.upper.z));
        return std::isinf(whole) ? -1 : (distance - whole) / whole;
    }

    NodeRules rules_;
    const std::vector<Source>& bodies_;
    const std::vector<Targets>&groups_, &boxes_;
    std::vector<int> met_;
    std::map<std::array<double, 3>, std::size_t> at_;
};

/// This rank's groups, from their bodies.
std::vector<Targets> groups_of(const LocalTree& local) {
    const std::vector<Source> bodies = on_host(local.exec, local.bodies.bodies);
    std::vector<Targets> out;
    for (const Group& group : on_host(local.exec, local.bodies.groups)) {
        const Source& first = bodies[group.begin];
        Targets one{{{first.x, first.y, first.z}, {first.x, first.y, first.z}}, 0, group.factor};
        for (std::size_t i = group.begin; i < group.begin + group.count; ++i) {
            const Source& b = bodies[i];
            one.box.lower = {std::min(one.box.lower.x, b.x), std::min(one.box.lower.y, b.y), std::min(one.box.lower.z, b.z)};
            one.box.upper = {std::max(one.box.upper.x, b.x), std::max(one.box.upper.y, b.y), std::max(one.box.upper.z, b.z)};
            one.softening = std::max<Real>(one.softening, b.softening);
        }
        out.push_back(one);
    }
    return out;
}

Bounds box_of(const BodyArrays& bodies) {
    const auto least = [](const std::vector<double>& x) { return *std::min_element(x.begin(), x.end()); };
    const auto most = [](const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); };
    return {{least(bodies.x), least(bodies.y), least(bodies.z)}, {most(bodies.x), most(bodies.y), most(bodies.z)}};
}

using Owner = std::function<std::size_t(const BodyArrays&, std::size_t body, std::size_t ranks)>;

template <int P>
void expect_complete(const BodyArrays& all, const Options& options, const Owner& owner) {
    const Communicator comm(MPI_COMM_WORLD);
    const std::size_t ranks = static_cast<std::size_t>(comm.size()), me = static_cast<std::size_t>(comm.rank());
    std::vector<BodyArrays> parts(ranks);
    for (std::size_t i = 0; i < all.size(); ++i) {
        BodyArrays& part = parts[owner(all, i, ranks)];
        part.add(all.x[i], all.y[i], all.z[i], all.mass[i]);
        if (!all.softening.empty()) part.softening.push_back(all.softening[i]);
    }
    LocalTree local(parts[me], options);
    const Arrived arrived = exchange_between_ranks<P>(comm, local, 16, [](const auto&, const auto&) {});
    const std::vector<Targets> groups = groups_of(local);
    std::vector<Targets> boxes;
    for (const TargetBox& box : arrived.own.boxes) boxes.push_back({box.box, box.softening, box.factor});

    Real least = INFINITY, most_of_opened = -INFINITY;
    std::size_t ends = 0, opened = 0, silent = 0;
    for (std::size_t rank = 0, sender = 0; rank < ranks; ++rank) {
        if (rank == me) continue;
        SCOPED_TRACE(testing::Message() << "from " << rank << " to " << me);
        const BodyArrays& theirs = parts[rank];
        std::vector<Source> bodies;
        for (std::size_t i = 0; i < theirs.size(); ++i) {
            const double length = theirs.softening.empty() ? options.softening : theirs.softening[i];
            if (theirs.mass[i] > 0.0)
                bodies.push_back(
                    {theirs.x[i], theirs.y[i], theirs.z[i], static_cast<float>(theirs.mass[i]), static_cast<float>(length)});
        }
        Judge judge(local, bodies, groups, boxes);
        const bool sends = sender < arrived.roots.senders.size() && arrived.roots.senders[sender] == static_cast<int>(rank);
        const std::size_t k = sender;
        sender += sends ? 1 : 0;
        if (sends && arrived.node_begin[k + 1] > arrived.node_begin[k]) {
            judge.look(arrived.nodes.data() + arrived.node_begin[k], arrived.sources.data() + arrived.source_begin[k], 0, 0);
            judge.expect_all_met();
        } else {
            ++silent;
            const auto known = arrived.roots.nodes_of(static_cast<int>(rank));
            for (const FarNode& far : known) judge.look_from_afar(far, known.size() > 1, box_of(theirs));
        }
        least = std::min(least, judge.least), most_of_opened = std::max(most_of_opened, judge.most_of_opened);
        ends += judge.ends, opened += judge.opened;
    }
    // A distance is compared as a double, radii are floats.
    EXPECT_GE(least, -1e-6L);
    EXPECT_LE(most_of_opened, 1e-6L);
    EXPECT_TRUE(ranks == 1 || opened > 0 || silent > 0);
}

/// Points in clumps along a diagonal, a clump beside the other, so that ranks that have one each need little of some others.
BodyArrays clumps(std::uint64_t seed, std::size_t n, double radius) {
    BodyArrays points = random_points(seed, n);
    for (std::size_t i = 0; i < n; ++i) {
        const double at = 0.1 + 0.2 * static_cast<double>(i % 5);
        points.x[i] = at + radius * (points.x[i] - 0.5);
        points.y[i] = at + radius * (points.y[i] - 0.5);
        points.z[i] = at + radius * (points.z[i] - 0.5);
    }
    return points;
}

BodyArrays with_lengths(BodyArrays points, double longest) {
    for (std::size_t i = 0; i < points.size(); ++i)
        points.softening.push_back(i % 7 == 0 ? longest : 0.1 * longest * static_cast<double>(i % 5));
    return points;
}

TEST(Pruned, NoTargetOpensWhatWasNotSent) {
    constexpr Boundary p = Boundary::periodic, i = Boundary::isolated;
    const std::vector<Options> choices{
        {.theta = 0.6, .order = 2},
        {.theta = 0.9, .order = 2, .softening = 0.01},
        {.theta = 0.9, .order = 2, .softening_kernel = SofteningKernel::spline, .softening = 0.02},
        {.order = 2, .criterion = Criterion::acceleration},
        {.order = 2, .criterion = Criterion::multipole},
        {.order = 2, .criterion = Criterion::acceleration, .softening = 0.01},
        {.boundary = {p, p, p}, .theta = 0.6, .order = 2},
        {.boundary = {i, p, i}, .theta = 0.9, .order = 2, .softening = 0.01},
        {.boundary = {p, p, i}, .order = 2, .criterion = Criterion::multipole, .softening = 0.01},
    };
    const Owner slab = [](const BodyArrays& all, std::size_t k, std::size_t ranks) {
        return static_cast<std::size_t>(all.x[k] * static_cast<double>(ranks));
    };
    const Owner scattered = [](const BodyArrays&, std::size_t k, std::size_t ranks) { return k % ranks; };
    const Owner by_clump = [](const BodyArrays&, std::size_t k, std::size_t ranks) { return k % 5 * ranks / 5; };
    for (std::size_t c = 0; c < choices.size(); ++c) {
        SCOPED_TRACE(c);
        expect_complete<2>(random_points(1, 2000), choices[c], slab);
        expect_complete<2>(clustered_points(2, 2000), choices[c], scattered);
        expect_complete<2>(clumps(3, 2000, 0.1), choices[c], by_clump);
        expect_complete<2>(clumps(4, 2000, 0.01), choices[c], by_clump);
        if (choices[c].softening > 0.0)
            expect_complete<2>(with_lengths(random_points(5, 2000), 2.0 * choices[c].softening), choices[c], slab);
    }
}

TEST(Pruned, OtherOrders) {
    const Owner slab = [](const BodyArrays& all, std::size_t k, std::size_t ranks) {
        return static_cast<std::size_t>(all.y[k] * static_cast<double>(ranks));
    };
    expect_complete<0>(random_points(6, 1500), {.theta = 0.6, .order = 0}, slab);
    expect_complete<3>(random_points(6, 1500), {.theta = 0.6, .order = 3}, slab);
    expect_complete<4>(random_points(6, 1500), {.theta = 0.6, .order = 4, .softening = 0.01}, slab);
    expect_complete<4>(clustered_points(7, 1500), {.order = 4, .criterion = Criterion::acceleration}, slab);
}

/// Few light bodies beside the middle of a hollow sphere of all others.
BodyArrays clump_in_shell(std::size_t n) {
    std::mt19937_64 random(8);
    std::normal_distribution<double> normal;
    BodyArrays points;
    for (std::size_t i = 0; i < n; ++i) {
        double x = normal(random), y = normal(random), z = normal(random);
        const bool inside = i % 10 == 0;
        const double scale = (inside ? 0.01 : 0.4) / std::hypot(x, y, z);
        points.add(0.5 + scale * x + (inside ? 0.17 : 0.0), 0.5 + scale * y, 0.5 + scale * z,
                   (inside ? 1e-6 : 1.0) / static_cast<double>(n));
    }
    return points;
}

/// What acts on a group, by a sum over all bodies, none nearer than the group's side: the field, or a quarter of what all mass
/// would pull by from where it had the potential, if that is more.
Real field_on(const Targets& group, const BodyArrays& all) {
    const auto& [low, high] = group.box;
    const std::array<Real, 3> at{0.5L * (low.x + high.x), 0.5L * (low.y + high.y), 0.5L * (low.z + high.z)};
    const Real side = std::max({high.x - low.x, high.y - low.y, high.z - low.z});
    Real potential = 0, mass = 0;
    std::array<Real, 3> field{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::array<Real, 3> d{all.x[i] - at[0], all.y[i] - at[1], all.z[i] - at[2]};
        const Real r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + side * side);
        potential += all.mass[i] / r, mass += all.mass[i];
        for (std::size_t k = 0; k < 3; ++k) field[k] += all.mass[i] * d[k] / (r * r * r);
    }
    return std::max(std::hypot(field[0], field[1], field[2]), potential * potential / (4 * mass));
}

// What ranks promise to ask for is by less than acts on any group, wherever the others' masses are; and whatever a tree says
// later, no group asks for more.
TEST(Pruned, PromisesAreKept) {
    const Communicator comm(MPI_COMM_WORLD);
    const BodyArrays all = clump_in_shell(3000);
    BodyArrays mine;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const int owner = i % 10 == 0 ? 0 : 1 + static_cast<int>(i) % (comm.size() - 1);
        if (owner == comm.rank()) mine.add(all.x[i], all.y[i], all.z[i], all.mass[i]);
    }
    LocalTree local(mine, {.order = 2, .criterion = Criterion::acceleration});
    local.frame.total_mass = 0.9;
    GroupScales<Backend> scales(local.exec);
    Stages stages(comm);
    scales.prepare(comm.size(), read(local.exec, local.tree.nodes.data()));
    stages.collective([&](const Agreed& agreed) { scales.gather(agreed); });
    scales.promise(comm.rank(), local.view(), {}, local.opening(), local.bodies);
    const std::vector<Targets> promised = groups_of(local);
    Real most = 0;
    for (const Targets& group : promised) {
        const Real held_against = std::pow(group.factor, -5.0L) / static_cast<Real>(local.options.alpha);  // order + 3
        most = std::max(most, held_against / field_on(group, all));
    }
    EXPECT_LE(most, 1.0);
    // This rank's masses alone are less than all.
    scales.set(local.view(), {}, local.opening(), local.bodies.groups.data(), local.bodies.groups.size());
    const std::vector<Targets> asked = groups_of(local);
    for (std::size_t g = 0; g < asked.size(); ++g) EXPECT_LE(asked[g].factor, promised[g].factor) << g;
}

}  // namespace
}  // namespace gravlet::test
