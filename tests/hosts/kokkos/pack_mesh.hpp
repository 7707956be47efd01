// SPDX-License-Identifier: Apache-2.0
// A mesh of blocks that are no cubes, on two levels, its density, and the sum over all its cells that results are compared with.
#pragma once

#include "tests/hosts/kokkos/host.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace gravlet::test {

using Vector = std::array<double, 3>;

/// Density at a place: positive, uneven.
inline double density_at(const Vector& x) { return 1.2 + std::sin(5.0 * x[0] + 2.0 * x[1]) * std::cos(3.0 * x[2] - 4.0 * x[1]); }

/// Two blocks a direction in [0, 1] x [0, 0.8] x [0, 1.2]; one of them, if any, is eight of half its size.
struct PackMesh {
    static constexpr std::array<int, 3> cells{4, 6, 2};
    static constexpr Vector size{1.0, 0.8, 1.2};

    explicit PackMesh(int refined) {
        for (int b = 0; b < 8; ++b) {
            const MeshBlockPlace coarse = part({{0.0, 0.0, 0.0}, size}, b);
            for (int child = 0; child < (b == refined ? 8 : 1); ++child)
                all.push_back(b == refined ? part(coarse, child) : coarse);
        }
        for (MeshBlockPlace& place : all)
            for (std::size_t d = 0; d < 3; ++d) place.cell_size[d] /= cells[d];
    }

    /// This rank's.
    [[nodiscard]] std::vector<MeshBlockPlace> of_rank() const {
        int rank = 0, ranks = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        const auto begin = [&](int r) { return all.begin() + static_cast<std::ptrdiff_t>(all.size()) * r / ranks; };
        return {begin(rank), begin(rank + 1)};
    }

    /// Of all cells of all ranks at x, less one that is there: (acceleration, potential), G = 1.
    [[nodiscard]] std::array<double, 4> sum_at(const Vector& x) const {
        std::array<double, 4> sum{};
        for (const MeshBlockPlace& place : all)
            for (int k = 0; k < cells[2]; ++k)
                for (int j = 0; j < cells[1]; ++j)
                    for (int i = 0; i < cells[0]; ++i) {
                        const Vector y = centre(place, i, j, k), apart{y[0] - x[0], y[1] - x[1], y[2] - x[2]};
                        const double r = std::sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
                        const double mass = density_at(y) * place.cell_size[0] * place.cell_size[1] * place.cell_size[2];
                        if (r < 1e-9) continue;
                        for (std::size_t d = 0; d < 3; ++d) sum[d] += mass * apart[d] / (r * r * r);
                        sum[3] -= mass / r;
                    }
        return sum;
    }

    static Vector centre(const MeshBlockPlace& place, double i, double j, double k) {
        return {place.lower[0] + (i + 0.5) * place.cell_size[0], place.lower[1] + (j + 0.5) * place.cell_size[1],
                place.lower[2] + (k + 0.5) * place.cell_size[2]};
    }

    std::vector<MeshBlockPlace> all;  ///< of all ranks

private:
    /// The octant of a box, whose sides are cell_size until all are made.
    static MeshBlockPlace part(const MeshBlockPlace& box, int octant) {
        MeshBlockPlace out = box;
        for (std::size_t d = 0; d < 3; ++d) {
            out.cell_size[d] = 0.5 * box.cell_size[d];
            out.lower[d] += (octant >> d & 1) * out.cell_size[d];
        }
        return out;
    }
};

/// The host's arrays of this mesh, its density in them.
template <class Real>
void set_up(PackHost<Real>& host, const PackMesh& mesh, Layout layout = Layout::right) {
    const std::vector<MeshBlockPlace> places = mesh.of_rank();
    host.allocate(layout, static_cast<int>(places.size()), PackMesh::cells);
    for (int m = 0; m < host.blocks; ++m)
        for (int k = 0; k < host.n[2]; ++k)
            for (int j = 0; j < host.n[1]; ++j)
                for (int i = 0; i < host.n[0]; ++i)
                    host.u(m, host.density, k + host.ng, j + host.ng, i + host.ng) =
                        static_cast<Real>(density_at(PackMesh::centre(places[static_cast<std::size_t>(m)], i, j, k)));
}

/// Largest errors of a rank's results, relative to the field's largest value here. What was not asked for has been left alone.
struct PackErrors {
    double potential = 0.0, acceleration = 0.0, faces = 0.0;
    bool untouched = true;
};

template <class Real>
PackErrors errors_of(PackHost<Real>& host, const PackMesh& mesh, double G, const Wanted& wanted) {
    PackErrors off;
    double largest[2]{};
    const std::vector<MeshBlockPlace> places = mesh.of_rank();
    const int ng = host.ng, guards = wanted.guards;
    const auto within = [&](int index, int n, int layers) { return index >= -layers && index < n + layers; };
    for (int m = 0; m < host.blocks; ++m) {
        const MeshBlockPlace& place = places[static_cast<std::size_t>(m)];
        for (int k = -ng; k <= host.n[2] + ng; ++k)
            for (int j = -ng; j <= host.n[1] + ng; ++j)
                for (int i = -ng; i <= host.n[0] + ng; ++i) {
                    const bool cell = within(i, host.n[0], ng) && within(j, host.n[1], ng) && within(k, host.n[2], ng);
                    const bool target =
                        within(i, host.n[0], guards) && within(j, host.n[1], guards) && within(k, host.n[2], guards);
                    const std::array<double, 4> exact =
                        target ? mesh.sum_at(PackMesh::centre(place, i, j, k)) : std::array<double, 4>{};
                    if (cell) {
                        const double phi = host.phi(m, 0, k + ng, j + ng, i + ng);
                        if (wanted.potential && target) {
                            off.potential = std::max(off.potential, std::abs(phi - G * exact[3]));
                            if (std::isnan(phi)) off.untouched = false;
                        } else if (!std::isnan(phi)) {
                            off.untouched = false;
                        }
                    }
                    largest[0] = std::max(largest[0], std::abs(G * exact[3]));
                    for (int d = 0; d < 3; ++d) {
                        const auto axis = static_cast<std::size_t>(d);
                        largest[1] = std::max(largest[1], std::abs(G * exact[axis]));
                        if (cell) {
                            const double a = host.acceleration(m, d, k + ng, j + ng, i + ng);
                            if (std::isnan(a) == (wanted.acceleration && target)) off.untouched = false;
                            if (wanted.acceleration && target)
                                off.acceleration = std::max(off.acceleration, std::abs(a - G * exact[axis]));
                        }
                        if (!within(i, host.n[0] + (d == 0), 0) || !within(j, host.n[1] + (d == 1), 0) ||
                            !within(k, host.n[2] + (d == 2), 0))
                            continue;
                        const double face = host.faces[axis](m, k + ng, j + ng, i + ng);
                        if (std::isnan(face) == wanted.faces) off.untouched = false;
                        if (!wanted.faces) continue;
                        const Vector at = PackMesh::centre(place, i - 0.5 * (d == 0), j - 0.5 * (d == 1), k - 0.5 * (d == 2));
                        off.faces = std::max(off.faces, std::abs(face - G * mesh.sum_at(at)[axis]));
                    }
                }
    }
    if (host.blocks > 0) off.potential /= largest[0], off.acceleration /= largest[1], off.faces /= largest[1];
    return off;
}

}  // namespace gravlet::test
