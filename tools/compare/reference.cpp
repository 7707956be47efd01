// SPDX-License-Identifier: Apache-2.0
#include "tools/compare/reference.hpp"

#include "mpi/agreement.hpp"
#include "solver/direct/cuboid_sum.hpp"
#include "tools/compare/solution.hpp"

#include <gravlet/error.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace gravlet {
namespace {

ReferenceValues analytic_values(const Problem& problem, const Targets& targets, double G, int with_derivatives) {
    ReferenceValues values{{}, problem.acceleration ? std::min(with_derivatives, 1) : 0};
    for (const std::size_t target : targets) {
        const Array3 position = problem.target(target);
        Result& result = values.results.emplace_back();
        result.component[0] = G * problem.potential(position);
        if (values.derivatives == 0) continue;
        const Array3 acceleration = problem.acceleration(position);
        for (std::size_t d = 0; d < 3; ++d) result.component[1 + d] = G * acceleration[d];
    }
    return values;
}

ReferenceValues cuboid_values(MPI_Comm comm, const Problem& problem, const Targets& targets, double G, int threads) {
    std::array<std::vector<double>, 3> at;
    std::vector<double> potential;
    CellArrays cells;
    agree(comm, [&] {
        for (const std::size_t target : targets) {
            const Array3 position = problem.target(target);
            for (std::size_t d = 0; d < 3; ++d) at[d].push_back(position[d]);
        }
        potential.resize(targets.size());
        cells = to_cells(problem.blocks);
    });
    cuboid_sum(comm, {at[0], at[1], at[2]}, cells.view(), potential, threads);
    ReferenceValues values{};
    agree(comm, [&] {
        for (const double sum : potential) values.results.push_back({{G * sum}});
    });
    return values;
}

ReferenceValues file_values(const Problem& problem, const Targets& targets) {
    ReferenceValues values{};
    for (const std::size_t target : targets) values.results.push_back({{problem.stored_potential[target]}});
    return values;
}

// The direct sum (theta 0) at the targets alone: all others are sources only. Blocks go as cells, each of which can be a target.
ReferenceValues direct_values(MPI_Comm comm, const Problem& problem, const Targets& targets, const Options& given,
                              int with_derivatives, std::shared_ptr<Listener> listener) {
    Options options;
    CellArrays cells;
    std::vector<std::uint8_t> active;
    std::optional<Solution> sums;
    agree(comm, [&] {
        options = given;
        options.theta = 0.0;
        if (problem.has_blocks) cells = to_cells(problem.blocks);
        active.resize(problem.targets());
        for (const std::size_t target : targets) active[target] = 1;
        sums.emplace(problem, with_derivatives);
    });
    Solver solver(comm, options, std::move(listener));
    if (problem.has_blocks) {
        Cells view = cells.view();
        view.active = active;
        solver.solve(view, sums->fields());
    } else {
        Points view = problem.points.view();
        view.active = active;
        solver.solve(view, sums->fields());
    }
    ReferenceValues values{{}, with_derivatives};
    agree(comm, [&] {
        for (const std::size_t target : targets) values.results.push_back(sums->at(target));
    });
    return values;
}

}  // namespace

void require_reference(Reference reference, const Problem& problem, const std::array<Boundary, 3>& boundary) {
    const auto refuse = [&](const std::string& why) {
        throw Error(ErrorCode::invalid_option,
                    "compare.reference is " + to_string(reference) + ": problem.kind " + problem.kind + " " + why);
    };
    if (reference == Reference::analytic && !problem.potential) refuse("has no closed form here; use direct");
    if (reference == Reference::analytic && boundary != problem.boundary)
        refuse("has a closed form for solver.boundary " + to_string(problem.boundary) + ", not " + to_string(boundary) +
               "; use direct");
    if (reference == Reference::cuboid && !problem.has_blocks) refuse("has no cells");
    if (reference == Reference::cuboid && boundary != std::array<Boundary, 3>{})
        refuse("is solved with solver.boundary " + to_string(boundary) + ", the cuboid sum is for isolated; use direct");
}

ReferenceValues reference_values(MPI_Comm comm, const RunConfig& config, const Problem& problem, const Targets& targets,
                                 int with_derivatives, int threads, std::shared_ptr<Listener> listener) {
    ReferenceValues values{};
    switch (config.compare.reference) {
        case Reference::analytic:
            agree(comm, [&] { values = analytic_values(problem, targets, config.solver.G, with_derivatives); });
            break;
        case Reference::cuboid: return cuboid_values(comm, problem, targets, config.solver.G, threads);
        case Reference::direct:
            return direct_values(comm, problem, targets, config.solver, with_derivatives, std::move(listener));
        case Reference::file: agree(comm, [&] { values = file_values(problem, targets); }); break;
        case Reference::none: break;
    }
    return values;
}

}  // namespace gravlet
