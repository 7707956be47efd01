// SPDX-License-Identifier: Apache-2.0
// All nodes of trees: mass, centre of mass, extent and open radius as found from the bodies below them, by rules written once
// more.
#include "physics/order.hpp"
#include "tests/backend/local.hpp"
#include "tests/backend/node_rules.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace gravlet::test {
namespace {

class Radii {
public:
    explicit Radii(const LocalTree& local)
        : tree_(on_host(local.exec, local.view(), local.options.order)), rules_{local.options, local.frame} {
        visit(0, 0);
    }

    std::size_t stretched = 0, widened = 0, weighed = 0, shifted = 0;  ///< of how many nodes each is part of the radius
    double worst = 0.0, worst_centre = 0.0, worst_extent = 0.0;

private:
    struct Below {
        std::vector<const Source*> bodies;
        Real extent = 0.0;  ///< as a tree can know it from its nodes
    };

    /// `around`: what pulls there already.
    Below visit(node_index i, Real around) {
        const Node& node = tree_.nodes[i];
        const Real size = node.size, pull = node.mass / (size * size);
        Below below;
        std::vector<std::pair<const Node*, Real>> children;
        for (std::uint32_t k = node.first; k < node.first + node.count; ++k) {
            if (node.leaf != 0) {
                below.bodies.push_back(&tree_.sources[k]);
                continue;
            }
            const Below child = visit(k, around + pull);
            below.bodies.insert(below.bodies.end(), child.bodies.begin(), child.bodies.end());
            children.emplace_back(&tree_.nodes[k], child.extent);
        }
        const NodeSums sums(below.bodies, rules_.options.order);
        worst_centre =
            std::max(worst_centre,
                     static_cast<double>(std::hypot(node.x - sums.centre[0], node.y - sums.centre[1], node.z - sums.centre[2]) /
                                         (size + 1e-8L)));
        const std::array<Real, 3> cube = NodeRules::cube_of(*below.bodies.front(), size);
        const Real delta = std::hypot(sums.centre[0] - cube[0], sums.centre[1] - cube[1], sums.centre[2] - cube[2]);
        below.extent = sums.extent;
        if (!children.empty()) {
            below.extent = 0;
            for (const auto& [child, extent] : children)
                below.extent = std::max(below.extent, extent + std::hypot(child->x - sums.centre[0], child->y - sums.centre[1],
                                                                          child->z - sums.centre[2]));
        }
        below.extent = std::min(below.extent, std::sqrt(3.0L) / 2 * size + delta);
        const Real kept = node.extent * 0x1p-13L * size;
        if (rules_.adaptive()) {
            EXPECT_GE(kept, sums.extent * (1 - 1e-6L) - 1e-15L) << i;
            worst_extent = std::max(worst_extent, static_cast<double>((kept - below.extent) / size));
        }
        const Real own = rules_.radius(sums, size, cube, kept);
        const Real growth = i == 0 ? 1 : rules_.growth(pull / (around + pull), node.mass, size);
        if (std::isinf(own)) {
            EXPECT_GE(node.open_radius, 1e8f) << i;
            return below;
        }
        worst = std::max(worst, std::abs(static_cast<double>(node.open_radius / (own * growth)) - 1.0));
        if (growth > 1.01L) ++widened;
        if (!rules_.adaptive() &&
            std::max({sums.length[2] / 0.3L, sums.length[3] / 0.36L, sums.length[4] / 0.36L}) > 1.01L * size)
            ++stretched;
        if (rules_.weight(sums.mass, size) > 1.01L) ++weighed;
        if (delta > 0.1L * size) ++shifted;
        return below;
    }

    HostTree tree_;
    NodeRules rules_;
};

/// Two thirds along a line through the cube, so that nodes are long, and heavy for their place.
BodyArrays filament(std::uint64_t seed, std::size_t n) {
    BodyArrays points = random_points(seed, n);
    for (std::size_t i = 0; i < n; ++i) {
        if (i % 3 == 0) continue;
        const double along = points.x[i];
        points.y[i] = along + 1e-3 * points.y[i], points.z[i] = along + 1e-3 * points.z[i];
        points.x[i] = 0.999 * along, points.y[i] = 0.999 * points.y[i], points.z[i] = 0.998 * points.z[i];
    }
    return points;
}

void expect_radii(const BodyArrays& bodies, const Options& chosen, int derivatives) {
    std::size_t stretched = 0;
    for (const int order : orders) {
        Options options = chosen;
        options.order = order;
        const LocalTree local(bodies, options, derivatives);
        SCOPED_TRACE(testing::Message() << "order " << order << ", criterion " << static_cast<int>(local.options.criterion));
        const Radii radii(local);
        EXPECT_LE(radii.worst, 3e-6);
        EXPECT_LE(radii.worst_centre, 1e-7);
        EXPECT_LE(radii.worst_extent, 5e-4);
        EXPECT_GT(radii.shifted, 0u);
        EXPECT_GT(radii.weighed, 0u);
        stretched += radii.stretched;
        if (is_adaptive(local.options)) continue;
        EXPECT_GT(radii.widened, 0u);
    }
    EXPECT_EQ(stretched > 0, chosen.criterion == Criterion::automatic);
}

TEST(Radii, OfAllNodes) {
    constexpr Boundary p = Boundary::periodic;
    for (const BodyArrays& bodies :
         {random_points(1, 1500), clustered_points(2, 1500), crowded_points(3, 1200, 1e-9), filament(4, 1500)}) {
        for (const int derivatives : {0, 1}) {
            expect_radii(bodies, {.theta = 0.6}, derivatives);
            expect_radii(bodies, {.criterion = Criterion::acceleration}, derivatives);
            expect_radii(bodies, {.criterion = Criterion::multipole}, derivatives);
        }
        expect_radii(bodies, {.boundary = {p, p, p}, .theta = 0.9}, 1);
        expect_radii(bodies, {.theta = 0.3, .leaf_size = 1}, 1);
    }
}

}  // namespace
}  // namespace gravlet::test
