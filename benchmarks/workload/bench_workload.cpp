// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/bench_workload.hpp"

#include "amr_adapter/files/block_set.hpp"
#include "benchmarks/workload/bench_grid.hpp"
#include "benchmarks/workload/bench_points.hpp"
#include "mpi/agreement.hpp"
#include "tools/config/config.hpp"
#include "tools/problems/problem.hpp"

#include <fmt/format.h>

#include <functional>
#include <utility>

namespace gravlet::bench {
namespace {

constexpr Box unit_box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};

Array3 middle_of(const std::optional<Box>& domain) {
    Array3 out{};
    for (std::size_t d = 0; domain && d < 3; ++d) out[d] = 0.5 * (domain->lower[d] + domain->upper[d]);
    return out;
}

// A value for every cell.
std::vector<double> for_cells(const BlockSet& blocks, const std::function<double(std::size_t block, std::size_t cell)>& value) {
    const std::size_t cells = blocks.cells_per_block(), count = blocks.size();
    std::vector<double> values(blocks.cell_count());
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < count; ++b)
        for (std::size_t i = 0; i < cells; ++i) values[b * cells + i] = value(b, i);
    return values;
}

bool has_cubes(const BlockSet& blocks) {
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const Array3 size = blocks.cell_size(b);
        if (size[0] != size[1] || size[0] != size[2]) return false;
    }
    return true;
}

// One array at a time: the largest meshes fill much of the memory.
void take_cells(const BlockSet& blocks, Memory memory, Workload& work) {
    Array* const coordinates[] = {&work.x, &work.y, &work.z};
    for (std::size_t d = 0; d < 3; ++d)
        *coordinates[d] = {memory, for_cells(blocks, [&](std::size_t b, std::size_t i) { return blocks.cell_centre(b, i)[d]; })};
    for (std::size_t d = 0; d < (has_cubes(blocks) ? 1 : 3); ++d)
        work.size[d] = {memory, for_cells(blocks, [&](std::size_t b, std::size_t) { return blocks.cell_size(b)[d]; })};
    const std::size_t cells = blocks.cells_per_block();
    work.mass = {memory, for_cells(blocks, [&](std::size_t b, std::size_t i) {
                     return blocks.density[b * cells + i] * blocks.cell_volume(b);
                 })};
}

// The descriptors of block_views(), with the arrays that the workload owns.
void make_room(const Settings& settings, std::size_t targets, Workload& work) {
    work.potential = Array(settings.memory, targets);
    if (settings.acceleration)
        for (Array& component : work.acceleration) component = Array(settings.memory, targets);
    if (settings.tidal)
        for (Array& component : work.tidal) component = Array(settings.memory, targets);
}

/// Results a block, and where that of the first interior cell is.
struct ResultShape {
    std::size_t size, first;
    Stride stride;

    ResultShape(const BlockSet& blocks, int guards) {
        const std::ptrdiff_t nx = blocks.n[0] + 2 * guards, ny = blocks.n[1] + 2 * guards, nz = blocks.n[2] + 2 * guards;
        stride = {1, nx, nx * ny};
        size = static_cast<std::size_t>(nx * ny * nz);
        first = static_cast<std::size_t>(guards * (1 + nx + nx * ny));
    }
};

// Of each block an array of its faces alone, a direction.
void take_faces(const BlockSet& blocks, Memory memory, Workload& work) {
    for (std::size_t d = 0; d < 3; ++d) {
        const std::size_t faces =
            blocks.cells_per_block() / static_cast<std::size_t>(blocks.n[d]) * static_cast<std::size_t>(blocks.n[d] + 1);
        work.faces[d] = Array(memory, blocks.size() * faces);
        for (std::size_t b = 0; b < blocks.size(); ++b) work.blocks[b].face_acceleration[d] = work.faces[d].data() + b * faces;
    }
}

