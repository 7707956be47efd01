// SPDX-License-Identifier: Apache-2.0
// C's structs become the C++ ones of the same names. What one rank alone can see to be wrong (a missing array, a negative count)
// it tells the others in place of its solve: they are on their way into it.
#include "amr_adapter/c/handle.hpp"
#include "solver/input/host_memory.hpp"
#include "solver/input/input.hpp"

#include "mpi/agreement.hpp"

#include <gravlet/gravlet.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

using namespace gravlet;

namespace {

[[noreturn]] void reject(const std::string& message) { throw Error(ErrorCode::invalid_input, message); }

/// Checks the version of the headers that the host was compiled with.
void check_version(int header_version) {
    if (header_version / 100 == GRAVLET_VERSION_NUMBER / 100) return;
    throw Error(
        ErrorCode::not_available,
        fmt::format("this program was compiled with the headers of gravlet {}.{}, and the library is {}: compile it again",
                    header_version / 10000, header_version / 100 % 100, GRAVLET_VERSION));
}

/// Calls C's functions.
class CListener final : public Listener {
public:
    explicit CListener(const gravlet_listener& functions) : c_(functions) {}
    void warning(const char* text) override {
        if (c_.warning != nullptr) c_.warning(c_.context, text);
    }
    void begin_stage(const char* stage) override {
        if (c_.begin_stage != nullptr) c_.begin_stage(c_.context, stage);
    }
    void end_stage(const char* stage) override {
        if (c_.end_stage != nullptr) c_.end_stage(c_.context, stage);
    }
    void progress(const char* what, double done) override {
        if (c_.progress != nullptr) c_.progress(c_.context, what, done);
    }
    [[nodiscard]] double interval() const override { return c_.interval > 0.0 ? c_.interval : Listener::interval(); }
    [[nodiscard]] bool cancelled() override { return c_.cancelled != nullptr && c_.cancelled(c_.context) != 0; }

private:
    gravlet_listener c_;
};

void check_count(std::int64_t count, const char* of) {
    if (count < 0) reject(fmt::format("{} {}: at least 0", count, of));
}

void check_floats(std::int32_t floats, const char* of) {
    if ((floats & ~GRAVLET_FLOAT_ALL) != 0) reject(fmt::format("floats of {} is {}: not a sum of GRAVLET_FLOAT_...", of, floats));
}

/// An array of the caller's, which is one of the two.
InputPointer input(const double* doubles, const float* floats, bool is_float) {
    return is_float ? InputPointer(floats) : InputPointer(doubles);
}

InputSpan span_of(InputPointer array, std::int64_t count) {
    return array == nullptr ? InputSpan() : InputSpan(array, static_cast<std::size_t>(count));
}

InputSpan required(InputPointer array, std::int64_t count, const char* name) {
    if (array == nullptr && count > 0) reject(fmt::format("{} is NULL, for {} of them", name, count));
    return span_of(array, count);
}

std::span<const std::uint8_t> flags_of(const std::uint8_t* flags, std::int64_t count) {
    return flags == nullptr ? std::span<const std::uint8_t>() : std::span(flags, static_cast<std::size_t>(count));
}

Cells to_cells(const gravlet_cells& c) {
    check_count(c.count, "cells");
    check_floats(c.floats, "cells");
    const bool at = (c.floats & GRAVLET_FLOAT_POSITIONS) != 0, of = (c.floats & GRAVLET_FLOAT_MASSES) != 0;
    return {required(input(c.x, c.x_f, at), c.count, "x of cells"),
            required(input(c.y, c.y_f, at), c.count, "y of cells"),
            required(input(c.z, c.z_f, at), c.count, "z of cells"),
            required(input(c.dx, c.dx_f, at), c.count, "dx of cells"),
            span_of(input(c.dy, c.dy_f, at), c.count),
            span_of(input(c.dz, c.dz_f, at), c.count),
            required(input(c.mass, c.mass_f, of), c.count, "mass of cells"),
            flags_of(c.active, c.count),
            flags_of(c.source_class, c.count)};
}

Points to_points(const gravlet_points& p) {
    check_count(p.count, "points");
    check_floats(p.floats, "points");
    const bool at = (p.floats & GRAVLET_FLOAT_POSITIONS) != 0, of = (p.floats & GRAVLET_FLOAT_MASSES) != 0;
    return {required(input(p.x, p.x_f, at), p.count, "x of points"),
            required(input(p.y, p.y_f, at), p.count, "y of points"),
            required(input(p.z, p.z_f, at), p.count, "z of points"),
            required(input(p.mass, p.mass_f, of), p.count, "mass of points"),
            flags_of(p.active, p.count),
            span_of(input(p.softening, p.softening_f, of), p.count),
            flags_of(p.source_class, p.count)};
}

/// The result arrays of C's Fields or a block, whose unions hold pointers to floats if `floats` says so.
template <class Results>
std::array<ResultPointer, result_count> results_of(const Results& r, std::int32_t floats) {
    const bool is_float = (floats & GRAVLET_FLOAT_RESULTS) != 0;
    std::array<ResultPointer, result_count> out;
    if (!is_float)
        for_results(r, [&](double* array, std::size_t k) { out[k] = array; });
    else {
        const auto set = [&](std::size_t k, float* array) { out[k] = array; };
        set(0, r.potential_f);
        for (std::size_t i = 0; i < components_of(1); ++i) set(first_component(1) + i, r.acceleration_f[i]);
        for (std::size_t i = 0; i < components_of(2); ++i) set(first_component(2) + i, r.tidal_f[i]);
    }
    return out;
}

/// What is wanted, as C's Fields or Probes say, of `count` targets.
template <class Results>
Fields fields_of(const Results& f, std::int64_t count) {
    const auto pointers = results_of(f, f.floats);
    std::array<ResultSpan, result_count> arrays;
    for (std::size_t k = 0; k < result_count; ++k)
        if (pointers[k] != nullptr) arrays[k] = {pointers[k], static_cast<std::size_t>(count)};
    return as_fields(arrays);
}

Fields to_fields(const gravlet_fields& f, std::int64_t count) {
    check_floats(f.floats, "fields");
    return fields_of(f, count);
}

Probes to_probes(const gravlet_probes& p) {
    check_count(p.count, "probes");
    check_floats(p.floats, "probes");
    const bool at = (p.floats & GRAVLET_FLOAT_POSITIONS) != 0;
    return {required(input(p.x, p.x_f, at), p.count, "x of probes"), required(input(p.y, p.y_f, at), p.count, "y of probes"),
            required(input(p.z, p.z_f, at), p.count, "z of probes"), fields_of(p, p.count)};
}

Block to_block(const gravlet_block& b) {
    check_floats(b.floats, "a block");
    const bool results_in_floats = (b.floats & GRAVLET_FLOAT_RESULTS) != 0;
    Block block;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        block.lower[axis] = b.lower[axis];
        block.cell_size[axis] = b.cell_size[axis];
        block.n[axis] = b.n[axis];
        block.stride[axis] = b.stride[axis];
        block.result_stride[axis] = b.result_stride[axis];
        block.result_guards[axis] = b.result_guards[axis];
        block.face_acceleration[axis] =
            results_in_floats ? ResultPointer(b.face_acceleration_f[axis]) : ResultPointer(b.face_acceleration[axis]);
        std::ranges::copy(b.face_stride[axis], block.face_stride[axis].begin());
    }
    block.density = input(b.density, b.density_f, (b.floats & GRAVLET_FLOAT_MASSES) != 0);
    set_results(block, results_of(b, b.floats));
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
    Probes probes;

