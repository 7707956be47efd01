// SPDX-License-Identifier: Apache-2.0
// What a run with MeshBlocks does beside solving: options from the host's input, errors, threads, restarts.
#include "tests/hosts/kokkos/pack_mesh.hpp"

#include <gravlet/option_list.hpp>
#include <gravlet/options.hpp>
#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace gravlet::test {
namespace {

constexpr MeshBlockDomain open{{0.0, 0.0, 0.0}, PackMesh::size, {}};

int rank() {
    int out = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &out);
    return out;
}

/// Collective. The code of what a call throws, with the same message on all ranks; 0: nothing.
template <class Call>
int thrown(Call call, const std::string& says) {
    int code = 0;
    std::array<char, 2000> message{};
    try {
        call();
    } catch (const MeshBlockError& error) {
        code = error.code();
        std::strncpy(message.data(), error.what(), message.size() - 1);
        EXPECT_NE(std::string(error.what()).find(says), std::string::npos) << error.what();
    }
    std::array<char, 2000> first = message;
    MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
    EXPECT_STREQ(message.data(), first.data());
    return code;
}

/// Collective. Solves as it should, with the options that it has.
void expect_usable(PackHost<double>& host, const PackMesh& mesh) {
    set_up(host, mesh);
    host.solve(1.0, 0, mesh.of_rank(), {});
    const PackErrors off = errors_of(host, mesh, 1.0, {});
    EXPECT_LT(off.potential, 1e-6);
    EXPECT_TRUE(off.untouched);
}

Input with(const std::string& name, const std::string& text) {
    Input input{{"theta", "0.3"}, {"order", "4"}, {"self_potential", "false"}};
    input[name] = text;
    return input;
}

TEST(MeshBlockOptions, NamesAreGravletsAlone) {
    PackHost<double> host(open, 1);
    host.read_options({{"four_pi_G", "1"}, {"threshold", "none"}});
    std::vector<std::string> known;
    for (const OptionInfo& option : option_list())
        if (option.name != "G" && option.name != "boundary" && option.name != "domain") known.emplace_back(option.name);
    EXPECT_EQ(host.asked, known);
}

TEST(MeshBlockOptions, TextThatIsRefused) {
    const PackMesh mesh(1);
    PackHost<double> host(open, 1);
    host.read_options(with("leaf_size", "16"));
    for (const bool made : {false, true}) {
        const gravlet_solver* const solver = host.gravity.get();
        EXPECT_EQ(solver != nullptr, made);
        EXPECT_EQ(thrown([&] { host.read_options(with("theta", "narrow")); }, "theta"), GRAVLET_INVALID_OPTION);
        EXPECT_EQ(thrown([&] { host.read_options(with(rank() == 0 ? "order" : "theta", "two")); }, ""), GRAVLET_INVALID_OPTION);
        EXPECT_EQ(host.gravity.get(), solver);  // options are what they were
        expect_usable(host, mesh);
    }
}

TEST(MeshBlockOptions, RefusedOnTheLastRankAlone) {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    PackHost<double> host(open, 1);
    const Input wrong = with("order", "two"), right = with("order", "4");
    EXPECT_EQ(thrown([&] { host.read_options(rank() == ranks - 1 ? wrong : right); }, "order"), GRAVLET_INVALID_OPTION);
    host.read_options(right);
    expect_usable(host, PackMesh(0));
}

TEST(MeshBlockOptions, ValueOutOfRange) {
    const PackMesh mesh(6);
    PackHost<double> host(open, 1);
    host.read_options(with("theta", "99"));
    set_up(host, mesh);
    for (int times = 0; times < 2; ++times)
        EXPECT_EQ(thrown([&] { host.solve(1.0, 0, mesh.of_rank(), {}); }, "theta"), GRAVLET_INVALID_OPTION);
    host.read_options(with("theta", "0.3"));
    expect_usable(host, mesh);
}

