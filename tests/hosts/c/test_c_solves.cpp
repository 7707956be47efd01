// SPDX-License-Identifier: Apache-2.0
// The C API gives the bits of the C++ one.
#include "tests/hosts/c/c_arrays.hpp"
#include "tests/hosts/lengths.hpp"

#include <gravlet/solver.hpp>
#include <gravlet/version.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace gravlet::test {
namespace {

TEST(CSolves, OptionsStartFromTheDefaults) {
    const gravlet_options c = c_options();
    const Options defaults;
    EXPECT_EQ(c.theta, defaults.theta);
    EXPECT_EQ(c.order, defaults.order);
    EXPECT_EQ(c.criterion, GRAVLET_CRITERION_AUTOMATIC);
    EXPECT_EQ(c.alpha, defaults.alpha);
    EXPECT_EQ(c.tolerance, defaults.tolerance);
    EXPECT_EQ(c.tolerance_of, GRAVLET_ERROR_OF_AUTOMATIC);
    EXPECT_EQ(c.tolerance_at, GRAVLET_ERROR_P99);
    EXPECT_EQ(c.background, GRAVLET_BACKGROUND_AUTOMATIC);
    EXPECT_EQ(c.tolerance_effort, defaults.tolerance_effort);
    EXPECT_EQ(c.G, defaults.G);
    EXPECT_EQ(c.self_potential, 1);
    EXPECT_EQ(c.softening_kernel, GRAVLET_SOFTENING_PLUMMER);
    EXPECT_EQ(c.near_cells, GRAVLET_NEAR_CELLS_POINT);
    EXPECT_EQ(c.precision, GRAVLET_PRECISION_SINGLE);
    EXPECT_EQ(c.has_domain, 0);
    EXPECT_EQ(c.keep_tree, 1);
    EXPECT_EQ(c.keep_moved, 0);
    EXPECT_EQ(c.redistribute, 0);
    EXPECT_EQ(c.leaf_size, defaults.leaf_size);
    EXPECT_EQ(c.virtual_root_boxes, defaults.virtual_root_boxes);
    EXPECT_EQ(c.ewald_nodes, defaults.ewald_nodes);
    EXPECT_EQ(c.ewald_order, defaults.ewald_order);
    EXPECT_EQ(c.error_seed, defaults.error_seed);
    gravlet_solver* solver = nullptr;
    EXPECT_EQ(gravlet_create_f(MPI_Comm_c2f(MPI_COMM_WORLD), nullptr, &solver), 0) << gravlet_error_message();
    EXPECT_EQ(gravlet_destroy(&solver), 0);
    EXPECT_EQ(solver, nullptr);
    EXPECT_EQ(gravlet_destroy(&solver), 0);
    gravlet_options_init(nullptr);
}

TEST(CSolves, WhatChangesBetweenSolves) {
    const BodyArrays masses = part_of(random_points(8, 300));
    Options options{.tolerance = 1e-4};
    Solver in_cpp(MPI_COMM_WORLD, options);
    gravlet_options c = c_options();
    c.tolerance = 1e-4;
    const CSolver in_c(c);
    const gravlet_points points = c_points(masses);
    Result expected(masses.size()), got(masses.size());
    const gravlet_fields fields = c_fields(got);
    const auto expect_same = [&] {
        in_cpp.solve(masses.points(), expected.fields());
        EXPECT_EQ(gravlet_solve_points(in_c, &points, &fields, nullptr), GRAVLET_SUCCESS) << gravlet_error_message();
        EXPECT_EQ(got, expected);
    };
    expect_same();
    in_cpp.set_G(0.25);
    EXPECT_EQ(gravlet_set_G(in_c, 0.25), GRAVLET_SUCCESS) << gravlet_error_message();
    expect_same();
    EXPECT_EQ(gravlet_set_G(in_c, 0.0), GRAVLET_INVALID_OPTION);
    EXPECT_EQ(gravlet_set_G(nullptr, 1.0), GRAVLET_INVALID_INPUT);
    const double low[] = {-1.0, -1.0, -1.0}, high[] = {2.0, 2.0, 2.5};
    in_cpp.set_softening(0.03), in_cpp.set_domain({{-1.0, -1.0, -1.0}, {2.0, 2.0, 2.5}});
    EXPECT_EQ(gravlet_set_softening(in_c, 0.03), GRAVLET_SUCCESS) << gravlet_error_message();
    EXPECT_EQ(gravlet_set_domain(in_c, low, high), GRAVLET_SUCCESS) << gravlet_error_message();
    expect_same();
    EXPECT_EQ(gravlet_set_softening(in_c, -1.0), GRAVLET_INVALID_OPTION);
    EXPECT_EQ(gravlet_set_softening(nullptr, 1.0), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_set_domain(in_c, high, low), GRAVLET_INVALID_OPTION);
    EXPECT_EQ(gravlet_set_domain(in_c, low, nullptr), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_set_domain(nullptr, low, high), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_set_shear(in_c, 0.1), GRAVLET_INVALID_OPTION);  // nothing repeats
    EXPECT_EQ(gravlet_set_shear(in_c, 0.0), GRAVLET_SUCCESS) << gravlet_error_message();
    EXPECT_EQ(gravlet_set_shear(nullptr, 0.0), GRAVLET_INVALID_INPUT);
    expect_same();

    const std::vector<std::uint8_t> flags(masses.size(), 1);
    in_cpp.only_changed(flags);
    EXPECT_EQ(gravlet_only_changed(in_c, static_cast<std::int64_t>(flags.size()), flags.data()), GRAVLET_SUCCESS);
    expect_same();
    EXPECT_EQ(gravlet_only_changed(in_c, 0, nullptr), GRAVLET_SUCCESS);
    expect_same();
    EXPECT_EQ(gravlet_only_changed(in_c, 3, nullptr), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_only_changed(in_c, -1, flags.data()), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_only_changed(nullptr, 0, nullptr), GRAVLET_INVALID_INPUT);

    const std::vector<double> none(masses.size(), 0.0);
    const auto n = static_cast<std::int64_t>(none.size());
    EXPECT_EQ(gravlet_drifted(in_c, n, none.data(), none.data(), none.data(), 1.0), GRAVLET_SUCCESS);
    expect_same();
    EXPECT_EQ(gravlet_drifted(in_c, n + 1, none.data(), none.data(), none.data(), 1.0), GRAVLET_SUCCESS);
    EXPECT_EQ(gravlet_solve_points(in_c, &points, &fields, nullptr), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_drifted(in_c, 3, none.data(), nullptr, none.data(), 1.0), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_drifted(nullptr, 0, nullptr, nullptr, nullptr, 1.0), GRAVLET_INVALID_INPUT);

    SteeringState state{};
    EXPECT_EQ(gravlet_get_steering(in_c, state.data()), GRAVLET_SUCCESS) << gravlet_error_message();
    EXPECT_EQ(state, in_cpp.get_steering());
    EXPECT_NE(state, SteeringState{});
    EXPECT_EQ(gravlet_set_steering(in_c, SteeringState{}.data()), GRAVLET_SUCCESS) << gravlet_error_message();
    in_cpp.set_steering({});
    expect_same();
    state[3] = -1.0;
    EXPECT_EQ(gravlet_set_steering(in_c, state.data()), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_set_steering(in_c, nullptr), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_get_steering(in_c, nullptr), GRAVLET_INVALID_INPUT);
    expect_same();
}

// In doubles and in floats, which are the doubles rounded.
TEST(CSolves, Probes) {
    const BodyArrays masses = part_of(random_points(8, 300)), places = part_of(random_points(9, 60));
    Solver in_cpp(MPI_COMM_WORLD);
    const CSolver in_c(c_options());
    Result expected(masses.size()), got(masses.size()), at(places.size()), at_in_c(places.size());
    in_cpp.solve(masses.points(), expected.fields(), {places.x, places.y, places.z, at.all_fields()});
    const gravlet_points points = c_points(masses);
    const gravlet_fields fields = c_fields(got);
    gravlet_probes probes{};
    probes.count = static_cast<std::int64_t>(places.size());
    probes.x = places.x.data(), probes.y = places.y.data(), probes.z = places.z.data();
    probes.potential = at_in_c.potential.data();
    for (std::size_t d = 0; d < 3; ++d) probes.acceleration[d] = at_in_c.acceleration[d].data();
    for (std::size_t k = 0; k < 6; ++k) probes.tidal[k] = at_in_c.tidal[k].data();
    ASSERT_EQ(gravlet_solve_points(in_c, &points, &fields, &probes), 0) << gravlet_error_message();
    EXPECT_EQ(got, expected);
    EXPECT_EQ(at_in_c, at);
    std::vector<float> potential(places.size());
    probes.potential_f = potential.data(), probes.floats = GRAVLET_FLOAT_RESULTS;
    for (auto& a : probes.acceleration) a = nullptr;
    for (auto& t : probes.tidal) t = nullptr;
    ASSERT_EQ(gravlet_solve_points(in_c, &points, &fields, &probes), 0) << gravlet_error_message();
    for (std::size_t p = 0; p < places.size(); ++p)
        EXPECT_NEAR(potential[p], at.potential[p], 2.7e-7 * std::abs(at.potential[p]));
    probes.count = -1;
    EXPECT_EQ(gravlet_solve_points(in_c, &points, &fields, &probes), GRAVLET_INVALID_INPUT);
    EXPECT_NE(std::string(gravlet_error_message()).find("-1 probes: at least 0"), std::string::npos);
}

TEST(CSolves, CellsAndPoints) {
    const Options options{.theta = 0.6, .order = 3, .G = 2.5, .softening = 1e-3, .domain = Box{{0, 0, 0}, {1, 1, 1}}};
    gravlet_options c = c_options();
    c.theta = 0.6, c.order = 3, c.G = 2.5, c.softening = 1e-3, c.has_domain = 1;
    for (const int axis : {0, 1, 2}) c.domain_lower[axis] = 0.0, c.domain_upper[axis] = 1.0;
    Solver in_cpp(MPI_COMM_WORLD, options);
    const CSolver in_c(c);

    BodyArrays mesh = part_of(random_mesh(7, 4));
    const BodyArrays points = part_of(random_points(8, 100));
    mesh.dy = mesh.dz = mesh.dx;
    for (double& side : mesh.dz) side *= 0.5;
    std::vector<std::uint8_t> active(mesh.size(), 1);
    for (std::size_t i = 0; i < active.size(); i += 3) active[i] = 0;
    Result a(mesh.size()), b(mesh.size()), a_points(points.size()), b_points(points.size());
    Cells cells = mesh.cells();
    cells.active = active;
    in_cpp.solve(cells, a.fields(), points.points(), a_points.fields());
    const gravlet_cells mine = c_cells(mesh, active.data());
    const gravlet_points masses = c_points(points);
    const gravlet_fields fields = c_fields(b), point_fields = c_fields(b_points);
    ASSERT_EQ(gravlet_solve_cells(in_c, &mine, &fields, &masses, &point_fields, nullptr), 0) << gravlet_error_message();
    EXPECT_EQ(a, b);
    EXPECT_EQ(a_points, b_points);

    in_cpp.solve(cells, a.all_fields(), points.points(), a_points.all_fields());
    const gravlet_fields all = all_c_fields(b), all_of_points = all_c_fields(b_points);
    ASSERT_EQ(gravlet_solve_cells(in_c, &mine, &all, &masses, &all_of_points, nullptr), 0) << gravlet_error_message();
    EXPECT_EQ(a, b);
    EXPECT_EQ(a_points, b_points);

    Result only(points.size()), only_c(points.size());
    in_cpp.solve(points.points(), only.fields());
    const gravlet_fields only_fields = c_fields(only_c);
    ASSERT_EQ(gravlet_solve_points(in_c, &masses, &only_fields, nullptr), 0) << gravlet_error_message();
    EXPECT_EQ(only, only_c);
}

TEST(CSolves, PointsWithLengths) {
    const BodyArrays mesh = part_of(random_mesh(7, 3)), points = part_of(random_points(8, 100));
    const std::vector<double> lengths = some_lengths(points.size());
    for (const SofteningKernel kernel : {SofteningKernel::plummer, SofteningKernel::spline}) {
        gravlet_options c = c_options();
        c.softening_kernel = static_cast<std::int32_t>(kernel);
        Solver in_cpp(MPI_COMM_WORLD, {.softening_kernel = kernel});
        const CSolver in_c(c);
        Result a(mesh.size()), b(mesh.size()), a_points(points.size()), b_points(points.size());
        Points softened = points.points();
        softened.softening = lengths;
        in_cpp.solve(mesh.cells(), a.fields(), softened, a_points.fields());
        const gravlet_cells cells = c_cells(mesh);
        const gravlet_points masses = c_points(points, lengths.data());
        const gravlet_fields fields = c_fields(b), point_fields = c_fields(b_points);
        ASSERT_EQ(gravlet_solve_cells(in_c, &cells, &fields, &masses, &point_fields, nullptr), 0) << gravlet_error_message();
        EXPECT_EQ(a, b);
        EXPECT_EQ(a_points, b_points);

        in_cpp.solve(softened, a_points.fields());
        ASSERT_EQ(gravlet_solve_points(in_c, &masses, &point_fields, nullptr), 0) << gravlet_error_message();
        EXPECT_EQ(a_points, b_points);
    }
}

TEST(CSolves, BlocksInTheHostsOwnArrays) {
    const BlockMesh mesh({8, 4, 6});
    FlashArray density(mesh, 2), a(mesh, 3), b(mesh, 3);
    std::vector<Block> blocks = between(density.blocks(mesh), a.blocks(mesh)), in_b = b.blocks(mesh);
    ask_for_tides(blocks);
    ask_for_tides(in_b);
    constexpr std::size_t x_faces = 9 * 4 * 6, z_faces = 8 * 4 * 7;
    std::vector<double> a_faces(blocks.size() * (x_faces + 2 * z_faces), guard_value), b_faces = a_faces;
    std::vector<gravlet_block> c_blocks;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
        Block& from = blocks[k];
        from.active = k % 2 == 0;
        const std::size_t at = k * (x_faces + 2 * z_faces);
        from.face_acceleration = {a_faces.data() + at, nullptr, a_faces.data() + at + x_faces};
        from.face_stride[2] = {2, 16, 64};
        from.result_guards = {1, 2, 3};
        const Block there = in_b[k];
        gravlet_block& to = c_blocks.emplace_back();
        std::ranges::copy(from.lower, to.lower);
        std::ranges::copy(from.cell_size, to.cell_size);
        std::ranges::copy(from.n, to.n);
        std::ranges::copy(from.stride, to.stride);
        std::ranges::copy(from.result_stride, to.result_stride);
        std::ranges::copy(from.result_guards, to.result_guards);
        std::ranges::transform(there.acceleration, to.acceleration, &ResultPointer::doubles);
        for (std::size_t d = 0; d < 3; ++d) {
            if (from.face_acceleration[d] != nullptr)
                to.face_acceleration[d] = b_faces.data() + (from.face_acceleration[d].doubles() - a_faces.data());
            std::ranges::copy(from.face_stride[d], to.face_stride[d]);
        }
        to.inactive = from.active ? 0 : 1;
        to.density = from.density.doubles();
        to.potential = there.potential.doubles();
        std::ranges::transform(there.tidal, to.tidal, &ResultPointer::doubles);
    }
    Solver in_cpp(MPI_COMM_WORLD, {.gpu_sharing = GpuSharing::share});
    gravlet_options options = c_options();
    options.gpu_sharing = GRAVLET_SHARING_SHARE;
    const CSolver in_c(options);
    in_cpp.solve(blocks);
    ASSERT_EQ(gravlet_solve_blocks(in_c, static_cast<std::int64_t>(c_blocks.size()), c_blocks.data(), nullptr, nullptr, nullptr),
              0)
        << gravlet_error_message();
    EXPECT_EQ(a.data, b.data);
    EXPECT_NE(a.data, FlashArray(mesh, 3).data);
    EXPECT_EQ(a_faces, b_faces);
    EXPECT_EQ(std::ranges::count_if(a_faces, [](double value) { return value != guard_value; }),
              static_cast<std::ptrdiff_t>((blocks.size() + 1) / 2 * (x_faces + z_faces)));
}

