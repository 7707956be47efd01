// SPDX-License-Identifier: Apache-2.0
// gravlet::AmrexSolver beyond examples/amrex_host.cpp: guard cells and particles, against the direct sum.
#include "amrex_mesh.hpp"

#include <gravlet_amrex.hpp>

#include <AMReX.H>
#include <AMReX_Particles.H>
#include <AMReX_Random.H>

#include <gtest/gtest.h>

#include <mpi.h>

#include <string>
#include <vector>

namespace {

using amrex::MultiFab;
using amrex::Real;

class Amrex : public testing::Environment {
    void SetUp() override { amrex::Initialize(MPI_COMM_WORLD); }
    void TearDown() override { amrex::Finalize(); }
};
const testing::Environment* const amrex_runs = testing::AddGlobalTestEnvironment(new Amrex);

using Levels = amrex::Vector<MultiFab>;

constexpr int guards = 2;
constexpr Real untouched = -77;

struct Results {
    Levels phi, field;

    explicit Results(const Mesh& mesh) : phi(mesh.make(guards)), field(mesh.make(guards, 3)) {
        for (Levels* levels : {&phi, &field})
            for (MultiFab& level : *levels) level.setVal(untouched);
    }
};

Results solve(const Mesh& mesh, const Levels& rhs, const gravlet::Options& options, gravlet::AmrexExtras extras) {
    Results out(mesh);
    gravlet::AmrexSolver solver(options);
    solver.define(mesh.geometry, mesh.grids, mesh.distribution);
    extras.acceleration = amrex::GetVecOfPtrs(out.field);
    solver.solve(amrex::GetVecOfPtrs(out.phi), amrex::GetVecOfConstPtrs(rhs), extras);
    return out;
}

/// Of all components, over the largest of `b`, guard cells included.
double largest_difference(const Levels& a, const Levels& b) {
    double most = 0.0, largest = 0.0;
    for (int level = 0; level < static_cast<int>(a.size()); ++level) {
        MultiFab difference(a[level].boxArray(), a[level].DistributionMap(), a[level].nComp(), guards);
        MultiFab::Copy(difference, a[level], 0, 0, a[level].nComp(), guards);
        MultiFab::Subtract(difference, b[level], 0, 0, a[level].nComp(), guards);
        for (int n = 0; n < a[level].nComp(); ++n) {
            most = std::max(most, static_cast<double>(difference.norm0(n, guards)));
            largest = std::max(largest, static_cast<double>(b[level].norm0(n, guards)));
        }
    }
    return most / largest;
}

/// Whether guard cells that lie on another grid of the level, or on an image of one, have its values.
void expect_values_of_neighbours(const Mesh& mesh, const Levels& levels) {
    for (int level = 0; level < mesh.levels(); ++level) {
        MultiFab filled(mesh.grids[level], mesh.distribution[level], 1, guards);
        MultiFab::Copy(filled, levels[level], 0, 0, 1, guards);
        filled.FillBoundary(mesh.geometry[level].periodicity());
        MultiFab::Subtract(filled, levels[level], 0, 0, 1, guards);
        EXPECT_EQ(filled.norm0(0, guards), 0);
    }
}

TEST(AmrexSolver, FillsGuardCells) {
    for (const amrex::Array<int, 3>& periodic : {amrex::Array<int, 3>{0, 0, 0}, {1, 1, 1}, {1, 0, 1}})
        for (const char* const layout : {"nested", "edge", "full"}) {
            SCOPED_TRACE(std::string(layout) + (periodic[0] == 0 ? "" : periodic[1] == 0 ? ", mixed" : ", periodic"));
            const Mesh mesh = make_mesh(8, 2, 2, 4, layout, periodic);
            Levels rhs = mesh.make(0);
            set_rhs(mesh, rhs);
            const Results exact = solve(mesh, rhs, {.theta = 0.0}, {.guard_cells = true});
            const Results tree = solve(mesh, rhs, {.order = 4}, {.guard_cells = true});
            EXPECT_LT(largest_difference(tree.phi, exact.phi), 1e-5);
            EXPECT_LT(largest_difference(tree.field, exact.field), 8e-5);
            expect_values_of_neighbours(mesh, tree.phi);
            expect_values_of_neighbours(mesh, tree.field);
        }
}

TEST(AmrexSolver, LeavesGuardCellsAlone) {
    const Mesh mesh = make_mesh(8, 1, 2, 8, "nested");
    Levels rhs = mesh.make(0);
    set_rhs(mesh, rhs);
    Results result = solve(mesh, rhs, {}, {});
    for (Levels* const levels : {&result.phi, &result.field}) {
        MultiFab& all = levels->front();
        all.setVal(untouched, 0, all.nComp(), 0);
        all.plus(-untouched, 0, all.nComp(), guards);
        EXPECT_EQ(all.norm0(0, guards), 0);
    }
}

/// Mass, potential and acceleration by the tree, and by the direct sum: real components of particles.
constexpr int mass = 0, potential = 1, field = 2, exact = 4, components = 9;

using Structs = amrex::ParticleContainer<components, 0>;
using Arrays = amrex::ParticleContainerPureSoA<AMREX_SPACEDIM + components, 0>;
template <class Container>
constexpr int first_component = Container::ParticleType::is_soa_particle ? AMREX_SPACEDIM : 0;

void add(Structs::ParticleTileType& tile, const amrex::Array<Real, 3>& at, Real m) {
    Structs::ParticleType p;
    p.id() = Structs::ParticleType::NextID();
    p.cpu() = amrex::ParallelDescriptor::MyProc();
    for (int d = 0; d < 3; ++d) p.pos(d) = at[d];
    for (int k = 0; k < components; ++k) p.rdata(k) = k == mass ? m : untouched;
    tile.push_back(p);
}
void add(Arrays::ParticleTileType& tile, const amrex::Array<Real, 3>& at, Real m) {
    tile.GetStructOfArrays().GetIdCPUData().push_back(amrex::SetParticleIDandCPU(
        static_cast<amrex::Long>(Arrays::ParticleType::NextID()), amrex::ParallelDescriptor::MyProc()));
    for (int d = 0; d < 3; ++d) tile.push_back_real(d, at[d]);
    for (int k = 0; k < components; ++k) tile.push_back_real(AMREX_SPACEDIM + k, k == mass ? m : untouched);
}

/// The largest of f(particle) on all ranks.
template <class Container, class F>
Real largest_of(const Container& container, F f) {
    Real most = amrex::ReduceMax(container, f);
    amrex::ParallelAllReduce::Max(most, MPI_COMM_WORLD);
    return most;
}

// Functors, for CUDA's extended lambdas may be neither generic nor in tests.

/// |of - in| of `count` components, or |in|.
struct Norm {
    int of, in, count;
    bool difference;

