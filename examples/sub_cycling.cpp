// SPDX-License-Identifier: Apache-2.0
// A host whose levels step at their own rates (docs/sub_cycling.md): a fixed mesh of nested levels, each with half of the cell
// size and of the time step of the one around it. Whenever steps end, only the blocks of those levels are active; the density of
// the others, in the middle of their steps, is interpolated between its old and its new state. The mesh stays, and so does
// gravlet's tree.
//
// The density is known at all times: a cloud at rest and a body on a circle in each level, which moves by 0.4 cells a step of
// it. So the same is done in lockstep too, all levels with the finest one's step and the true density, and once more without
// interpolation. Prints what each costs, by which levels are active too, and how far each is from lockstep: in potentials at the
// active cells in the last coarse step, and in each cell's impulse (its acceleration added up over its steps) since the first.
// Ends with 1 if that is too far.
//
//     mpirun -np 1 sub_cycling [coarse steps [layers of guard cells with results [cells along a level's side]]]
#include <gravlet/solver.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iomanip>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

namespace {

constexpr int levels = 5;
constexpr int finest = levels - 1;
constexpr int sub_steps = 1 << finest;                                  // of the finest level in a coarse step
constexpr int across = 4;                                               // blocks along a level's side
constexpr double cells_a_step = 0.4;                                    // what a body moves by
constexpr double potential_tolerance = 1e-3, impulse_tolerance = 5e-3;  // of 99% of the cells

using Array3 = std::array<double, 3>;

// ---- The flow. Level l's body has half of the size, the mass and the orbit of that of level l - 1, and the same speed, 1.

double density_at(const Array3& x, double time) {
    const double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    double density = 0.02 / (r2 + 1e-4);
    for (int level = 0; level < levels; ++level) {
        const double scale = std::ldexp(1.0, -level), orbit = 0.34 * scale, width = 0.1 * scale;
        const double angle = time / orbit + 2.0 * level;
        const double dx = x[0] - orbit * std::cos(angle), dy = x[1] - orbit * std::sin(angle);
        const double s = (dx * dx + dy * dy + x[2] * x[2]) / (2.0 * width * width);
        if (s < 30.0) density += scale * std::exp(-s) / std::pow(std::sqrt(2.0 * std::numbers::pi) * width, 3);
    }
    return density;
}

// ---- The mesh: level l covers the cube of side 2^-l around 0, but for what the next one covers.

struct HostBlock {
    int level = 0;
    Array3 lower{};
    double h = 0.0;  // side of a cell
};

/// This rank's share of every level, so that each rank has as much to do as the others whichever levels are active.
std::vector<HostBlock> make_mesh(int cells, int rank, int ranks) {
    std::vector<HostBlock> mesh;
    const int n = cells / across;
    for (int level = 0; level < levels; ++level) {
        std::vector<HostBlock> all;
        const double h = std::ldexp(1.0 / cells, -level);
        for (int index = 0; index < across * across * across; ++index) {
            const std::array<int, 3> place{index % across, index / across % across, index / (across * across)};
            const bool covered = std::ranges::all_of(place, [](int p) { return p == 1 || p == 2; });
            if (covered && level < finest) continue;
            HostBlock& block = all.emplace_back(HostBlock{.level = level, .h = h});
            for (std::size_t axis = 0; axis < 3; ++axis) block.lower[axis] = (place[axis] * n - 0.5 * cells) * h;
        }
        const auto cut = [&](int part) { return all.begin() + static_cast<std::ptrdiff_t>(all.size()) * part / ranks; };
        mesh.insert(mesh.end(), cut(rank), cut(rank + 1));
    }
    return mesh;
}

/// Whether a step of the level ends (and the next one begins) at this time, counted in the finest level's steps.
bool is_active(int level, int tick) { return tick % (1 << (finest - level)) == 0; }

// ---- A host: its mesh, state and solver.

enum class Scheme { lockstep, interpolated, held };

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values.empty() ? 0.0 : values[values.size() / 2];
}

/// What solves cost for which one level is the coarsest that is active.
struct LevelCost {
    std::vector<double> seconds;
    std::int64_t targets = 0, pairs = 0;  // of the last one
};

class Host {
public:
    Host(Scheme scheme, const std::vector<HostBlock>& mesh, int n, int guards, double finest_step)
        : scheme_(scheme),
          mesh_(mesh),
          n_(n),
          guards_(guards),
          width_(static_cast<std::size_t>(n + 2 * guards)),
          step_(finest_step) {
        for (std::vector<double>* field : {&old_, &next_, &density_, &potential, &gx_, &gy_, &gz_}) field->resize(size());
        for (std::vector<double>& component : impulse) component.resize(size());
    }

