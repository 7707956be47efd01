// SPDX-License-Identifier: Apache-2.0
// Levels of AMReX's grids, and two clouds on them: for amrex_host.cpp, and for gravlet's tests of its AMReX adapter.
#pragma once

#include <AMReX_Geometry.H>
#include <AMReX_MultiFab.H>
#include <AMReX_MultiFabUtil.H>

#include <cmath>
#include <string>

using amrex::MultiFab;
using amrex::Real;

struct Mesh {
    amrex::Vector<amrex::Geometry> geometry;
    amrex::Vector<amrex::BoxArray> grids;
    amrex::Vector<amrex::DistributionMapping> distribution;

    [[nodiscard]] int levels() const { return static_cast<int>(geometry.size()); }
    /// The factor of refinement from a level to the next.
    [[nodiscard]] amrex::IntVect ratio(int level) const {
        return geometry[level + 1].Domain().length() / geometry[level].Domain().length();
    }

    [[nodiscard]] amrex::Vector<MultiFab> make(int guards, int components = 1) const {
        amrex::Vector<MultiFab> out(geometry.size());
        for (int level = 0; level < levels(); ++level) {
            out[level].define(grids[level], distribution[level], components, guards);
            out[level].setVal(0.0);
        }
        return out;
    }
};

/// The unit cube about the origin. `layout`: each level refines the middle of the one below it (nested), all of it (full), or a
/// corner, up to the domain's boundary (edge).
inline Mesh make_mesh(int cells, int levels, int ratio, int box_size, const std::string& layout,
                      const amrex::Array<int, 3>& periodic = {0, 0, 0}) {
    Mesh mesh;
    amrex::Box domain(amrex::IntVect(0), amrex::IntVect(cells - 1)), refined = domain;
    const amrex::RealBox box({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5});
    for (int level = 0; level < levels; ++level) {
        mesh.geometry.emplace_back(domain, box, 0, periodic);
        amrex::BoxArray grids(refined);
        grids.maxSize(box_size);
        mesh.grids.push_back(grids);
        mesh.distribution.emplace_back(grids);
        if (layout == "nested") refined.grow(-refined.length(0) / 4);
        if (layout == "edge")
            refined.growHi(0, -refined.length(0) / 2).growHi(1, -refined.length(1) / 2).growHi(2, -refined.length(2) / 2);
        refined.refine(ratio);
        domain.refine(ratio);
    }
    return mesh;
}

/// 4 pi G rho of two clouds, one of them off the centre.
inline void set_rhs(const Mesh& mesh, amrex::Vector<MultiFab>& rhs) {
    for (int level = 0; level < mesh.levels(); ++level) {
        const auto dx = mesh.geometry[level].CellSizeArray();
        const auto low = mesh.geometry[level].ProbLoArray();
        const auto arrays = rhs[level].arrays();
        amrex::ParallelFor(rhs[level], [=] AMREX_GPU_DEVICE(int b, int i, int j, int k) {
            const double x = low[0] + (i + 0.5) * dx[0], y = low[1] + (j + 0.5) * dx[1], z = low[2] + (k + 0.5) * dx[2];
            const double r2 = x * x + y * y + z * z, s2 = (x - 0.1) * (x - 0.1) + (y + 0.15) * (y + 0.15) + z * z;
            arrays[b](i, j, k) = static_cast<Real>(exp(-r2 / 0.02) + 0.5 * exp(-s2 / 0.005));
        });
    }
    for (int level = mesh.levels() - 1; level-- > 0;) amrex::average_down(rhs[level + 1], rhs[level], 0, 1, mesh.ratio(level));
    amrex::Gpu::streamSynchronizeAll();
}
