// SPDX-License-Identifier: Apache-2.0
// All that the AMReX adapter has, compiled: with AMReX where it is, else with declarations of it (stub/). Nothing here runs.
#include <gravlet_amrex.hpp>
#include <gravlet_amrex_options.hpp>

#include <AMReX_Particles.H>

namespace gravlet::test {

using Structs = amrex::ParticleContainer<5, 0>;
using Arrays = amrex::ParticleContainerPureSoA<AMREX_SPACEDIM + 5, 0>;
using Levels = amrex::Vector<amrex::MultiFab*>;

std::size_t use_all_of_the_adapter(const amrex::Vector<amrex::Geometry>& geometry, const amrex::Vector<amrex::BoxArray>& grids,
                                   const amrex::Vector<amrex::DistributionMapping>& distribution, const Levels& phi,
                                   const amrex::Vector<amrex::MultiFab const*>& rhs, const Levels& acceleration,
                                   const amrex::Array<amrex::MultiFab*, 3>& faces, Structs& structs, Arrays& arrays) {
    AmrexExtras extras{.acceleration = acceleration, .face_acceleration = {faces}, .guard_cells = true};
    extras.particles = particles_of(structs, 0, 2, 1);
    for (const AmrexParticles& p : particles_of(arrays, 0)) extras.particles.push_back(p);
    AmrexSolver whole_world, solver(amrex_options({.order = 4}), MPI_COMM_WORLD, std::make_shared<Listener>());
    solver.define(geometry, grids, distribution);
    solver.solve(phi, rhs);
    solver.solve(phi, rhs, extras);
    return solver.block_count() + whole_world.block_count() + static_cast<std::size_t>(solver.report().seconds);
}

}  // namespace gravlet::test
