// SPDX-License-Identifier: Apache-2.0
// Errors through the C API: a code and a message, the same on every rank; results are left alone, and the host goes on.
#include "tests/api/input/bad_cells.hpp"
#include "tests/hosts/c/c_arrays.hpp"

#include <gravlet/version.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>

namespace gravlet::test {
namespace {

class CErrors : public testing::Test {
protected:
    CErrors() : mesh_(part_of(random_mesh(1, 3))), solver_(in_unit_box()), good_(mesh_.size()) {
        EXPECT_EQ(solve(mesh_, good_), GRAVLET_SUCCESS);
    }

    static gravlet_options in_unit_box() {
        gravlet_options options = c_options();
        options.has_domain = 1;
        for (double& upper : options.domain_upper) upper = 1.0;
        return options;
    }
    int solve(const BodyArrays& bodies, Result& result) {
        const gravlet_cells cells = c_cells(bodies);
        const gravlet_fields fields = c_fields(result);
        return gravlet_solve_cells(solver_, &cells, &fields, nullptr, nullptr, nullptr);
    }
    void expect_usable() {
        Result result(mesh_.size());
        EXPECT_EQ(solve(mesh_, result), GRAVLET_SUCCESS);
        EXPECT_EQ(result, good_);
    }
    // `call` solves, on the last rank with something wrong.
    void expect_error(const std::function<int()>& call, const std::string& text) {
        const Caught caught = agreed_in_c(call);
        EXPECT_EQ(caught.code, GRAVLET_INVALID_INPUT) << text;
        EXPECT_TRUE(caught.names(text)) << caught.message;
        expect_usable();
    }
    // Solves with the last rank's part of the mesh spoilt.
    void expect_named(const Spoil& spoil, std::size_t cell) {
        BodyArrays bad = mesh_;
        if (on_last_rank()) spoil(bad);
        Result result(mesh_.size());
        expect_error([&] { return solve(bad, result); }, std::to_string(cell));
        EXPECT_EQ(result, Result(mesh_.size()));
    }

