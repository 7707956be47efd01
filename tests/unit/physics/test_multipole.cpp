// SPDX-License-Identifier: Apache-2.0
// Node moments and local expansions against the sums that they stand for.
#include "physics/close_pair.hpp"
#include "physics/fields.hpp"
#include "physics/multipole.hpp"
#include "physics/order.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace gravlet {
namespace {

struct Mass {
    double m;
    Vector3 at;
};

/// A lump of masses in a cube of side `size` about `centre`.
std::vector<Mass> lump(unsigned seed, const Vector3& centre, double size, int n = 20) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-0.5 * size, 0.5 * size);
    std::vector<Mass> masses;
    for (int i = 0; i < n; ++i)
        masses.push_back({1.0 + i % 3, {centre.x + uniform(random), centre.y + uniform(random), centre.z + uniform(random)}});
    return masses;
}

struct Lump {
    double mass = 0.0, size, spread = 0.0;
    Vector3 centre{};
    std::vector<float> moments = std::vector<float>(moment_count(max_order));
};

Lump centre_of(const std::vector<Mass>& masses, double size) {
    Lump node;
    node.size = size;
    for (const Mass& m : masses) {
        node.mass += m.m;
        node.centre = {node.centre.x + m.m * m.at.x, node.centre.y + m.m * m.at.y, node.centre.z + m.m * m.at.z};
    }
    node.centre = {node.centre.x / node.mass, node.centre.y / node.mass, node.centre.z / node.mass};
    for (const Mass& m : masses)
        node.spread +=
            0.5 * m.m / node.mass *
            (std::pow(m.at.x - node.centre.x, 2) + std::pow(m.at.y - node.centre.y, 2) + std::pow(m.at.z - node.centre.z, 2));
    return node;
}

template <int P>
Lump node_of(const std::vector<Mass>& masses, double size) {
    Lump node = centre_of(masses, size);
    MomentSums<P> sums;
    for (const Mass& m : masses) sums.add_mass(m.m, {m.at.x - node.centre.x, m.at.y - node.centre.y, m.at.z - node.centre.z});
    sums.store(node.moments.data(), node.mass, size);
    return node;
}

/// All that a solve may sum up.
using Sums = Jet<double, max_derivatives>;

Sums direct(const std::vector<Mass>& masses, const Vector3& t, double softening2 = 0.0) {
    Sums sums{};
    for (const Mass& m : masses) {
        const double d[3] = {t.x - m.at.x, t.y - m.at.y, t.z - m.at.z};
        const double r = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening2);
        double* sum = sums.term;
        *sum++ += m.m / r;
        for (const double x : d) *sum++ -= m.m * x / std::pow(r, 3);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = i; j < 3; ++j) *sum++ += m.m * (3.0 * d[i] * d[j] - (i == j ? r * r : 0.0)) / std::pow(r, 5);
    }
    return sums;
}

template <int P>
Sums through_node(const Lump& node, const Vector3& t, double softening2) {
    Sums sums{};
    const double x = t.x - node.centre.x, y = t.y - node.centre.y, z = t.z - node.centre.z;
    double r_inverse = 1.0 / std::sqrt(x * x + y * y + z * z + softening2), mass = node.mass;
    const auto number = [](double v) { return v; };
    const double part = soften_extent(mass, r_inverse, softening2, node.spread);
    add_node<P>(sums, x, y, z, r_inverse, mass, node.size, number,
                [&](auto k) { return static_cast<double>(node.moments[static_cast<std::size_t>(moment_index(k.a, k.b, k.c))]); });
    add_extent_tide(sums, x, y, z, r_inverse, mass, part, number);
    return sums;
}

/// Relative, of the field with so many derivatives, by its norm.
double field_error(int derivatives, const Sums& a, const Sums& b) {
    double difference = 0.0, norm = 0.0;
    for (std::size_t k = first_component(derivatives); k < component_count(derivatives); ++k) {
        difference += result_components[k].times * std::pow(a.term[k] - b.term[k], 2);
        norm += result_components[k].times * b.term[k] * b.term[k];
    }
    return std::sqrt(difference / norm);
}

