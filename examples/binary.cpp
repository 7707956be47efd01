// SPDX-License-Identifier: Apache-2.0
// Two points on an elliptic orbit about each other fly through a mesh that is refined in nested boxes and has mass of its own.
// The points are no part of the mesh, so nothing should happen where the cells' size changes: the orbit is held against the same
// leapfrog of the two alone (docs/judges.md). Ends with 1 if they differ too much.
//
//     mpirun -np 2 binary [orbits=8] [steps an orbit=150] [finest level=6] [path of a CSV: time, level, separations, energy]
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

namespace {

using Array3 = std::array<double, 3>;

constexpr double axis = 0.01, eccentricity = 0.3, total_mass = 1.0, mesh_mass = 1e-3;
constexpr int coarsest = 3;

double norm(const Array3& a) { return std::hypot(a[0], a[1], a[2]); }

/// The two points: positions, velocities and accelerations.
struct Pair {
    std::array<Array3, 2> x{}, v{}, a{};

    [[nodiscard]] Array3 separation() const { return {x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]}; }
    /// Energy of the relative motion, for a reduced mass of 1.
    [[nodiscard]] double energy() const {
        const Array3 u{v[1][0] - v[0][0], v[1][1] - v[0][1], v[1][2] - v[0][2]};
        return 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) - total_mass / norm(separation());
    }
    void kick(double step) {
        for (std::size_t p = 0; p < 2; ++p)
            for (std::size_t d = 0; d < 3; ++d) v[p][d] += step * a[p][d];
    }
    void drift(double step) {
        for (std::size_t p = 0; p < 2; ++p)
            for (std::size_t d = 0; d < 3; ++d) x[p][d] += step * v[p][d];
    }
};

/// Two equal masses at their largest separation, in a tilted plane; the centre moves along the box's diagonal.
Pair start(double speed) {
    const double far = axis * (1.0 + eccentricity),
                 slow = std::sqrt(total_mass / axis * (1.0 - eccentricity) / (1.0 + eccentricity));
    Pair pair;
    for (std::size_t p = 0; p < 2; ++p) {
        const double side = p == 0 ? -0.5 : 0.5;
        pair.x[p] = {0.12 + side * far, 0.13, 0.11};
        pair.v[p] = {speed, speed + 0.8 * side * slow, speed + 0.6 * side * slow};
    }
    return pair;
}

void attract(Pair& pair) {
    const Array3 r = pair.separation();
    const double pull = 0.5 * total_mass / std::pow(norm(r), 3);
    for (std::size_t d = 0; d < 3; ++d) pair.a[0][d] = pull * r[d], pair.a[1][d] = -pull * r[d];
}

/// Level of the cells at a place: nested boxes about the middle, each with half of the side.
int level_at(const Array3& at, int finest) {
    const double from_middle = std::max({std::abs(at[0] - 0.5), std::abs(at[1] - 0.5), std::abs(at[2] - 0.5)});
    int level = coarsest;
    for (double half = 0.25; level < finest && from_middle < half; half *= 0.5) ++level;
    return level;
}

struct Mesh {
    std::vector<double> x, y, z, dx, mass;

    void refine(const Array3& lower, int level, int finest) {
        const double side = std::ldexp(1.0, -level);
        const Array3 middle{lower[0] + 0.5 * side, lower[1] + 0.5 * side, lower[2] + 0.5 * side};
        if (level < level_at(middle, finest)) {
            for (int child = 0; child < 8; ++child)
                refine({lower[0] + 0.5 * side * (child & 1), lower[1] + 0.5 * side * (child >> 1 & 1),
                        lower[2] + 0.5 * side * (child >> 2)},
                       level + 1, finest);
            return;
        }
        x.push_back(middle[0]), y.push_back(middle[1]), z.push_back(middle[2]);
        dx.push_back(side);
        mass.push_back(mesh_mass * side * side * side);
    }
};

