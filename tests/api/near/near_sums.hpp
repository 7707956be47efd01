// SPDX-License-Identifier: Apache-2.0
// Meshes that are refined at a corner, an edge or a face of a cube, and all pairs of their cells as near_cells: cuboid has them,
// summed by the tests themselves.
#pragma once

#include "physics/types.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/integrated_cuboid.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <random>

namespace gravlet::test {

struct Refined {
    Array3 corner{}, side{1.0, 1.0, 1.0};  ///< of the coarsest cells: side / n each
    int n = 8, jump = 1;
    int directions = 3;  ///< cells in the middle half of so many directions are refined: a slab, a beam, a cube
    std::function<double(double, double, double)> density = [](double, double, double) { return 1.0; };
};

/// In the order of the coarse cells. dx, dy and dz are given.
inline BodyArrays refined_mesh(const Refined& of) {
    BodyArrays mesh;
    for (int c = 0; c < of.n * of.n * of.n; ++c) {
        const int at[3] = {c % of.n, c / of.n % of.n, c / of.n / of.n};
        bool fine = true;
        for (int d = 0; d < of.directions; ++d) fine = fine && at[d] >= of.n / 4 && at[d] < of.n - of.n / 4;
        const int parts = fine ? 1 << of.jump : 1;
        for (int p = 0; p < parts * parts * parts; ++p) {
            const int part[3] = {p % parts, p / parts % parts, p / parts / parts};
            Array3 x, h;
            for (std::size_t d = 0; d < 3; ++d) {
                h[d] = of.side[d] / of.n / parts;
                x[d] = of.corner[d] + (at[d] * parts + part[d] + 0.5) * h[d];
            }
            mesh.add_cell(x[0], x[1], x[2], h[0], of.density(x[0], x[1], x[2]) * h[0] * h[1] * h[2]);
            mesh.dy.push_back(h[1]), mesh.dz.push_back(h[2]);
        }
    }
    return mesh;
}

inline std::function<double(double, double, double)> random_density(std::uint64_t seed) {
    return [random = std::mt19937_64(seed)](double, double, double) mutable {
        std::uniform_real_distribution<double> uniform;
        return uniform(random) < 0.1 ? 0.0 : 0.2 + uniform(random);
    };
}

/// As a cuboid within half a side and the longest side, in each direction (four of its own at most), else as a point.
class NearField {
public:
    /// Of mass 1 and sides l, at a target displaced by d.
    std::array<double, 10> operator()(const Array3& d, const Array3& l) {
        const double longest = std::max({l[0], l[1], l[2]});
        for (std::size_t a = 0; a < 3; ++a)
            if (std::abs(d[a]) > (0.5 * l[a] + std::min(longest, 4.0 * l[a])) * 1.001) return point_field(d);
        std::array<long, 6> key{};
        for (std::size_t a = 0; a < 3; ++a) key[a] = std::lround(d[a] * 1e9), key[3 + a] = std::lround(l[a] * 1e9);
        const auto [found, added] = known_.try_emplace(key);
        if (added) found->second = integrated_cuboid(d, l);
        return found->second;
    }

private:
    std::map<std::array<long, 6>, std::array<double, 10>> known_;
};

inline Array3 sides_of(const BodyArrays& cells, std::size_t i) { return {cells.dx[i], cells.dy[i], cells.dz[i]}; }
inline Array3 place_of(const BodyArrays& bodies, std::size_t i) { return {bodies.x[i], bodies.y[i], bodies.z[i]}; }

/// The sums at a place of all cells but `except` (isolated).
inline std::array<double, 10> near_sum(NearField& field, const BodyArrays& cells, const Array3& at, std::size_t except) {
    std::array<double, 10> sum{};
    for (std::size_t j = 0; j < cells.size(); ++j) {
        if (j == except || cells.mass[j] == 0.0) continue;
        const Array3 from = place_of(cells, j);
        const auto one = field({at[0] - from[0], at[1] - from[1], at[2] - from[2]}, sides_of(cells, j));
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += cells.mass[j] * one[k];
    }
    return sum;
}

/// At all cells (every stride-th; else NaN), G = 1, with their own potentials.
inline Result near_sums(const BodyArrays& cells, std::size_t stride) {
    NearField field;
    Result out(cells.size(), nan);
    for (std::size_t i = 0; i < cells.size(); i += stride) {
        const auto sum = near_sum(field, cells, place_of(cells, i), i);
        // Off the centre by so little that it does not show: there is no face's plane.
        const double own = integrated_cuboid({0.0, 0.0, 0.0}, sides_of(cells, i))[0];
        out.potential[i] = -sum[0] - cells.mass[i] * own;
        for (std::size_t d = 0; d < 3; ++d) out.acceleration[d][i] = sum[1 + d];
        for (std::size_t k = 0; k < 6; ++k) out.tidal[k][i] = sum[4 + k];
    }
    return out;
}

}  // namespace gravlet::test