    template <class Particle>
    AMREX_GPU_HOST_DEVICE Real operator()(const Particle& p) const {
        Real sum = 0;
        for (int k = 0; k < count; ++k) {
            const Real value = (difference ? p.rdata(of + k) : 0) - p.rdata(in + k);
            sum += value * value;
        }
        return std::sqrt(sum);
    }
};

/// A component with a sign, or with the sign of -x.
struct Signed {
    int component;
    bool by_side;

    template <class Particle>
    AMREX_GPU_HOST_DEVICE Real operator()(const Particle& p) const {
        return by_side && p.pos(0) < 0 ? p.rdata(component) : -p.rdata(component);
    }
};

/// The largest |of - in| of `count` components over the largest |in|.
template <class Container>
double error_of(const Container& container, int of, int in, int count) {
    constexpr int first = first_component<Container>;
    return largest_of(container, Norm{first + of, first + in, count, true}) /
           largest_of(container, Norm{first + of, first + in, count, false});
}

template <class Container>
void expect_particles_as_the_direct_sum() {
    const Mesh mesh = make_mesh(8, 2, 2, 4, "nested");
    Levels rhs = mesh.make(0);
    set_rhs(mesh, rhs);
    amrex::Vector<int> ratios{2};
    Container container(mesh.geometry, mesh.distribution, mesh.grids, ratios);
    amrex::ResetRandomSeed(7);
    for (amrex::MFIter grid(rhs[0]); grid.isValid(); ++grid)
        for (int i = 0; i < 10; ++i)
            add(container.DefineAndReturnParticleTile(0, grid),
                {amrex::Random() - Real(0.5), amrex::Random() - Real(0.5), amrex::Random() - Real(0.5)}, Real(1e-5));
    container.Redistribute();
    EXPECT_GT(container.NumberOfParticlesAtLevel(1), 0);

    solve(mesh, rhs, {.theta = 0.0}, {.particles = gravlet::particles_of(container, mass, exact + field, exact + potential)});
    solve(mesh, rhs, {.order = 4}, {.particles = gravlet::particles_of(container, mass, field, potential)});
    EXPECT_LT(error_of(container, potential, exact + potential, 1), 3e-6);
    EXPECT_LT(error_of(container, field, exact + field, 3), 6e-5);
}

TEST(AmrexSolver, TakesParticlesInStructs) { expect_particles_as_the_direct_sum<Structs>(); }
TEST(AmrexSolver, TakesParticlesInArrays) { expect_particles_as_the_direct_sum<Arrays>(); }

/// Two alone, 0.5 apart, with G: m G / r^2 and -m G / r.
TEST(AmrexSolver, KnowsTheMassOfParticles) {
    const Mesh mesh = make_mesh(8, 1, 2, 4, "nested");
    const Levels rhs = mesh.make(0);
    Structs container(mesh.geometry[0], mesh.distribution[0], mesh.grids[0]);
    for (amrex::MFIter grid(rhs[0]); grid.isValid(); ++grid) {
        if (grid.index() != 0) continue;
        for (const Real x : {Real(-0.25), Real(0.25)})
            add(container.DefineAndReturnParticleTile(0, grid), {x, Real(0.01), Real(0.01)}, Real(3));
    }
    container.Redistribute();
    solve(mesh, rhs, {.G = 2.0}, {.particles = gravlet::particles_of(container, mass, field, potential)});
    const double phi = largest_of(container, Signed{potential, false}), pull = largest_of(container, Signed{field, true});
    EXPECT_NEAR(phi, 12.0, 1e-5);
    EXPECT_NEAR(pull, 24.0, 1e-4);
}

TEST(AmrexSolver, RefusesWhatItCannotUse) {
    const Mesh mesh = make_mesh(8, 1, 2, 8, "nested");
    const Levels rhs = mesh.make(0);
    gravlet::AmrexParticles half;
    Real one = 1;
    half.acceleration[0] = &one;
    const bool mine = amrex::ParallelDescriptor::MyProc() == amrex::ParallelDescriptor::NProcs() - 1;
    gravlet::AmrexExtras extras;
    if (mine) extras.particles.push_back(half);
    EXPECT_THROW(solve(mesh, rhs, {}, extras), gravlet::Error);
    gravlet::AmrexSolver undefined;
    EXPECT_THROW(undefined.solve({}, {}), gravlet::Error);
}

}  // namespace