    void set_points(const gravlet_points* p, const gravlet_fields* f) {
        if (p == nullptr) return;
        points = to_points(*p);
        if (f != nullptr) point_fields = to_fields(*f, p->count);
    }
    void set_probes(const gravlet_probes* p) {
        if (p != nullptr) probes = to_probes(*p);
    }
};

/// Runs a solve of what `read` makes of the caller's arguments.
template <class Read, class Solve>
int solve_guarded(gravlet_solver* handle, Read read, Solve solve) {
    int rank = 0;  // of an error that no other rank has
    const auto call = [&] {
        require_solver(handle);
        const OneCall::Inside inside(handle->calls);
        rank = handle->rank;
        Arguments arguments;
        try {
            read(arguments);
        } catch (...) {
            handle->solver->abandon(std::current_exception());
        }
        solve(*handle->solver, arguments);
    };
    return guarded(call, rank);
}

}  // namespace

int gravlet_create_with_listener_for(int header_version, MPI_Comm comm, const gravlet_options* options,
                                     const gravlet_listener* listener, gravlet_solver** solver) {
    int rank = 0;
    const auto create = [&] {
        if (solver != nullptr) *solver = nullptr;
        const Communicator ranks(comm);  // on which they agree on what one alone may lack
        rank = ranks.rank();
        Options chosen;
        std::unique_ptr<gravlet_solver> handle;
        std::shared_ptr<Listener> hears;
        agree(ranks, [&] {
            if (solver == nullptr) reject("solver is NULL");
            check_version(header_version);
            if (options != nullptr) chosen = to_options(*options);
            handle = std::make_unique<gravlet_solver>();
            handle->rank = rank;
            if (listener != nullptr) hears = std::make_shared<CListener>(*listener);
        });
        handle->solver.emplace(ranks.get(), chosen, std::move(hears));
        *solver = handle.release();
    };
    return guarded(create, rank);
}