/// Largest relative errors of all fields over targets in all directions at `distance`.
template <int P>
std::array<double, 3> worst(double distance, double softening2 = 0.0) {
    const auto masses = lump(1, {0.1, -0.2, 0.3}, 1.0);
    const Lump node = node_of < P < 2 ? 2 : P > (masses, 1.0);
    std::array<double, 3> errors{};
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 200; ++i) {
        Vector3 t{normal(random), normal(random), normal(random)};
        const double r = distance / std::hypot(t.x, t.y, t.z);
        t = {node.centre.x + r * t.x, node.centre.y + r * t.y, node.centre.z + r * t.z};
        const Sums exact = direct(masses, t, softening2), approximate = through_node<P>(node, t, softening2);
        for (std::size_t d = 0; d < errors.size(); ++d)
            errors[d] = std::max(errors[d], field_error(static_cast<int>(d), approximate, exact));
    }
    return errors;
}

// Traces of degrees 3 and 4 are left; without that of degree 2, order 4 would err more than ten times as much.
TEST(Multipole, SofteningAddsLittle) {
    for (const double softening : {0.1, 0.5}) {
        const double softening2 = softening * softening;
        for (std::size_t i = 0; i < 3; ++i) {
            EXPECT_LE(worst<2>(3, softening2)[i], 1.1 * worst<2>(3)[i]) << softening;
            for (const double distance : {3.0, 6.0})
                EXPECT_LE(worst<4>(distance, softening2)[i], 2.0 * worst<4>(distance)[i]) << softening << ' ' << distance;
        }
    }
}

TEST(Multipole, ErrorFallsWithTheOrderAndWithDistanceAtItsPower) {
    const std::array<double, 3> order0 = worst<0>(3), order2 = worst<2>(3), order3 = worst<3>(3), order4 = worst<4>(3);
    for (std::size_t i = 0; i < 3; ++i) {
        const double at_most = i < 2 ? 0.4 : 0.5;  // each derivative takes a power of the distance
        EXPECT_LT(order2[i], at_most * order0[i]);
        EXPECT_LT(order3[i], at_most * order2[i]);
        EXPECT_LT(order4[i], at_most * order3[i]);
    }
    // The first term left out falls by 2^-(order + 1) when the distance doubles (float moments limit order 4).
    EXPECT_NEAR(std::log2(worst<0>(8)[0] / worst<0>(16)[0]), 2.0, 0.1);
    EXPECT_NEAR(std::log2(worst<2>(8)[0] / worst<2>(16)[0]), 3.0, 0.09);
    EXPECT_NEAR(std::log2(worst<3>(4)[0] / worst<3>(8)[0]), 4.0, 0.002);
    EXPECT_NEAR(std::log2(worst<4>(3)[0] / worst<4>(6)[0]), 5.0, 0.6);
}

/// What is left of the tidal tensor next to the derivative of the field, by differences, and of its trace.
template <int P>
void expect_tide_is_the_fields_derivative() {
    const Lump node = node_of<P>(lump(1, {0.1, -0.2, 0.3}, 1.0), 1.0);
    constexpr double h = 1e-4;
    const Vector3 t{1.3, -0.9, 1.7};
    const auto at = [&](std::size_t axis, double step) {
        return through_node<P>(
            node, {t.x + (axis == 0 ? step : 0.0), t.y + (axis == 1 ? step : 0.0), t.z + (axis == 2 ? step : 0.0)}, 0.0);
    };
    const Sums here = at(0, 0.0);
    const double size = std::abs(here.term[4]) + std::abs(here.term[7]) + std::abs(here.term[9]);
    constexpr std::size_t components[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Sums before = at(axis, -h), after = at(axis, h);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_NEAR(here.term[components[axis][i]], (after.term[1 + i] - before.term[1 + i]) / (2.0 * h), 8e-9 * size);
    }
    EXPECT_NEAR(here.term[4] + here.term[7] + here.term[9], 0.0, 3.8e-10 * size);  // moments are rounded
}

TEST(Multipole, TideIsTheFieldsDerivative) {
    expect_tide_is_the_fields_derivative<2>();
    expect_tide_is_the_fields_derivative<3>();
    expect_tide_is_the_fields_derivative<4>();
}

TEST(Multipole, NodesAddUpLikeTheirMasses) {
    const auto left = lump(5, {-0.5, 0.0, 0.0}, 1.0), right = lump(6, {0.5, 0.1, 0.2}, 1.0, 7);
    auto both = left;
    both.insert(both.end(), right.begin(), right.end());
    const Lump expected = node_of<4>(both, 2.0);
    Lump sum = centre_of(both, 2.0);
    MomentSums<4> sums;
    for (const auto& part : {left, right}) {
        const Lump child = node_of<4>(part, 1.0);
        sums.add_node(child.mass, child.moments.data(), child.size,
                      {child.centre.x - sum.centre.x, child.centre.y - sum.centre.y, child.centre.z - sum.centre.z});
    }
    sums.store(sum.moments.data(), sum.mass, sum.size);
    for (std::size_t i = 0; i < sum.moments.size(); ++i) EXPECT_NEAR(sum.moments[i], expected.moments[i], 7e-10) << i;
}

