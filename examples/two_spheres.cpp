// SPDX-License-Identifier: Apache-2.0
// Two homogeneous spheres on meshes of different levels, whose gravity is known: the potential of both, the force of each on the
// other, G m1 m2/d^2, and no torque. Neither sphere is aligned with the mesh. Ends with 1 if an error is too large
// (docs/judges.md).
//
//     mpirun -np 2 two_spheres [theta=1.0] [order=4] [finest level=8]
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <numbers>
#include <vector>

namespace {

using Array3 = std::array<double, 3>;

double distance(const Array3& a, const Array3& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }
Array3 cross(const Array3& a, const Array3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct Sphere {
    Array3 centre;
    double radius, density;
    int level;  ///< level of its cells

    [[nodiscard]] double mass() const { return 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3) * density; }
    [[nodiscard]] double potential(const Array3& at) const {
        const double r = distance(at, centre), m = mass();
        return r < radius ? -m * (3.0 * radius * radius - r * r) / (2.0 * std::pow(radius, 3)) : -m / r;
    }
};

/// Cells of cubes of the octree over the unit cube, and which sphere has mass in each (-1: none).
struct Mesh {
    std::vector<double> x, y, z, dx, mass;
    std::vector<int> owner;
};

class Refinement {
public:
    Refinement(const std::array<Sphere, 2>& spheres, Mesh& mesh) : spheres_(spheres), mesh_(mesh) { refine({0.0, 0.0, 0.0}, 0); }

private:
    /// Down to a sphere's level wherever the sphere may be; to level 3 elsewhere.
    void refine(const Array3& lower, int level) {
        const double side = std::ldexp(1.0, -level);
        const Array3 centre{lower[0] + 0.5 * side, lower[1] + 0.5 * side, lower[2] + 0.5 * side};
        const auto touches = [&](const Sphere& s) { return distance(centre, s.centre) < s.radius + side; };
        int wanted = 3, owner = -1;
        for (int s = 0; s < 2; ++s)
            if (const Sphere& sphere = spheres_[static_cast<std::size_t>(s)]; touches(sphere))
                wanted = std::max(wanted, sphere.level), owner = s;
        if (level >= wanted) return add(centre, side, owner);
        for (int child = 0; child < 8; ++child)
            refine({lower[0] + 0.5 * side * (child & 1), lower[1] + 0.5 * side * (child >> 1 & 1),
                    lower[2] + 0.5 * side * (child >> 2)},
                   level + 1);
    }
    /// The mass by 8^3 samples of the cell.
    void add(const Array3& centre, double side, int owner) {
        constexpr int n = 8;
        int inside = 0;
        for (int i = 0; owner >= 0 && i < n * n * n; ++i) {
            const auto at = [&](double middle, int k) { return middle + side * ((k + 0.5) / n - 0.5); };
            const Sphere& sphere = spheres_[static_cast<std::size_t>(owner)];
            if (distance({at(centre[0], i % n), at(centre[1], i / n % n), at(centre[2], i / (n * n))}, sphere.centre) <
                sphere.radius)
                ++inside;
        }
        mesh_.x.push_back(centre[0]), mesh_.y.push_back(centre[1]), mesh_.z.push_back(centre[2]);
        mesh_.dx.push_back(side);
        mesh_.mass.push_back(
            inside == 0 ? 0.0 : spheres_[static_cast<std::size_t>(owner)].density * side * side * side * inside / (n * n * n));
        mesh_.owner.push_back(inside == 0 ? -1 : owner);
    }

    std::array<Sphere, 2> spheres_;
    Mesh& mesh_;
};

template <class T>
std::vector<T> part_of(const std::vector<T>& all, int rank, int size) {
    const auto cut = [&](int r) { return all.begin() + static_cast<std::ptrdiff_t>(all.size()) * r / size; };
    return {cut(rank), cut(rank + 1)};
}

/// Sums over the cells of one sphere.
struct Body {
    double mass = 0.0;
    Array3 moment{}, force{}, torque{};

    [[nodiscard]] Array3 centre() const { return {moment[0] / mass, moment[1] / mass, moment[2] / mass}; }
};
static_assert(sizeof(Body) == 10 * sizeof(double));

int run(int rank, int size, double theta, int order, int level) {
    const std::array<Sphere, 2> spheres{Sphere{{0.313, 0.347, 0.402}, 0.11, 1.0, level},
                                        Sphere{{0.71, 0.63, 0.555}, 0.16, 0.4, level - 2}};
    Mesh all;
    const Refinement refinement(spheres, all);
    Mesh mesh{part_of(all.x, rank, size),  part_of(all.y, rank, size),    part_of(all.z, rank, size),
              part_of(all.dx, rank, size), part_of(all.mass, rank, size), part_of(all.owner, rank, size)};
    const std::size_t n = mesh.x.size();
    std::vector<double> potential(n), ax(n), ay(n), az(n);
    gravlet::Solver solver(MPI_COMM_WORLD, {.theta = theta, .order = order});
    solver.solve(gravlet::Cells{mesh.x, mesh.y, mesh.z, mesh.dx, {}, {}, mesh.mass}, gravlet::Fields{potential, {ax, ay, az}});

    std::array<Body, 2> bodies;
    double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        const Array3 at{mesh.x[i], mesh.y[i], mesh.z[i]};
        worst = std::max(worst, std::abs(potential[i] / (spheres[0].potential(at) + spheres[1].potential(at)) - 1.0));
        if (mesh.owner[i] < 0) continue;
        Body& body = bodies[static_cast<std::size_t>(mesh.owner[i])];
        const Array3 force{mesh.mass[i] * ax[i], mesh.mass[i] * ay[i], mesh.mass[i] * az[i]}, torque = cross(at, force);
        body.mass += mesh.mass[i];
        for (std::size_t d = 0; d < 3; ++d)
            body.moment[d] += mesh.mass[i] * at[d], body.force[d] += force[d], body.torque[d] += torque[d];
    }
    MPI_Allreduce(MPI_IN_PLACE, bodies.data(), 20, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);

    // Of the masses and centres that the mesh has.
    const Array3 from = bodies[0].centre(), to = bodies[1].centre();
    const double d = distance(from, to), pull = bodies[0].mass * bodies[1].mass / (d * d);
    Array3 wrong[2], sum{}, torque{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double exact = pull * (to[k] - from[k]) / d;
        wrong[0][k] = bodies[0].force[k] - exact, wrong[1][k] = bodies[1].force[k] + exact;
        sum[k] = bodies[0].force[k] + bodies[1].force[k];
        torque[k] = bodies[0].torque[k] + bodies[1].torque[k];
    }
    const double force = std::max(distance(wrong[0], {}), distance(wrong[1], {})) / pull, net = distance(sum, {}) / pull,
                 turn = distance(torque, {}) / (pull * d);
    if (rank == 0)
        std::cout << std::setprecision(3) << all.x.size() << " cells, theta " << theta << ", order " << order << ": potential "
                  << worst << ", force " << force << ", net force " << net << ", torque " << turn << ", masses "
                  << bodies[0].mass / spheres[0].mass() - 1.0 << " and " << bodies[1].mass / spheres[1].mass() - 1.0 << "\n";
    return worst < 4e-3 && force < 1e-4 && net < 8e-5 && turn < 8e-5 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1, status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    try {
        status = run(rank, size, argc > 1 ? std::atof(argv[1]) : 1.0, argc > 2 ? std::atoi(argv[2]) : 4,
                     argc > 3 ? std::atoi(argv[3]) : 8);
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    MPI_Finalize();
    return status;
}
