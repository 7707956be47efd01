// SPDX-License-Identifier: Apache-2.0
// What a rank that very many are near to tells all of them, and who then needs more.
#include "solver/essential/invariants.hpp"
#include "tests/backend/exchange.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace gravlet::test {
namespace {

constexpr int order = 2;

std::vector<int> all_that_may_need(const VirtualRoots& roots, int from) {
    std::vector<int> out;
    for (int to = 0; to < static_cast<int>(roots.all.size()); ++to)
        if (roots.may_need(to, from)) out.push_back(to);
    return out;
}

/// By each rank's own box and nothing else.
std::vector<int> all_that_need(const VirtualRoots& roots, int from) {
    std::vector<int> out;
    const auto accepted = [&](const VirtualRoot& to, const FarNode& far) {
        return far.node.count > 0 ||
               (accepts(to.box, far.node, roots.distance) && !overlap(to.box.box, far.reach, roots.distance.period));
    };
    for (int to = 0; to < static_cast<int>(roots.all.size()); ++to) {
        const VirtualRoot& target = roots.all[static_cast<std::size_t>(to)];
        if (to == from || target.has_targets == 0 || accepted(target, roots.all[static_cast<std::size_t>(from)].root)) continue;
        if (std::ranges::any_of(roots.nodes_of(from), [&](const FarNode& far) { return !accepted(target, far); }))
            out.push_back(to);
    }
    return out;
}

TargetBox random_box(std::mt19937_64& random, double largest) {
    std::uniform_real_distribution<double> uniform;
    const double x = uniform(random), y = uniform(random), z = uniform(random);
    const double a = largest * uniform(random), b = largest * uniform(random), c = largest * uniform(random);
    return {{{x, y, z}, {x + a, y + b, z + c}}, 0.1 * largest * uniform(random), 1.0};
}

// Whoever needs more says so itself, to the bit: boxes around many ranks find the same ones, in every kind of domain.
TEST(Published, WhoNeedsMoreIsAgreedOn) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform;
    std::size_t near = 0, far = 0;
    for (const Distance& by : {Distance{}, Distance{{}, 4.0, 0.0f}, Distance{{1.0, 1.0, 1.0}}, Distance{{1.0, 0.0, 1.0}},
                               Distance{{1.0, 1.0, 0.0, 0.37}}, Distance{{1.0, 1.0, 1.0, -0.21}}}) {
        for (const std::size_t ranks : {1UL, 2UL, 8UL, 9UL, 64UL, 65UL, 600UL}) {
            VirtualRoots roots;
            roots.distance = by;
            roots.part_begin = roots.source_begin = {0};
            for (std::size_t r = 0; r < ranks; ++r) {
                VirtualRoot one{};
                one.has_targets = r % 7 != 3 ? 1 : 0, one.has_mass = r % 11 != 5 ? 1 : 0;
                one.box = random_box(random, 0.2);
                const auto random_node = [&](double reach) {
                    FarNode node{};
                    node.node.x = uniform(random), node.node.y = uniform(random), node.node.z = uniform(random);
                    node.node.size = 0.1f, node.node.mass = 1.0f;
                    node.node.open_radius = static_cast<float>(reach * uniform(random));
                    if (uniform(random) < 0.2) node.reach = random_box(random, 0.3).box;
                    return node;
                };
                one.root = random_node(1.0);
                one.parts = one.has_mass != 0 && r % 3 == 0 ? static_cast<int>(r % 4) : 0;
                for (int k = 0; k < one.parts; ++k) roots.parts.nodes.push_back(random_node(0.5));
                if (one.parts > 2) roots.parts.nodes.back().node.count = 3;  // what it is of is told, too
                roots.all.push_back(one);
                roots.part_begin.push_back(roots.parts.nodes.size()), roots.source_begin.push_back(0);
            }
            bound_ranges(roots);
            for (int rank = 0; rank < static_cast<int>(ranks); ++rank) {
                const std::vector<int> asked = all_that_may_need(roots, rank);
                ASSERT_EQ(roots.near_to(roots.nodes_of(rank), rank, ranks), asked) << ranks << " ranks, " << rank;
                EXPECT_EQ(asked, all_that_need(roots, rank)) << ranks << " ranks, " << rank;
                near += asked.size(), far += ranks - asked.size();
                const std::size_t some = std::min<std::size_t>(asked.size(), 3);
                EXPECT_EQ(roots.near_to(roots.nodes_of(rank), rank, 3),
                          std::vector<int>(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(some)));
                find_near(rank, roots);
                EXPECT_EQ(roots.audience, asked);
                for (const int sender : roots.senders) EXPECT_TRUE(roots.may_need(rank, sender));
            }
        }
    }
    EXPECT_GT(near, 10'000u);
    EXPECT_GT(far, 10'000u);
}

/// A core that most ranks are in, and as many points around it as each of them has, of rank 0.
std::vector<std::unique_ptr<LocalTree>> core_and_halo(std::size_t ranks, std::size_t each, const Options& options) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform;
    BodyArrays all;
    const std::size_t n = ranks * each;
    for (std::size_t i = 0; i < n; ++i) {
        const auto at = [&](double slab) { return i < each ? uniform(random) : 0.45 + 0.1 * slab; };
        const double slab = (static_cast<double>(i) + uniform(random)) / static_cast<double>(n);
        const double y = at(uniform(random)), z = at(uniform(random));
        all.add(at(slab), y, z, 1.0 / static_cast<double>(n));
    }
    return dealt_out(
        all, ranks, [&](std::size_t i) { return i / each; }, options);
}

TEST(Published, TheHaloIsToldToTheCore) {
    const Options options{.theta = 0.7, .order = order};
    const std::size_t ranks = 120, each = 40;
    const auto trees = core_and_halo(ranks, each, options);
    const VirtualRoots before = gathered_roots<order>(trees, {ranks, 4, 1024}),
                       roots = gathered_roots<order>(trees, {60, 4, 1024});
    EXPECT_EQ(before.parts.nodes.size(), 0u);
    EXPECT_EQ(all_that_may_need(before, 0).size(), ranks - 1);  // all are in the midst of it
    const std::vector<int> left = all_that_may_need(roots, 0);
    EXPECT_LE(left.size(), 24u);
    const std::span<const FarNode> told = roots.nodes_of(0);
    const std::span<const Source> sources = roots.sources_of(0);
    EXPECT_GT(told.size(), 5u);
    EXPECT_GT(sources.size(), 3u);
    std::vector<Node> nodes;
    for (const FarNode& far : told) nodes.push_back(far.node);
    std::size_t seen = 0;
    for (int to = 1; to < static_cast<int>(ranks); ++to) {
        if (std::ranges::binary_search(left, to)) continue;
        const RemoteTargets targets{&roots.all[static_cast<std::size_t>(to)].box, 1, roots.distance};
        EXPECT_EQ(pruned_tree_flaw(nodes.data(), nodes.size(), sources.data(), sources.size(), targets, 0, true), "") << to;
        EXPECT_EQ(roots.nodes_of(0, to).size(), told.size());
        ++seen;
    }
    EXPECT_GE(seen, 95u);
    // A rank that accepts the root goes by that alone.
    VirtualRoots with_far = roots;
    with_far.all[5].box = {{{50.0, 0.0, 0.0}, {51.0, 1.0, 1.0}}, 0.0, 1.0};
    bound_ranges(with_far);
    EXPECT_EQ(with_far.nodes_of(0, 5).size(), 1u);
    EXPECT_FALSE(with_far.may_need(5, 0));
}

TEST(Published, NotWhereItWouldBeTooMuchOrHelpNobody) {
    const Options options{.theta = 0.7, .order = order};
    const auto trees = core_and_halo(120, 40, options);
    EXPECT_EQ(gathered_roots<order>(trees, {119, 4, 1024}).parts.nodes.size(), 0u);   // not more than so many are near
    EXPECT_EQ(gathered_roots<order>(trees, {60, 4, 8}).parts.nodes.size(), 0u);       // too many nodes
    EXPECT_EQ(gathered_roots<order>(trees, {60, 119, 1024}).parts.nodes.size(), 0u);  // more than half would stay near
    EXPECT_GT(gathered_roots<order>(trees, {118, 4, 1024}).parts.nodes.size(), 0u);
}

// What is told of a leaf are its sources as they are.
TEST(Published, SourcesAreTheTrees) {
    const Options options{.theta = 0.7, .order = order, .softening = 1e-4};
    const auto trees = core_and_halo(60, 30, options);
    const VirtualRoots roots = gathered_roots<order>(trees, {30, 2, 1024});
    const std::span<const Source> told = roots.sources_of(0);
    ASSERT_GT(told.size(), 0u);
    const std::vector<Source> own = on_host(trees[0]->exec, trees[0]->bodies.bodies);
    for (const Source& source : told)
        EXPECT_EQ(std::ranges::count_if(own,
                                        [&](const Source& s) {
                                            return s.x == source.x && s.y == source.y && s.z == source.z &&
                                                   s.mass == source.mass && s.softening == source.softening;
                                        }),
                  1);
}

// Cells that act as cuboids on what is near are told with their size, as they are sent.
TEST(Published, CellsHaveTheirSize) {
    BodyArrays cells;
    for (int i = 0; i < 512; ++i) {
        cells.add((0.5 + i % 8) / 8.0, (0.5 + i / 8 % 8) / 8.0, (0.5 + i / 64) / 8.0, 1.0 / 512);
        cells.side.push_back(1.0 / 8);
    }
    const LocalTree local(cells, {.theta = 0.7, .order = order});
    const std::size_t count = local.bodies.source_count;
    std::vector<float> sizes;
    for (std::size_t i = 0; i < count; ++i) sizes.push_back(i % 3 != 0 ? static_cast<float>(i) : 0.0f);
    auto there = local.exec.buffer<float>();
    there.resize_discard(count);
    copy_in(local.exec, sizes.data(), there.data(), count);
    const RootParts top = top_of<order>(local.exec, local.tree, local.bodies.sources(), {nullptr, there.data()}, 1024,
                                        [](const FarNode&) { return true; });
    const std::vector<Source> own = on_host(local.exec, local.bodies.bodies);
    ASSERT_EQ(top.sources.size(), count);
    for (const Source& source : top.sources) {
        const auto same = [&](const Source& s) { return s.x == source.x && s.y == source.y && s.z == source.z; };
        const std::size_t i = static_cast<std::size_t>(std::ranges::find_if(own, same) - own.begin());
        ASSERT_LT(i, count);
        EXPECT_EQ(source.softening, sizes[i] > 0.0f ? -sizes[i] : 0.0f) << i;
    }
}

}  // namespace
}  // namespace gravlet::test
