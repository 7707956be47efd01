// SPDX-License-Identifier: Apache-2.0
// Isothermal gas on p4est blocks, with a finer box in the middle and periodic faces: a standing wave of sound that is longer or
// shorter than Jeans' length. Its amplitude goes as cosh(g t) or cos(w t), w^2 = -g^2 = k^2 c^2 - 4 pi G rho (Jeans 1902). The
// gas is second order in space and time. Fluxes aren't matched where levels meet, as a production host would. Ends with 1 if an
// error is too large.
//
//     mpirun -np 2 jeans_wave [coarsest level=1] [path of a CSV: 4 pi G rho/(k c)^2, time, amplitude, theory]
#include <gravlet/solver.hpp>

#include <mpi.h>
#include <p8est.h>
#include <p8est_bits.h>
#include <p8est_extended.h>
#include <p8est_ghost.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numbers>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

constexpr int n = 8;  // cells of a block, in each direction
constexpr int guards = 2, width = n + 2 * guards;
constexpr double sound = 1.0, wave_number = 2.0 * std::numbers::pi;

using Index3 = std::array<int, 3>;
using Gas = std::array<double, 4>;  // density and momentum

template <int side>
std::size_t offset(const Index3& at) {
    return static_cast<std::size_t>((at[2] * side + at[1]) * side + at[0]);
}

/// What p4est keeps for each leaf: a block, field by field, so that gravlet can read the density where it is.
struct State {
    std::array<std::array<double, n * n * n>, 4> field;

    [[nodiscard]] Gas at(const Index3& cell) const {
        const std::size_t i = offset<n>(cell);
        return {field[0][i], field[1][i], field[2][i], field[3][i]};
    }
};

template <class Visit>
void for_each_cell(Visit&& visit) {
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) visit(Index3{i, j, k});
}

// ---- The mesh: a periodic p8est forest of one tree, a block a leaf.

struct Leaf {
    int level;
    Index3 first;  // cell, counted from the box's corner in cells of this level
    State* state;

    [[nodiscard]] double cell_size() const { return std::ldexp(1.0 / n, -level); }
};

Leaf to_leaf(const p8est_quadrant_t& quadrant, void* state) {
    const int shift = P8EST_MAXLEVEL - quadrant.level;
    return {quadrant.level,
            {(quadrant.x >> shift) * n, (quadrant.y >> shift) * n, (quadrant.z >> shift) * n},
            static_cast<State*>(state)};
}

/// Called from C. The blocks around the box's centre, half of it in each direction.
int is_in_the_middle(p8est_t*, p4est_topidx_t, p8est_quadrant_t* quadrant) noexcept {
    const auto inside = [](p4est_qcoord_t lower) { return lower >= P8EST_ROOT_LEN / 4 && lower < P8EST_ROOT_LEN / 4 * 3; };
    return inside(quadrant->x) && inside(quadrant->y) && inside(quadrant->z) ? 1 : 0;
}

class Mesh {
public:
    Mesh(MPI_Comm comm, int level)
        : connectivity_(p8est_connectivity_new_periodic(), &p8est_connectivity_destroy),
          forest_(p8est_new_ext(comm, connectivity_.get(), 0, level, 1, sizeof(State), nullptr, nullptr), &p8est_destroy),
          ghost_(nullptr, &p8est_ghost_destroy) {
        p8est_refine(forest_.get(), 0, is_in_the_middle, nullptr);
        p8est_partition(forest_.get(), 0, nullptr);
        ghost_.reset(p8est_ghost_new(forest_.get(), P8EST_CONNECT_FULL));
        ghost_states_.resize(ghost_->ghosts.elem_count);
        for (p4est_topidx_t tree = forest_->first_local_tree; tree <= forest_->last_local_tree; ++tree) {
            sc_array_t& quadrants = p8est_tree_array_index(forest_->trees, tree)->quadrants;
            for (std::size_t i = 0; i < quadrants.elem_count; ++i) {
                const p8est_quadrant_t& quadrant = *p8est_quadrant_array_index(&quadrants, i);
                leaves_.push_back(to_leaf(quadrant, quadrant.p.user_data));
            }
        }
        for (const Leaf& leaf : leaves_) remember(leaf);
        for (std::size_t i = 0; i < ghost_states_.size(); ++i)
            remember(to_leaf(*p8est_quadrant_array_index(&ghost_->ghosts, i), &ghost_states_[i]));
    }

