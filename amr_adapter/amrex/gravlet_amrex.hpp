// SPDX-License-Identifier: Apache-2.0
// gravlet for AMReX codes, in the shape of amrex::OpenBCSolver: lap(phi) = rhs on levels of refinement, in open space or in a
// periodic box, with rhs = 4 pi G rho. A header of its own: nothing in gravlet needs AMReX. docs/amrex.md tells how codes use it.
//
//     gravlet::AmrexSolver solver;
//     solver.define(geometry, grids, distribution);  // after each regrid
//     solver.solve(phi, rhs);                         // vectors of MultiFab* and MultiFab const*, coarsest level first
#pragma once

#include <gravlet_amrex_points.hpp>

#include <gravlet/solver.hpp>

#include <AMReX_Geometry.H>
#include <AMReX_GpuDevice.H>
#include <AMReX_MultiFab.H>
#include <AMReX_MultiFabUtil.H>
#include <AMReX_ParallelContext.H>
#include <AMReX_ParallelReduce.H>

#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

/// What is wanted beside phi. Empty: nothing.
struct AmrexExtras {
    /// -grad phi, three components, with as many guard cells as phi's MultiFab of the level.
    amrex::Vector<amrex::MultiFab*> acceleration{};
    /// The acceleration's component along the axis at the faces of each direction, of the levels' cells that no finer level
    /// covers, and averages elsewhere (cells.hpp, Block::face_acceleration).
    amrex::Vector<amrex::Array<amrex::MultiFab*, 3>> face_acceleration{};
    /// All guard cells of phi and of the acceleration too: those on a grid of the level, or on an image of one, get its values,
    /// and all others what gravity is there, next to coarser cells and beyond the domain. Else they are left alone.
    bool guard_cells = false;
    /// Masses beside rhs, in any place: they act on the cells and on each other, and get results. gravlet::particles_of() makes
    /// them of a ParticleContainer. Options::softening is theirs.
    std::vector<AmrexParticles> particles{};
};

/// A solver on AMReX's grids, 3-D and Cartesian. Cells under a finer level are no sources; their results are averages of the
/// finer ones. FABs may be in host or device memory, of float or double (amrex::Real); they are read and written where they are.
class AmrexSolver {
public:
    /// Collective, as all calls but the last two. Options::boundary and domain are the geometry's; G is that of rhs, which only
    /// particles' masses need.
    explicit AmrexSolver(const Options& options = {}, MPI_Comm comm = amrex::ParallelContext::CommunicatorSub(),
                         std::shared_ptr<Listener> listener = nullptr)
        : options_(options), comm_(comm), listener_(std::move(listener)) {}

    /// Level 0 first. Ratios between levels are those of the cell sizes, a direction. Made anew after every regrid.
    void define(const amrex::Vector<amrex::Geometry>& geometry, const amrex::Vector<amrex::BoxArray>& grids,
                const amrex::Vector<amrex::DistributionMapping>& distribution) {
        if (geometry.empty() || geometry.size() != grids.size() || geometry.size() != distribution.size())
            reject("define: " + std::to_string(geometry.size()) + " geometries, " + std::to_string(grids.size()) +
                   " BoxArrays and " + std::to_string(distribution.size()) +
                   " DistributionMappings: as many of each, at least 1");
        geometry_ = geometry, grids_ = grids, distribution_ = distribution;
        ratios_.clear();
        for (int level = 1; level < levels(); ++level) ratios_.push_back(ratio_below(level));
    }

