// SPDX-License-Identifier: Apache-2.0
// Gravity of a pack of MeshBlocks: potential, acceleration and faces of floats and doubles, against a sum over all cells.
#include "tests/hosts/kokkos/pack_mesh.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

constexpr MeshBlockDomain open{{0.0, 0.0, 0.0}, PackMesh::size, {}};

// In the input are the host's own names as well. The sums here have no own potential.
const Input input{{"theta", "0.3"},  {"order", "4"},   {"self_potential", "false"}, {"four_pi_G", "1"}, {"niteration", "5 times"},
                  {"mg_bc", "zero"}, {"G", "nothing"}, {"domain", "the whole"},     {"boundary", "hot"}};

template <class Real>
class MeshBlockFields : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(MeshBlockFields, Reals);

template <class Real>
void expect_right(PackHost<Real>& host, const PackMesh& mesh, double G, std::int64_t counter, const Wanted& wanted) {
    host.solve(G, counter, mesh.of_rank(), wanted);
    const PackErrors off = errors_of(host, mesh, G, wanted);
    EXPECT_LT(off.potential, 1e-6);
    EXPECT_LT(off.acceleration, 1.5e-6);
    EXPECT_LT(off.faces, 6e-6);
    EXPECT_TRUE(off.untouched);
}

TYPED_TEST(MeshBlockFields, AllThatCanBeWanted) {
    const PackMesh mesh(3);
    for (const Layout layout : {Layout::right, Layout::left})
        for (const Wanted wanted : {Wanted{}, Wanted{true, false, false, 2}, Wanted{true, true, false, 1},
                                    Wanted{false, true, false, 0}, Wanted{false, false, true, 0}, Wanted{true, true, true, 2}}) {
            if (layout == Layout::left && wanted.potential && wanted.acceleration) continue;  // strides differ
            PackHost<TypeParam> host(open, 1);
            set_up(host, mesh, layout);
            host.read_options(input);
            expect_right(host, mesh, 0.7, 0, wanted);
        }
}

TYPED_TEST(MeshBlockFields, NothingIsMadeBeforeTheFirstSolve) {
    const PackMesh mesh(-1);
    PackHost<TypeParam> host(open, 1);
    host.read_options(input);
    EXPECT_EQ(host.gravity.get(), nullptr);
    EXPECT_EQ(host.gravity.report(), "");
    set_up(host, mesh);
    expect_right(host, mesh, 1.0, 0, {});
    EXPECT_NE(host.gravity.get(), nullptr);
    EXPECT_NE(host.gravity.report(), "");
}

TYPED_TEST(MeshBlockFields, ConstantThatChanges) {
    const PackMesh mesh(5);
    PackHost<TypeParam> host(open, 1);
    set_up(host, mesh);
    host.read_options(input);
    expect_right(host, mesh, 1.0, 0, {});
    gravlet_solver* const made = host.gravity.get();
    for (const double G : {2.5, 2.5, 0.1}) expect_right(host, mesh, G, 0, {});
    EXPECT_EQ(host.gravity.get(), made);
    gravlet_report report;
    gravlet_get_report(made, &report);
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXPECT_EQ(report.unchanged_ranks, ranks);
}

TYPED_TEST(MeshBlockFields, MeshThatChanges) {
    PackHost<TypeParam> host(open, 1);
    host.read_options(input);
    const PackMesh first(0), second(7), coarse(-1);
    set_up(host, first);
    expect_right(host, first, 1.0, 10, {});
    EXPECT_EQ(host.listed, host.blocks);
    expect_right(host, first, 1.0, 10, {});
    EXPECT_EQ(host.listed, 0);
    // As many blocks in the same arrays: the counter alone tells.
    View<TypeParam> u = std::move(host.u), phi = std::move(host.phi);
    set_up(host, second);
    for (int m = 0; m < host.blocks; ++m)
        for (int k = 0; k < host.n[2]; ++k)
            for (int j = 0; j < host.n[1]; ++j)
                for (int i = 0; i < host.n[0]; ++i)
                    u(m, host.density, k + host.ng, j + host.ng, i + host.ng) =
                        host.u(m, host.density, k + host.ng, j + host.ng, i + host.ng);
    host.u = std::move(u), host.phi = std::move(phi);
    expect_right(host, second, 1.0, 11, {});
    EXPECT_EQ(host.listed, host.blocks);
    // Other arrays, and the counter is as it was: AthenaK's phi is allocated apart from u0.
    const View<TypeParam> before = host.phi;
    host.phi = host.array(Layout::right, 1);
    expect_right(host, second, 1.0, 11, {});
    EXPECT_EQ(host.listed, host.blocks);
    expect_right(host, second, 1.0, 11, {true, false, false, 2});
    EXPECT_EQ(host.listed, host.blocks);
    set_up(host, coarse);
    expect_right(host, coarse, 1.0, 12, {});
}

// Mixed boundaries: the bits of the C++ interface.
TEST(MeshBlockDomains, PeriodicDirections) {
    const PackMesh mesh(2);
    for (const std::array<bool, 3> periodic :
         {std::array{true, false, false}, std::array{false, true, true}, std::array{true, true, true}}) {
        PackHost<double> host({{0.0, 0.0, 0.0}, PackMesh::size, periodic}, 1);
        set_up(host, mesh);
        host.solve(1.5, 0, mesh.of_rank(), {});
        const View<double> phi = host.phi;
        set_up(host, mesh);
        Options options{.G = 1.5, .domain = Box{{0.0, 0.0, 0.0}, PackMesh::size}, .threads = 1};
        for (std::size_t d = 0; d < 3; ++d)
            if (periodic[d]) options.boundary[d] = Boundary::periodic;
        std::vector<Block> blocks;
        const std::vector<MeshBlockPlace> places = mesh.of_rank();
        for (int m = 0; m < host.blocks; ++m) {
            const MeshBlockPlace& place = places[static_cast<std::size_t>(m)];
            Block block{.lower = place.lower, .cell_size = place.cell_size, .n = PackMesh::cells};
            for (int d = 0; d < 3; ++d)
                block.stride[static_cast<std::size_t>(d)] = static_cast<std::ptrdiff_t>(host.phi.stride(4 - d));
            block.density = &host.u(m, host.density, host.ng, host.ng, host.ng);
            block.potential = &host.phi(m, 0, host.ng, host.ng, host.ng);
            blocks.push_back(block);
        }
        Solver(MPI_COMM_WORLD, options).solve(blocks);
        for (int m = 0; m < host.blocks; ++m)
            for (int k = 0; k < host.n[2]; ++k)
                for (int j = 0; j < host.n[1]; ++j)
                    for (int i = 0; i < host.n[0]; ++i)
                        ASSERT_EQ(phi(m, 0, k + host.ng, j + host.ng, i + host.ng),
                                  host.phi(m, 0, k + host.ng, j + host.ng, i + host.ng));
    }
}

TEST(MeshBlockDomains, GuardsBeyondOpenFacesOfPeriodicOnes) {
    const PackMesh mesh(2);
    for (const bool all : {true, false}) {
        PackHost<double> host({{0.0, 0.0, 0.0}, PackMesh::size, {true, true, all}}, 1);
        set_up(host, mesh);
        int code = GRAVLET_SUCCESS;
        try {
            host.solve(1.0, 0, mesh.of_rank(), {true, false, false, 2});
        } catch (const MeshBlockError& error) {
            code = error.code();
        }
        EXPECT_EQ(code, all ? GRAVLET_SUCCESS : GRAVLET_NOT_AVAILABLE);
    }
}

}  // namespace
}  // namespace gravlet::test
