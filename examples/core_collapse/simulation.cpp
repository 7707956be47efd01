// SPDX-License-Identifier: Apache-2.0
#include "simulation.hpp"

#include "hydro.hpp"

#include <algorithm>
#include <cmath>

namespace core_collapse {

namespace {

constexpr int steps_between_meshes = 4;

void set_gas(const Mesh& mesh, const Problem& problem) {
    for (const Leaf& leaf : mesh.leaves())
        for_each_cell([&](const Index3& cell) {
            const Gas gas = problem.gas(between(leaf.centre(cell), middle, false), leaf.cell_size());
            for (std::size_t f = 0; f < 4; ++f) (*leaf.gas)[f][offset(cell)] = gas[f];
        });
}

/// Whether a block's Jeans lengths have so many cells of some size.
bool resolves(const Leaf& leaf, const Medium& medium, double length) {
    const double densest = *std::max_element((*leaf.gas)[0].begin(), (*leaf.gas)[0].end());
    return medium.jeans_length(densest) >= length;
}

std::string mesh_path(const std::string& path) { return path.empty() ? path : path + ".mesh"; }

}  // namespace

Simulation::Simulation(MPI_Comm comm, const Settings& settings, const Problem& problem)
    : settings_(settings),
      problem_(problem),
      mesh_(comm, settings.coarsest, settings.periodic, mesh_path(settings.resume)),
      gravity_(comm, settings.gravity),
      sinks_(problem.sinks) {
    settings.resume.empty() ? begin() : resume(settings.resume);
}

void Simulation::begin() {
    set_gas(mesh_, problem_);
    for (int level = settings_.coarsest; level < settings_.finest; ++level) adapt(), set_gas(mesh_, problem_);
    status_.first = totals().gas;
    accrete(mesh_, sinks_, problem_.rule);
    solve();
}

bool Simulation::goes_on() const { return status_.step < settings_.steps && status_.time < problem_.end * problem_.unit_of_time; }

void Simulation::step() {
    const double begun = MPI_Wtime(), dt = choose_step();
    kick_all(0.5 * dt);
    const Gas left = flow(mesh_, problem_.medium, dt);
    for (std::size_t f = 0; f < 4; ++f) status_.left[f] += left[f];
    drift(sinks_, dt, mesh_.periodic());
    accrete(mesh_, sinks_, problem_.rule);
    ++status_.step, status_.time += dt, status_.dt = dt;
    if (status_.step % steps_between_meshes == 0) adapt();
    solve();
    kick_all(0.5 * dt);
    make_sinks(mesh_, gravity_.potentials(), settings_.finest, problem_.rule, sinks_);
    seconds_ = {MPI_Wtime() - begun, report().seconds};
}

/// Follows the Jeans length; where sinks have taken what was dense, the finest cells stay.
bool Simulation::adapt() {
    const auto has_sink = [&](const Leaf& leaf) {
        return std::any_of(sinks_.begin(), sinks_.end(),
                           [&](const Sink& sink) { return reaches(sink, 2.0 * problem_.rule.radius, leaf, mesh_.periodic()); });
    };
    return mesh_.adapt({.coarsest = settings_.coarsest,
                        .finest = settings_.finest,
                        .wants_finer =
                            [&](const Leaf& leaf) {
                                return has_sink(leaf) || !resolves(leaf, problem_.medium, settings_.jeans * leaf.cell_size());
                            },
                        .allows_coarser =
                            [&](const Leaf& leaf) {
                                return !has_sink(leaf) && !mesh_.touches_finer(leaf) &&
                                       resolves(leaf, problem_.medium, 2.5 * settings_.jeans * leaf.cell_size());
                            }});
}

void Simulation::kick_all(double dt) {
    kick(sinks_, dt);
    for (const Leaf& leaf : mesh_.leaves())
        for (std::size_t d = 0; d < 3; ++d)
            for (std::size_t i = 0; i < block_cells; ++i)
                (*leaf.gas)[d + 1][i] += dt * (*leaf.gas)[0][i] * (*leaf.acceleration)[d][i];
}

void Simulation::solve() {
    gravity_.solve(mesh_, sinks_);
    status_.gravity_step = gravity_.time_step();
}

double Simulation::choose_step() const {
    double dt = std::min(longest_step(mesh_, problem_.medium), 0.5 * status_.gravity_step);
    for (const Sink& sink : sinks_)
        dt = std::min(
            dt, 0.5 * settings_.gravity.softening / (1e-30 + std::hypot(sink.velocity[0], sink.velocity[1], sink.velocity[2])));
    return std::min(dt, problem_.end * problem_.unit_of_time - status_.time);
}

Totals Simulation::totals() const {
    std::array<double, 5> sum{};
    std::array<double, 2> most{};
    for (const Leaf& leaf : mesh_.leaves()) {
        most[1] = std::max(most[1], static_cast<double>(leaf.level));
        for (std::size_t i = 0; i < block_cells; ++i) {
            const Gas gas = gas_at(*leaf.gas, i);
            most[0] = std::max(most[0], gas[0]);
            for (std::size_t f = 0; f < 4; ++f) sum[f] += leaf.volume() * gas[f];
            sum[4] += leaf.volume() * std::hypot(gas[1], gas[2], gas[3]);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, sum.data(), 5, MPI_DOUBLE, MPI_SUM, mesh_.comm());
    MPI_Allreduce(MPI_IN_PLACE, most.data(), 2, MPI_DOUBLE, MPI_MAX, mesh_.comm());
    Totals totals{{sum[0], sum[1], sum[2], sum[3]}, sum[4], most[0], 0.0, static_cast<int>(most[1])};
    for (const Sink& sink : sinks_) {
        const Array3& v = sink.velocity;
        totals.sink_mass += sink.mass;
        totals.gas[0] += sink.mass;
        for (std::size_t d = 0; d < 3; ++d) totals.gas[d + 1] += sink.mass * v[d];
        totals.absolute_momentum += sink.mass * std::hypot(v[0], v[1], v[2]);
    }
    return totals;
}

}  // namespace core_collapse
