// SPDX-License-Identifier: Apache-2.0
// The solver: create once, solve thousands of times on a mesh that changes.
//
//     gravlet::Solver solver(MPI_COMM_WORLD, {.theta = 0.8, .order = 4});
//     solver.solve(cells, fields);
//     std::cout << to_string(solver.report());
#pragma once

#include <gravlet/export.h>
#include <gravlet/cells.hpp>
#include <gravlet/error.hpp>
#include <gravlet/listener.hpp>
#include <gravlet/options.hpp>
#include <gravlet/report.hpp>
#include <gravlet/standard.hpp>
#include <gravlet/steering.hpp>

#include <mpi.h>

#include <array>
#include <exception>
#include <memory>
#include <span>
#include <string>

namespace gravlet {

/// Solves for the potential (and acceleration) of the masses on all ranks of a communicator. Several solvers may live in one
/// program, on any communicators. One thread a rank may be inside a solver's calls at a time (MPI_THREAD_FUNNELED is enough); a
/// second one, and a call from the solver's own listener, gets Error(invalid_input) on that rank alone, and the first goes on. A
/// solver that is destroyed in a call of its own lives on to the end of it.
///
/// Results do not depend on the calling threads' floating-point environment (rounding, traps, flushing to zero), which is
/// gravlet's own during a call, listeners included, and as it was after it.
///
/// The same input on the same number of ranks gives the same bits (with Options::tolerance: the same row of inputs). Buffers are
/// kept between solves; a rank whose bodies are where they were in the last solve, and as many, keeps its order and tree too, and
/// only refreshes masses and moments.
class GRAVLET_API Solver {
public:
    /// Collective over `comm`, which is duplicated. Throws Error(invalid_option) on every rank if an option is out of range or
    /// differs between ranks, Error(not_available) if the backend is not there. `listener`, or null: what hears of this and of
    /// the solves.
    explicit Solver(MPI_Comm comm, const Options& options = {}, std::shared_ptr<Listener> listener = nullptr);
    ~Solver();
    /// A solver that has been moved from throws Error(invalid_input) when it is used; its report is empty.
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    /// Collective. Each rank calls the overload of what it has; one without bodies passes empty spans. Ranks that gather on a GPU
    /// must not have blocks and others cells by themselves. Each gets the fields that it wants; all take the time of whichever
    /// wants most.
    ///
    /// Throws Error(invalid_input), the same on every rank, that names the first offending cell (its index in the caller's
    /// arrays) and rank: NaN, infinite or negative mass; a position or size that is not finite; a size <= 0; a cell outside
    /// Options::domain; two cells at one place, or that overlap; numbers beyond the limits of cells.hpp; spans of different
    /// lengths, null, or in memory that the backend cannot read; results that share memory, with each other or with an input that
    /// is not theirs (cells.hpp); more than 4,294,967,294 cells and points on a rank, or so many probes; a probe whose position
    /// is not finite, or outside of a domain in a direction that does not repeat where others do. Results are then untouched and
    /// the solver stays usable. After MPI_Finalize: Error(communication).
    void solve(const Cells& cells, const Fields& fields, const Probes& probes = {});
    void solve(const Points& points, const Fields& fields, const Probes& probes = {});
    void solve(const Cells& cells, const Fields& cell_fields, const Points& points, const Fields& point_fields,
               const Probes& probes = {});

    /// Collective. Solves on a host's own blocks, as for cells. Offending cells are named by block and cell (i, j, k).
    void solve(std::span<const Block> blocks, const Probes& probes = {});
    void solve(std::span<const Block> blocks, const Points& points, const Fields& point_fields, const Probes& probes = {});

    /// Collective. Sets Options::G for the solves that follow, as a comoving factor, or 4 pi G, changes with time: trees, and
    /// what a tolerance has learned, stay. Results are those of a solver that was made with it, to the bit. Throws
    /// Error(invalid_option), the same on every rank, if G is out of range or differs between ranks: it is then what it was.
    void set_G(double G);
    /// Collective. Set Options::softening, Options::domain and Options::shear for the solves that follow, as for a host in
    /// physical coordinates that expand, with a box that a piston changes, or with one that is sheared. What a tolerance has
    /// learned stays; trees are built anew, and so are Ewald tables. Results are those of a solver that was made with them, to
    /// the bit. Throw Error(invalid_option), the same on every rank, as the constructor does, or if ranks differ: it is then what
    /// it was.
    void set_softening(double length);
    void set_domain(const Box& domain);
    void set_shear(double length);

    /// Local. What the next solve() will find changed of this rank's bodies since the last one: those whose flag is not 0, or
    /// none of them, if there are no flags. One flag a block, or a cell, and then one a point; copied here, from host memory. Of
    /// all others place, sides, mass or density, softening length and class are what they were, and need not be looked at:
    /// results are the same bits, sooner. Holds for one solve; where a solver has no last one that was like it, all is looked at.
    /// If a body has changed without a flag, results are wrong; with Options::check_changed, and in debug builds, the solve
    /// throws Error(invalid_input) instead, the same on every rank, naming one such body.
    void only_changed(std::span<const std::uint8_t> flags = {});

    /// Local. How the points of the next solve() came from where they were in the last one to where they are: evenly, each by its
    /// velocity, for this time; n velocities a direction, in memory where positions may be, which the solve reads. Of points that
    /// were not active in the last solve they are those that were given with it, as with block steps. With Options::keep_moved
    /// nodes then go with their points and keep their moments, as long as their points are within 1/32 of a node's side of where
    /// the node has them (Report::predicted_nodes); results are as accurate, sooner. Holds for one solve, and for a row of solves
    /// each of which was told. Where velocities are not finite nodes are measured. If points have moved in other ways, results
    /// are wrong; with Options::check_changed, and in debug builds, the solve throws Error(invalid_input) instead, the same on
    /// every rank, naming one. The solve throws Error(invalid_input), the same on every rank, if there are not as many as points.
    void drifted(const std::array<InputSpan, 3>& velocity, double time);

    /// Collective. What Options::tolerance has learned so far, for a host's checkpoint: a solver that is made with the same
    /// options, and given it, goes on as this one would, to the bit. The same on every rank. Only this version of gravlet can
    /// read it.
    [[nodiscard]] SteeringState get_steering();
    /// Collective. Takes the place of what has been learned so far. Throws Error(invalid_input), the same on every rank, and
    /// changes nothing, if it is none of get_steering() of this version, or differs between ranks.
    void set_steering(const SteeringState& state);

    /// Collective. Takes the place of solve() on a rank that cannot bring its bodies while the others solve: all ranks throw
    /// Error(invalid_input) with this message. For hosts that find something wrong on one rank.
    [[noreturn]] void abandon(const std::string& message);
    /// Collective. Takes the place of solve() after a `catch` on one rank, with what was caught (std::current_exception()): an
    /// Error's own code and message. Needs no memory to reach the other ranks.
    [[noreturn]] void abandon(const std::exception_ptr& caught);

    /// Local. The report of the last solve that finished.
    [[nodiscard]] const Report& report() const noexcept;
    [[nodiscard]] const Options& options() const noexcept;

private:
    class Impl;
    std::shared_ptr<Impl> impl_;  ///< shared with the call that it is in
};

}  // namespace gravlet