void take_blocks(BlockSet& blocks, const Settings& settings, Workload& work) {
    const ResultShape shape(blocks, settings.result_guards);
    make_room(settings, blocks.size() * shape.size, work);
    work.blocks = block_views(blocks, {});
    work.density = {settings.memory, blocks.density};
    const std::size_t cells = blocks.cells_per_block();
    for (std::size_t b = 0; b < work.blocks.size(); ++b) {
        Block& block = work.blocks[b];
        const std::size_t first = b * shape.size + shape.first;
        block.density = work.density.data() + b * cells;
        block.potential = work.potential.data() + first;
        for (std::size_t d = 0; d < 3; ++d)
            if (settings.acceleration) block.acceleration[d] = work.acceleration[d].data() + first;
        for (std::size_t k = 0; k < 6; ++k)
            if (settings.tidal) block.tidal[k] = work.tidal[k].data() + first;
        block.result_stride = shape.stride;
        block.result_guards.fill(settings.result_guards);
    }
    if (settings.faces) take_faces(blocks, settings.memory, work);
}

// The order in which blocks, or cells, are active.
void order_mesh(const Settings& settings, const BlockSet& blocks, int rank, Workload& work) {
    if (!settings.some_inactive()) return;
    const Array3 middle = middle_of(work.domain);
    const std::size_t cells = blocks.cells_per_block();
    if (work.form == Workload::Form::cells) {
        work.order = order_of(settings.active_by, blocks.cell_count(), rank, middle, [&](std::size_t i) {
            return Standing{blocks.cell_centre(i / cells, i % cells), blocks.cell_size(i / cells)[0]};
        });
        return;
    }
    work.order = order_of(settings.active_by, blocks.size(), rank, middle, [&](std::size_t b) {
        const Block& block = work.blocks[b];
        Standing out{{}, block.cell_size[0]};
        for (std::size_t d = 0; d < 3; ++d) out.position[d] = block.lower[d] + 0.5 * block.n[d] * block.cell_size[d];
        return out;
    });
}

void take_analytic(const Problem& problem, Workload& work) {
    if (!problem.potential)
        throw Error(ErrorCode::invalid_option, "--analytic: problem.kind " + problem.kind + " has no closed form");
    work.analytic.resize(problem.targets());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < work.analytic.size(); ++i) {
        const Array3 position = problem.target(i);
        work.analytic[i] = {position, problem.potential(position)};
    }
}

void take_mesh(const Settings& settings, BlockSet& blocks, int rank, Workload& work) {
    if (settings.layout == Layout::cells) {
        work.form = Workload::Form::cells;
        make_room(settings, blocks.cell_count(), work);
        take_cells(blocks, settings.memory, work);
    } else {
        work.form = Workload::Form::blocks;
        take_blocks(blocks, settings, work);
    }
    order_mesh(settings, blocks, rank, work);
}

void take_points(const Settings& settings, PointSet& points, int rank, Workload& work) {
    if (settings.some_inactive())
        work.order = order_of(settings.active_by, points.size(), rank, middle_of(work.domain), [&](std::size_t i) {
            return Standing{{points.x[i], points.y[i], points.z[i]}};
        });
    const std::pair<Array*, std::vector<double>*> arrays[] = {{&work.x, &points.x},
                                                              {&work.y, &points.y},
                                                              {&work.z, &points.z},
                                                              {&work.mass, &points.mass},
                                                              {&work.softening, &points.softening}};
    for (const auto& [to, from] : arrays) {
        *to = Array(settings.memory, *from);
        *from = {};  // the largest sets fill much of the memory
    }
    make_room(settings, work.x.size(), work);
}

Workload make_points_workload(MPI_Comm comm, const Settings& settings, int ranks, double n) {
    const auto share = static_cast<std::size_t>(settings.per_rank ? n : n / ranks);
    PointSet points = make_points(comm, settings.problem, share, settings.along_curve);
    Workload work;
    work.name = settings.problem_name();
    if (settings.problem == ProblemKind::cube) work.domain = unit_box;
    agree(comm, [&] { take_points(settings, points, rank_in(comm), work); });
    return work;
}

