// SPDX-License-Identifier: Apache-2.0
// A host that keeps its data as Kokkos codes with packs of blocks do (AthenaK; docs/athenak.md): all MeshBlocks of a rank in one
// array u(m, n, k, j, i) with guard cells, the potential in another, both on the GPU where there is one, the blocks' corners in a
// third. It makes gravlet's list of blocks once a mesh and solves twice a step, once for each stage of a Runge-Kutta step.
// Prints what a solve costs a cell by the side of the blocks, in floats and doubles: with a tree made anew, with the tree kept,
// and with one layer of guard cells too. Ends with 1 if the potential of a Gaussian cloud is wrong.
//
//     mpirun -np 1 meshblock_pack [cells along the mesh's side [steps]]
#include <gravlet/solver.hpp>

#include <mpi.h>

#ifdef MESHBLOCK_PACK_CUDA
#include <cuda_runtime_api.h>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <new>
#include <numbers>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

constexpr int ng = 4;         // guard cells of all arrays
constexpr int variables = 5;  // of u; the density is the first, AthenaK's IDN
constexpr int stages = 2;     // solves a step
constexpr double width = 0.08;

// ---- Arrays, on the device or, without one, on the host. A Kokkos code has Views instead.

void copy_on_host(void* to, const void* from, std::size_t bytes) {
    std::copy_n(static_cast<const char*>(from), bytes, static_cast<char*>(to));
}

#ifdef MESHBLOCK_PACK_CUDA
void check(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}

/// Collective. Takes the rank's device as gravlet does: its place on the machine modulo the devices. False if there is none.
bool choose_device() {
    int devices = 0, rank = 0;
    MPI_Comm machine = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    MPI_Comm_rank(machine, &rank);
    MPI_Comm_free(&machine);
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return false;
    check(cudaSetDevice(rank % devices));
    return true;
}
void* allocate(std::size_t bytes, bool device) {
    void* data = nullptr;
    if (device)
        check(cudaMalloc(&data, bytes));
    else
        data = ::operator new(bytes);
    return data;
}
void release(void* data, bool device) {
    if (device)
        static_cast<void>(cudaFree(data));
    else
        ::operator delete(data);
}
/// Between the host and an Array5D. Ends when the bytes are there.
void copy(void* to, const void* from, std::size_t bytes, bool device) {
    if (device)
        check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
    else
        copy_on_host(to, from, bytes);
}
void fence(bool device) {
    if (device) check(cudaDeviceSynchronize());
}
#else
bool choose_device() { return false; }
void* allocate(std::size_t bytes, bool) { return ::operator new(bytes); }
void release(void* data, bool) { ::operator delete(data); }
void copy(void* to, const void* from, std::size_t bytes, bool) { copy_on_host(to, from, bytes); }
void fence(bool) {}
#endif

/// What Kokkos::View<Real*****, LayoutRight> is to this program: (m, n, k, j, i), i fastest.
template <class Real>
class Array5D {
public:
    Array5D(std::size_t blocks, std::size_t fields, std::size_t side, bool device)
        : fields_(fields),
          side_(side),
          count_(blocks * fields * side * side * side),
          data_(static_cast<Real*>(allocate(std::max<std::size_t>(count_, 1) * sizeof(Real), device)), Release{device}) {}

    [[nodiscard]] Real* data() const { return data_.get(); }
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] std::size_t offset(std::size_t m, std::size_t n, std::size_t k, std::size_t j, std::size_t i) const {
        return (((m * fields_ + n) * side_ + k) * side_ + j) * side_ + i;
    }

private:
    struct Release {
        bool device;
        void operator()(Real* data) const { release(data, device); }
    };
    std::size_t fields_, side_, count_;
    std::unique_ptr<Real, Release> data_;
};

// ---- The mesh: a cube [-0.5, 0.5]^3 of equal blocks, dealt out to the ranks in slabs.