    /// phi, and rhs >= 0, of the levels and grids that were defined; only rhs's interior is read. Throws gravlet::Error, the same
    /// on all ranks.
    void solve(const amrex::Vector<amrex::MultiFab*>& phi, const amrex::Vector<amrex::MultiFab const*>& rhs,
               const AmrexExtras& extras = {}) {
        if (geometry_.empty()) reject("solve: define() comes first");
        check(phi, "phi", 1), check(rhs, "rhs", 1);
        if (!extras.acceleration.empty()) {
            check(extras.acceleration, "acceleration", 3);
            for (int level = 0; level < levels(); ++level)
                if (extras.acceleration[level]->nGrowVect() != phi[level]->nGrowVect())
                    reject("acceleration of level " + std::to_string(level) + " has other guard cells than phi");
        }
        if (!extras.face_acceleration.empty() && extras.face_acceleration.size() != levels())
            reject("face_acceleration has " + std::to_string(extras.face_acceleration.size()) + " levels of " +
                   std::to_string(levels()));
        make_solver(extras.guard_cells ? phi[0]->nGrowVect() : amrex::IntVect(0));
        blocks_.clear();
        for (int level = 0; level < levels(); ++level) add_blocks(level, *phi[level], *rhs[level], extras);
        points_.clear();
        for (int level = 0; level < levels() && extras.guard_cells; ++level)
            points_.add_guards(level, geometry_[level], *phi[level]);
        points_.make(geometry_, extras.particles, 4.0 * std::numbers::pi * options_.G, options_.softening, wants_field(extras));
        for (const AmrexParticles& p : extras.particles)  // which may be wrong on one rank alone
            if ((p.acceleration[0] == nullptr) != (p.acceleration[1] == nullptr || p.acceleration[2] == nullptr))
                solver_->abandon("AmrexSolver: particles' acceleration: all three components or none");
        amrex::Gpu::streamSynchronizeAll();  // rhs is there; what gravlet writes is there when it returns
        solver_->solve(blocks_, points_.points(), points_.fields());
        for (int level = levels() - 1; level-- > 0;) {
            amrex::average_down(*phi[level + 1], *phi[level], 0, 1, ratios_[level]);
            if (!extras.acceleration.empty())
                amrex::average_down(*extras.acceleration[level + 1], *extras.acceleration[level], 0, 3, ratios_[level]);
            if (!extras.face_acceleration.empty()) average_faces_down(level, extras);
        }
        for (int level = 0; level < levels() && extras.guard_cells; ++level) {
            phi[level]->FillBoundary(0, 1, geometry_[level].periodicity());
            if (extras.acceleration.empty()) continue;
            extras.acceleration[level]->FillBoundary(0, 3, geometry_[level].periodicity());
        }
        points_.store(extras.particles, phi, extras.acceleration);
    }

    /// Local. The report of the last solve.
    [[nodiscard]] const Report& report() const { return solver_.value().report(); }
    /// Local. Leaf boxes of this rank in the last solve.
    [[nodiscard]] std::size_t block_count() const { return blocks_.size(); }

private:
    [[noreturn]] static void reject(const std::string& message) {
        throw Error(ErrorCode::invalid_input, "AmrexSolver: " + message);
    }

    [[nodiscard]] int levels() const { return static_cast<int>(geometry_.size()); }

    [[nodiscard]] amrex::IntVect ratio_below(int level) const {
        amrex::IntVect ratio;
        for (int d = 0; d < 3; ++d) {
            const double times = cell_size(geometry_[level - 1], d) / cell_size(geometry_[level], d);
            ratio[d] = static_cast<int>(std::lround(times));
            if (ratio[d] < 1 || std::abs(times - ratio[d]) > 1e-6 * times)
                reject("define: cells of level " + std::to_string(level) + " are not a whole part of those below in direction " +
                       std::to_string(d));
        }
        return ratio;
    }

    /// Whether the acceleration is wanted on any rank.
    [[nodiscard]] bool wants_field(const AmrexExtras& extras) const {
        bool wants = !extras.acceleration.empty();
        for (const AmrexParticles& p : extras.particles) wants = wants || p.acceleration[0] != nullptr;
        amrex::ParallelAllReduce::Or(wants, comm_);
        return wants;
    }

    /// A solver keeps its memory, and where the mesh is the same its tree. `guards`: cells of level 0 beyond the domain whose
    /// gravity is wanted.
    void make_solver(const amrex::IntVect& guards) {
        Options wanted = options_;
        wanted.G = 1.0 / (4.0 * std::numbers::pi);
        Box box;
        for (std::size_t d = 0; d < 3; ++d) {
            const int axis = static_cast<int>(d);
            const bool repeats = geometry_[0].isPeriodic(axis);
            if (repeats) wanted.boundary[d] = Boundary::periodic;
            const double beyond = repeats ? 0.0 : guards[axis] * cell_size(geometry_[0], axis);
            box.lower[d] = geometry_[0].ProbLo(axis) - beyond;
            box.upper[d] = geometry_[0].ProbHi(axis) + beyond;
        }
        if (is_periodic(wanted)) wanted.domain = box;
        if (!solver_ || to_string(wanted) != to_string(solver_->options())) solver_.emplace(comm_, wanted, listener_);
    }

