// SPDX-License-Identifier: Apache-2.0
// The study's kd-tree: whole, nested, and walked like an octree.
#include "benchmarks/kdtree/kd_tree.hpp"
#include "benchmarks/kdtree/study_tree.hpp"
#include "benchmarks/kdtree/tight.hpp"
#include "tests/backend/local.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace gravlet::test {
namespace {

using bench::StudyPoints;
using bench::StudyTree;
using bench::TreeKind;

constexpr TreeKind kinds[] = {TreeKind::octree, TreeKind::tight_octree, TreeKind::kdtree, TreeKind::kdtree_on_curve};

StudyPoints clustered(std::size_t n) {
    const BodyArrays points = clustered_points(1, n);
    return {points.x, points.y, points.z, std::vector<double>(n, 1.0 / static_cast<double>(n))};
}

std::vector<Source> sources_of(const StudyPoints& points) {
    std::vector<Source> out;
    for (std::size_t i = 0; i < points.size(); ++i)
        out.push_back({points.x[i], points.y[i], points.z[i], static_cast<float>(points.mass[i]), point_mark});
    return out;
}

bool is_within(const Bounds& inner, const Bounds& outer) {
    return inner.lower.x >= outer.lower.x && inner.lower.y >= outer.lower.y && inner.lower.z >= outer.lower.z &&
           inner.upper.x <= outer.upper.x && inner.upper.y <= outer.upper.y && inner.upper.z <= outer.upper.z;
}

class Built {
public:
    Built(const std::vector<Source>& sources, std::uint32_t leaf_size)
        : machine_(1), tree(machine_.exec()), order(bench::build_kd_tree(sources, leaf_size, tree)) {}

private:
    Cpu::Machine machine_;

public:
    Tree<Cpu> tree;
    std::vector<std::uint32_t> order;
};

double largest_error(const std::vector<Vector3>& got, const std::vector<Vector3>& exact) {
    double largest = 0.0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const Vector3 &a = got[i], &b = exact[i];
        largest = std::max(largest, std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) / std::hypot(b.x, b.y, b.z));
    }
    return largest;
}

std::vector<Vector3> exact_at_all(const StudyPoints& points) {
    std::vector<std::size_t> all(points.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return bench::direct_accelerations(points, all, 1);
}

TEST(KdTree, EverySourceIsInOneLeaf) {
    for (const std::uint32_t leaf_size : {1u, 5u, 12u}) {
        const Built built(sources_of(clustered(3000)), leaf_size);
        const Node* const nodes = built.tree.nodes.data();
        std::vector<int> met(3000, 0), reached(built.tree.count(), 0);
        reached[0] = 1;
        for (std::size_t i = 0; i < built.tree.count(); ++i) {
            ASSERT_EQ(reached[i], 1);  // children come after their parent
            ASSERT_GE(nodes[i].count, nodes[i].leaf != 0 ? 1u : 2u);
            ASSERT_LE(nodes[i].count, nodes[i].leaf != 0 ? leaf_size : 8u);
            for (std::uint32_t k = nodes[i].first; k < nodes[i].first + nodes[i].count; ++k)
                ++(nodes[i].leaf != 0 ? met[built.order[k]] : reached[k]);
        }
        EXPECT_EQ(std::count(met.begin(), met.end(), 1), 3000);
    }
}

// Siblings' boxes lie inside their parent's and, but for what they touch in, beside each other.
TEST(KdTree, BoxesAreNestedAndApart) {
    StudyTree study(clustered(3000), TreeKind::kdtree, 4, 1);
    const Node* const nodes = study.tree().nodes.data();
    const std::vector<Bounds> boxes = bench::tight_boxes(study.sources(), study.tree());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (nodes[i].leaf != 0) continue;
        for (std::uint32_t k = nodes[i].first; k < nodes[i].first + nodes[i].count; ++k) {
            EXPECT_TRUE(is_within(boxes[k], boxes[i]));
            for (std::uint32_t j = nodes[i].first; j < k; ++j) {
                const auto overlap = [&](double Vector3::*d) {
                    return std::min(boxes[j].upper.*d, boxes[k].upper.*d) > std::max(boxes[j].lower.*d, boxes[k].lower.*d);
                };
                EXPECT_FALSE(overlap(&Vector3::x) && overlap(&Vector3::y) && overlap(&Vector3::z));
            }
        }
    }
}