struct Corner {
    std::array<double, 3> lower{};  // AthenaK's mb_size: x1min, x2min, x3min; of the interior
};

std::vector<Corner> make_corners(int across, int rank, int ranks) {
    std::vector<Corner> corners;
    const int all = across * across * across;
    for (int index = all / ranks * rank + std::min(rank, all % ranks), count = all / ranks + (rank < all % ranks ? 1 : 0);
         count > 0; ++index, --count)
        corners.push_back(
            {{static_cast<double>(index % across) / across - 0.5, static_cast<double>(index / across % across) / across - 0.5,
              static_cast<double>(index / (across * across)) / across - 0.5}});
    return corners;
}

template <class Real>
struct Pack {
    int nx;       // cells of a block along each side
    bool device;  // u and phi are there
    double dx;    // side of a cell
    std::vector<Corner> corners;
    Array5D<Real> u, phi;
    std::vector<Real> mirror;  // of u or phi, on the host

    Pack(int cells, int nx_, bool on_device, int rank, int ranks)
        : nx(nx_),
          device(on_device),
          dx(1.0 / cells),
          corners(make_corners(cells / nx_, rank, ranks)),
          u(corners.size(), variables, static_cast<std::size_t>(nx_ + 2 * ng), device),
          phi(corners.size(), 1, static_cast<std::size_t>(nx_ + 2 * ng), device) {}

    /// Calls visit(m, k, j, i, squared distance from the centre) for the interior cells, and `guards` layers around them.
    template <class Visit>
    void for_each_cell(int guards, Visit visit) const {
        for (std::size_t m = 0; m < corners.size(); ++m)
            for (int k = ng - guards; k < ng + nx + guards; ++k)
                for (int j = ng - guards; j < ng + nx + guards; ++j)
                    for (int i = ng - guards; i < ng + nx + guards; ++i) {
                        const auto at = [&](std::size_t axis, int index) {
                            return corners[m].lower[axis] + (index - ng + 0.5) * dx;
                        };
                        const double x = at(0, i), y = at(1, j), z = at(2, k);
                        visit(m, static_cast<std::size_t>(k), static_cast<std::size_t>(j), static_cast<std::size_t>(i),
                              x * x + y * y + z * z);
                    }
    }

    /// A Gaussian cloud of this mass. Everything else in u is NaN: gravlet reads no other variable and no guard cell.
    void set_density(double mass) {
        mirror.assign(u.size(), static_cast<Real>(NAN));
        const double central = mass / std::pow(2.0 * std::numbers::pi * width * width, 1.5);
        for_each_cell(0, [&](std::size_t m, std::size_t k, std::size_t j, std::size_t i, double r2) {
            mirror[u.offset(m, 0, k, j, i)] = static_cast<Real>(central * std::exp(-0.5 * r2 / (width * width)));
        });
        copy(u.data(), mirror.data(), u.size() * sizeof(Real), device);
    }

    /// gravlet's blocks: pointers into u and phi. Made once a mesh; valid until the arrays are allocated anew.
    [[nodiscard]] std::vector<gravlet::Block> to_gravlet(int guards) const {
        const std::ptrdiff_t side = nx + 2 * ng;
        std::vector<gravlet::Block> blocks;
        for (std::size_t m = 0; m < corners.size(); ++m)
            blocks.push_back({.lower = corners[m].lower,
                              .cell_size = {dx, dx, dx},
                              .n = {nx, nx, nx},
                              .stride = {1, side, side * side},  // the same of u and phi: their last three dimensions are
                              .density = u.data() + u.offset(m, 0, ng, ng, ng),
                              .potential = phi.data() + phi.offset(m, 0, ng, ng, ng),
                              .result_guards = {guards, guards, guards}});
        return blocks;
    }