Workload make_grid_workload(MPI_Comm comm, const Settings& settings, int cells) {
    Workload work;
    work.name = fmt::format("grid {}", cells);
    work.domain = unit_box;
    agree(comm, [&] {
        BlockSet blocks = make_grid(rank_in(comm), size_of(comm), cells, settings.block);
        take_mesh(settings, blocks, rank_in(comm), work);
    });
    return work;
}

void require_blocks(const Settings& settings, const Problem& problem) {
    if (problem.has_blocks) return;
    const char* const asked = settings.result_guards > 0              ? "--result-guards"
                              : settings.faces                        ? "--faces"
                              : settings.active_by == ActiveBy::level ? "--active-by level"
                                                                      : nullptr;
    if (asked != nullptr)
        throw Error(ErrorCode::invalid_option, fmt::format("{}: problem.kind {} is points, not a mesh", asked, problem.kind));
}

Workload make_problem_workload(MPI_Comm comm, const Settings& settings, const ProblemSpec& spec, const std::string& name) {
    Problem problem = make_problem(comm, spec);
    Workload work;
    agree(comm, [&] {
        require_blocks(settings, problem);
        work.name = name;
        work.domain = problem.domain;
        if (settings.own_boundary) work.boundary = problem.boundary;
        if (settings.analytic) take_analytic(problem, work);
        if (problem.has_blocks)
            take_mesh(settings, problem.blocks, rank_in(comm), work);
        else
            take_points(settings, problem.points, rank_in(comm), work);
    });
    return work;
}

}  // namespace

const char* Workload::layout() const { return form == Form::points ? "points" : form == Form::cells ? "cells" : "blocks"; }

void Workload::choose_active(MPI_Comm comm, double share) {
    if (order.empty()) return;
    active = first_of(comm, order, share);
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].active = active[b] != 0;
}

void Workload::solve(Solver& solver) const {
    Fields fields{.potential = potential.span()};
    for (std::size_t d = 0; d < 3; ++d) fields.acceleration[d] = acceleration[d].span();
    for (std::size_t k = 0; k < 6; ++k) fields.tidal[k] = tidal[k].span();
    switch (form) {
        case Form::points:
            return solver.solve(Points{.x = x.span(),
                                       .y = y.span(),
                                       .z = z.span(),
                                       .mass = mass.span(),
                                       .active = active,
                                       .softening = softening.span()},
                                fields);
        case Form::cells:
            return solver.solve(Cells{.x = x.span(),
                                      .y = y.span(),
                                      .z = z.span(),
                                      .dx = size[0].span(),
                                      .dy = size[1].span(),
                                      .dz = size[2].span(),
                                      .mass = mass.span(),
                                      .active = active},
                                fields);
        case Form::blocks: return solver.solve(blocks);
    }
}

Workload make_workload(MPI_Comm comm, const Settings& settings, std::size_t index, bool has_device) {
    agree(comm, [&] {
        if (settings.memory != Memory::host && !has_device)
            throw Error(ErrorCode::not_available,
                        "--memory " + to_string(settings.memory) + ": here is no GPU that can be used; use --memory host");
    });
    if (settings.draws_points()) return make_points_workload(comm, settings, size_of(comm), settings.n[index]);
    if (settings.problem == ProblemKind::grid) return make_grid_workload(comm, settings, settings.grid[index]);
    if (settings.problem == ProblemKind::described)
        return make_problem_workload(comm, settings, load_config(comm, settings.config, settings.set).problem, settings.config);
    const int level = settings.level[index];
    return make_problem_workload(comm, settings, MaclaurinProblem{.max_level = level}, fmt::format("maclaurin {}", level));
}

}  // namespace gravlet::bench