    template <class Fabs>
    void check(const Fabs& fabs, const char* name, int components) const {
        if (fabs.size() != levels())
            reject(std::string(name) + " has " + std::to_string(fabs.size()) + " levels of " + std::to_string(levels()));
        for (int level = 0; level < levels(); ++level) {
            const std::string where = std::string(name) + " of level " + std::to_string(level);
            if (fabs[level] == nullptr) reject(where + " is null");
            if (fabs[level]->boxArray() != grids_[level] || fabs[level]->DistributionMap() != distribution_[level])
                reject(where + " is not on the grids that were defined");
            if (fabs[level]->nComp() < components)
                reject(where + " has " + std::to_string(fabs[level]->nComp()) + " components of " + std::to_string(components));
        }
    }

    /// The grids' cells that no finer level covers, as boxes in the FABs' own memory.
    void add_blocks(int level, amrex::MultiFab& phi, const amrex::MultiFab& rhs, const AmrexExtras& extras) {
        const bool finest = level + 1 == levels();
        const amrex::BoxArray finer = finest ? amrex::BoxArray() : amrex::coarsen(grids_[level + 1], ratios_[level]);
        for (amrex::MFIter grid(rhs); grid.isValid(); ++grid) {
            const amrex::BoxList leaves =
                finest ? amrex::BoxList(grid.validbox()) : amrex::complementIn(grid.validbox(), finer).boxList();
            for (const amrex::Box& leaf : leaves)
                if (leaf.ok()) blocks_.push_back(block(level, grid, leaf, phi, rhs, extras));
        }
    }

    template <class Fab>
    static auto first_cell(const Fab& array, const amrex::Box& leaf, int component) {
        const auto at = amrex::lbound(leaf);
        return array.ptr(at.x, at.y, at.z, component);
    }
    template <class Fab>
    static Stride stride_of(const Fab& array) {
        return {1, static_cast<std::ptrdiff_t>(array.jstride), static_cast<std::ptrdiff_t>(array.kstride)};
    }

    [[nodiscard]] Block block(int level, const amrex::MFIter& grid, const amrex::Box& leaf, amrex::MultiFab& phi,
                              const amrex::MultiFab& rhs, const AmrexExtras& extras) const {
        Block out;
        const amrex::Geometry& geometry = geometry_[level];
        for (int d = 0; d < 3; ++d) {
            const std::size_t axis = static_cast<std::size_t>(d);
            out.cell_size[axis] = cell_size(geometry, d);
            out.lower[axis] = geometry.ProbLo(d) + (leaf.smallEnd(d) - geometry.Domain().smallEnd(d)) * out.cell_size[axis];
            out.n[axis] = leaf.length(d);
        }
        const auto from = rhs.const_array(grid);
        const auto to = phi.array(grid);
        out.stride = stride_of(from);
        out.density = first_cell(from, leaf, 0);
        out.result_stride = stride_of(to);
        out.potential = first_cell(to, leaf, 0);
        if (!extras.acceleration.empty()) {
            const auto field = extras.acceleration[level]->array(grid);
            for (int d = 0; d < 3; ++d) out.acceleration[static_cast<std::size_t>(d)] = first_cell(field, leaf, d);
        }
        for (std::size_t d = 0; d < 3 && !extras.face_acceleration.empty(); ++d) {
            const auto faces = extras.face_acceleration[level][d]->array(grid);
            out.face_acceleration[d] = first_cell(faces, leaf, 0);
            out.face_stride[d] = stride_of(faces);
        }
        return out;
    }

    void average_faces_down(int level, const AmrexExtras& extras) const {
        amrex::Array<const amrex::MultiFab*, 3> fine;
        for (std::size_t d = 0; d < 3; ++d) fine[d] = extras.face_acceleration[level + 1][d];
        amrex::average_down_faces(fine, extras.face_acceleration[level], ratios_[level]);
    }

    Options options_;
    MPI_Comm comm_;
    amrex::Vector<amrex::Geometry> geometry_;
    amrex::Vector<amrex::BoxArray> grids_;
    amrex::Vector<amrex::DistributionMapping> distribution_;
    amrex::Vector<amrex::IntVect> ratios_;  ///< between a level and the next
    std::shared_ptr<Listener> listener_;
    std::optional<Solver> solver_;
    std::vector<Block> blocks_;
    AmrexPoints points_;
};

}  // namespace gravlet
