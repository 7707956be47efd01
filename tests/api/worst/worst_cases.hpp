// SPDX-License-Identifier: Apache-2.0
// Masses dealt out to hurt a tree code: heavy bodies, voids, lines, discs, shells, clusters of clusters, meshes of all depths.
#pragma once

#include "physics/types.hpp"
#include "tests/api/body_arrays.hpp"

#include <numbers>
#include <string>

namespace gravlet::test {

/// Cells, points, or both.
struct WorstCase {
    std::string name;
    BodyArrays cells, points;
};

namespace worst {

using Random = std::mt19937_64;

inline double uniform(Random& random) { return std::uniform_real_distribution<double>()(random); }

inline Vector3 on_sphere(Random& random, double radius) {
    const double z = 2.0 * uniform(random) - 1.0, phi = 2.0 * std::numbers::pi * uniform(random), s = std::sqrt(1.0 - z * z);
    return {radius * s * std::cos(phi), radius * s * std::sin(phi), radius * z};
}

inline void add(BodyArrays& to, const Vector3& at, double mass) { to.add_point(at.x, at.y, at.z, mass); }

inline void add_on_sphere(BodyArrays& to, Random& random, double radius, double mass) {
    add(to, on_sphere(random, radius), mass);
}

/// Of a mass in a Plummer sphere, in scale radii.
inline double plummer_radius(Random& random) { return 1.0 / std::sqrt(std::pow(uniform(random), -2.0 / 3.0) - 1.0); }

inline void add_in_disc(BodyArrays& to, Random& random, double radius, double height, double mass) {
    const double phi = 2.0 * std::numbers::pi * uniform(random);
    to.add_point(radius * std::cos(phi), radius * std::sin(phi), height * std::normal_distribution<double>()(random), mass);
}

/// Leaf cells of the unit cube: all of `levels` where `divide(level, x, y, z, side)` says so down from level `least`; their
/// density is that at their centre.
template <class Divide, class Density>
BodyArrays octree_mesh(int least, int most, const Divide& divide, const Density& density) {
    BodyArrays mesh;
    const std::function<void(int, double, double, double)> refine = [&](int level, double x, double y, double z) {
        const double side = std::ldexp(1.0, -level);
        if (level < least || (level < most && divide(level, x, y, z, side))) {
            for (int child = 0; child < 8; ++child)
                refine(level + 1, x + 0.5 * side * (child & 1), y + 0.5 * side * (child >> 1 & 1), z + 0.5 * side * (child >> 2));
            return;
        }
        x += 0.5 * side, y += 0.5 * side, z += 0.5 * side;
        mesh.add_cell(x, y, z, side, density(x, y, z) * side * side * side);
    };
    refine(0, 0.0, 0.0, 0.0);
    return mesh;
}

inline BodyArrays uniform_mesh(int level, const std::function<double(double, double, double)>& density) {
    return octree_mesh(
        level, level, [](auto...) { return false; }, density);
}

inline WorstCase star_in_disc(std::size_t n) {
    Random random(1);
    WorstCase c{"a star in the hole of a disc", {}, {}};
    c.points.add_point(0.0, 0.0, 0.0, 1.0);
    for (std::size_t i = 0; i < n; ++i)
        add_in_disc(c.points, random, std::sqrt(0.09 + 0.91 * uniform(random)), 0.01, 1e-3 / static_cast<double>(n));
    return c;
}

inline WorstCase heavy_cell(int level) {
    WorstCase c{"a heavy cell in a void", {}, {}};
    c.cells = uniform_mesh(level, [&](double x, double y, double z) {
        const bool here = std::max({std::abs(x - 0.4), std::abs(y - 0.55), std::abs(z - 0.48)}) < std::ldexp(0.5, -level);
        return here ? 1e6 : std::min({x, y, z}) > 0.75 ? 1e-6 : 0.0;
    });
    return c;
}

inline WorstCase two_sinks(int level) {
    WorstCase c{"two sinks in vacuum", {}, {}};
    c.cells = uniform_mesh(level, [](auto...) { return 0.0; });
    c.points.add_point(0.31, 0.42, 0.5, 1.0);
    c.points.add_point(0.72, 0.61, 0.47, 0.7);
    Random random(2);
    for (int i = 0; i < 30; ++i) {
        const double y = 0.1 * uniform(random), x = 0.9 + 0.05 * uniform(random);
        c.points.add_point(x, y, 0.1, 1e-6);
    }
    return c;
}

inline WorstCase coarse_spheroid() {
    WorstCase c{"off-centre spheroid, coarse mesh", {}, {}};
    const auto inside = [](double x, double y, double z) {
        return (x - 0.35) * (x - 0.35) + (y - 0.45) * (y - 0.45) + 5.0 * (z - 0.6) * (z - 0.6) < 0.04;
    };
    c.cells = octree_mesh(
        5, 6,
        [](int, double x, double y, double z, double side) {  // whole blocks of 8^3
            const auto near = [](double at, double middle) { return std::abs(at - middle) < 0.25; };
            const auto block = [](double at) { return (std::floor(at * 4.0) + 0.5) / 4.0; };
            return near(block(x + 0.5 * side), 0.35) && near(block(y + 0.5 * side), 0.45) && near(block(z + 0.5 * side), 0.6);
        },
        [&](double x, double y, double z) { return inside(x, y, z) ? 1.0 : 0.0; });
    return c;
}

inline WorstCase diagonal(std::size_t n) {
    WorstCase c{"points on a diagonal line", {}, {}};
    Random random(3);
    for (std::size_t i = 0; i < n; ++i) {
        const double t = uniform(random);
        c.points.add_point(t, t, t, 1.0 / static_cast<double>(n));
    }
    return c;
}

inline WorstCase exponential_disc(std::size_t n) {
    WorstCase c{"exponential disc, 1:100", {}, {}};
    Random random(4);
    for (std::size_t i = 0; i < n; ++i) {
        const double radius = -std::log(uniform(random) * uniform(random));  // of surface density exp(-R)
        add_in_disc(c.points, random, radius, 0.01, 1.0 / static_cast<double>(n));
    }
    return c;
}

inline WorstCase thin_shell(std::size_t n) {
    WorstCase c{"thin shell", {}, {}};
    Random random(5);
    for (std::size_t i = 0; i < n; ++i)
        add_on_sphere(c.points, random, 1.0 + 1e-4 * uniform(random), 1.0 / static_cast<double>(n));
    return c;
}

inline WorstCase levy_flight(std::size_t n) {
    WorstCase c{"Levy flight", {}, {}};
    Random random(6);
    Vector3 at{};
    for (std::size_t i = 0; i < n; ++i) {
        const Vector3 step = on_sphere(random, 0.001 * std::pow(uniform(random), -1.0 / 1.5));
        at.x += step.x, at.y += step.y, at.z += step.z;
        add(c.points, at, 1.0 / static_cast<double>(n));
    }
    return c;
}

inline WorstCase plummer(std::size_t n) {
    WorstCase c{"Plummer sphere", {}, {}};
    Random random(7);
    for (std::size_t i = 0; i < n; ++i) add_on_sphere(c.points, random, plummer_radius(random), 1.0 / static_cast<double>(n));
    return c;
}

inline WorstCase uniform_sphere(std::size_t n) {
    WorstCase c{"uniform sphere", {}, {}};
    Random random(8);
    for (std::size_t i = 0; i < n; ++i) add_on_sphere(c.points, random, std::cbrt(uniform(random)), 1.0 / static_cast<double>(n));
    return c;
}

/// Cells refined to one corner, with equal mass on each level.
inline WorstCase nested_mesh(int levels) {
    WorstCase c{"mesh nested to 2^-" + std::to_string(levels), {}, {}};
    c.cells = octree_mesh(
        3, levels,
        [](int level, double x, double y, double z, double) {
            return std::max({x, y, z}) < std::ldexp(0.5, -(level - 3));
        },
        [](double x, double y, double z) {
            return std::pow(std::max({x, y, z}), -3.0);
        });
    return c;
}

/// Blocks of 8^3 cells, every other one 1e8 times as dense.
inline WorstCase contrast(int level) {
    WorstCase c{"contrast 1e8 between blocks", {}, {}};
    c.cells = uniform_mesh(level, [&](double x, double y, double z) {
        const double blocks = std::ldexp(1.0, level - 3);
        const int parity = static_cast<int>(x * blocks) + static_cast<int>(y * blocks) + static_cast<int>(z * blocks);
        return parity % 2 == 0 ? 1.0 : 1e-8;
    });
    return c;
}

/// Cells with sides 1:2:4.
inline WorstCase bricks(int n) {
    WorstCase c{"cells of 1:2:4", {}, {}};
    Random random(9);
    const double h = 1.0 / n;
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < 2 * n; ++j)
            for (int i = 0; i < 4 * n; ++i) {
                c.cells.add_cell((i + 0.5) * 0.25 * h, (j + 0.5) * 0.5 * h, (k + 0.5) * h, 0.25 * h, uniform(random));
                c.cells.dy.push_back(0.5 * h);
                c.cells.dz.push_back(h);
            }
    return c;
}

/// Random points, few of them.
inline WorstCase few(std::size_t n) {
    WorstCase c{std::to_string(n) + " points", {}, {}};
    Random random(10 + n);
    for (std::size_t i = 0; i < n; ++i) {
        const double mass = std::exp(5.0 * uniform(random)), z = uniform(random), y = uniform(random), x = uniform(random);
        c.points.add_point(x, y, z, mass);
    }
    return c;
}

}  // namespace worst
}  // namespace gravlet::test
