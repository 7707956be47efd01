// SPDX-License-Identifier: Apache-2.0
// Masses whose worst target was hunted for: threads, sheets, clusters in clusters, cusps, deep meshes. In or about a unit cube,
// points along a space-filling curve. One draw a statement: compilers choose the order of arguments.
#pragma once

#include "tests/api/worst/worst_cases.hpp"

#include <algorithm>

namespace gravlet::test::worst {

inline Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector3 operator*(double s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline double norm(const Vector3& a) { return std::hypot(a.x, a.y, a.z); }

inline double gaussian(Random& random) { return std::normal_distribution<double>()(random); }

inline Vector3 gaussian_about(Random& random, const Vector3& middle, double width) {
    const double x = gaussian(random), y = gaussian(random), z = gaussian(random);
    return middle + width * Vector3{x, y, z};
}

inline Vector3 in_cube(Random& random) {
    const double x = uniform(random), y = uniform(random), z = uniform(random);
    return {x, y, z};
}

inline std::size_t one_of(Random& random, std::size_t n) {
    return std::min(n - 1, static_cast<std::size_t>(static_cast<double>(n) * uniform(random)));
}

/// `most`: scale radii.
inline Vector3 in_plummer(Random& random, const Vector3& middle, double scale, double most = 20.0) {
    double radius = plummer_radius(random);
    while (radius > most) radius = plummer_radius(random);
    return middle + on_sphere(random, scale * radius);
}

inline Vector3 in_hernquist(Random& random, double scale) {
    double radius = infinity;
    while (radius > 10.0) {
        const double s = std::sqrt(uniform(random));
        radius = s / (1.0 - s);
    }
    return on_sphere(random, scale * radius);
}

/// Within `concentration` scale radii.
inline Vector3 in_nfw(Random& random, double scale, double concentration) {
    const auto mass = [](double radius) { return std::log(1.0 + radius) - radius / (1.0 + radius); };
    const double want = mass(concentration) * uniform(random);
    double low = 0.0, high = concentration;
    for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (low + high);
        (mass(middle) < want ? low : high) = middle;
    }
    return on_sphere(random, scale * low);
}

/// `n` points of equal mass, each where `draw(i)` says.
template <class Draw>
WorstCase case_of_points(const std::string& name, std::size_t n, const Draw& draw) {
    BodyArrays points;
    for (std::size_t i = 0; i < n; ++i) add(points, draw(i), 1.0 / static_cast<double>(n));
    return {name, {}, along_curve(points)};
}

/// A wavy thread across the cube, even along it.
inline WorstCase filament(std::size_t n) {
    Random random(101);
    return case_of_points("filament", n, [&](std::size_t) {
        const double t = uniform(random);
        const Vector3 along{t, 0.4 + 0.35 * t + 0.06 * std::sin(7.0 * t), 0.3 + 0.5 * t + 0.05 * std::cos(5.0 * t)};
        return gaussian_about(random, along, 1e-4);
    });
}

/// 60 tight clusters (radii 1e-4 to 1e-3, some with many members, some with few) hold a third of a halo's mass.
inline WorstCase clusters_in_halo(std::size_t n) {
    Random random(102);
    std::vector<Vector3> middles;
    std::vector<double> radii;
    for (int k = 0; k < 60; ++k) {
        middles.push_back(in_hernquist(random, 0.2));
        radii.push_back(1e-4 * std::pow(10.0, uniform(random)));
    }
    return case_of_points("clusters in a halo", n, [&](std::size_t i) {
        if (i >= n / 3) return in_hernquist(random, 0.1);
        const auto k = static_cast<std::size_t>(60.0 * std::pow(uniform(random), 1.5));
        return in_plummer(random, middles[std::min<std::size_t>(k, 59)], radii[std::min<std::size_t>(k, 59)]);
    });
}

/// Between random knots, each and its three nearest.
struct Threads {
    struct Thread {
        Vector3 from, along;
        double length;
    };
    std::vector<Thread> threads;
    double length = 0.0;

