// SPDX-License-Identifier: Apache-2.0
#include "sinks.hpp"

#include "gather.hpp"

#include <algorithm>
#include <cmath>

namespace core_collapse {

namespace {

double norm(const Array3& a) { return std::hypot(a[0], a[1], a[2]); }

/// A cell that might become a sink.
struct Candidate {
    double potential;
    Sink sink;
};

bool is_near(const std::vector<Sink>& sinks, const Array3& place, double distance, bool periodic) {
    return std::any_of(sinks.begin(), sinks.end(),
                       [&](const Sink& sink) { return norm(between(place, sink.position, periodic)) < distance; });
}

std::vector<Candidate> dense_cells(const Mesh& mesh, const std::vector<Field>& potentials, int finest, const SinkRule& rule,
                                   const std::vector<Sink>& sinks) {
    std::vector<Candidate> found;
    for (const Leaf& leaf : mesh.leaves()) {
        if (leaf.level != finest) continue;
        for_each_cell([&](const Index3& cell) {
            const std::size_t i = offset(cell);
            const Gas gas = gas_at(*leaf.gas, i);
            if (gas[0] <= rule.threshold || is_near(sinks, leaf.centre(cell), 2.0 * rule.radius, mesh.periodic())) return;
            Sink sink{.position = leaf.centre(cell), .velocity = {gas[1] / gas[0], gas[2] / gas[0], gas[3] / gas[0]}};
            for (std::size_t d = 0; d < 3; ++d) sink.acceleration[d] = (*leaf.acceleration)[d][i];
            found.push_back({potentials[leaf.number][i], sink});
        });
    }
    return found;
}

/// Collective. The lowest potential of all cells within a radius.
double lowest_potential(const Mesh& mesh, const std::vector<Field>& potentials, const Sink& at, double radius) {
    double lowest = 0.0;
    for (const Leaf& leaf : mesh.leaves()) {
        if (!reaches(at, radius, leaf, mesh.periodic())) continue;
        for_each_cell([&](const Index3& cell) {
            if (norm(between(leaf.centre(cell), at.position, mesh.periodic())) < radius)
                lowest = std::min(lowest, potentials[leaf.number][offset(cell)]);
        });
    }
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_DOUBLE, MPI_MIN, mesh.comm());
    return lowest;
}

}  // namespace

Array3 between(const Array3& a, const Array3& b, bool periodic) {
    Array3 out;
    for (std::size_t d = 0; d < 3; ++d) out[d] = a[d] - b[d] - (periodic ? std::round(a[d] - b[d]) : 0.0);
    return out;
}

bool reaches(const Sink& sink, double radius, const Leaf& leaf, bool periodic) {
    const double half = 0.5 * n * leaf.cell_size();
    Array3 away = between(leaf.centre({0, 0, 0}), sink.position, periodic);
    for (double& x : away) x = std::max(0.0, std::abs(x + half - 0.5 * leaf.cell_size()) - half);
    return norm(away) < radius;
}

void kick(std::vector<Sink>& sinks, double dt) {
    for (Sink& sink : sinks)
        for (std::size_t d = 0; d < 3; ++d) sink.velocity[d] += dt * sink.acceleration[d];
}

void drift(std::vector<Sink>& sinks, double dt, bool periodic) {
    for (Sink& sink : sinks)
        for (std::size_t d = 0; d < 3; ++d) {
            sink.position[d] += dt * sink.velocity[d];
            if (periodic) sink.position[d] -= std::floor(sink.position[d]);
        }
}

void accrete(const Mesh& mesh, std::vector<Sink>& sinks, const SinkRule& rule) {
    struct Taken {
        double mass;
        Array3 moment, momentum;
    };
    std::vector<Taken> taken(sinks.size(), Taken{});
    for (const Leaf& leaf : mesh.leaves()) {
        std::vector<std::size_t> near;
        for (std::size_t s = 0; s < sinks.size(); ++s)
            if (reaches(sinks[s], rule.radius, leaf, mesh.periodic())) near.push_back(s);
        if (near.empty()) continue;
        for_each_cell([&](const Index3& cell) {
            const std::size_t i = offset(cell);
            const Gas gas = gas_at(*leaf.gas, i);
            if (gas[0] <= rule.threshold) return;
            const auto away = [&](std::size_t s) { return between(leaf.centre(cell), sinks[s].position, mesh.periodic()); };
            const std::size_t nearest = *std::min_element(
                near.begin(), near.end(), [&](std::size_t a, std::size_t b) { return norm(away(a)) < norm(away(b)); });
            if (norm(away(nearest)) >= rule.radius) return;
            const double share = 1.0 - rule.threshold / gas[0], mass = share * gas[0] * leaf.volume();
            Taken& to = taken[nearest];
            to.mass += mass;
            for (std::size_t d = 0; d < 3; ++d) {
                to.moment[d] += mass * away(nearest)[d];
                to.momentum[d] += share * gas[d + 1] * leaf.volume();
            }
            for (Field& field : *leaf.gas) field[i] *= 1.0 - share;
        });
    }
    MPI_Allreduce(MPI_IN_PLACE, taken.data(), static_cast<int>(7 * taken.size()), MPI_DOUBLE, MPI_SUM, mesh.comm());
    for (std::size_t s = 0; s < sinks.size(); ++s) {
        const double mass = sinks[s].mass + taken[s].mass;
        if (taken[s].mass <= 0.0) continue;
        for (std::size_t d = 0; d < 3; ++d) {
            sinks[s].position[d] += taken[s].moment[d] / mass;
            sinks[s].velocity[d] = (sinks[s].mass * sinks[s].velocity[d] + taken[s].momentum[d]) / mass;
        }
        sinks[s].mass = mass;
    }
}

void make_sinks(const Mesh& mesh, const std::vector<Field>& potentials, int finest, const SinkRule& rule,
                std::vector<Sink>& sinks) {
    std::vector<Candidate> cells = gather(dense_cells(mesh, potentials, finest, rule, sinks), mesh.comm());
    std::sort(cells.begin(), cells.end(), [](const Candidate& a, const Candidate& b) { return a.potential < b.potential; });
    for (const Candidate& cell : cells)
        if (!is_near(sinks, cell.sink.position, 2.0 * rule.radius, mesh.periodic()) &&
            cell.potential <= lowest_potential(mesh, potentials, cell.sink, rule.radius))
            sinks.push_back(cell.sink);
}

}  // namespace core_collapse