TEST(Multipole, MomentsAreTraceFree) {
    const Lump node = node_of<4>(lump(8, {}, 1.0), 1.0);
    // With C = scale * STF, the trace is the sum over axes of C(k + 2 e_i) / scale(k + 2 e_i).
    const auto moment = [&](int a, int b, int c) {
        return node.moments[static_cast<std::size_t>(moment_index(a, b, c))] / multipole::coefficient_scale(a, b, c);
    };
    for (const auto& [a, b, c] :
         {std::array{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {2, 0, 0}, {0, 1, 1}, {0, 0, 2}, {1, 1, 0}})
        EXPECT_NEAR(moment(a + 2, b, c) + moment(a, b + 2, c) + moment(a, b, c + 2), 0.0, 3.6e-9);
}

TEST(Multipole, AHomogeneousCubeHasOnlyAHexadecapole) {
    std::vector<Mass> grid;
    for (int i = 0; i < 4096; ++i) grid.push_back({1.0, {(i % 16 + 0.5) / 16, (i / 16 % 16 + 0.5) / 16, (i / 256 + 0.5) / 16}});
    const Lump node = node_of<4>(grid, 1.0);
    for (int i = 0; i < moment_count(3); ++i) EXPECT_NEAR(node.moments[static_cast<std::size_t>(i)], 0.0, 1e-9);
    EXPECT_LT(node.moments[static_cast<std::size_t>(moment_index(4, 0, 0))], -1e-3);
}

TEST(LocalExpansion, DerivativesAreThoseOfOneOverR) {
    const Vector3 r{0.7, -1.1, 0.4};
    const auto number = [](double v) { return v; };
    const auto at = [&](double x, double y, double z, double* d) {
        derivatives(x, y, z, 1.0 / std::sqrt(x * x + y * y + z * z), number, d);
    };
    double d[local_count], plus[local_count], minus[local_count];
    at(r.x, r.y, r.z, d);
    const double h = 1e-5;
    for (int axis = 0; axis < 3; ++axis) {
        const double e[3] = {axis == 0 ? h : 0.0, axis == 1 ? h : 0.0, axis == 2 ? h : 0.0};
        at(r.x + e[0], r.y + e[1], r.z + e[2], plus);
        at(r.x - e[0], r.y - e[1], r.z - e[2], minus);
        for (int n = 0; n < local_order; ++n) {
            for (int rest = 0; rest <= n; ++rest) {
                for (int c = 0; c <= rest; ++c) {
                    const int a = n - rest, b = rest - c, i = local_index(a, b, c);
                    const double derivative = d[local_index(a + (axis == 0), b + (axis == 1), c + (axis == 2))];
                    EXPECT_NEAR((plus[i] - minus[i]) / (2 * h), derivative, 1.4e-9 * std::max(1.0, std::abs(derivative)))
                        << "degree " << n << " axis " << axis;
                }
            }
        }
    }
}

TEST(LocalExpansion, SeriesConvergesToTheNode) {
    const auto masses = lump(2, {6.0, 1.0, -2.0}, 1.0);
    const Lump node = node_of<4>(masses, 1.0);
    const auto number = [](double v) { return v; };
    double d[local_count], local[local_count] = {};
    const double r = std::sqrt(node.centre.x * node.centre.x + node.centre.y * node.centre.y + node.centre.z * node.centre.z);
    derivatives(-node.centre.x, -node.centre.y, -node.centre.z, 1.0 / r, number, d);
    add_to_local<4>(local, d, node.mass, [&](auto i) {
        constexpr int degree = moment_degree(decltype(i)::value);
        return node.moments[static_cast<std::size_t>(decltype(i)::value)] * std::pow(-1.0, degree) /
               multipole::odd_factorial(degree);
    });
    complete_traces(local, 0.0);
    const auto error = [&](double reach) {
        const Vector3 t{reach, -0.7 * reach, 0.5 * reach};
        const Sums value = evaluate_polynomial<local_order, 0, max_derivatives>(
            t.x, t.y, t.z, [&](auto k) { return local[local_index(k.a, k.b, k.c)] / multipole::factorials(k.a, k.b, k.c); });
        const Sums exact = direct(masses, t);
        return std::array{field_error(0, value, exact), field_error(1, value, exact), field_error(2, value, exact)};
    };
    EXPECT_LT(error(0.0)[0], 1e-7);
    EXPECT_LT(error(0.0)[1], 9e-5);
    EXPECT_LT(error(0.0)[2], 1.3e-3);
    EXPECT_LT(error(0.5)[0], 1.4e-5);
    EXPECT_LT(error(0.5)[1], 1e-3);
    EXPECT_LT(error(0.5)[2], 1.5e-2);
    EXPECT_LT(error(1.0)[0], 4.4e-5);
}

// Points alone have masses that no float is.
TEST(ClosePair, MassesAreExact) {
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> uniform(0.1, 1.0);
    for (int i = 0; i < 100; ++i) {
        const double mass = uniform(random);
        const float rounded = static_cast<float>(mass);
        const Source target{0.0, 0.0, 0.0, 0.0f, point_mark}, source{2.0, 0.0, 0.0, rounded, mark_of(mass, rounded)};
        Jet<double, 2> sums{};
        add_pair(sums, target, source, {}, SofteningKernel::plummer);
        EXPECT_NEAR(sums.term[0] / (0.5 * mass), 1.0, 2.5e-14);
        EXPECT_NEAR(std::abs(sums.term[1]) / (0.25 * mass), 1.0, 2.5e-14);
        EXPECT_NEAR(sums.term[4] / (0.25 * mass), 1.0, 2.5e-14);
    }
}

// What CPU and GPU do with a node next to a softened target, in double: errors are those of the order, with what the extent of
// its masses adds under softening.
TEST(Node, SoftenedBesideATarget) {
    const auto masses = lump(1, {0.1, -0.2, 0.3}, 1.0);
    const Lump lump_node = node_of<4>(masses, 1.0);
    Node node{};
    node.x = lump_node.centre.x, node.y = lump_node.centre.y, node.z = lump_node.centre.z;
    node.mass = static_cast<float>(lump_node.mass), node.size = 1.0f, node.spread = static_cast<float>(lump_node.spread);
    constexpr float softening = 1.0f;
    const auto error_at = [&](double distance) {
        const Source target{node.x + 0.6 * distance, node.y - 0.64 * distance, node.z + 0.48 * distance, 0.0f, softening};
        Jet<double, 2> sums{};
        add_node_pair<4>(sums, target, node, lump_node.moments.data(), {}, SofteningKernel::plummer);
        const Sums exact = direct(masses, {target.x, target.y, target.z}, 1.0);
        return std::array{field_error(0, sums, exact), field_error(1, sums, exact), field_error(2, sums, exact)};
    };
    const auto near = error_at(4.0), far = error_at(8.0);
    EXPECT_LE(near[0], 8e-6);
    EXPECT_LE(near[1], 6e-5);
    EXPECT_LE(near[2], 2e-4);
    EXPECT_LE(far[0], 5e-7);
    EXPECT_LE(far[1], 3e-6);
    EXPECT_LE(far[2], 1e-5);
}

// A polynomial is the same one about any centre.
TEST(LocalExpansion, ShiftsExactly) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    double series[local_count], shifted[local_count];
    for (int i = 0; i < local_count; ++i) shifted[i] = series[i] = uniform(random);
    const Vector3 by{0.4, -0.9, 0.6}, t{-0.3, 0.2, 0.7};
    shift_series(shifted, {by.x, by.y, by.z});
    const auto at = [](const double* of, double x, double y, double z) {
        return evaluate_polynomial<local_order, 0, max_derivatives>(
            x, y, z, [of](auto k) { return of[local_index(k.a, k.b, k.c)] / multipole::factorials(k.a, k.b, k.c); });
    };
    const Sums before = at(series, by.x + t.x, by.y + t.y, by.z + t.z), after = at(shifted, t.x, t.y, t.z);
    for (std::size_t k = 0; k < component_count(max_derivatives); ++k) EXPECT_NEAR(before.term[k], after.term[k], 2.6e-15);
}

TEST(Order, OthersThanCodeIsMadeForAreRefused) {
    const auto degree_of = [](int order) {
        int degree = -1;
        with_order(order, [&](auto p) { degree = decltype(p)::value; });
        return degree;
    };
    EXPECT_EQ(degree_of(1), 0);
    for (const int order : orders) EXPECT_EQ(degree_of(order), order);
    for (const int order : {-1, max_order + 1}) EXPECT_THROW(degree_of(order), Error) << order;
}

}  // namespace
}  // namespace gravlet