    /// Collective. Time goes on to this tick: levels whose steps end there are advanced, and get their potentials.
    void go_to(int tick, bool last) {
        advance(tick);
        fill_density(tick);
        std::vector<gravlet::Block> blocks;
        for (std::size_t b = 0; b < mesh_.size(); ++b) {
            const std::size_t at = b * block_size();
            gravlet::Block& block = blocks.emplace_back(
                gravlet::block_with_guards(mesh_[b].lower, {mesh_[b].h, mesh_[b].h, mesh_[b].h}, {n_, n_, n_}, guards_,
                                           &density_[at], &potential[at], {&gx_[at], &gy_[at], &gz_[at]}));
            block.active = active(mesh_[b].level, tick);
            block.result_guards = {guards_, guards_, guards_};
        }
        if (scheme_ == Scheme::held) tell_what_changed(blocks);
        solver_.solve(blocks);

        const gravlet::Report& report = solver_.report();
        seconds_[static_cast<std::size_t>(tick % sub_steps)].push_back(report.seconds);
        std::size_t coarsest = 0;
        while (!active(static_cast<int>(coarsest), tick)) ++coarsest;
        LevelCost& cost = costs[coarsest];
        if (tick > 0) cost.seconds.push_back(report.seconds);  // the first solve makes a tree
        cost.targets = report.targets, cost.pairs = report.node_interactions + report.cell_interactions;
        targets += report.targets;
        ++solves;
        if (tick > 0) kept = kept && report.unchanged_ranks == report.ranks;
        kick(tick, last);
    }

    /// Time of all solves, each taken as long as the median of those at its place in the coarse step: other programs disturb
    /// less.
    [[nodiscard]] double seconds() const {
        double sum = 0.0;
        for (const std::vector<double>& times : seconds_) sum += median(times) * static_cast<double>(times.size());
        return sum;
    }

    [[nodiscard]] bool active(int level, int tick) const { return scheme_ == Scheme::lockstep || is_active(level, tick); }
    [[nodiscard]] std::size_t block_size() const { return width_ * width_ * width_; }

    /// Calls visit(offset in the arrays, block, its cell's centre) for the interior cells.
    template <class Visit>
    void for_each_cell(Visit visit) const {
        for (std::size_t b = 0; b < mesh_.size(); ++b)
            for (int k = 0; k < n_; ++k)
                for (int j = 0; j < n_; ++j)
                    for (int i = 0; i < n_; ++i) {
                        const auto at = [&](int index) { return static_cast<std::size_t>(index + guards_); };
                        const auto& [level, lower, h] = mesh_[b];
                        visit(b * block_size() + (at(k) * width_ + at(j)) * width_ + at(i), mesh_[b],
                              Array3{lower[0] + (i + 0.5) * h, lower[1] + (j + 0.5) * h, lower[2] + (k + 0.5) * h});
                    }
    }

    std::vector<double> potential;
    std::array<std::vector<double>, 3> impulse;
    std::array<LevelCost, levels> costs;
    std::int64_t targets = 0, solves = 0;
    bool kept = true;  // the tree, in every solve after the first

private:
    [[nodiscard]] std::size_t size() const { return mesh_.size() * block_size(); }
    [[nodiscard]] int ticks(int level) const { return scheme_ == Scheme::lockstep ? 1 : 1 << (finest - level); }

    /// Where a level's step begins its old state is what was its new one, and the step makes a new one. A code advances its
    /// coarse levels first for the same reason that it is needed here: the finer ones' boundaries are interpolated in time.
    void advance(int tick) {
        for_each_cell([&](std::size_t cell, const HostBlock& block, const Array3& centre) {
            if (!active(block.level, tick)) return;
            old_[cell] = tick == 0 ? density_at(centre, 0.0) : next_[cell];
            next_[cell] = density_at(centre, (tick + ticks(block.level)) * step_);
        });
    }

    /// What gravlet is to see. A level whose step begins at this tick has its old state there.
    void fill_density(int tick) {
        for_each_cell([&](std::size_t cell, const HostBlock& block, const Array3&) {
            const double into = 1.0 * (tick % ticks(block.level)) / ticks(block.level);
            density_[cell] = scheme_ == Scheme::held ? old_[cell] : (1.0 - into) * old_[cell] + into * next_[cell];
        });
    }