TEST(CSolves, BlockWithGuards) {
    double density = 0.0, potential = 0.0, ax = 0.0, ay = 0.0, az = 0.0;
    const double lower[] = {1.0, 2.0, 3.0}, size[] = {0.1, 0.2, 0.3};
    const std::int32_t n[] = {8, 4, 2};
    double* const field[] = {&ax, &ay, &az};
    const gravlet_block c = gravlet_block_with_guards(lower, size, n, 2, &density, &potential, field);
    const Block cpp = block_with_guards({1.0, 2.0, 3.0}, {0.1, 0.2, 0.3}, {8, 4, 2}, 2, &density, &potential, {&ax, &ay, &az});
    for (const std::size_t axis : {0u, 1u, 2u}) {
        EXPECT_EQ(c.lower[axis], cpp.lower[axis]);
        EXPECT_EQ(c.cell_size[axis], cpp.cell_size[axis]);
        EXPECT_EQ(c.n[axis], cpp.n[axis]);
        EXPECT_EQ(c.stride[axis], cpp.stride[axis]);
        EXPECT_EQ(c.acceleration[axis], cpp.acceleration[axis]);
    }
    EXPECT_EQ(c.density, cpp.density);
    EXPECT_EQ(c.potential, cpp.potential);
    EXPECT_EQ(c.inactive, 0);
    EXPECT_EQ(gravlet_block_with_guards(lower, size, n, 2, &density, nullptr, nullptr).acceleration[1], nullptr);
}

