// SPDX-License-Identifier: Apache-2.0
// A host on AMReX (docs/amrex.md): a cloud on levels of refinement, its potential by gravlet and by AMReX's own solver for open
// boundaries (amrex::OpenBCSolver), both against the direct sum over all cells. Ends with 1 if gravlet's is too far from it.
//
//     mpirun -np 2 amrex_host [cells=32] [levels=2] [ratio=2] [box=16] [layout=nested|full|edge] [amrex=1] [gravlet.theta=0.8]
//
// gravlet's options may be given by their names, as docs/reference/options.md has them.
//
// layout: each level refines the middle of the one below it, all of it, or a corner, up to the domain's boundary.
#include "amrex_mesh.hpp"

#include <gravlet_amrex.hpp>
#include <gravlet_amrex_options.hpp>

#include <AMReX.H>
#include <AMReX_OpenBC.H>
#include <AMReX_ParmParse.H>
#include <AMReX_Print.H>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace {

/// Errors of phi (or the acceleration, all its components) over the largest exact value, in all cells that no finer level covers.
struct Errors {
    double rms = 0.0, max = 0.0;
};

Errors compare(const Mesh& mesh, const amrex::Vector<MultiFab>& phi, const amrex::Vector<MultiFab>& exact) {
    const int components = exact[0].nComp();
    double sum = 0.0, most = 0.0, largest = 0.0, cells = 0.0;
    for (int level = 0; level < mesh.levels(); ++level) {
        MultiFab difference(mesh.grids[level], mesh.distribution[level], components, 0);
        MultiFab::Copy(difference, phi[level], 0, 0, components, 0);
        MultiFab::Subtract(difference, exact[level], 0, 0, components, 0);
        if (level + 1 < mesh.levels()) {
            const amrex::IntVect ratio = mesh.ratio(level);
            const auto mask = amrex::makeFineMask(difference, mesh.grids[level + 1], ratio, 1, 0);
            for (amrex::MFIter grid(difference); grid.isValid(); ++grid) {
                const auto leaf = mask.const_array(grid);
                const auto values = difference.array(grid);
                amrex::ParallelFor(grid.validbox(), components, [=] AMREX_GPU_DEVICE(int i, int j, int k, int n) {
                    values(i, j, k, n) *= static_cast<Real>(leaf(i, j, k));
                });
            }
            cells += static_cast<double>(mesh.grids[level].numPts()) -
                     static_cast<double>(amrex::coarsen(mesh.grids[level + 1], ratio).numPts());
        } else {
            cells += static_cast<double>(mesh.grids[level].numPts());
        }
        for (int n = 0; n < components; ++n) {
            sum += std::pow(difference.norm2(n), 2);
            most = std::max(most, static_cast<double>(difference.norm0(n)));
            largest = std::max(largest, static_cast<double>(exact[level].norm0(n)));
        }
    }
    return {std::sqrt(sum / cells) / largest, most / largest};
}

amrex::Vector<MultiFab const*> read_only(const amrex::Vector<MultiFab>& fabs) { return amrex::GetVecOfConstPtrs(fabs); }

/// Collective. A line of the table: seconds of two calls, on a new mesh and on one that is kept, and errors.
Errors report(const std::string& name, const Mesh& mesh, amrex::Vector<MultiFab>& phi, const amrex::Vector<MultiFab>& exact,
              const std::function<void()>& solve) {
    double seconds[2] = {};
    for (int call = 0; call < 2; ++call) {
        for (MultiFab& level : phi) level.setVal(0.0);
        amrex::ParallelDescriptor::Barrier();
        const double start = amrex::second();
        solve();
        amrex::Gpu::streamSynchronizeAll();
        amrex::ParallelDescriptor::Barrier();
        seconds[call] = amrex::second() - start;
    }
    const Errors errors = compare(mesh, phi, exact);
    amrex::Print() << "  " << name << std::string(28 - name.size(), ' ') << "rms " << errors.rms << "  max " << errors.max
                   << "  seconds " << seconds[0] << ", " << seconds[1] << "\n";
    return errors;
}

bool run() {
    int cells = 32, levels = 2, ratio = 2, box_size = 16, with_amrex = 1;
    std::string layout = "nested";
    const amrex::ParmParse arguments;
    arguments.query("cells", cells), arguments.query("levels", levels), arguments.query("ratio", ratio);
    arguments.query("box", box_size), arguments.query("layout", layout), arguments.query("amrex", with_amrex);
    const Mesh mesh = make_mesh(cells, levels, ratio, box_size, layout);
    amrex::Vector<MultiFab> rhs = mesh.make(0), exact = mesh.make(1), phi = mesh.make(1);
    amrex::Vector<MultiFab> exact_field = mesh.make(1, 3), field = mesh.make(1, 3);
    set_rhs(mesh, rhs);

    gravlet::AmrexSolver direct({.theta = 0.0, .redistribute = true});
    direct.define(mesh.geometry, mesh.grids, mesh.distribution);
    direct.solve(amrex::GetVecOfPtrs(exact), read_only(rhs), {.acceleration = amrex::GetVecOfPtrs(exact_field)});
    amrex::Print() << cells << "^3 cells, " << levels << " levels, ratio " << ratio << ", boxes of " << box_size << "^3, "
                   << layout << ", " << amrex::ParallelDescriptor::NProcs() << " ranks, " << direct.report().sources
                   << " leaf cells with mass; errors over the largest potential or acceleration\n";
    bool right = true;
    for (const int order : {2, 4}) {
        const gravlet::Options options = gravlet::amrex_options({.order = order});
        gravlet::AmrexSolver solver(options), with_field(options);
        solver.define(mesh.geometry, mesh.grids, mesh.distribution);
        with_field.define(mesh.geometry, mesh.grids, mesh.distribution);
        const Errors errors = report("gravlet, order " + std::to_string(order), mesh, phi, exact,
                                     [&] { solver.solve(amrex::GetVecOfPtrs(phi), read_only(rhs)); });
        right = right && errors.max < (order == 2 ? 5e-5 : 1.5e-5);
        const Errors of_field = report("  its accelerations", mesh, field, exact_field, [&] {
            with_field.solve(amrex::GetVecOfPtrs(phi), read_only(rhs), {.acceleration = amrex::GetVecOfPtrs(field)});
        });
        right = right && of_field.max < 6e-4;
    }
    for (const double tolerance : {1e-6, 1e-10}) {
        if (with_amrex == 0) continue;
        amrex::OpenBCSolver solver;
        solver.define(mesh.geometry, mesh.grids, mesh.distribution);
        report("OpenBCSolver, " + std::string(tolerance > 1e-8 ? "1e-6" : "1e-10"), mesh, phi, exact,
               [&] { solver.solve(amrex::GetVecOfPtrs(phi), read_only(rhs), static_cast<Real>(tolerance), Real(0.0)); });
    }
    return right;
}

}  // namespace

int main(int argc, char** argv) {
    amrex::Initialize(argc, argv);
    int status = 2;
    try {
        status = run() ? 0 : 1;
    } catch (const gravlet::Error& error) {  // the same on every rank
        amrex::Print() << "gravlet: " << error.what() << "\n";
    }
    amrex::Finalize();
    return status;
}