    /// Collective. The largest relative error of the potential, in the interior and so many layers of guard cells.
    double error(double mass, int guards) {
        mirror.resize(phi.size());
        copy(mirror.data(), phi.data(), phi.size() * sizeof(Real), device);
        double largest = 0.0;
        for_each_cell(guards, [&](std::size_t m, std::size_t k, std::size_t j, std::size_t i, double r2) {
            const double r = std::sqrt(r2), exact = -mass * std::erf(r / (std::numbers::sqrt2 * width)) / r;
            const double error = std::abs(mirror[phi.offset(m, 0, k, j, i)] / exact - 1.0);
            largest = std::max(largest, std::isnan(error) ? INFINITY : error);
        });
        MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        return largest;
    }
};

// ---- The steps.

struct Cost {
    double seconds = 0.0;  // of a solve, median
    double error = 0.0;    // largest of all solves
};

/// Collective. So many steps, after one that is not counted: it allocates, and makes the first tree.
template <class Real>
Cost run_steps(Pack<Real>& pack, int steps, int guards, bool keep_tree) {
    gravlet::Solver solver(MPI_COMM_WORLD, {.keep_tree = keep_tree});
    const std::vector<gravlet::Block> blocks = pack.to_gravlet(guards);  // once a mesh
    Cost cost;
    std::vector<double> seconds;
    for (int step = 0; step <= steps; ++step)
        for (int stage = 0; stage < stages; ++stage) {
            const double mass = 1.0 + 0.1 * step + 0.05 * stage;
            pack.set_density(mass);
            fence(pack.device);  // gravlet reads on a stream of its own; what it writes is there when solve() returns
            solver.solve(blocks);
            if (step > 0) seconds.push_back(solver.report().seconds);
            cost.error = std::max(cost.error, pack.error(mass, guards));
        }
    std::ranges::sort(seconds);
    cost.seconds = seconds[seconds.size() / 2];
    return cost;
}

/// Collective. A line of the table; false if a potential is wrong.
template <class Real>
bool run_case(int cells, int nx, int steps, bool device, int rank, int ranks) {
    Pack<Real> pack(cells, nx, device, rank, ranks);
    const std::array<Cost, 3> costs{run_steps(pack, steps, 0, false), run_steps(pack, steps, 0, true),
                                    run_steps(pack, steps, 1, true)};
    const double error = std::ranges::max(costs, {}, &Cost::error).error;
    if (rank == 0) {
        std::cout << std::setw(6) << nx << (std::is_same_v<Real, float> ? "   float" : "  double");
        for (const Cost& cost : costs)
            std::cout << std::scientific << std::setprecision(2) << std::setw(13) << cost.seconds / (1.0 * cells * cells * cells);
        std::cout << std::setw(13) << error << std::endl;
    }
    const double h = 1.0 / cells;  // of the error most is the mesh's
    return error < std::max(12.0 * h * h, 1e-3);
}

int run(int cells, int steps, int rank, int ranks) {
    const bool device = choose_device();
    if (rank == 0)
        std::cout << cells << "^3 cells, " << ranks << " ranks, arrays " << (device ? "on the device" : "on the host") << ", "
                  << stages << " solves a step, " << steps << " steps; seconds a cell, median\n block  number     new mesh"
                  << "    mesh kept  + 1 guard      error\n";
    bool right = true;
    for (const int nx : {16, 32, 128})
        if (cells % nx == 0) {
            right = run_case<double>(cells, nx, steps, device, rank, ranks) && right;
            right = run_case<float>(cells, nx, steps, device, rank, ranks) && right;
        }
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int cells = argc > 1 ? std::atoi(argv[1]) : 32, steps = argc > 2 ? std::atoi(argv[2]) : 1;
    int status = 2;
    try {
        if (cells < 32 || cells % 32 != 0 || steps < 1)
            throw gravlet::Error(gravlet::ErrorCode::invalid_input, "cells: a multiple of 32; steps: 1 or more");
        status = run(cells, steps, rank, ranks);
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    } catch (const std::exception& error) {  // of one rank alone: the others wait
        std::cerr << "rank " << rank << ": " << error.what() << '\n';
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
    return status;
}