TEST(CSolves, Tolerance) {
    gravlet_options options = c_options();
    options.tolerance = 1e-3;
    options.tolerance_at = GRAVLET_ERROR_RMS;
    const CSolver solver(options);
    Solver same(MPI_COMM_WORLD, {.tolerance = 1e-3, .tolerance_at = ErrorMeasure::rms});
    const BodyArrays mesh = part_of(random_mesh(7, 4));
    Result result(mesh.size());
    const gravlet_cells cells = c_cells(mesh);
    const gravlet_fields fields = c_fields(result);
    gravlet_report report;
    for (int solve = 0; solve < 3; ++solve) {
        ASSERT_EQ(gravlet_solve_cells(solver, &cells, &fields, nullptr, nullptr, nullptr), 0) << gravlet_error_message();
        ASSERT_EQ(gravlet_get_report(solver, &report), 0);
        same.solve(mesh.cells(), result.fields());
        const ToleranceReport& t = same.report().tolerance.value();
        EXPECT_EQ(report.tolerance.asked, 1e-3);
        EXPECT_EQ(report.tolerance.reached, t.reached);
        EXPECT_EQ(report.tolerance.solves_ago, t.solves_ago);
        EXPECT_EQ(report.tolerance.theta, t.theta);
        EXPECT_EQ(report.tolerance.alpha, t.alpha);
        EXPECT_EQ(report.tolerance.order, t.order);
        EXPECT_EQ(report.tolerance.criterion, static_cast<std::int32_t>(t.criterion));
        EXPECT_EQ(report.tolerance.kept, 1);
        EXPECT_EQ(report.tolerance.walks, t.walks);
        EXPECT_EQ(report.tolerance.floor, t.floor);
    }
    EXPECT_LT(report.tolerance.reached, 2e-3);
}

