// SPDX-License-Identifier: Apache-2.0
// What near cells do as cuboids over what they do as points, against numerical integration; which cells are near; the table and
// the closed form.
#include "physics/cuboid/cuboid.hpp"
#include "solver/near/near_table.hpp"
#include "tests/integrated_cuboid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

namespace gravlet {
namespace {

CellShapes shapes_of(const Array3& sides) {
    CellShapes shapes;
    Body cell{};
    cell.dx = sides[0], cell.dy = sides[1], cell.dz = sides[2];
    shapes.add(cell);
    return shapes;
}

struct Law {
    NearTable table;
    NearLaw law;

    explicit Law(const Array3& sides) {
        table.make(shapes_of(sides));
        law = table.law();
        law.table = table.jets().data();
    }
    [[nodiscard]] bool near(const Array3& d, double size) const { return law.is_near(law.steps({d[0], d[1], d[2]}, 1.0 / size)); }
    [[nodiscard]] Jet<double, 2> difference(const Array3& d, double size, double mass) const {
        Jet<double, 2> sum{};
        law.add(sum, {d[0], d[1], d[2]}, law.steps({d[0], d[1], d[2]}, 1.0 / size), mass, 1.0 / size);
        return sum;
    }
};

TEST(CuboidField, IsTheIntegral) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    double worst[3] = {};
    for (int trial = 0; trial < 60; ++trial) {
        Array3 l, d;
        for (std::size_t a = 0; a < 3; ++a) {
            l[a] = std::exp2(uniform(random));
            // Inside, or outside, and not near a face's plane, where Gauss's rule is bad.
            d[a] = l[a] *
                   (uniform(random) < 0.0 ? 0.2 * uniform(random) : std::copysign(1.1 + uniform(random) * 0.3, uniform(random)));
        }
        const Jet<double, 2> got = cuboid_field<2>({d[0], d[1], d[2]}, {l[0], l[1], l[2]});
        const std::array<double, 10> expected = test::integrated_cuboid(d, l);
        const double scale = 1.0 / std::min({l[0], l[1], l[2]});
        for (std::size_t k = 0; k < result_count; ++k) {
            const int degree = derivatives_of(k);
            worst[degree] = std::max(worst[degree], std::abs(got.term[k] - expected[k]) / std::pow(scale, degree + 1));
        }
    }
    EXPECT_LT(worst[0], 3.7e-14);
    EXPECT_LT(worst[1], 2.2e-14);
    EXPECT_LT(worst[2], 5e-14);
}

TEST(CuboidField, HasValuesInFacesEdgesAndCorners) {
    for (const Array3& d : {Array3{0.5, 0.1, 0.2}, Array3{0.5, 0.5, 0.1}, Array3{0.5, 0.5, 0.5}, Array3{0.5, 0.0, 0.0},
                            Array3{0.0, 0.0, 0.0}, Array3{1.5, 0.5, 0.5}}) {
        const Jet<double, 1> at = cuboid_field<1>({d[0], d[1], d[2]}, {1.0, 1.0, 1.0});
        const Jet<double, 1> beside = cuboid_field<1>({d[0] - 1e-9, d[1] + 1e-9, d[2] - 1e-9}, {1.0, 1.0, 1.0});
        for (std::size_t k = 0; k < component_count(1); ++k) EXPECT_NEAR(at.term[k], beside.term[k], 1e-7) << k;
    }
    const Jet<double, 2> centre = cuboid_field<2>({0.0, 0.0, 0.0}, {1.0, 1.0, 1.0});
    EXPECT_NEAR(centre.term[0], cube_self_constant, 1.3e-15);
    for (const std::size_t k : {std::size_t{4}, std::size_t{7}, std::size_t{9}})
        EXPECT_NEAR(centre.term[k], -4.0 * std::numbers::pi / 3.0, 2.6e-15);
}

TEST(NearCells, AreThoseWithinHalfASideAndTheLongest) {
    const Law cubes({0.3, 0.3, 0.3}), rods({1.0, 2.0, 4.0}), needles({1.0, 1.0, 9.0});
    EXPECT_TRUE(cubes.near({0.45, -0.45, 0.45}, 0.3));
    EXPECT_FALSE(cubes.near({0.4875, 0.0, 0.0}, 0.3));
    EXPECT_TRUE(rods.near({-4.5, 5.0, 6.0}, 1.0));
    EXPECT_FALSE(rods.near({4.7, 0.0, 0.0}, 1.0));
    EXPECT_FALSE(rods.near({0.0, 0.0, 6.6}, 1.0));
    EXPECT_TRUE(needles.near({4.5, 0.0, 0.0}, 1.0));
    EXPECT_FALSE(needles.near({4.7, 0.0, 0.0}, 1.0));
}

TEST(NearCells, DifferencesAreTheIntegralsWhereverTheTargetIs) {
    std::mt19937_64 random(6);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    // The table has eighths of a side, or (from 1, 1, 4 on) quarters, so that it does not grow with the shape.
    for (const Array3& shape :
         {Array3{1.0, 1.0, 1.0}, Array3{1.0, 2.0, 4.0}, Array3{1.3, 1.0, 1.1}, Array3{1.0, 1.0, 3.9}, Array3{1.0, 1.0, 4.1}}) {
        const Law law(shape);
        EXPECT_LE(law.table.jets().size(), 20000U * result_count);
        EXPECT_EQ(law.law.per_step[0] * law.law.shape[0], shape[2] < 4.1 ? 8.0 : 4.0);
        double worst[3] = {};
        for (int trial = 0; trial < 60; ++trial) {
            const double size = std::exp2(3.0 * uniform(random)), mass = 2.0 + uniform(random);
            Array3 d, l;
            for (std::size_t a = 0; a < 3; ++a) {
                l[a] = size * shape[a];
                // Of levels one finer, or the same, or coarser; or anywhere.
                const double sides[] = {0.25, 0.75, 1.25, 0.0, 1.0, 1.5};
                d[a] = std::copysign(l[a] * sides[static_cast<std::size_t>(3.0 + 2.999 * uniform(random))], uniform(random));
                if (trial % 3 == 0) d[a] = l[a] * std::copysign(1.0 + 0.3 * uniform(random), uniform(random));
            }
            if (std::abs(d[0]) + std::abs(d[1]) + std::abs(d[2]) == 0.0) continue;
            const Jet<double, 2> got = law.difference(d, size, mass);
            const std::array<double, 10> as_cuboid = test::integrated_cuboid(d, l), as_point = test::point_field(d);
            for (std::size_t k = 0; k < result_count; ++k) {
                const int degree = derivatives_of(k);
                const double error = std::abs(got.term[k] - mass * (as_cuboid[k] - as_point[k]));
                worst[degree] = std::max(worst[degree], error * std::pow(size, degree + 1) / mass);
            }
        }
        EXPECT_LT(worst[0], 3.8e-14);
        EXPECT_LT(worst[1], 2.6e-14);
        EXPECT_LT(worst[2], 1e-13);
    }
}

TEST(NearCells, ShapesAreOneUpToSizes) {
    CellShapes shapes = shapes_of({0.1, 0.2, 0.3});
    EXPECT_TRUE(shapes.one_shape());
    shapes.add(shapes_of({0.2 * (1.0 + 1e-8), 0.4, 0.6}));
    EXPECT_TRUE(shapes.one_shape());
    shapes.add(shapes_of({0.2, 0.4, 0.61}));
    EXPECT_FALSE(shapes.one_shape());
    EXPECT_FALSE(CellShapes().any());
}

}  // namespace
}  // namespace gravlet
