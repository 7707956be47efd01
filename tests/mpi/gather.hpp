// SPDX-License-Identifier: Apache-2.0
// Gather engines around the CPU engine, and what the leaders would solve without them: their groups' bodies, one rank's after the
// other's.
#pragma once

#include "cpu/engine.hpp"
#include "mpi/agreement.hpp"
#include "solver/gather/gather_engine.hpp"
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gravlet::test {

/// Which group each rank is of.
struct Grouping {
    std::string name;
    std::function<int(int rank)> colour;

    [[nodiscard]] bool leads(int rank) const {
        for (int r = 0; r < rank; ++r)
            if (colour(r) == colour(rank)) return false;
        return true;
    }
};

inline std::vector<Grouping> groupings() {
    return {{"all in one", [](int) { return 3; }},
            {"pairs", [](int rank) { return rank / 2; }},
            {"one and the others", [](int rank) { return rank == 0 ? 0 : 1; }},
            {"every other", [](int rank) { return rank % 2; }},
            {"each alone", [](int rank) { return rank; }}};
}

inline std::unique_ptr<Engine> cpu_engine(const Communicator& comm, const Options& options, int threads) {
    Stages stages(comm);
    return make_cpu_engine(stages, comm, options, threads);
}

/// Collective over the engine's ranks.
inline Report solve(Engine& engine, const Communicator& comm, const Input& input) {
    Stages stages(comm);
    Report report;
    engine.solve(stages, input, report);
    if (stages.failed()) report.warnings.emplace_back(stages.last_failure().what());  // as in Solver: the results are there
    return report;
}

/// Collective. `make` as GatherEngine::MakeEngine; what a std::function allocates of it is in a local stage.
template <class Make>
std::unique_ptr<GatherEngine> gather_engine(const Communicator& comm, const Options& options, int colour, const Make& make) {
    Stages stages(comm);
    return prepared_engine(
        stages, [&] { return std::make_unique<GatherEngine>(comm, options, 1, make); }, colour);
}

/// Around the CPU engine.
struct Gathered {
    Communicator comm{MPI_COMM_WORLD};
    std::unique_ptr<GatherEngine> engine;

    Gathered(const Grouping& grouping, const Options& options)
        : engine(gather_engine(
              comm, options, grouping.colour(world_rank()),
              [=](const Communicator& leaders, int threads, Narrator&) { return cpu_engine(leaders, options, threads); })) {}
    Report solve(const Input& input) { return test::solve(*engine, comm, input); }
};

/// What solves of points with lengths have for those without.
inline constexpr double option_softening = 0.01;

/// The cells or points of rank r; cells of even ranks are cubes, the others have three sides; points of odd ranks have lengths,
/// if any.
inline BodyArrays bodies_of(int r, const BodyArrays& all, const std::function<int(std::size_t)>& owner) {
    BodyArrays part;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (owner(i) != r) continue;
        part.add_point(all.x[i], all.y[i], all.z[i], all.mass[i]);
        part.index.push_back(i);
        if (!all.softening.empty() && r % 2 != 0) part.softening.push_back(all.softening[i]);
        if (all.dx.empty()) continue;
        part.dx.push_back(all.dx[i]);
        if (r % 2 == 0) continue;
        part.dy.push_back(0.5 * all.dx[i]);
        part.dz.push_back(0.25 * all.dx[i]);
    }
    return part;
}

/// Of all ranks of a group.
inline BodyArrays bodies_of_group(int colour, const Grouping& grouping, const BodyArrays& all,
                                  const std::function<int(std::size_t)>& owner) {
    BodyArrays whole;
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    for (int r = 0; r < world_size(); ++r) {
        if (grouping.colour(r) != colour) continue;
        const BodyArrays part = bodies_of(r, all, owner);
        append(whole.x, part.x), append(whole.y, part.y), append(whole.z, part.z), append(whole.mass, part.mass);
        append(whole.index, part.index), append(whole.dx, part.dx), append(whole.softening, part.softening);
        if (!all.softening.empty() && part.softening.empty())
            whole.softening.insert(whole.softening.end(), part.size(), option_softening);
        if (all.dx.empty()) continue;
        append(whole.dy, part.dy.empty() ? part.dx : part.dy);
        append(whole.dz, part.dz.empty() ? part.dx : part.dz);
    }
    return whole;
}

/// Results by index in the whole, of which each rank has some, on every rank.
inline Result everywhere(const Result& result, const std::vector<std::size_t>& index, std::size_t n) {
    Result all(n, 0.0);
    const auto share = [&](const std::vector<double>& from, std::vector<double>& to) {
        for (std::size_t k = 0; k < index.size(); ++k) to[index[k]] = from[k];
        MPI_Allreduce(MPI_IN_PLACE, to.data(), static_cast<int>(n), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    };
    share(result.potential, all.potential);
    for (std::size_t axis = 0; axis < 3; ++axis) share(result.acceleration[axis], all.acceleration[axis]);
    for (std::size_t k = 0; k < 6; ++k) share(result.tidal[k], all.tidal[k]);
    return all;
}

/// What a leaders' engine gives for the groups' bodies, by index in the whole.
struct LeadersAlone {
    Result cells{0}, points{0};

    LeadersAlone(const Grouping& grouping, const Options& options, const BodyArrays& mesh, const BodyArrays& masses,
                 const std::function<int(std::size_t)>& owner, bool derivatives) {
        const bool leads = grouping.leads(world_rank());
        const int colour = leads ? grouping.colour(world_rank()) : -1;
        const BodyArrays my_cells = bodies_of_group(colour, grouping, mesh, owner);
        const BodyArrays my_points = bodies_of_group(colour, grouping, masses, owner);
        Result cell_result(my_cells.size()), point_result(my_points.size());
        MPI_Comm leaders = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, leads ? 0 : MPI_UNDEFINED, world_rank(), &leaders);
        if (leads) {
            const Communicator comm(leaders);
            const auto wanted = [&](Result& r) { return derivatives ? r.all_fields() : r.potential_only(); };
            test::solve(*cpu_engine(comm, options, 1), comm,
                        make_input(my_cells.cells(), wanted(cell_result), my_points.points(), wanted(point_result)));
            MPI_Comm_free(&leaders);
        }
        cells = everywhere(cell_result, my_cells.index, mesh.size());
        points = everywhere(point_result, my_points.index, masses.size());
    }
};

}  // namespace gravlet::test