TEST(CSolves, Report) {
    gravlet_options options = c_options();
    options.error_samples = 100;
    const CSolver solver(options);
    const BodyArrays mesh = part_of(random_mesh(7, 4));
    Result result(mesh.size());
    const gravlet_cells cells = c_cells(mesh);
    const gravlet_fields fields = c_fields(result);
    gravlet_report report;
    for (const int unchanged : {0, 1}) {
        ASSERT_EQ(gravlet_solve_cells(solver, &cells, &fields, nullptr, nullptr, nullptr), 0) << gravlet_error_message();
        ASSERT_EQ(gravlet_get_report(solver, &report), 0);
        EXPECT_EQ(report.unchanged_ranks > 0, unchanged != 0);
    }
    long targets = static_cast<long>(mesh.size());
    MPI_Allreduce(MPI_IN_PLACE, &targets, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(report.targets, targets);
    EXPECT_EQ(report.ranks, world_size());
    EXPECT_GT(report.seconds, 0.0);
    EXPECT_GT(report.cell_interactions, 0);
    Solver same(MPI_COMM_WORLD, {.error_samples = 100});
    same.solve(mesh.cells(), result.fields());
    for (const auto& [c, cpp] : {std::pair(report.potential_error, same.report().potential_error),
                                 std::pair(report.acceleration_error, same.report().acceleration_error)}) {
        EXPECT_EQ(c.samples, 100);
        EXPECT_LT(c.max, 0.0011);
        EXPECT_EQ(c.max, cpp->max);
        EXPECT_EQ(c.p9999, cpp->p9999);
        EXPECT_EQ(c.p999, cpp->p999);
        EXPECT_EQ(c.p99, cpp->p99);
        EXPECT_EQ(c.median, cpp->median);
        EXPECT_EQ(c.rms, cpp->rms);
        for (const std::size_t axis : {0u, 1u, 2u}) EXPECT_EQ(c.worst[axis], cpp->worst[axis]);
    }
    EXPECT_EQ(report.tolerance.asked, 0.0);
    EXPECT_EQ(report.net_force, *same.report().net_force);
    EXPECT_EQ(report.net_torque, *same.report().net_torque);
    double seconds = 0.0;
    for (std::int32_t s = 0; s < report.stages; ++s) {
        gravlet_stage_time stage;
        ASSERT_EQ(gravlet_get_stage(solver, s, &stage), 0);
        EXPECT_STRNE(stage.name, "");
        seconds += stage.max;
    }
    EXPECT_GE(seconds, 0.5 * report.seconds);
    gravlet_stage_time none;
    EXPECT_EQ(gravlet_get_stage(solver, report.stages, &none), GRAVLET_INVALID_INPUT);
    EXPECT_EQ(gravlet_get_stage(solver, -1, &none), GRAVLET_INVALID_INPUT);
    EXPECT_STREQ(gravlet_get_warning(solver, report.warnings), "");
    EXPECT_STRNE(gravlet_get_backend(solver), "");
    EXPECT_NE(std::string(gravlet_report_text(solver)).find("walk_early"), std::string::npos);
    EXPECT_EQ(gravlet_version(), version());
    EXPECT_EQ(gravlet_backend_name(0), backends().front());
    EXPECT_STREQ(gravlet_backend_name(static_cast<std::int32_t>(backends().size())), "");
}

}  // namespace
}  // namespace gravlet::test