    [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
    [[nodiscard]] long long global_cells() const { return forest_->global_num_quadrants * n * n * n; }

    /// Collective: the other ranks' states as they are now.
    void exchange() { p8est_ghost_exchange_data(forest_.get(), ghost_.get(), ghost_states_.data()); }

    /// The gas in a cell of some level that is in a leaf of this rank or touches one; from one level up or down if need be.
    [[nodiscard]] Gas sample(int level, Index3 cell) const {
        const int cells = n << level;
        for (int& index : cell) index = (index + cells) % cells;
        if (const Leaf* same = find(level, cell)) return same->state->at(inside(cell));
        if (const Leaf* coarser = find(level - 1, {cell[0] / 2, cell[1] / 2, cell[2] / 2})) return interpolate(*coarser, cell);
        const Leaf* finer = find(level + 1, {2 * cell[0], 2 * cell[1], 2 * cell[2]});
        Gas mean{};
        for (int c = 0; c < 8; ++c) {
            const Gas part =
                finer->state->at(inside({2 * cell[0] + (c & 1), 2 * cell[1] + (c >> 1 & 1), 2 * cell[2] + (c >> 2)}));
            for (std::size_t f = 0; f < 4; ++f) mean[f] += 0.125 * part[f];
        }
        return mean;
    }

private:
    static Index3 inside(const Index3& cell) { return {cell[0] % n, cell[1] % n, cell[2] % n}; }

    static std::uint64_t key(int level, const Index3& cell) {
        const auto block = [&](std::size_t axis) { return static_cast<std::uint64_t>(cell[axis] / n); };
        return ((static_cast<std::uint64_t>(level) << 19 | block(0)) << 19 | block(1)) << 19 | block(2);
    }
    void remember(const Leaf& leaf) { leaf_at_.emplace(key(leaf.level, leaf.first), leaf); }
    [[nodiscard]] const Leaf* find(int level, const Index3& cell) const {
        const auto found = leaf_at_.find(key(level, cell));
        return found == leaf_at_.end() ? nullptr : &found->second;
    }

    /// The gas in a fine cell by the coarser block's slopes, which are one-sided along its faces.
    static Gas interpolate(const Leaf& coarser, const Index3& fine_cell) {
        const Index3 at = inside({fine_cell[0] / 2, fine_cell[1] / 2, fine_cell[2] / 2});
        Gas gas = coarser.state->at(at);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Index3 left = at, right = at;
            left[axis] = std::max(at[axis] - 1, 0);
            right[axis] = std::min(at[axis] + 1, n - 1);
            const Gas a = coarser.state->at(left), b = coarser.state->at(right);
            const double share = (fine_cell[axis] % 2 == 0 ? -0.25 : 0.25) / (right[axis] - left[axis]);
            for (std::size_t f = 0; f < 4; ++f) gas[f] += share * (b[f] - a[f]);
        }
        return gas;
    }

    std::unique_ptr<p8est_connectivity_t, decltype(&p8est_connectivity_destroy)> connectivity_;
    std::unique_ptr<p8est_t, decltype(&p8est_destroy)> forest_;
    std::unique_ptr<p8est_ghost_t, decltype(&p8est_ghost_destroy)> ghost_;
    std::vector<State> ghost_states_;
    std::vector<Leaf> leaves_;
    std::unordered_map<std::uint64_t, Leaf> leaf_at_;  // this rank's and those around them
};

// ---- The gas.

/// Flux along an axis through a face between two states: Harten, Lax & van Leer (1983) with the two outermost speeds.
Gas flux(const Gas& left, const Gas& right, std::size_t axis) {
    const double u = left[axis + 1] / left[0], v = right[axis + 1] / right[0];
    const double slowest = std::min({u - sound, v - sound, 0.0}), fastest = std::max({u + sound, v + sound, 0.0});
    Gas out;
    for (std::size_t f = 0; f < 4; ++f) {
        const double pressed = f == axis + 1 ? sound * sound : 0.0;
        const double a = left[f] * u + pressed * left[0], b = right[f] * v + pressed * right[0];
        out[f] = (fastest * a - slowest * b + slowest * fastest * (right[f] - left[f])) / (fastest - slowest);
    }
    return out;
}

