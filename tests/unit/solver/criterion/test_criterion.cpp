// SPDX-License-Identifier: Apache-2.0
// What a node errs by, next to what its criterion allows, wherever it may act.
#include "physics/acceptance.hpp"
#include "physics/close_pair.hpp"
#include "solver/criterion/alpha.hpp"
#include "solver/tree/moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace gravlet::test {
namespace {

/// Masses in the unit cube, their node as a tree has it, and its moments.
template <int P>
struct Clump {
    std::vector<Source> sources;
    Node node{};
    std::vector<float> moments = std::vector<float>(std::max<std::size_t>(1, moment_count(P)));

    Clump(std::mt19937_64& random, const Opening& opening) {
        std::uniform_real_distribution<double> uniform(0.0, 1.0);
        const int count = 2 + static_cast<int>(20.0 * uniform(random));
        const double power = 1.0 + 4.0 * uniform(random);  // the higher, the more of them are in one corner
        for (int i = 0; i < count; ++i) {
            const auto place = [&] { return std::pow(uniform(random), power); };
            sources.push_back({place(), place(), place(), static_cast<float>(0.05 + uniform(random)), point_mark});
        }
        node.count = static_cast<std::uint32_t>(count);
        node.leaf = 1;
        node.size = 1.0f;
        finish_node<P>(Alone(), node, &node, moments.data(), sources.data(), 0, {0.5, 0.5, 0.5}, opening);
    }