int run(int rank, int size, int orbits, int steps, int finest, const std::string& path) {
    Mesh mesh;
    const int root = 1 << coarsest;
    for (int i = rank; i < root * root * root; i += size)  // octree cubes of the coarsest level, dealt out
        mesh.refine({static_cast<double>(i % root) / root, static_cast<double>(i / root % root) / root,
                     static_cast<double>(i / (root * root)) / root},
                    coarsest, finest);
    const double period = 2.0 * std::numbers::pi * std::sqrt(axis * axis * axis / total_mass), step = period / steps;
    Pair pair = start(0.76 / (orbits * period)), alone = pair;
    attract(alone);

    gravlet::Solver solver(MPI_COMM_WORLD);
    // The first rank brings both points. Cells are sources only.
    const std::vector<std::uint8_t> sources(mesh.x.size(), 0);
    const std::size_t points = rank == 0 ? 2 : 0;
    std::vector<double> px(points), py(points), pz(points), mass(points, 0.5 * total_mass), phi(points), ax(points), ay(points),
        az(points);
    const auto solve = [&] {
        for (std::size_t p = 0; p < points; ++p) px[p] = pair.x[p][0], py[p] = pair.x[p][1], pz[p] = pair.x[p][2];
        solver.solve(gravlet::Cells{mesh.x, mesh.y, mesh.z, mesh.dx, {}, {}, mesh.mass, sources}, gravlet::Fields{},
                     gravlet::Points{px, py, pz, mass}, gravlet::Fields{phi, {ax, ay, az}});
        for (std::size_t p = 0; p < points; ++p) pair.a[p] = {ax[p], ay[p], az[p]};
        MPI_Bcast(pair.a.data(), 6, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    };
    std::ofstream csv;
    if (rank == 0 && !path.empty()) csv.open(path), csv << "time,level,separation,alone,energy\n" << std::setprecision(12);
    solve();
    const double energy = alone.energy();
    const Array3 momentum{pair.v[0][0] + pair.v[1][0], pair.v[0][1] + pair.v[1][1], pair.v[0][2] + pair.v[1][2]};
    double apart = 0.0, drift = 0.0, kick = 0.0;
    int crossed = 0, level = coarsest;
    for (int n = 1; n <= orbits * steps; ++n) {
        pair.kick(0.5 * step), alone.kick(0.5 * step);
        pair.drift(step), alone.drift(step);
        solve(), attract(alone);
        pair.kick(0.5 * step), alone.kick(0.5 * step);
        const Array3 a = pair.separation(), b = alone.separation();
        apart = std::max(apart, norm({a[0] - b[0], a[1] - b[1], a[2] - b[2]}) / axis);
        drift = std::max(drift, std::abs(pair.energy() - alone.energy()) / std::abs(energy));
        Array3 change{};
        for (std::size_t d = 0; d < 3; ++d) change[d] = pair.v[0][d] + pair.v[1][d] - momentum[d];
        kick = std::max(kick, 0.5 * norm(change) / std::sqrt(total_mass / axis));
        const int here = level_at(pair.x[0], finest);
        crossed += here != level ? 1 : 0;
        level = here;
        if (csv.is_open())
            csv << n * step / period << ',' << here << ',' << norm(a) / axis << ',' << norm(b) / axis << ','
                << pair.energy() / energy - 1.0 << '\n';
    }
    if (rank == 0)
        std::cout << std::setprecision(3) << orbits << " orbits through " << crossed << " changes of level: separation off by "
                  << apart << " of the axis, energy by " << drift << ", centre's velocity by " << kick << " of the orbit's\n";
    return crossed >= 2 * (finest - coarsest) && apart < 1e-4 && drift < 1.5e-6 && kick < 1e-5 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1, status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
    try {
        status = run(rank, size, number(1, 8), number(2, 150), number(3, 6), argc > 4 ? argv[4] : "");
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    MPI_Finalize();
    return status;
}