    /// Densities that are held change where steps begin. (Those between two states change all the time.)
    void tell_what_changed(const std::vector<gravlet::Block>& blocks) {
        std::vector<std::uint8_t> changed;
        for (const gravlet::Block& block : blocks) changed.push_back(block.active ? 1 : 0);
        solver_.only_changed(changed);
    }

    /// Half of the step that ends and half of the one that begins.
    void kick(int tick, bool last) {
        for_each_cell([&](std::size_t cell, const HostBlock& block, const Array3&) {
            if (!active(block.level, tick)) return;
            const double time = ticks(block.level) * step_ * (tick == 0 || last ? 0.5 : 1.0);
            impulse[0][cell] += time * gx_[cell];
            impulse[1][cell] += time * gy_[cell];
            impulse[2][cell] += time * gz_[cell];
        });
    }

    Scheme scheme_;
    const std::vector<HostBlock>& mesh_;
    int n_, guards_;
    std::size_t width_;
    double step_;
    std::vector<double> old_, next_, density_, gx_, gy_, gz_;
    std::array<std::vector<double>, sub_steps> seconds_;
    gravlet::Solver solver_{MPI_COMM_WORLD};  // keep_tree is its default
};

// ---- Errors, and the table.

/// Relative errors of some cells, on this rank.
using Errors = std::vector<double>;

struct Findings {
    double p99 = 0.0, max = 0.0;  // a NaN counts as infinite
};