/// A block's gas with two guard cells behind each face; edges and corners, which the fluxes don't need, stay 0.
class Padded {
public:
    void fill(const Mesh& mesh, const Leaf& leaf) {
        for_each_cell([&](const Index3& cell) { at(cell) = leaf.state->at(cell); });
        for (std::size_t axis = 0; axis < 3; ++axis)
            for (const int behind : {-2, -1, n, n + 1})
                for (int a = 0; a < n; ++a)
                    for (int b = 0; b < n; ++b) {
                        Index3 cell;
                        cell[axis] = behind, cell[(axis + 1) % 3] = a, cell[(axis + 2) % 3] = b;
                        at(cell) =
                            mesh.sample(leaf.level, {leaf.first[0] + cell[0], leaf.first[1] + cell[1], leaf.first[2] + cell[2]});
                    }
    }

    /// Through the lower face of a cell, from both sides' slopes. No limiter: the waves here have no shocks.
    [[nodiscard]] Gas flux_below(const Index3& cell, std::size_t axis) const {
        Gas left, right;
        Index3 at_minus[4];
        for (int s = 0; s < 4; ++s) at_minus[s] = cell, at_minus[s][axis] += s - 2;
        const Gas &q0 = at(at_minus[0]), &q1 = at(at_minus[1]), &q2 = at(at_minus[2]), &q3 = at(at_minus[3]);
        for (std::size_t f = 0; f < 4; ++f) {
            left[f] = q1[f] + 0.25 * (q2[f] - q0[f]);
            right[f] = q2[f] - 0.25 * (q3[f] - q1[f]);
        }
        return flux(left, right, axis);
    }

private:
    [[nodiscard]] Gas& at(const Index3& cell) {
        return gas_[offset<width>({cell[0] + guards, cell[1] + guards, cell[2] + guards})];
    }
    [[nodiscard]] const Gas& at(const Index3& cell) const { return const_cast<Padded*>(this)->at(cell); }

    std::vector<Gas> gas_ = std::vector<Gas>(width * width * width);
};

// ---- The host: gas and gravity on the mesh.

class Host {
public:
    Host(MPI_Comm comm, int level, double G)
        : mesh_(comm, level),
          acceleration_(mesh_.leaves().size()),
          solver_(comm, {.boundary = {gravlet::Boundary::periodic, gravlet::Boundary::periodic, gravlet::Boundary::periodic},
                         .G = G,
                         .domain = gravlet::Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}}}),
          comm_(comm) {
        for (std::size_t i = 0; i < acceleration_.size(); ++i) {
            const Leaf& leaf = mesh_.leaves()[i];
            const double h = leaf.cell_size();
            gravlet::Block block;
            block.lower = {leaf.first[0] * h, leaf.first[1] * h, leaf.first[2] * h};
            block.cell_size = {h, h, h};
            block.n = {n, n, n};
            block.stride = {1, n, n * n};
            block.density = leaf.state->field[0].data();
            for (std::size_t axis = 0; axis < 3; ++axis) block.acceleration[axis] = acceleration_[i][axis].data();
            blocks_.push_back(block);
        }
    }

    /// Sets the gas at rest, of density 1 but for a wave along x.
    void set_wave(double amplitude) {
        for (const Leaf& leaf : mesh_.leaves())
            for_each_cell([&](const Index3& cell) {
                const std::size_t i = offset<n>(cell);
                leaf.state->field[0][i] = 1.0 + amplitude * wave(leaf, cell);
                for (std::size_t f = 1; f < 4; ++f) leaf.state->field[f][i] = 0.0;
            });
        solver_.solve(blocks_);
    }

    /// Half kicks around the gas's step; the solve after it serves the next one's first as well.
    void step(double dt) {
        kick(0.5 * dt);
        before_.clear();
        for (const Leaf& leaf : mesh_.leaves()) before_.push_back(*leaf.state);
        flow(dt);
        flow(dt);  // Heun: the mean of where two steps lead and where we were
        for (std::size_t i = 0; i < before_.size(); ++i)
            for (std::size_t f = 0; f < 4; ++f) {
                auto& field = mesh_.leaves()[i].state->field[f];
                for (std::size_t c = 0; c < field.size(); ++c) field[c] = 0.5 * (field[c] + before_[i].field[f][c]);
            }
        solver_.solve(blocks_);
        kick(0.5 * dt);
    }

    /// Collective: the wave's amplitude, and the root mean square of what is not the wave, in density.
    [[nodiscard]] std::pair<double, double> measure() const {
        std::array<double, 3> sum{};  // rho' cos, rho'^2, cos^2
        for (const Leaf& leaf : mesh_.leaves())
            for_each_cell([&](const Index3& cell) {
                const double volume = std::pow(leaf.cell_size(), 3), w = wave(leaf, cell);
                const double rho = leaf.state->field[0][offset<n>(cell)] - 1.0;
                sum[0] += volume * rho * w, sum[1] += volume * rho * rho, sum[2] += volume * w * w;
            });
        MPI_Allreduce(MPI_IN_PLACE, sum.data(), 3, MPI_DOUBLE, MPI_SUM, comm_);
        return {sum[0] / sum[2], std::sqrt(std::max(0.0, sum[1] - sum[0] * sum[0] / sum[2]))};
    }

    [[nodiscard]] long long global_cells() const { return mesh_.global_cells(); }