    explicit Threads(const std::vector<Vector3>& knots) {
        std::vector<std::pair<std::size_t, std::size_t>> joined;
        std::vector<std::size_t> nearest(knots.size());
        for (std::size_t k = 0; k < knots.size(); ++k) {
            for (std::size_t i = 0; i < nearest.size(); ++i) nearest[i] = i;
            std::ranges::partial_sort(nearest, nearest.begin() + 4, {}, [&](std::size_t i) { return norm(knots[i] - knots[k]); });
            for (std::size_t i = 1; i < 4; ++i) {  // the nearest is itself
                const std::pair ends = std::minmax(k, nearest[i]);
                if (std::ranges::find(joined, std::pair<std::size_t, std::size_t>(ends)) != joined.end()) continue;
                joined.push_back(ends);
                const Vector3 along = knots[nearest[i]] - knots[k];
                threads.push_back({knots[k], along, norm(along)});
                length += norm(along);
            }
        }
    }

    [[nodiscard]] Vector3 on_one(Random& random) const {
        double at = length * uniform(random);
        auto thread = threads.begin();
        while (thread + 1 != threads.end() && at > thread->length) at -= (thread++)->length;
        return thread->from + (at / thread->length) * thread->along;
    }
};

/// Seven tenths in threads between knots, a fifth in the knots, the rest even in the cube.
inline WorstCase web(std::size_t n, const std::string& name = "web", std::size_t knots = 60, double thickness = 1e-3,
                     double knot_radius = 3e-3) {
    Random random(103 + knots);
    std::vector<Vector3> middles;
    for (std::size_t k = 0; k < knots; ++k) middles.push_back(in_cube(random));
    const Threads threads(middles);
    return case_of_points(name, n, [&](std::size_t) {
        const double kind = uniform(random);
        if (kind < 0.1) return in_cube(random);
        if (kind < 0.3) return in_plummer(random, middles[one_of(random, knots)], knot_radius);
        return gaussian_about(random, threads.on_one(random), thickness);
    });
}

inline WorstCase thin_web(std::size_t n) { return web(n, "web of thin filaments", 150, 2e-4, 1e-3); }

/// Clusters of clusters of clusters (Soneira & Peebles 1978): each of four generations has six, 12 times smaller.
inline WorstCase nested_clusters(std::size_t n) {
    Random random(104);
    std::vector<Vector3> middles{{0.5, 0.5, 0.5}};
    double radius = 0.4;
    for (int generation = 0; generation < 4; ++generation, radius /= 12.0) {
        std::vector<Vector3> next;
        for (const Vector3& middle : middles)
            for (int k = 0; k < 6; ++k) {
                const double away = radius * std::cbrt(uniform(random));
                next.push_back(middle + on_sphere(random, away));
            }
        middles = next;
    }
    return case_of_points("nested clusters", n,
                          [&](std::size_t i) { return in_plummer(random, middles[i % middles.size()], radius, 10.0); });
}

/// Even in the logarithm of the distance from one end, seven decades, without thickness.
inline WorstCase log_line(std::size_t n) {
    Random random(105);
    return case_of_points("log line", n, [&](std::size_t) {
        return std::pow(10.0, -7.0 * uniform(random)) * Vector3{0.8, 0.55, 0.24};
    });
}

/// Tilted, slightly bent, 1e-5 thick.
inline WorstCase sheet(std::size_t n) {
    Random random(106);
    constexpr Vector3 u{0.8, 0.36, 0.48}, v{-0.6, 0.48, 0.64}, w{0.0, -0.8, 0.6};  // orthonormal
    return case_of_points("sheet", n, [&](std::size_t) {
        const double s = uniform(random), t = uniform(random), height = 1e-5 * gaussian(random);
        return s * u + t * v + (height + 0.02 * std::sin(3.0 * s + 2.0 * t)) * w;
    });
}

/// Two Plummer spheres and a thin bridge between them.
inline WorstCase dumbbell(std::size_t n) {
    Random random(107);
    constexpr Vector3 one{0.12, 0.17, 0.21}, other{0.87, 0.79, 0.91};
    return case_of_points("dumbbell", n, [&](std::size_t) {
        const double kind = uniform(random);
        if (kind < 0.45) return in_plummer(random, one, 0.01);
        if (kind < 0.9) return in_plummer(random, other, 0.02);
        const double along = uniform(random);
        return gaussian_about(random, one + along * (other - one), 2e-4);
    });
}

/// A tenth of an NFW halo's mass in 1,000 subhaloes, numbers as m^-1.9 over three decades, radii as the cube root.
inline WorstCase subhaloes(std::size_t n) {
    Random random(108);
    std::vector<Vector3> middles;
    std::vector<double> radii, mass_up_to;
    double total = 0.0;
    for (int k = 0; k < 1000; ++k) {
        const double mass = std::pow(1.0 - uniform(random) * (1.0 - std::pow(1e3, -0.9)), -1.0 / 0.9);
        middles.push_back(in_nfw(random, 0.1, 10.0));
        radii.push_back(5e-5 * std::cbrt(mass));
        mass_up_to.push_back(total += mass);
    }
    return case_of_points("subhaloes", n, [&](std::size_t i) {
        if (i % 10 != 0) return in_nfw(random, 0.05, 10.0);
        const auto found = std::ranges::lower_bound(mass_up_to, total * uniform(random));
        const auto k = std::min<std::size_t>(999, static_cast<std::size_t>(found - mass_up_to.begin()));
        return in_plummer(random, middles[k], radii[k], 30.0);
    });
}

/// Sharp-edged clumps, 1e6 times as dense as what is between them and three levels deeper.
inline WorstCase dense_clumps() {
    struct Clump {
        Vector3 middle;
        double radius;
    };
    Random random(109);
    std::vector<Clump> clumps;
    for (int k = 0; k < 40; ++k) {
        const Vector3 middle = Vector3{0.05, 0.05, 0.05} + 0.9 * in_cube(random);
        clumps.push_back({middle, 0.008 + 0.016 * uniform(random)});
    }
    const auto touches_some = [&](int, double x, double y, double z, double side) {
        return std::ranges::any_of(clumps, [&](const Clump& clump) {
            const auto& [at, radius] = clump;
            const Vector3 nearest{std::clamp(at.x, x, x + side), std::clamp(at.y, y, y + side), std::clamp(at.z, z, z + side)};
            return norm(nearest - at) < radius;
        });
    };
    return {"AMR, contrast 1e6",
            octree_mesh(5, 8, touches_some,
                        [&](double x, double y, double z) {
                            const bool inside = std::ranges::any_of(clumps, [&](const Clump& clump) {
                                return norm(Vector3{x, y, z} - clump.middle) < clump.radius;
                            });
                            return inside ? 1e6 : 1.0;
                        }),
            {}};
}

/// Refined to a point off the middle, 22 levels; density as r^-2.5, times exp of a Gaussian in each cell.
inline WorstCase deep_mesh() {
    constexpr int levels = 22;
    constexpr Vector3 cusp{0.3137, 0.5791, 0.4219};
    Random random(110);
    const auto near = [&](int, double x, double y, double z, double side) {
        const Vector3 off = Vector3{x + 0.5 * side, y + 0.5 * side, z + 0.5 * side} - cusp;
        return std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)}) < 4.0 * side;
    };
    return {"deep AMR",
            octree_mesh(4, levels, near,
                        [&](double x, double y, double z) {
                            const double radius = std::max(norm(Vector3{x, y, z} - cusp), std::ldexp(0.5, -levels));
                            return std::pow(radius, -2.5) * std::exp(gaussian(random));
                        }),
            {}};
}

}  // namespace gravlet::test::worst
