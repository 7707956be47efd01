// SPDX-License-Identifier: Apache-2.0
// A homogeneous sphere without pressure collapses in free fall, as particles whose mass a mesh of blocks gets (cloud in cell) and
// whose acceleration comes back from it: radii of shells against theory, and the momentum that a solver without Newton's third
// law would give them. Its centre is a corner of blocks or lies off it (docs/judges.md). Ends with 1 if an error is too large.
//
//     mpirun -np 2 collapse [cells=32] [off centre, in cells=0] [path of a CSV: time, radii and theory's, momentum]
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
#include <random>
#include <string>
#include <vector>

namespace {

constexpr double radius = 0.3, mass = 1.0;
constexpr int block = 8;

using Array3 = std::array<double, 3>;

double norm(const Array3& a) { return std::hypot(a[0], a[1], a[2]); }

/// The shells' radius over their first, after a share of the free-fall time: cos^2 b, with b + sin(2 b)/2 = pi/2 times the share.
double theory(double share) {
    double low = 0.0, high = 0.5 * std::numbers::pi;
    for (int i = 0; i < 60; ++i) {
        const double b = 0.5 * (low + high);
        (b + 0.5 * std::sin(2.0 * b) < 0.5 * std::numbers::pi * share ? low : high) = b;
    }
    return std::pow(std::cos(low), 2);
}

/// All particles and the whole mesh on every rank; a rank's blocks are those that it solves for.
class Collapse {
public:
    Collapse(int cells, double off, int rank, int size)
        : n_(cells), centre_(0.5 + off / cells), density_(volume()), field_{density_, density_, density_} {
        std::mt19937_64 random(1);
        std::uniform_real_distribution<double> uniform(-1.0, 1.0);
        const std::size_t count = static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells) * 20;
        while (x_.size() < count) {  // pairs on both sides of the centre: no momentum and no offset of their own
            const Array3 at{uniform(random), uniform(random), uniform(random)};
            if (norm(at) >= 1.0) continue;
            for (const double side : {radius, -radius})
                x_.push_back({centre_ + side * at[0], centre_ + side * at[1], centre_ + side * at[2]});
        }
        v_.resize(x_.size());
        shells_ = shells();
        const int blocks = n_ / block;
        for (int b = rank; b < blocks * blocks * blocks; b += size)
            blocks_.push_back(make_block(b % blocks, b / blocks % blocks, b / (blocks * blocks)));
    }

    void run(gravlet::Solver& solver, double end, int steps, std::ofstream& csv) {
        const double step = end / steps;
        accelerate(solver);
        for (int s = 1; s <= steps; ++s) {
            kick(0.5 * step);
            for (std::size_t p = 0; p < x_.size(); ++p)
                for (std::size_t d = 0; d < 3; ++d) x_[p][d] += step * v_[p][d];
            accelerate(solver);
            kick(0.5 * step);
            compare(s * step / free_fall(), csv);
        }
    }

    [[nodiscard]] static double free_fall() {
        return std::sqrt(3.0 * std::numbers::pi / (32.0 * mass / (4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3))));
    }
    [[nodiscard]] double radius_error() const { return radius_error_; }
    [[nodiscard]] double momentum() const { return momentum_; }
    [[nodiscard]] std::size_t particles() const { return x_.size(); }