// Two heavy sources side by side and two light ones: the cut goes where volume times mass is least, not to the middle.
TEST(KdTree, CutsWhereVolumeTimesMassIsLeast) {
    const std::vector<Source> sources{{0.0, 0.5, 0.5, 10.0f, point_mark},
                                      {0.2, 0.5, 0.5, 10.0f, point_mark},
                                      {0.7, 0.5, 0.5, 1.0f, point_mark},
                                      {1.0, 0.5, 0.5, 1.0f, point_mark}};
    const Built built(sources, 3);
    // The costs at 0.2, 0.7 and 1: 0.2*10 + 0.8*12, 0.7*20 + 0.3*2, 1*21.
    const Node* const nodes = built.tree.nodes.data();
    ASSERT_EQ(nodes[0].count, 2u);
    EXPECT_EQ(nodes[1].count, 1u);
    EXPECT_EQ(nodes[2].count, 3u);
}

TEST(KdTree, OneSourceNoneAndManyAtOnePlace) {
    EXPECT_EQ(Built({}, 4).tree.count(), 0u);
    EXPECT_EQ(Built({{0.5, 0.5, 0.5, 1.0f, point_mark}}, 4).tree.count(), 1u);
    for (const std::size_t n : {20u, 1000u}) {
        const Built crowd(std::vector<Source>(n, {0.5, 0.5, 0.5, 1.0f, point_mark}), 4);
        ASSERT_EQ(crowd.tree.count(), 1u);
        EXPECT_EQ(crowd.tree.nodes.data()[0].count, n);
    }
}

TEST(KdTree, DirectWhereAllIsOpened) {
    const BodyArrays places = random_points(1, 1500);
    const StudyPoints points{places.x, places.y, places.z, std::vector<double>(1500, 1.0 / 1500.0)};
    const std::vector<Vector3> exact = exact_at_all(points);
    for (const TreeKind kind : kinds) {
        StudyTree tree(points, kind, 12, 1);
        const bench::WalkCost cost = tree.walk({.theta = 1e-3, .order = 2});
        EXPECT_EQ(cost.counts.cell, 1500u * 1500u) << to_string(kind);
        EXPECT_EQ(cost.counts.coincident, 0u) << to_string(kind);
        EXPECT_LE(largest_error(tree.accelerations(), exact), 7e-6) << to_string(kind);
    }
}

TEST(KdTree, ErrsAsTheOctreeDoes) {
    const StudyPoints points = bench::study_points("hernquist", 4000);
    const std::vector<Vector3> exact = exact_at_all(points);
    for (const TreeKind kind : kinds) {
        StudyTree tree(points, kind, 4, 1);
        for (const Criterion criterion : {Criterion::opening, Criterion::acceleration}) {
            double before = 1.0;
            for (const int order : {0, 2, 4}) {
                tree.walk({.theta = 0.6, .order = order, .criterion = criterion, .alpha = 0.01});
                const double error = largest_error(tree.accelerations(), exact);
                EXPECT_LE(error, 0.12) << to_string(kind) << ", order " << order;
                if (criterion == Criterion::opening) {
                    EXPECT_LT(error, before) << to_string(kind) << ", order " << order;
                }
                before = error;
            }
        }
    }
}

// A walk leaves nothing behind that the next one, by another criterion, would go by.
TEST(KdTree, WalksDoNotDependOnEarlierOnes) {
    const StudyPoints points = bench::study_points("hernquist", 4000);
    for (const TreeKind kind : kinds) {
        StudyTree tree(points, kind, 4, 1);
        const Options opening{.theta = 0.6, .order = 2};
        const bench::WalkCost first = tree.walk(opening);
        tree.walk({.order = 2, .criterion = Criterion::acceleration, .alpha = 0.01});
        const bench::WalkCost again = tree.walk(opening);
        EXPECT_EQ(first.counts.node, again.counts.node);
        EXPECT_EQ(first.counts.cell, again.counts.cell);
        EXPECT_EQ(first.counts.far, again.counts.far);
    }
}

TEST(StudyPoints, AreInTheUnitCubeAndNamed) {
    for (const char* const model : {"hernquist", "plummer", "nfw"}) {
        const StudyPoints points = bench::study_points(model, 1000);
        for (const auto* places : {&points.x, &points.y, &points.z}) {
            EXPECT_GE(*std::min_element(places->begin(), places->end()), 0.0);
            EXPECT_LT(*std::max_element(places->begin(), places->end()), 1.0);
        }
    }
    EXPECT_THROW((void)bench::study_points("king", 10), Error);
}

}  // namespace
}  // namespace gravlet::test
