// SPDX-License-Identifier: Apache-2.0
// A homogeneous cuboid's field by Gauss's rule over its faces: the tests' oracle for near cells.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace gravlet::test {

struct GaussRule {
    std::vector<double> x, w;  // on [-1, 1]

    explicit GaussRule(int n) {
        for (int i = 0; i < n; ++i) {
            double at = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0.0;
            for (int step = 0; step < 8; ++step) {
                double p = 1.0, before = 0.0;
                for (int k = 1; k <= n; ++k) {
                    const double next = ((2.0 * k - 1.0) * at * p - (k - 1.0) * before) / k;
                    before = p;
                    p = next;
                }
                slope = n * (at * p - before) / (at * at - 1.0);
                at -= p / slope;
            }
            x.push_back(at);
            w.push_back(2.0 / ((1.0 - at * at) * slope * slope));
        }
    }
};

/// Sum m/r, its derivatives by the target's position, and theirs (xx, xy, xz, yy, yz, zz), of mass 1 and sides l; the target is
/// displaced by d, and in a plane of a face only the first number is right.
inline std::array<double, 10> integrated_cuboid(const std::array<double, 3>& d, const std::array<double, 3>& l) {
    // On pieces of a face that are no longer than half the shortest side, nor than twice the distance from a face's plane.
    static const GaussRule rule(20);
    const double density = 1.0 / (l[0] * l[1] * l[2]);
    double longest = 0.5 * std::min({l[0], l[1], l[2]});
    for (std::size_t a = 0; a < 3; ++a)
        if (const double plane = std::abs(std::abs(d[a]) - 0.5 * l[a]); plane > 1e-6 * l[a])
            longest = std::min(longest, 2.0 * plane);
    struct Place {
        double at, weight;
    };
    std::array<std::vector<Place>, 3> along;
    for (std::size_t a = 0; a < 3; ++a) {
        const int pieces = static_cast<int>(std::ceil(l[a] / longest - 1e-9));
        for (int p = 0; p < pieces; ++p)
            for (std::size_t i = 0; i < rule.x.size(); ++i)
                along[a].push_back({l[a] * ((p + 0.5 + 0.5 * rule.x[i]) / pieces - 0.5) - d[a], 0.5 * rule.w[i] * l[a] / pieces});
    }
    std::array<double, 10> out{};
    constexpr std::size_t second[3][3] = {{4, 5, 6}, {5, 7, 8}, {6, 8, 9}};
    for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t b = (a + 1) % 3, c = (a + 2) % 3;
        for (const double side : {-1.0, 1.0}) {
            const double height = 0.5 * side * l[a] - d[a];
            for (const auto& [u, u_weight] : along[b]) {
                for (const auto& [v, v_weight] : along[c]) {
                    const double r2 = height * height + u * u + v * v, part = density * u_weight * v_weight / std::sqrt(r2);
                    out[0] += 0.5 * side * height * part;  // div(r/|r|) = 2/r
                    out[1 + a] -= side * part;
                    // Off the diagonal each element comes from two pairs of faces: half of each.
                    out[second[a][a]] -= side * part * height / r2;
                    out[second[a][b]] -= 0.5 * side * part * u / r2;
                    out[second[a][c]] -= 0.5 * side * part * v / r2;
                }
            }
        }
    }
    return out;
}

/// What mass 1 does as a point at the centre.
inline std::array<double, 10> point_field(const std::array<double, 3>& d) {
    const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2], r = std::sqrt(r2), field = 1.0 / (r * r2);
    std::array<double, 10> out{1.0 / r, -d[0] * field, -d[1] * field, -d[2] * field};
    for (std::size_t a = 0, k = 4; a < 3; ++a)
        for (std::size_t b = a; b < 3; ++b) out[k++] = field * (3.0 * d[a] * d[b] / r2 - (a == b ? 1.0 : 0.0));
    return out;
}

}  // namespace gravlet::test