    BodyArrays mesh_;
    CSolver solver_;
    Result good_;
};

TEST_F(CErrors, OneCell) {
    for (const auto& [what, spoil] : ways_to_spoil_a_cell()) {
        SCOPED_TRACE(what);
        expect_named(spoil, culprit);
    }
}

TEST_F(CErrors, EqualCellsOnTwoRanks) {
    if (world_size() == 1) GTEST_SKIP() << "needs two ranks";
    expect_named(onto_another_ranks_cell(mesh_), 2);
}

TEST_F(CErrors, ArraysThatAreMissing) {
    Result result(mesh_.size());
    const auto expect_refused = [&](const std::function<void(gravlet_cells&)>& spoil, const std::string& text) {
        gravlet_cells cells = c_cells(mesh_);
        if (on_last_rank()) spoil(cells);
        const gravlet_fields fields = c_fields(result);
        expect_error([&] { return gravlet_solve_cells(solver_, &cells, &fields, nullptr, nullptr, nullptr); }, text);
    };
    expect_refused([](gravlet_cells& c) { c.x = nullptr; }, "x of cells is NULL");
    expect_refused([](gravlet_cells& c) { c.mass = nullptr; }, "mass of cells is NULL");
    expect_refused([](gravlet_cells& c) { c.dy = c.dx; }, "dy and dz of cells");
    expect_refused([](gravlet_cells& c) { c.count = -4; }, "-4 cells");
    const gravlet_cells cells = c_cells(mesh_);
    const gravlet_fields fields = c_fields(result);
    expect_error(
        [&] { return gravlet_solve_cells(solver_, on_last_rank() ? nullptr : &cells, &fields, nullptr, nullptr, nullptr); },
        "cells are NULL");
    gravlet_fields one_axis = fields;
    if (on_last_rank()) one_axis.acceleration[1] = nullptr;
    expect_error([&] { return gravlet_solve_cells(solver_, &cells, &one_axis, nullptr, nullptr, nullptr); },
                 "all three components");
    expect_error([&] { return gravlet_solve_blocks(solver_, on_last_rank() ? 3 : 0, nullptr, nullptr, nullptr, nullptr); },
                 "blocks is NULL");
    const auto* const nowhere = reinterpret_cast<const gravlet_block*>(std::uintptr_t{1} << 62);
    expect_error([&] { return gravlet_solve_blocks(solver_, on_last_rank() ? 3 : 0, nowhere, nullptr, nullptr, nullptr); },
                 "the 3 blocks");
    gravlet_points points{};
    points.count = on_last_rank() ? 2 : 0;
    expect_error([&] { return gravlet_solve_points(solver_, &points, nullptr, nullptr); }, "x of points is NULL");
    EXPECT_EQ(result, Result(mesh_.size()));
}

TEST_F(CErrors, ALengthOfAPoint) {
    const BodyArrays points = random_points(2, 10);
    std::vector<double> lengths(points.size(), 0.1);
    if (on_last_rank()) lengths[7] = -0.25;
    Result result(points.size());
    const gravlet_points masses = c_points(points, lengths.data());
    const gravlet_fields fields = c_fields(result);
    for (const std::string& text : {name_of(world_size() - 1), std::string("point 7: softening -0.25")})
        expect_error([&] { return gravlet_solve_points(solver_, &masses, &fields, nullptr); }, text);
    EXPECT_EQ(result, Result(points.size()));
}

TEST_F(CErrors, Blocks) {
    std::vector<double> density(24, 1.0), potential(24, Result::untouched);
    const double lower[] = {0.5 * world_rank() / world_size(), 0.0, 0.0}, size[] = {0.01, 0.125, 0.125};
    const std::int32_t n[] = {4, 3, 2};
    const auto expect_refused = [&](const std::function<void(gravlet_block&)>& spoil, const std::string& text) {
        gravlet_block block = gravlet_block_with_guards(lower, size, n, 0, density.data(), potential.data(), nullptr);
        if (on_last_rank()) spoil(block);
        expect_error([&] { return gravlet_solve_blocks(solver_, 1, &block, nullptr, nullptr, nullptr); }, text);
    };
    expect_refused([](gravlet_block& b) { b.density = nullptr; }, "block 0: no density");
    expect_refused([](gravlet_block& b) { b.n[1] = 0; }, "block 0");
    expect_refused([](gravlet_block& b) { b.cell_size[2] = -1.0; }, "block 0");
    expect_refused([](gravlet_block& b) { b.lower[1] = 0.9; }, "of block 0");
    expect_refused([](gravlet_block& b) { b.stride[2] = b.stride[1]; }, "block 0: stride (1, 4, 4)");
    expect_refused([](gravlet_block& b) { b.result_stride[0] = 1; }, "block 0: result_stride (1, 0, 0)");
    expect_refused([](gravlet_block& b) { b.n[0] = b.n[1] = b.n[2] = 2097152; }, "block 0: 2097152 x 2097152 x 2097152 cells");
    expect_refused(
        [](gravlet_block& b) {
            for (double*& axis : b.acceleration) axis = b.potential;
        },
        "block 0: potential and acceleration[0]");
    expect_refused([&](gravlet_block& b) { b = gravlet_block_with_guards(lower, nullptr, n, 0, nullptr, nullptr, nullptr); },
                   "block 0: 0 cells");
    expect_refused(
        [&](gravlet_block& b) { b = gravlet_block_with_guards(lower, size, n, -1, density.data(), potential.data(), nullptr); },
        "block 0: no density");
    density[6] = -2.0;  // on every rank
    expect_refused([](gravlet_block&) {}, "(2, 1, 0)");
    EXPECT_EQ(potential, std::vector<double>(24, Result::untouched));
}

TEST_F(CErrors, AHostThatGivesUp) {
    Result result(mesh_.size());
    expect_error(
        [&] { return on_last_rank() ? gravlet_abandon(solver_, "the sink particles' file is gone") : solve(mesh_, result); },
        "the sink particles' file is gone");
    expect_error([&] { return gravlet_abandon(solver_, nullptr); }, "abandoned");
    EXPECT_EQ(result, Result(mesh_.size()));
}

TEST(CErrorsOfOptions, AreSeenByAllRanks) {
    const auto expect_refused = [](const std::function<void(gravlet_options&)>& spoil, const std::string& text,
                                   int code = GRAVLET_INVALID_OPTION) {
        gravlet_options options = c_options();
        if (on_last_rank()) spoil(options);
        gravlet_solver* solver = nullptr;
        const Caught caught = agreed_in_c([&] { return gravlet_create(MPI_COMM_WORLD, &options, &solver); });
        EXPECT_EQ(caught.code, code) << text;
        EXPECT_TRUE(caught.names(text)) << caught.message;
        EXPECT_EQ(solver, nullptr);
    };
    expect_refused([](gravlet_options& o) { o.theta = 7.0; }, "theta is 7");
    expect_refused([](gravlet_options& o) { o.order = 9; }, "order is 9");
    expect_refused([](gravlet_options& o) { o.G = 0.0; }, "G is 0");
    expect_refused([](gravlet_options& o) { o.softening = 1e-300; }, "softening is 1e-300");
    expect_refused([](gravlet_options& o) { o.has_domain = 1, o.domain_upper[2] = 1e300; }, "domain");
    expect_refused([](gravlet_options& o) { o.backend = 3; }, "backend is number 3");
    expect_refused([](gravlet_options& o) { o.gpu_sharing = -1; }, "gpu_sharing is number -1");
    expect_refused([](gravlet_options& o) { o.boundary[2] = 4; }, "boundary is number 4");
    expect_refused([](gravlet_options& o) { o.criterion = 4; }, "criterion is number 4");
    expect_refused([](gravlet_options& o) { o.alpha = 0.0; }, "alpha is 0");
    expect_refused([](gravlet_options& o) { o.tolerance = 0.5; }, "tolerance is 0.5");
    expect_refused([](gravlet_options& o) { o.tolerance = 1e-3, o.theta = 0.5; }, "theta is 0.5, must be -1 (automatic)");
    expect_refused([](gravlet_options& o) { o.tolerance_at = 4; }, "tolerance_at is number 4");
    expect_refused([](gravlet_options& o) { o.background = 3; }, "background is number 3");
    expect_refused([](gravlet_options& o) { o.precision = 2; }, "precision is number 2");
    expect_refused([](gravlet_options& o) { o.softening_kernel = 2; }, "softening_kernel is number 2");
    expect_refused([](gravlet_options& o) { o.periodic_method = 5; }, "periodic_method is number 5");
    expect_refused([](gravlet_options& o) { o.boundary[0] = GRAVLET_PERIODIC; }, "needs a domain");
    if (world_size() > 1) expect_refused([](gravlet_options& o) { o.G = 2.0; }, "G: 2");
    if (!std::string(gravlet_backend_name(0)).starts_with("gpu")) {
        gravlet_options options = c_options();
        options.backend = GRAVLET_BACKEND_GPU;
        gravlet_solver* solver = nullptr;
        const Caught caught = agreed_in_c([&] { return gravlet_create(MPI_COMM_WORLD, &options, &solver); });
        EXPECT_EQ(caught.code, GRAVLET_NOT_AVAILABLE) << caught.message;
    }
}

// Of a host that forgot gravlet_options_init(), or has a struct that this library does not know.
TEST(CErrorsOfOptions, OfAnotherSize) {
    const std::string init = "call gravlet_options_init() first";
    const auto expect_refused = [&](std::size_t size) {
        gravlet_options options = c_options();
        options.size = size;
        gravlet_solver* solver = nullptr;
        const Caught caught = agreed_in_c([&] { return gravlet_create(MPI_COMM_WORLD, &options, &solver); });
        EXPECT_EQ(caught.code, GRAVLET_INVALID_OPTION);
        EXPECT_TRUE(caught.names(init)) << caught.message;
    };
    for (const std::size_t size : {std::size_t{0}, sizeof(std::size_t) - 1, sizeof(gravlet_options) + 8}) expect_refused(size);
    const gravlet_options zeroed{};
    gravlet_solver* solver = nullptr;
    EXPECT_TRUE(agreed_in_c([&] { return gravlet_create(MPI_COMM_WORLD, &zeroed, &solver); }).names(init));
}

/// A struct of which the host knows `size` bytes; those behind must stay as they are.
template <class T>
class KnownPart {
public:
    explicit KnownPart(std::size_t size) : size_(size) {
        std::ranges::fill(content_.bytes, filling);
        content_.all.size = size;
    }
    [[nodiscard]] T& operator*() { return content_.all; }
    void expect_rest_untouched() const {
        EXPECT_EQ(content_.all.size, size_);
        for (std::size_t i = size_; i < sizeof(T); ++i) EXPECT_EQ(content_.bytes[i], filling) << i;
    }

private:
    static constexpr unsigned char filling = 0x5a;
    union {
        T all;
        unsigned char bytes[sizeof(T)];
    } content_;
    std::size_t size_;
};

// Of a host whose header ended sooner: what it has counts, the rest are the defaults, and nothing behind its end is touched.
TEST(CStructs, OfAnOlderHeader) {
    KnownPart<gravlet_options> options(offsetof(gravlet_options, criterion));
    gravlet_options_set_defaults(&*options);
    options.expect_rest_untouched();
    EXPECT_EQ((*options).theta, GRAVLET_AUTOMATIC);
    (*options).G = 2.0;
    const CSolver solver(*options);
    const double x = world_rank(), zero = 0.0, mass = 1.0;
    double potential = 0.0, exact = 0.0;
    const gravlet_points points{1, &x, &zero, &zero, &mass, nullptr, nullptr, 0, nullptr};
    const gravlet_fields fields{&potential, {}, {}, 0};
    EXPECT_EQ(gravlet_solve_points(solver, &points, &fields, nullptr), GRAVLET_SUCCESS);
    for (int other = 0; other < world_size(); ++other)
        if (other != world_rank()) exact -= 2.0 / std::abs(other - world_rank());
    EXPECT_NEAR(potential, exact, 1e-6);

    KnownPart<gravlet_report> report(offsetof(gravlet_report, tolerance));
    EXPECT_EQ(gravlet_fill_report(solver, &*report), GRAVLET_SUCCESS);
    EXPECT_EQ((*report).ranks, world_size());
    report.expect_rest_untouched();
}

TEST(CStructs, OfAnotherVersion) {
    EXPECT_EQ(gravlet_version_number(), GRAVLET_VERSION_NUMBER);
    EXPECT_EQ(gravlet_version(), fmt::format("{}.{}.{}", GRAVLET_VERSION_MAJOR, GRAVLET_VERSION_MINOR, GRAVLET_VERSION_PATCH));
    gravlet_solver* solver = nullptr;
    for (const int version : {GRAVLET_VERSION_NUMBER + 100, GRAVLET_VERSION_NUMBER + 10000}) {
        const Caught caught = agreed_in_c([&] { return gravlet_create_for(version, MPI_COMM_WORLD, nullptr, &solver); });
        EXPECT_EQ(caught.code, GRAVLET_NOT_AVAILABLE);
        EXPECT_TRUE(caught.names(fmt::format("compiled with the headers of gravlet {}.{}, and the library is {}", version / 10000,
                                             version / 100 % 100, gravlet_version())))
            << caught.message;
    }
    EXPECT_EQ(gravlet_create_for(GRAVLET_VERSION_NUMBER + 99 - GRAVLET_VERSION_PATCH, MPI_COMM_WORLD, nullptr, &solver), 0);
    gravlet_destroy(&solver);
}

TEST(CErrorsOfOptions, AForeignFile) {
    const auto [wanted, path] = options_with_foreign_file();
    gravlet_options options = c_options();
    options.has_domain = 1;
    for (double& upper : options.domain_upper) upper = 1.0;
    for (std::int32_t& boundary : options.boundary) boundary = GRAVLET_PERIODIC;
    options.periodic_method = GRAVLET_PERIODIC_TABLE;
    options.ewald_cache = path.c_str();
    gravlet_solver* solver = nullptr;
    const Caught caught = agreed_in_c([&] { return gravlet_create(MPI_COMM_WORLD, &options, &solver); });
    EXPECT_EQ(caught.code, GRAVLET_FILE) << caught.message;
    EXPECT_TRUE(caught.names(path)) << caught.message;
}

TEST(CErrorsOfOptions, NoBodiesAreNone) {
    const CSolver solver(c_options());
    const gravlet_cells cells{};
    const gravlet_points points{};
    EXPECT_EQ(agreed_in_c([&] { return gravlet_solve_cells(solver, &cells, nullptr, nullptr, nullptr, nullptr); }).code, 0);
    EXPECT_EQ(agreed_in_c([&] { return gravlet_solve_points(solver, &points, nullptr, nullptr); }).code, 0);
    EXPECT_EQ(agreed_in_c([&] { return gravlet_solve_blocks(solver, 0, nullptr, nullptr, nullptr, nullptr); }).code, 0);
}

TEST(CErrorsOfOneRank, NullHandles) {
    gravlet_solver* solver = nullptr;
    EXPECT_EQ(gravlet_create(MPI_COMM_WORLD, nullptr, nullptr), GRAVLET_INVALID_INPUT);
    // On one rank alone as well: the others hear of it.
    const Caught caught =
        agreed_in_c([&] { return gravlet_create(MPI_COMM_WORLD, nullptr, on_last_rank() ? nullptr : &solver); });
    EXPECT_EQ(caught.code, GRAVLET_INVALID_INPUT);
    EXPECT_TRUE(caught.names("solver is NULL")) << caught.message;
    EXPECT_EQ(gravlet_create(MPI_COMM_NULL, nullptr, &solver), GRAVLET_COMMUNICATION);
    EXPECT_EQ(gravlet_solve_points(nullptr, nullptr, nullptr, nullptr), GRAVLET_INVALID_INPUT);
    EXPECT_STREQ(gravlet_error_message(), "the solver was not created, or is destroyed: create it first");
    EXPECT_EQ(gravlet_abandon(nullptr, ""), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_get_report(nullptr, nullptr), GRAVLET_INVALID_INPUT);
    EXPECT_STREQ(gravlet_error_message(), "the solver was not created, or is destroyed: create it first");
    EXPECT_EQ(gravlet_get_stage(nullptr, 0, nullptr), GRAVLET_INVALID_INPUT);
    EXPECT_STREQ(gravlet_get_warning(nullptr, 0), "");
    EXPECT_STREQ(gravlet_get_backend(nullptr), "");
    EXPECT_STREQ(gravlet_report_text(nullptr), "");
    EXPECT_EQ(gravlet_destroy(nullptr), GRAVLET_SUCCESS);
}

}  // namespace
}  // namespace gravlet::test