/// Collective. The 99th percentile and the largest of all ranks' errors.
Findings summarise(Errors errors) {
    for (double& error : errors)
        if (std::isnan(error)) error = INFINITY;
    int rank = 0, ranks = 1, count = static_cast<int>(errors.size());
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<int> counts(static_cast<std::size_t>(ranks)), starts(counts.size());
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (std::size_t r = 1; r < counts.size(); ++r) starts[r] = starts[r - 1] + counts[r - 1];
    Errors all(static_cast<std::size_t>(starts.back() + counts.back()));
    MPI_Allgatherv(errors.data(), count, MPI_DOUBLE, all.data(), counts.data(), starts.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    std::ranges::sort(all);
    return {all[all.size() * 99 / 100], all.back()};
}

/// Adds, level by level, the errors of the potentials that the host has got at this tick.
void add_potential_errors(const Host& host, const Host& lockstep, int tick, std::array<Errors, levels>& errors) {
    host.for_each_cell([&](std::size_t cell, const HostBlock& block, const Array3&) {
        if (host.active(block.level, tick))
            errors[static_cast<std::size_t>(block.level)].push_back(
                std::abs(host.potential[cell] / lockstep.potential[cell] - 1.0));
    });
}

/// Relative to the cell's impulse in lockstep, or to the level's mean one where that is larger: near 0 there is none.
std::array<Errors, levels> impulse_errors(const Host& host, const Host& lockstep) {
    const auto length = [](const Host& of, std::size_t cell) {
        return std::hypot(of.impulse[0][cell], of.impulse[1][cell], of.impulse[2][cell]);
    };
    std::array<double, levels> mean{}, cells{};
    host.for_each_cell([&](std::size_t cell, const HostBlock& block, const Array3&) {
        mean[static_cast<std::size_t>(block.level)] += length(lockstep, cell);
        cells[static_cast<std::size_t>(block.level)] += 1.0;
    });
    MPI_Allreduce(MPI_IN_PLACE, mean.data(), levels, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, cells.data(), levels, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    std::array<Errors, levels> errors;
    host.for_each_cell([&](std::size_t cell, const HostBlock& block, const Array3&) {
        const std::size_t level = static_cast<std::size_t>(block.level);
        const double difference =
            std::hypot(host.impulse[0][cell] - lockstep.impulse[0][cell], host.impulse[1][cell] - lockstep.impulse[1][cell],
                       host.impulse[2][cell] - lockstep.impulse[2][cell]);
        errors[level].push_back(difference / std::max(length(lockstep, cell), mean[level] / cells[level]));
    });
    return errors;
}

void print_cost(const std::string& name, const Host& host, const Host& lockstep) {
    std::cout << std::fixed << std::setprecision(3) << std::setw(24) << name << std::setw(8) << host.solves << std::setw(13)
              << host.targets << std::setw(10) << host.seconds() << std::setw(10) << host.seconds() / lockstep.seconds() << '\n';
}

/// What a solve costs by which levels are active, and beside one in lockstep, for all.
void print_costs_of_levels(const Host& lockstep, const Host& interpolated, const Host& held) {
    const double full = median(lockstep.costs[0].seconds);
    std::cout << "milliseconds a solve, by the levels that are active, and over " << 1e3 * full << " in lockstep\n"
              << "levels    targets  pairs a target   interpolated             held\n";
    for (std::size_t level = levels; level-- > 0;) {
        const LevelCost& cost = interpolated.costs[level];
        std::cout << std::setw(2) << level << " to " << finest << std::setw(11) << cost.targets << std::setw(16)
                  << cost.pairs / std::max<std::int64_t>(cost.targets, 1);
        for (const Host* const host : {&interpolated, &held}) {
            const double seconds = median(host->costs[level].seconds);
            std::cout << std::setw(11) << 1e3 * seconds << std::setw(7) << seconds / full;
        }
        std::cout << '\n';
    }
}

int run(int steps, int guards, int cells, int rank, int ranks) {
    const std::vector<HostBlock> mesh = make_mesh(cells, rank, ranks);
    const double finest_step = std::ldexp(cells_a_step / cells, -finest);
    Host lockstep(Scheme::lockstep, mesh, cells / across, guards, finest_step);
    Host interpolated(Scheme::interpolated, mesh, cells / across, guards, finest_step);
    Host held(Scheme::held, mesh, cells / across, guards, finest_step);
    std::array<Errors, levels> errors, held_errors;
    const int end = steps * sub_steps;
    for (int tick = 0; tick <= end; ++tick) {
        lockstep.go_to(tick, tick == end);
        interpolated.go_to(tick, tick == end);
        held.go_to(tick, tick == end);
        if (tick <= end - sub_steps) continue;
        add_potential_errors(interpolated, lockstep, tick, errors);
        add_potential_errors(held, lockstep, tick, held_errors);
    }

    if (rank == 0) {
        std::cout << steps << " coarse steps of " << sub_steps << ", " << levels << " levels of up to " << cells << "^3 cells, "
                  << guards << " guard layers, " << ranks << " ranks; seconds in solves, by medians\n"
                  << std::setw(24) << ""
                  << "  solves      targets   seconds      cost\n";
        print_cost("lockstep", lockstep, lockstep);
        print_cost("sub-cycled, interpolated", interpolated, lockstep);
        print_cost("sub-cycled, held", held, lockstep);
        print_costs_of_levels(lockstep, interpolated, held);
        std::cout << "errors against lockstep, 99% of the cells and worst\n level  potential: interpolated          held      "
                     "          impulse: interpolated            held\n";
    }
    const std::array<Errors, levels> impulses = impulse_errors(interpolated, lockstep),
                                     held_impulses = impulse_errors(held, lockstep);
    bool right = lockstep.kept && interpolated.kept && held.kept;
    for (std::size_t level = 0; level < levels; ++level) {
        const std::array<Findings, 4> found{summarise(errors[level]), summarise(held_errors[level]), summarise(impulses[level]),
                                            summarise(held_impulses[level])};
        right = right && found[0].p99 < potential_tolerance && found[2].p99 < impulse_tolerance;
        if (rank != 0) continue;
        std::cout << std::setw(6) << level << std::scientific << std::setprecision(1);
        for (const Findings& pair : found) std::cout << std::setw(12) << pair.p99 << std::setw(9) << pair.max;
        std::cout << '\n';
    }
    if (rank == 0)
        std::cout << "the tree was " << (interpolated.kept ? "kept in all solves after the first" : "not kept") << '\n';
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int steps = argc > 1 ? std::atoi(argv[1]) : 1, guards = argc > 2 ? std::atoi(argv[2]) : 0;
    const int cells = argc > 3 ? std::atoi(argv[3]) : 16;
    int status = 2;
    try {
        if (steps < 1 || guards < 0 || cells < 16 || cells % across != 0)
            throw gravlet::Error(gravlet::ErrorCode::invalid_input,
                                 "steps: 1 or more; guard cells: 0 or more; cells: a multiple of 4, 16 or more");
        status = run(steps, guards, cells, rank, ranks);
    } catch (const gravlet::Error& error) {  // the same on every rank
        if (rank == 0) std::cerr << "gravlet: " << error.what() << '\n';
    }
    MPI_Finalize();
    return status;
}