private:
    static double wave(const Leaf& leaf, const Index3& cell) {
        return std::cos(wave_number * (leaf.first[0] + cell[0] + 0.5) * leaf.cell_size());
    }

    void kick(double dt) {
        for (std::size_t b = 0; b < acceleration_.size(); ++b) {
            auto& field = mesh_.leaves()[b].state->field;
            for (std::size_t axis = 0; axis < 3; ++axis)
                for (std::size_t i = 0; i < field[0].size(); ++i)
                    field[axis + 1][i] += dt * field[0][i] * acceleration_[b][axis][i];
        }
    }

    /// A step of Euler's.
    void flow(double dt) {
        mesh_.exchange();
        padded_.resize(mesh_.leaves().size());
        for (std::size_t b = 0; b < padded_.size(); ++b) padded_[b].fill(mesh_, mesh_.leaves()[b]);
        for (std::size_t b = 0; b < padded_.size(); ++b) {
            const Leaf& leaf = mesh_.leaves()[b];
            const double share = dt / leaf.cell_size();
            for (std::size_t axis = 0; axis < 3; ++axis)
                for_each_cell([&](Index3 cell) {
                    const std::size_t i = offset<n>(cell);
                    const Gas below = padded_[b].flux_below(cell, axis);
                    ++cell[axis];
                    const Gas above = padded_[b].flux_below(cell, axis);
                    for (std::size_t f = 0; f < 4; ++f) leaf.state->field[f][i] += share * (below[f] - above[f]);
                });
        }
    }

    Mesh mesh_;
    std::vector<std::array<std::array<double, n * n * n>, 3>> acceleration_;
    std::vector<gravlet::Block> blocks_;
    gravlet::Solver solver_;
    MPI_Comm comm_;
    std::vector<State> before_;
    std::vector<Padded> padded_;
};

struct Case {
    double strength;  // 4 pi G rho/(k c)^2
    double amplitude, end;
};

int run(MPI_Comm comm, int rank, int level, const std::string& path) {
    std::ofstream csv;
    if (rank == 0 && !path.empty()) csv.open(path), csv << "strength,time,amplitude,theory\n" << std::setprecision(8);
    bool right = true;
    for (const Case& wave : {Case{0.5, 1e-3, 1.0}, Case{2.0, 1e-6, 0.5}}) {
        const double kc = wave_number * sound;
        const double rate = kc * std::sqrt(std::abs(1.0 - wave.strength));
        const double G = wave.strength * kc * kc / (4.0 * std::numbers::pi);
        Host host(comm, level, G);
        host.set_wave(wave.amplitude);
        const int steps = static_cast<int>(std::ceil(wave.end / (0.25 * std::ldexp(1.0 / n, -level - 1) / sound)));
        double error = 0.0, largest = 0.0, rest = 0.0;
        for (int step = 0; step <= steps; ++step) {
            if (step > 0) host.step(wave.end / steps);
            const double time = step * wave.end / steps;
            const double theory = wave.strength < 1.0 ? std::cos(rate * time) : std::cosh(rate * time);
            const auto [amplitude, other] = host.measure();
            largest = std::max(largest, std::abs(theory));
            error = std::max(error, std::abs(amplitude / wave.amplitude - theory));
            rest = std::max(rest, other / wave.amplitude);
            if (csv.is_open()) csv << wave.strength << ',' << time << ',' << amplitude / wave.amplitude << ',' << theory << '\n';
        }
        error /= largest, rest /= largest;
        if (rank == 0)
            std::cout << host.global_cells() << " cells, " << steps << " steps, 4 pi G rho = " << wave.strength
                      << " (k c)^2: amplitude off by " << std::setprecision(3) << error << ", what is not the wave " << rest
                      << ", of the largest amplitude\n";
        right = right && error < std::ldexp(0.15, 2 - 2 * level) && rest < 0.02;  // second order
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
        status = run(MPI_COMM_WORLD, rank, argc > 1 ? std::atoi(argv[1]) : 1, argc > 2 ? argv[2] : "");
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    sc_finalize();
    MPI_Finalize();
    return status;
}