private:
    [[nodiscard]] std::size_t volume() const {
        return static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_);
    }
    [[nodiscard]] std::size_t index(int i, int j, int k) const {
        return (static_cast<std::size_t>(k) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(j)) *
                   static_cast<std::size_t>(n_) +
               static_cast<std::size_t>(i);
    }

    /// Part of the mesh's arrays, where they are.
    gravlet::Block make_block(int i, int j, int k) {
        gravlet::Block out;
        const double side = 1.0 / n_;
        out.lower = {block * i * side, block * j * side, block * k * side};
        out.cell_size = {side, side, side};
        out.n = {block, block, block};
        out.stride = {1, n_, static_cast<std::ptrdiff_t>(n_) * n_};
        const std::size_t first = index(block * i, block * j, block * k);
        out.density = &density_[first];
        for (std::size_t d = 0; d < 3; ++d) out.acceleration[d] = &field_[d][first];
        return out;
    }

    /// The eight cells whose centres are around a particle, and their shares of it.
    template <class Visit>
    void around(const Array3& at, Visit visit) const {
        int first[3];
        double share[3];
        for (std::size_t d = 0; d < 3; ++d) {
            const double place = at[d] * n_ - 0.5;
            first[d] = static_cast<int>(std::floor(place));
            share[d] = place - first[d];
        }
        for (int c = 0; c < 8; ++c) {
            const int i = c & 1, j = c >> 1 & 1, k = c >> 2;
            visit(index(first[0] + i, first[1] + j, first[2] + k), (i == 0 ? 1.0 - share[0] : share[0]) *
                                                                       (j == 0 ? 1.0 - share[1] : share[1]) *
                                                                       (k == 0 ? 1.0 - share[2] : share[2]));
        }
    }

    void accelerate(gravlet::Solver& solver) {
        std::ranges::fill(density_, 0.0);
        for (auto& component : field_) std::ranges::fill(component, 0.0);
        const double each = mass / static_cast<double>(x_.size()) * static_cast<double>(volume());
        for (const Array3& at : x_) around(at, [&](std::size_t cell, double share) { density_[cell] += share * each; });
        solver.solve(blocks_);
        for (auto& component : field_)
            MPI_Allreduce(MPI_IN_PLACE, component.data(), static_cast<int>(component.size()), MPI_DOUBLE, MPI_SUM,
                          MPI_COMM_WORLD);
    }

    void kick(double step) {
        for (std::size_t p = 0; p < x_.size(); ++p)
            around(x_[p], [&](std::size_t cell, double share) {
                for (std::size_t d = 0; d < 3; ++d) v_[p][d] += step * share * field_[d][cell];
            });
    }

    /// Radii with 25, 50 and 75% of the mass.
    [[nodiscard]] Array3 shells() const {
        std::vector<double> r;
        for (const Array3& at : x_) r.push_back(norm({at[0] - centre_, at[1] - centre_, at[2] - centre_}));
        std::ranges::sort(r);
        return {r[r.size() / 4], r[r.size() / 2], r[r.size() * 3 / 4]};
    }

    void compare(double share, std::ofstream& csv) {
        Array3 mean{};
        double speed = 0.0;
        for (const Array3& v : v_) {
            for (std::size_t d = 0; d < 3; ++d) mean[d] += v[d];
            speed += norm(v);
        }
        momentum_ = std::max(momentum_, norm(mean) / speed);
        const double exact = theory(share);
        const Array3 now = shells();
        if (csv.is_open()) csv << share << ',' << exact;
        for (std::size_t part = 0; part < 3; ++part) {
            const double ratio = now[part] / shells_[part];
            if (share <= 0.8) radius_error_ = std::max(radius_error_, std::abs(ratio / exact - 1.0));
            if (csv.is_open()) csv << ',' << ratio;
        }
        if (csv.is_open()) csv << ',' << norm(mean) / speed << '\n';
    }

    int n_;
    double centre_;
    std::vector<double> density_;
    std::array<std::vector<double>, 3> field_;
    std::vector<Array3> x_, v_;
    Array3 shells_{};  ///< the shells' radii at the start
    std::vector<gravlet::Block> blocks_;
    double radius_error_ = 0.0, momentum_ = 0.0;
};

int run(int rank, int size, int cells, double off, const std::string& path) {
    std::ofstream csv;
    if (rank == 0 && !path.empty())
        csv.open(path), csv << "share of the free-fall time,theory,25%,50%,75%,momentum\n" << std::setprecision(8);
    Collapse collapse(cells, off, rank, size);
    gravlet::Solver solver(MPI_COMM_WORLD);
    collapse.run(solver, 0.95 * Collapse::free_fall(), 50, csv);
    if (rank == 0)
        std::cout << std::setprecision(3) << cells << "^3 cells, " << collapse.particles() << " particles, centre " << off
                  << " cells off: radii until 0.8 free-fall times off by " << collapse.radius_error() << ", momentum "
                  << collapse.momentum() << " of the sum of all\n";
    return collapse.radius_error() < 0.03 && collapse.momentum() < 4e-6 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, size = 1, status = 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    try {
        status =
            run(rank, size, argc > 1 ? std::atoi(argv[1]) : 32, argc > 2 ? std::atof(argv[2]) : 0.0, argc > 3 ? argv[3] : "");
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    MPI_Finalize();
    return status;
}