    /// Largest error of potential and field at some places just beyond where targets of this factor open the node.
    [[nodiscard]] std::array<double, 2> errors(std::mt19937_64& random, float factor) const {
        std::normal_distribution<double> normal;
        std::array<double, 2> worst{};
        const double distance = 1.0001 * static_cast<double>(open_distance(node, factor, 1.0f));
        for (int k = 0; k < 20; ++k) {
            const double x = normal(random), y = normal(random), z = normal(random), scale = distance / std::hypot(x, y, z);
            const Source target{node.x + x * scale, node.y + y * scale, node.z + z * scale, 0.0f, point_mark};
            Jet<double, 1> one{}, all{};
            add_node_pair<P>(one, target, node, moments.data(), {}, SofteningKernel::plummer);
            for (const Source& source : sources) add_pair(all, target, source, {}, SofteningKernel::plummer);
            const auto error = [&](std::size_t component) { return one.term[component] - all.term[component]; };
            worst[0] = std::max(worst[0], std::abs(error(0)));
            worst[1] = std::max(worst[1], std::hypot(error(1), error(2), error(3)));
        }
        return worst;
    }
};

template <int P>
double worst_share(Criterion criterion, bool field) {
    std::mt19937_64 random(5);
    const double alpha = 0.01;
    const Opening opening{0.8, 1.0, 1.0, 0.0, criterion, alpha, std::max(P, 1) + 1, field};
    double worst = 0.0;
    for (int i = 0; i < 300; ++i) {
        const Clump<P> clump(random, opening);
        for (const double scale : {1e-2, 1.0, 1e2, 1e4})
            worst = std::max(worst, clump.errors(random, opening.factor(scale))[field ? 1 : 0] / (alpha * scale));
    }
    return worst;
}

// Salmon & Warren's bound has factors of 1 (potential) and of order + 2 (field) that are left out.
TEST(Criterion, BoundsWhatANodeErrsBy) {
    for (const Criterion criterion : {Criterion::acceleration, Criterion::multipole}) {
        EXPECT_LE(worst_share<0>(criterion, false), 1.0);
        EXPECT_LE(worst_share<2>(criterion, false), 1.0);
        EXPECT_LE(worst_share<4>(criterion, false), 1.0);
        EXPECT_LE(worst_share<0>(criterion, true), 3.0);
        EXPECT_LE(worst_share<2>(criterion, true), 4.0);
        EXPECT_LE(worst_share<4>(criterion, true), 3.2);
    }
}

// At its open radius, times a group's factor, a node's next term is alpha times what acts on the group: M l^p/d^(p+1) of a
// potential, M l^p/d^(p+2) of a field, p the order and one more. l is the node's side, or what its masses reach from their
// centre, and then M l^2 may be less: twice its spread, sum m s^2.
TEST(Criterion, OpenRadiusByHand) {
    constexpr double alpha = 0.003, scale = 7.0, size = 0.25, mass = 2.0;
    for (const Criterion criterion : {Criterion::acceleration, Criterion::multipole})
        for (const int p : {1, 3, 4, 5})
            for (const bool field : {false, true})
                for (const double spread : {1e-4, 1.0}) {
                    const Opening opening{0.8, 10.0, 1.0, 0.0, criterion, alpha, p, field};
                    const double extent = 0.75 * size;
                    const double distance =
                        opening.radius({size, mass, 1.0, 0.1, spread, extent}) * static_cast<double>(opening.factor(scale));
                    const double l = criterion == Criterion::acceleration ? size : extent;
                    double moment = mass * std::pow(l, p);
                    if (criterion == Criterion::multipole && 2.0 * spread < l * l && p >= 1)
                        moment = mass * 2.0 * spread * std::pow(l, std::max(p, 2) - 2);
                    else if (p < 2)
                        moment = mass * l * l;
                    EXPECT_NEAR(moment / std::pow(distance, p + (field ? 2 : 1)) / (alpha * scale), 1.0, 8e-7)
                        << to_string(criterion) << " " << p << " " << field << " " << spread;
                }
}

Options with(Criterion criterion, int order, Precision precision = Precision::single) {
    Options options;
    options.criterion = criterion, options.order = order, options.precision = precision;
    return options;
}

// docs/notebook/2026-11-accuracy.md.
TEST(Alpha, Automatic) {
    for (const auto& [criterion, share] : {std::pair{Criterion::acceleration, 1.0}, {Criterion::multipole, 0.1}}) {
        for (const int order : {0, 2, 3}) {
            EXPECT_DOUBLE_EQ(automatic_alpha(with(criterion, order), true), 0.03 * share);
            EXPECT_DOUBLE_EQ(automatic_alpha(with(criterion, order), false), 0.001 * share);
        }
        EXPECT_DOUBLE_EQ(automatic_alpha(with(criterion, 4), true), 0.1 * share);
        EXPECT_DOUBLE_EQ(automatic_alpha(with(criterion, 4), false), 0.003 * share);
        EXPECT_DOUBLE_EQ(automatic_alpha(with(criterion, 10, Precision::double_), true) / (1e-9 * share), 1.0);
        EXPECT_DOUBLE_EQ(automatic_alpha(with(criterion, 10, Precision::double_), false) / (1e-8 * share), 1.0);
    }
}

// Nodes at an angle err by (theta/2)^(order + 1), of which tolerances start with 0.3.
TEST(Alpha, OfAngles) {
    for (const Criterion criterion : {Criterion::acceleration, Criterion::multipole})
        for (const int order : {0, 2, 4})
            for (const bool field : {false, true}) {
                Options options = with(criterion, order);
                const double of_alpha =
                    (criterion == Criterion::multipole ? 10.0 : 1.0) * (field ? 0.9 : 60.0) * (order == 4 ? 0.1 : 1.0);
                for (const double angle : {0.5, 0.9}) {
                    const double error = std::pow(0.5 * angle, order + 1);
                    options.alpha = error / of_alpha;
                    EXPECT_NEAR(angle_for_far_nodes(options, field), angle, 5e-16);
                    EXPECT_NEAR(alpha_of_angle(angle, options, field) / (0.3 * options.alpha), 1.0, 6e-16);
                }
                options.alpha = 100.0;
                EXPECT_EQ(angle_for_far_nodes(options, field), 1.0);
                options.alpha = 1e-12;
                EXPECT_EQ(angle_for_far_nodes(options, field), 0.1);
            }
}

TEST(Criterion, ExtentIsRoundedUp) {
    Node node{};
    node.size = 0.3f;
    for (const double extent : {0.0, 1e-6, 0.1, 0.26, 0.5}) {
        set_extent(node, extent);
        EXPECT_GE(extent_of(node), extent * (1.0 - 1e-6));
        EXPECT_LE(extent_of(node), extent + 0.3 * 2.0 * extent_step);
    }
}

}  // namespace
}  // namespace gravlet::test