TEST(MeshBlockOptions, AreReadAnewByTheNextSolve) {
    const PackMesh mesh(6);
    PackHost<double> host(open, 1);
    set_up(host, mesh);
    host.solve(1.0, 0, mesh.of_rank(), {});
    EXPECT_GT(errors_of(host, mesh, 1.0, {}).potential, 1e-2);  // with the own potential
    host.read_options(with("theta", "0.3"));
    expect_usable(host, mesh);
    const std::string cache = testing::TempDir() + "meshblock_ewald.h5";  // the text outlives the call that read it
    host.read_options(with("ewald_cache", cache));
    expect_usable(host, mesh);
}

TEST(MeshBlockOptions, ThreadsAreTheHosts) {
    const PackMesh mesh(6);
    const auto threads = [&](int of_host, const Input& input) {
        PackHost<double> host(open, of_host);
        host.read_options(input);
        set_up(host, mesh);
        host.solve(1.0, 0, mesh.of_rank(), {});
        gravlet_report report;
        gravlet_get_report(host.gravity.get(), &report);
        return report.threads;
    };
    const auto expected = [&](int number) {
        const std::array<double, 1> zero{0.0}, mass{1.0};
        std::array<double, 1> phi{};
        Solver solver(MPI_COMM_WORLD, {.threads = number});
        solver.solve(Points{zero, zero, zero, mass}, Fields{phi, {}});
        return solver.report().threads;
    };
    EXPECT_EQ(threads(1, {}), 1);
    EXPECT_EQ(threads(2, {}), expected(2));
    EXPECT_EQ(threads(0, {}), expected(0));
    EXPECT_EQ(threads(1, {{"threads", "2"}}), expected(2));
}

TEST(MeshBlockErrors, AreAlikeOnAllRanks) {
    const PackMesh mesh(4);
    PackHost<double> host(open, 1);
    host.read_options(with("theta", "0.3"));
    set_up(host, mesh);
    const std::vector<MeshBlockPlace> places = mesh.of_rank();
    const auto solve = [&](double G, const Wanted& wanted) { host.solve(G, 0, places, wanted); };
    if (rank() == 0) host.components = 2;
    EXPECT_EQ(thrown([&] { solve(1.0, {true, true, false, 0}); }, "all three components"), GRAVLET_INVALID_INPUT);
    host.components = 3;
    if (rank() == 0) host.acceleration = View<double>(Layout::left, {host.blocks, 3, 6, 10, 8}, 0.0);
    EXPECT_EQ(thrown([&] { solve(1.0, {true, true, false, 0}); }, "strides"), GRAVLET_INVALID_INPUT);
    expect_usable(host, mesh);
    for (const double G : {static_cast<double>(NAN), -1.0}) EXPECT_EQ(thrown([&] { solve(G, {}); }, "G"), GRAVLET_INVALID_OPTION);
    expect_usable(host, mesh);
    if (rank() == 0) host.u(0, host.density, host.ng, host.ng, host.ng) = -1.0;
    EXPECT_EQ(thrown([&] { solve(1.0, {}); }, "block 0"), GRAVLET_INVALID_INPUT);
    expect_usable(host, mesh);
}

// What a tolerance has learned goes on in the solver of the restarted run, to the bit.
TEST(MeshBlockRestart, Steering) {
    const PackMesh mesh(3);
    const Input input{{"tolerance", "1e-4"}};
    PackHost<double> host(open, 1), again(open, 1), fresh(open, 1);
    EXPECT_TRUE(host.gravity.steering().empty());
    const auto solve = [&](PackHost<double>& one) {
        set_up(one, mesh);
        one.solve(1.0, 0, mesh.of_rank(), {});
    };
    host.read_options(input);
    for (int step = 0; step < 3; ++step) solve(host);
    const std::vector<double> state = host.gravity.steering();
    again.read_options(input);
    again.gravity.set_steering(state);
    solve(host), solve(again);
    EXPECT_EQ(again.gravity.steering(), host.gravity.steering());
    fresh.read_options(input);
    solve(fresh);
    EXPECT_NE(fresh.gravity.steering(), host.gravity.steering());
    for (int m = 0; m < host.blocks; ++m) EXPECT_EQ(again.phi(m, 0, 3, 3, 3), host.phi(m, 0, 3, 3, 3));
}

}  // namespace
}  // namespace gravlet::test