int gravlet_create_with_listener_f_for(int header_version, MPI_Fint comm, const gravlet_options* options,
                                       const gravlet_listener* listener, gravlet_solver** solver) {
    // Where MPI does not run, MPI_Comm_f2c() would end the program, and gravlet_create() says that it does not.
    return gravlet_create_with_listener_for(header_version, mpi_is_running() ? MPI_Comm_f2c(comm) : MPI_COMM_NULL, options,
                                            listener, solver);
}

int gravlet_create_for(int header_version, MPI_Comm comm, const gravlet_options* options, gravlet_solver** solver) {
    return gravlet_create_with_listener_for(header_version, comm, options, nullptr, solver);
}

int gravlet_create_f_for(int header_version, MPI_Fint comm, const gravlet_options* options, gravlet_solver** solver) {
    return gravlet_create_with_listener_f_for(header_version, comm, options, nullptr, solver);
}

int gravlet_destroy(gravlet_solver** solver) {
    return guarded([&] {
        if (solver == nullptr || *solver == nullptr) return;
        { const OneCall::Inside none((*solver)->calls); }
        const std::unique_ptr<gravlet_solver> last(*solver);
        *solver = nullptr;
    });
}

int gravlet_solve_cells(gravlet_solver* solver, const gravlet_cells* cells, const gravlet_fields* fields,
                        const gravlet_points* points, const gravlet_fields* point_fields, const gravlet_probes* probes) {
    return solve_guarded(
        solver,
        [&](Arguments& arguments) {
            if (cells == nullptr) reject("cells are NULL");
            arguments.cells = to_cells(*cells);
            if (fields != nullptr) arguments.fields = to_fields(*fields, cells->count);
            arguments.set_points(points, point_fields);
            arguments.set_probes(probes);
        },
        [](Solver& s, const Arguments& a) { s.solve(a.cells, a.fields, a.points, a.point_fields, a.probes); });
}

int gravlet_solve_blocks(gravlet_solver* solver, std::int64_t count, const gravlet_block* blocks, const gravlet_points* points,
                         const gravlet_fields* point_fields, const gravlet_probes* probes) {
    return solve_guarded(
        solver,
        [&](Arguments& arguments) {
            check_count(count, "blocks");
            if (blocks == nullptr && count > 0) reject(fmt::format("blocks is NULL, for {} of them", count));
            const std::span all(blocks, static_cast<std::size_t>(count));
            if (!is_readable(all.data(), all.size(), sizeof(gravlet_block)))
                reject(fmt::format("the {} blocks are not in memory that the CPU can read", count));
            for (const gravlet_block& block : all) arguments.blocks.push_back(to_block(block));
            arguments.set_points(points, point_fields);
            arguments.set_probes(probes);
        },
        [](Solver& s, const Arguments& a) { s.solve(a.blocks, a.points, a.point_fields, a.probes); });
}

int gravlet_solve_points(gravlet_solver* solver, const gravlet_points* points, const gravlet_fields* fields,
                         const gravlet_probes* probes) {
    return solve_guarded(
        solver,
        [&](Arguments& arguments) {
            if (points == nullptr) reject("points are NULL");
            arguments.set_points(points, fields);
            arguments.set_probes(probes);
        },
        [](Solver& s, const Arguments& a) { s.solve(a.points, a.point_fields, a.probes); });
}

int gravlet_set_G(gravlet_solver* solver, double G) {
    return solve_guarded(
        solver, [](const Arguments&) {}, [&](Solver& s, const Arguments&) { s.set_G(G); });
}

int gravlet_set_softening(gravlet_solver* solver, double length) {
    return solve_guarded(
        solver, [](const Arguments&) {}, [&](Solver& s, const Arguments&) { s.set_softening(length); });
}

int gravlet_set_domain(gravlet_solver* solver, const double* lower, const double* upper) {
    Box domain;
    return solve_guarded(
        solver,
        [&](const Arguments&) {
            if (lower == nullptr || upper == nullptr) reject("corners of the domain are NULL");
            std::copy_n(lower, 3, domain.lower.begin());
            std::copy_n(upper, 3, domain.upper.begin());
        },
        [&](Solver& s, const Arguments&) { s.set_domain(domain); });
}

