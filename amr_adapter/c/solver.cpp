// SPDX-License-Identifier: Apache-2.0
// C's structs become the C++ ones of the same names. What one rank alone can see to be wrong (a missing array, a negative count)
// it tells the others in place of its solve: they are on their way into it.
#include "amr_adapter/c/handle.hpp"
#include "solver/data/host_memory.hpp"
#include "solver/data/input.hpp"

#include "mpi/agreement.hpp"

#include <gravlet/gravlet.h>

#include <fmt/format.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

using namespace gravlet;

namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_input, message); }

/// Of the headers that the host was compiled with.
void check_version(int header_version) {
    if (header_version / 100 == GRAVLET_VERSION_NUMBER / 100) return;
    throw Error(
        ErrorCode::not_available,
        fmt::format("this program was compiled with the headers of gravlet {}.{}, and the library is {}: compile it again",
                    header_version / 10000, header_version / 100 % 100, GRAVLET_VERSION));
}

/// The elements of an array of the caller's.
template <class T>
std::span<T> array_of(T* data, std::int64_t count, const char* name) {
    if (data == nullptr && count > 0) reject(fmt::format("{} is NULL, for {} of them", name, count));
    return {data, static_cast<std::size_t>(count)};
}

template <class T>
std::span<T> optional_array(T* data, std::int64_t count) {
    return data == nullptr ? std::span<T>() : std::span<T>(data, static_cast<std::size_t>(count));
}

void check_count(std::int64_t count, const char* of) {
    if (count < 0) reject(fmt::format("{} {}: at least 0", count, of));
}

Cells to_cells(const gravlet_cells& c) {
    check_count(c.count, "cells");
    const auto required = [&](const double* data, const char* name) { return array_of(data, c.count, name); };
    return {required(c.x, "x of cells"),       required(c.y, "y of cells"),      required(c.z, "z of cells"),
            required(c.dx, "dx of cells"),     optional_array(c.dy, c.count),    optional_array(c.dz, c.count),
            required(c.mass, "mass of cells"), optional_array(c.active, c.count)};
}

Points to_points(const gravlet_points& p) {
    check_count(p.count, "points");
    const auto required = [&](const double* data, const char* name) { return array_of(data, p.count, name); };
    return {required(p.x, "x of points"),       required(p.y, "y of points"),      required(p.z, "z of points"),
            required(p.mass, "mass of points"), optional_array(p.active, p.count), optional_array(p.softening, p.count)};
}

Fields to_fields(const gravlet_fields& f, std::int64_t count) {
    std::array<std::span<double>, result_count> arrays;
    for_results(f, [&](double* array, std::size_t k) { arrays[k] = optional_array(array, count); });
    return as_fields(arrays);
}

Block to_block(const gravlet_block& b) {
    Block block;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        block.lower[axis] = b.lower[axis];
        block.cell_size[axis] = b.cell_size[axis];
        block.n[axis] = b.n[axis];
        block.stride[axis] = b.stride[axis];
        block.result_stride[axis] = b.result_stride[axis];
        block.result_guards[axis] = b.result_guards[axis];
        block.face_acceleration[axis] = b.face_acceleration[axis];
        std::ranges::copy(b.face_stride[axis], block.face_stride[axis].begin());
    }
    block.density = b.density;
    set_results(block, result_arrays(b));
    block.active = b.inactive == 0;
    return block;
}

/// A solve's arguments in C++.
struct Arguments {
    Cells cells;
    Fields fields;
    Points points;
    Fields point_fields;
    std::vector<Block> blocks;

    void set_points(const gravlet_points* p, const gravlet_fields* f) {
        if (p == nullptr) return;
        points = to_points(*p);
        if (f != nullptr) point_fields = to_fields(*f, p->count);
    }
};

/// Runs a solve of what `read` makes of the caller's arguments.
template <class Read, class Solve>
int solve_guarded(gravlet_solver* handle, Read read, Solve solve) {
    const auto call = [&] {
        if (handle == nullptr) reject("solver is NULL");
        Arguments arguments;
        try {
            read(arguments);
        } catch (...) {
            handle->solver->abandon(std::current_exception());
        }
        solve(*handle->solver, arguments);
    };
    return guarded(call, handle != nullptr ? handle->rank : 0);
}

}  // namespace

