// SPDX-License-Identifier: Apache-2.0
// An AMR host on p4est: an octree of blocks of n^3 cells with guard cells, refined where the surface of a homogeneous sphere cuts
// them. The sphere runs in a circle through the unit box and becomes denser. Each step regrids if it moved, sets the density on
// the mesh, lets gravlet solve in the host's own arrays, and compares with the exact answer. Ends with 1 if they differ too much.
//
//     mpirun -np 2 p4est_host [steps [finest level]]
#include <gravlet/solver.hpp>

#include <mpi.h>
#include <p8est.h>
#include <p8est_bits.h>
#include <p8est_extended.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

namespace {

constexpr int n = 8;
constexpr int guards = 2;
constexpr std::size_t width = n + 2 * guards;
constexpr std::size_t block_size = width * width * width;  // of one field, guard cells and all
constexpr int coarsest_level = 2;                          // 4^3 blocks

using Array3 = std::array<double, 3>;

// ---- The physics: a homogeneous sphere, G = 1.

struct Sphere {
    Array3 centre{};
    double radius = 0.2;
    double density = 1.0;
};

double distance(const Array3& a, const Array3& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

double exact_potential(const Sphere& sphere, double r) {
    const double R = sphere.radius, unit = 4.0 / 3.0 * std::numbers::pi * sphere.density;
    return r < R ? -unit * (1.5 * R * R - 0.5 * r * r) : -unit * R * R * R / r;
}

/// Acceleration divided by the displacement from the centre.
double exact_pull(const Sphere& sphere, double r) {
    const double unit = 4.0 / 3.0 * std::numbers::pi * sphere.density;
    return r < sphere.radius ? -unit : -unit * std::pow(sphere.radius / r, 3);
}

// ---- The mesh: a p8est forest of one tree, a block a leaf.

/// A cube of n^3 cells, or what would be one.
struct Cube {
    Array3 lower{};
    double side = 1.0;

    [[nodiscard]] double cell() const { return side / n; }
    [[nodiscard]] Array3 centre(int i, int j, int k) const {
        return {lower[0] + (i + 0.5) * cell(), lower[1] + (j + 0.5) * cell(), lower[2] + (k + 0.5) * cell()};
    }
};

Cube to_cube(const p8est_quadrant_t& quadrant) {
    constexpr double unit = 1.0 / P8EST_ROOT_LEN;
    return {{quadrant.x * unit, quadrant.y * unit, quadrant.z * unit}, P8EST_QUADRANT_LEN(quadrant.level) * unit};
}

bool surface_cuts(const Sphere& sphere, const Cube& cube) {
    Array3 nearest{}, farthest{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double lower = cube.lower[axis], upper = lower + cube.side, centre = sphere.centre[axis];
        nearest[axis] = std::clamp(centre, lower, upper);
        farthest[axis] = centre < 0.5 * (lower + upper) ? upper : lower;
    }
    return distance(nearest, sphere.centre) < sphere.radius && sphere.radius < distance(farthest, sphere.centre);
}

/// What p4est's callbacks need to know. They are called from C and must not throw.
struct Criterion {
    Sphere sphere;
    int finest_level;
};

const Criterion& criterion_of(const p8est_t* forest) { return *static_cast<const Criterion*>(forest->user_pointer); }

int wants_refinement(p8est_t* forest, p4est_topidx_t, p8est_quadrant_t* quadrant) noexcept {
    const Criterion& criterion = criterion_of(forest);
    return quadrant->level < criterion.finest_level && surface_cuts(criterion.sphere, to_cube(*quadrant)) ? 1 : 0;
}

int wants_coarsening(p8est_t* forest, p4est_topidx_t, p8est_quadrant_t* family[]) noexcept {
    if (family[0]->level <= coarsest_level) return 0;
    p8est_quadrant_t parent;
    p8est_quadrant_parent(family[0], &parent);
    return surface_cuts(criterion_of(forest).sphere, to_cube(parent)) ? 0 : 1;
}

class Mesh {
public:
    Mesh(MPI_Comm comm, const Criterion& criterion)
        : criterion_(criterion),
          connectivity_(p8est_connectivity_new_unitcube(), &p8est_connectivity_destroy),
          forest_(p8est_new_ext(comm, connectivity_.get(), 0, coarsest_level, 1, 0, nullptr, &criterion_), &p8est_destroy) {
        adapt(criterion.sphere);
    }
    Mesh(const Mesh&) = delete;  // p4est holds a pointer to criterion_
    Mesh& operator=(const Mesh&) = delete;

    /// Collective. A host whose cells carry state gives p4est a replace callback here, and moves state with the partition
    /// (p8est_transfer_fixed); this one computes all of its state anew.
    void adapt(const Sphere& sphere) {
        criterion_.sphere = sphere;
        p8est_coarsen(forest_.get(), 1, wants_coarsening, nullptr);
        p8est_refine(forest_.get(), 1, wants_refinement, nullptr);
        p8est_balance(forest_.get(), P8EST_CONNECT_FULL, nullptr);
        p8est_partition(forest_.get(), 1, nullptr);  // 1: siblings stay on one rank, so that they can be coarsened
    }

    [[nodiscard]] long long global_blocks() const { return forest_->global_num_quadrants; }

    /// This rank's leaves, in Morton order.
    [[nodiscard]] std::vector<Cube> leaves() const {
        std::vector<Cube> cubes;
        for (p4est_topidx_t tree = forest_->first_local_tree; tree <= forest_->last_local_tree; ++tree) {
            sc_array_t& quadrants = p8est_tree_array_index(forest_->trees, tree)->quadrants;
            for (std::size_t i = 0; i < quadrants.elem_count; ++i)
                cubes.push_back(to_cube(*p8est_quadrant_array_index(&quadrants, i)));
        }
        return cubes;
    }

private:
    Criterion criterion_;
    std::unique_ptr<p8est_connectivity_t, decltype(&p8est_connectivity_destroy)> connectivity_;
    std::unique_ptr<p8est_t, decltype(&p8est_destroy)> forest_;  // goes before its connectivity
};

// ---- The host's data: one array a field, block after block, x fastest, guard cells around each block.

struct Fields {
    std::vector<double> density, potential;
    std::array<std::vector<double>, 3> acceleration;

    /// NaN everywhere: gravlet neither reads nor writes a guard cell, and this host has no use for them.
    void resize(std::size_t blocks) {
        const auto fill = [&](std::vector<double>& field) {
            field.assign(blocks * block_size, std::numeric_limits<double>::quiet_NaN());
        };
        fill(density);
        fill(potential);
        for (std::vector<double>& component : acceleration) fill(component);
    }
};

/// Calls visit(offset in the fields, centre of the cell, its side) for every cell but the guard cells.
template <class Visit>
void for_each_cell(const std::vector<Cube>& leaves, Visit&& visit) {
    for (std::size_t block = 0; block < leaves.size(); ++block)
        for (int k = 0; k < n; ++k)
            for (int j = 0; j < n; ++j)
                for (int i = 0; i < n; ++i) {
                    const auto at = [](int index) { return static_cast<std::size_t>(index + guards); };
                    const std::size_t offset = block * block_size + (at(k) * width + at(j)) * width + at(i);
                    visit(offset, leaves[block].centre(i, j, k), leaves[block].cell());
                }
}

/// A cell that the surface cuts gets about the share of its volume that is inside.
void set_density(const Sphere& sphere, const std::vector<Cube>& leaves, Fields& fields) {
    for_each_cell(leaves, [&](std::size_t offset, const Array3& centre, double h) {
        const double inside = std::clamp((sphere.radius - distance(centre, sphere.centre)) / h + 0.5, 0.0, 1.0);
        fields.density[offset] = inside * sphere.density;
    });
}

/// The fields as gravlet wants them: pointers into the arrays, nothing is copied. Valid until the fields are resized.
std::vector<gravlet::Block> to_gravlet(const std::vector<Cube>& leaves, Fields& fields) {
    std::vector<gravlet::Block> blocks;
    for (const Cube& leaf : leaves) {
        const std::size_t start = blocks.size() * block_size;
        auto& [gx, gy, gz] = fields.acceleration;
        blocks.push_back(gravlet::block_with_guards(leaf.lower, {leaf.cell(), leaf.cell(), leaf.cell()}, {n, n, n}, guards,
                                                    &fields.density[start], &fields.potential[start],
                                                    {&gx[start], &gy[start], &gz[start]}));
    }
    return blocks;
}

/// Errors of the potential, relative to itself, and of the acceleration, relative to that at the sphere's surface.
struct Errors {
    double potential = 0.0, acceleration = 0.0;
};

/// The largest ones of all ranks. A NaN counts as infinitely wrong.
Errors compare(MPI_Comm comm, const Sphere& sphere, const std::vector<Cube>& leaves, const Fields& fields) {
    std::array<double, 2> largest{};
    const auto record = [](double& maximum, double error) {
        maximum = std::max(maximum, std::isnan(error) ? std::numeric_limits<double>::infinity() : error);
    };
    const double surface = std::abs(exact_pull(sphere, sphere.radius)) * sphere.radius;
    for_each_cell(leaves, [&](std::size_t offset, const Array3& centre, double) {
        const double r = distance(centre, sphere.centre), pull = exact_pull(sphere, r);
        record(largest[0], std::abs(fields.potential[offset] / exact_potential(sphere, r) - 1.0));
        Array3 error{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            error[axis] = fields.acceleration[axis][offset] - pull * (centre[axis] - sphere.centre[axis]);
        record(largest[1], distance(error, {}) / surface);
    });
    MPI_Allreduce(MPI_IN_PLACE, largest.data(), 2, MPI_DOUBLE, MPI_MAX, comm);
    return {largest[0], largest[1]};
}

// ---- The steps.

Sphere sphere_at(int step) {
    const double angle = 0.15 * step;
    return {.centre = {0.5 + 0.2 * std::cos(angle), 0.5 + 0.2 * std::sin(angle), 0.45}};
}

int run(MPI_Comm comm, int rank, int steps, int finest_level) {
    Sphere sphere = sphere_at(0);
    Mesh mesh(comm, {sphere, finest_level});
    std::vector<Cube> leaves = mesh.leaves();
    Fields fields;
    fields.resize(leaves.size());
    gravlet::Solver solver(comm, {.theta = 0.7, .order = 4});  // one for all steps: it keeps its buffers
    // Twice the errors of this mesh, whose cells blur the surface; gravlet's own are a few 1e-5.
    const double h = std::ldexp(1.0 / n, -finest_level);
    const Errors tolerance{std::max(18.0 * h * h, 1e-4), 7.0 * h};
    bool right = true;
    for (int step = 0; step < steps; ++step) {
        // Every other step the sphere stays where it is, and with it the mesh. gravlet sees that, and keeps its tree as well.
        const bool moves = step % 2 == 0 && step > 0;
        if (moves) {
            sphere = sphere_at(step);
            mesh.adapt(sphere);
            leaves = mesh.leaves();
            fields.resize(leaves.size());
        }
        sphere.density = 1.0 + 0.1 * step;
        set_density(sphere, leaves, fields);

        solver.solve(to_gravlet(leaves, fields));

        const Errors error = compare(comm, sphere, leaves, fields);
        right = right && error.potential < tolerance.potential && error.acceleration < tolerance.acceleration;
        if (rank == 0)
            std::cout << "step " << step << (moves ? ": regridded, " : ": ") << mesh.global_blocks() << " blocks, "
                      << mesh.global_blocks() * n * n * n << " cells, solved in " << std::setprecision(3)
                      << solver.report().seconds << " s, largest error of the potential " << error.potential
                      << ", of the acceleration " << error.acceleration << ", unchanged on " << solver.report().unchanged_ranks
                      << " ranks\n";
    }
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    // p4est prints statistics and catches signals unless told not to.
    sc_init(MPI_COMM_WORLD, 0, 0, nullptr, SC_LP_ERROR);
    p4est_init(nullptr, SC_LP_ERROR);
    int status = 2;
    try {
        status = run(MPI_COMM_WORLD, rank, argc > 1 ? std::atoi(argv[1]) : 6, argc > 2 ? std::atoi(argv[2]) : 4);
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    sc_finalize();
    MPI_Finalize();
    return status;
}