int gravlet_set_shear(gravlet_solver* solver, double length) {
    return solve_guarded(
        solver, [](const Arguments&) {}, [&](Solver& s, const Arguments&) { s.set_shear(length); });
}

int gravlet_only_changed(gravlet_solver* solver, std::int64_t count, const std::uint8_t* flags) {
    const auto call = [&] {
        require_solver(solver);
        const OneCall::Inside inside(solver->calls);
        check_count(count, "flags of what has changed");
        if (flags == nullptr && count > 0) reject(fmt::format("flags of what has changed is NULL, for {} of them", count));
        const std::span all(flags, static_cast<std::size_t>(count));
        if (!is_readable(all.data(), all.size(), 1)) reject("flags of what has changed are not in memory that the CPU can read");
        solver->solver->only_changed(all);
    };
    return guarded(call, solver != nullptr ? solver->rank : 0);
}

int gravlet_drifted(gravlet_solver* solver, std::int64_t count, const double* vx, const double* vy, const double* vz,
                    double time) {
    const auto call = [&] {
        require_solver(solver);
        const OneCall::Inside inside(solver->calls);
        check_count(count, "velocities of points");
        solver->solver->drifted(
            {required(InputPointer(vx), count, "x of velocities"), required(InputPointer(vy), count, "y of velocities"),
             required(InputPointer(vz), count, "z of velocities")},
            time);
    };
    return guarded(call, solver != nullptr ? solver->rank : 0);
}

static_assert(GRAVLET_STEERING_SIZE == steering_size);

int gravlet_get_steering(gravlet_solver* solver, double* state) {
    return solve_guarded(
        solver,
        [&](const Arguments&) {
            if (state == nullptr) reject("state is NULL");
        },
        [&](Solver& s, const Arguments&) { std::ranges::copy(s.get_steering(), state); });
}

int gravlet_set_steering(gravlet_solver* solver, const double* state) {
    SteeringState given{};
    return solve_guarded(
        solver,
        [&](const Arguments&) {
            if (state == nullptr) reject("state is NULL");
            std::copy_n(state, given.size(), given.begin());
        },
        [&](Solver& s, const Arguments&) { s.set_steering(given); });
}

int gravlet_abandon(gravlet_solver* solver, const char* message) {
    return solve_guarded(
        solver, [&](const Arguments&) { reject(message != nullptr ? message : "the host abandoned the solve"); },
        [](const Solver&, const Arguments&) {});
}

namespace {

template <class Real>
gravlet_block c_block(const double* lower, const double* cell_size, const std::int32_t* n, std::int32_t guards,
                      const Real* density, Real* potential, Real* const* acceleration) {
    gravlet_block out{};
    if (lower == nullptr || cell_size == nullptr || n == nullptr) return out;
    std::array<ResultPointer, 3> field{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out.lower[axis] = lower[axis];
        out.cell_size[axis] = cell_size[axis];
        out.n[axis] = n[axis];
        if (acceleration != nullptr) field[axis] = acceleration[axis];
    }
    const Block block = block_with_guards({}, {}, {n[0], n[1], n[2]}, guards, density, potential, field);
    std::ranges::copy(block.stride, out.stride);
    if constexpr (std::is_same_v<Real, float>) {
        out.floats = GRAVLET_FLOAT_MASSES | GRAVLET_FLOAT_RESULTS;
        out.density_f = block.density.singles();
        out.potential_f = block.potential.singles();
        for (std::size_t axis = 0; axis < 3; ++axis) out.acceleration_f[axis] = block.acceleration[axis].singles();
    } else {
        out.density = block.density.doubles();
        out.potential = block.potential.doubles();
        for (std::size_t axis = 0; axis < 3; ++axis) out.acceleration[axis] = block.acceleration[axis].doubles();
    }
    return out;
}

}  // namespace

gravlet_block gravlet_block_with_guards(const double lower[3], const double cell_size[3], const std::int32_t n[3],
                                        std::int32_t guards, const double* density, double* potential,
                                        double* const acceleration[3]) {
    return c_block(lower, cell_size, n, guards, density, potential, acceleration);
}

gravlet_block gravlet_block_with_guards_f(const double lower[3], const double cell_size[3], const std::int32_t n[3],
                                          std::int32_t guards, const float* density, float* potential,
                                          float* const acceleration[3]) {
    return c_block(lower, cell_size, n, guards, density, potential, acceleration);
}