int gravlet_create_for(int header_version, MPI_Comm comm, const gravlet_options* options, gravlet_solver** solver) {
    int rank = 0;
    const auto create = [&] {
        if (solver != nullptr) *solver = nullptr;
        const Communicator ranks(comm);  // on which they agree on what one alone may lack
        rank = ranks.rank();
        Options chosen;
        std::unique_ptr<gravlet_solver> handle;
        agree(ranks, [&] {
            if (solver == nullptr) reject("solver is NULL");
            check_version(header_version);
            if (options != nullptr) chosen = to_options(*options);
            handle = std::make_unique<gravlet_solver>();
            handle->rank = rank;
        });
        handle->solver.emplace(ranks.get(), chosen);
        *solver = handle.release();
    };
    return guarded(create, rank);
}

int gravlet_create_f_for(int header_version, MPI_Fint comm, const gravlet_options* options, gravlet_solver** solver) {
    // Where MPI does not run, MPI_Comm_f2c() would end the program, and gravlet_create() says that it does not.
    return gravlet_create_for(header_version, mpi_is_running() ? MPI_Comm_f2c(comm) : MPI_COMM_NULL, options, solver);
}

int gravlet_destroy(gravlet_solver** solver) {
    return guarded([&] {
        if (solver == nullptr) return;
        const std::unique_ptr<gravlet_solver> last(*solver);
        *solver = nullptr;
    });
}

int gravlet_solve_cells(gravlet_solver* solver, const gravlet_cells* cells, const gravlet_fields* fields,
                        const gravlet_points* points, const gravlet_fields* point_fields) {
    return solve_guarded(
        solver,
        [&](Arguments& arguments) {
            if (cells == nullptr) reject("cells are NULL");
            arguments.cells = to_cells(*cells);
            if (fields != nullptr) arguments.fields = to_fields(*fields, cells->count);
            arguments.set_points(points, point_fields);
        },
        [](Solver& s, const Arguments& a) { s.solve(a.cells, a.fields, a.points, a.point_fields); });
}

int gravlet_solve_blocks(gravlet_solver* solver, std::int64_t count, const gravlet_block* blocks, const gravlet_points* points,
                         const gravlet_fields* point_fields) {
    return solve_guarded(
        solver,
        [&](Arguments& arguments) {
            check_count(count, "blocks");
            const std::span<const gravlet_block> all = array_of(blocks, count, "blocks");
            if (!all.empty() && !(is_readable(all.data()) && is_readable(all.data() + all.size() - 1)))
                reject(fmt::format("the {} blocks are not in memory that the CPU can read", count));
            for (const gravlet_block& block : all) arguments.blocks.push_back(to_block(block));
            arguments.set_points(points, point_fields);
        },
        [](Solver& s, const Arguments& a) { s.solve(a.blocks, a.points, a.point_fields); });
}

int gravlet_solve_points(gravlet_solver* solver, const gravlet_points* points, const gravlet_fields* fields) {
    return solve_guarded(
        solver,
        [&](Arguments& arguments) {
            if (points == nullptr) reject("points are NULL");
            arguments.set_points(points, fields);
        },
        [](Solver& s, const Arguments& a) { s.solve(a.points, a.point_fields); });
}

int gravlet_abandon(gravlet_solver* solver, const char* message) {
    return solve_guarded(
        solver, [&](const Arguments&) { reject(message != nullptr ? message : "the host abandoned the solve"); },
        [](const Solver&, const Arguments&) {});
}

gravlet_block gravlet_block_with_guards(const double lower[3], const double cell_size[3], const std::int32_t n[3],
                                        std::int32_t guards, const double* density, double* potential,
                                        double* const acceleration[3]) {
    gravlet_block out{};
    if (lower == nullptr || cell_size == nullptr || n == nullptr) return out;
    std::array<double*, 3> field{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out.lower[axis] = lower[axis];
        out.cell_size[axis] = cell_size[axis];
        out.n[axis] = n[axis];
        if (acceleration != nullptr) field[axis] = acceleration[axis];
    }
    const Block block = block_with_guards({}, {}, {n[0], n[1], n[2]}, guards, density, potential, field);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out.stride[axis] = block.stride[axis];
        out.acceleration[axis] = block.acceleration[axis];
    }
    out.density = block.density;
    out.potential = block.potential;
    return out;
}
