// SPDX-License-Identifier: Apache-2.0
// C's arrays of floats: each group of them by itself gives what doubles of the same values give, results rounded.
#include "tests/hosts/c/c_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

namespace gravlet::test {
namespace {

std::vector<float> in_floats(const std::vector<double>& values) { return {values.begin(), values.end()}; }

void round(std::vector<double>& values) {
    for (double& value : values) value = static_cast<float>(value);
}

const float* or_null(const std::vector<float>& values) { return values.empty() ? nullptr : values.data(); }

/// Bodies in floats, of which C may be given some.
struct FloatBodies {
    std::vector<float> x, y, z, dx, dy, dz, mass;

    explicit FloatBodies(const BodyArrays& b)
        : x(in_floats(b.x)),
          y(in_floats(b.y)),
          z(in_floats(b.z)),
          dx(in_floats(b.dx)),
          dy(in_floats(b.dy)),
          dz(in_floats(b.dz)),
          mass(in_floats(b.mass)) {}

    void put_in(gravlet_cells& c, std::int32_t floats) const {
        c.floats = floats;
        if ((floats & GRAVLET_FLOAT_POSITIONS) != 0) {
            c.x_f = x.data(), c.y_f = y.data(), c.z_f = z.data();
            c.dx_f = dx.data(), c.dy_f = or_null(dy), c.dz_f = or_null(dz);
        }
        if ((floats & GRAVLET_FLOAT_MASSES) != 0) c.mass_f = mass.data();
    }
    void put_in(gravlet_points& p, std::int32_t floats) const {
        p.floats = floats;
        if ((floats & GRAVLET_FLOAT_POSITIONS) != 0) p.x_f = x.data(), p.y_f = y.data(), p.z_f = z.data();
        if ((floats & GRAVLET_FLOAT_MASSES) != 0) p.mass_f = mass.data();
    }
};

TEST(CFloats, CellsAndPoints) {
    BodyArrays mesh = part_of(random_mesh(7, 3)), points = part_of(random_points(8, 100));
    mesh.dy = mesh.dz = mesh.dx;
    for (double& side : mesh.dz) side *= 0.5;
    for (std::vector<double>* array : {&mesh.mass, &points.x, &points.y, &points.z, &points.mass}) round(*array);
    const FloatBodies float_mesh(mesh), float_points(points);
    const CSolver solver(c_options());
    gravlet_cells cells = c_cells(mesh);
    gravlet_points masses = c_points(points);
    Result expected(mesh.size()), expected_points(points.size());
    const gravlet_fields fields = all_c_fields(expected), point_fields = all_c_fields(expected_points);
    ASSERT_EQ(gravlet_solve_cells(solver, &cells, &fields, &masses, &point_fields, nullptr), 0) << gravlet_error_message();
    for (std::int32_t floats = 0; floats <= GRAVLET_FLOAT_ALL; ++floats) {
        cells = c_cells(mesh), masses = c_points(points);
        float_mesh.put_in(cells, floats), float_points.put_in(masses, floats);
        std::array<std::vector<float>, 10> values, point_values;
        gravlet_fields in_floats_too{}, points_too{};
        in_floats_too.floats = points_too.floats = GRAVLET_FLOAT_RESULTS;
        for (std::size_t k = 0; k < values.size(); ++k) {
            values[k].resize(mesh.size()), point_values[k].resize(points.size());
            (k == 0  ? in_floats_too.potential_f
             : k < 4 ? in_floats_too.acceleration_f[k - 1]
                     : in_floats_too.tidal_f[k - 4]) = values[k].data();
            (k == 0  ? points_too.potential_f
             : k < 4 ? points_too.acceleration_f[k - 1]
                     : points_too.tidal_f[k - 4]) = point_values[k].data();
        }
        ASSERT_EQ(gravlet_solve_cells(solver, &cells, &in_floats_too, &masses, &points_too, nullptr), 0)
            << gravlet_error_message();
        for (std::size_t k = 0; k < values.size(); ++k) {
            const auto of = [k](const Result& r) {
                return k == 0 ? r.potential : k < 4 ? r.acceleration[k - 1] : r.tidal[k - 4];
            };
            EXPECT_EQ(values[k], in_floats(of(expected))) << floats << " " << k;
            EXPECT_EQ(point_values[k], in_floats(of(expected_points))) << floats << " " << k;
        }
    }
}

TEST(CFloats, Blocks) {
    constexpr std::int32_t n[3] = {4, 3, 2};
    const double lower[3] = {world_rank() * 1.0, 0.0, 0.0}, size[3] = {0.25, 0.25, 0.25};
    const std::size_t cells = 6 * 5 * 4;
    std::vector<double> density(cells), potential(cells), faces(5 * 3 * 2);
    for (std::size_t i = 0; i < cells; ++i) density[i] = 1.0 + static_cast<double>(i % 7);
    const std::vector<float> float_density = in_floats(density);
    std::vector<float> float_potential(cells), float_faces(faces.size());
    gravlet_block doubles = gravlet_block_with_guards(lower, size, n, 1, density.data(), potential.data(), nullptr);
    gravlet_block floats = gravlet_block_with_guards_f(lower, size, n, 1, float_density.data(), float_potential.data(), nullptr);
    doubles.face_acceleration[0] = faces.data();
    floats.face_acceleration_f[0] = float_faces.data();
    gravlet_options options = c_options();
    options.gpu_sharing = GRAVLET_SHARING_SHARE;
    const CSolver solver(options);
    ASSERT_EQ(gravlet_solve_blocks(solver, 1, &doubles, nullptr, nullptr, nullptr), 0) << gravlet_error_message();
    ASSERT_EQ(gravlet_solve_blocks(solver, 1, &floats, nullptr, nullptr, nullptr), 0) << gravlet_error_message();
    EXPECT_EQ(float_potential, in_floats(potential));
    EXPECT_EQ(float_faces, in_floats(faces));
}

// Lengths go with masses: each group alone.
TEST(CFloats, SofteningLengths) {
    BodyArrays bodies = part_of(random_points(8, 100));
    std::vector<double> lengths;
    for (std::size_t i = 0; i < bodies.size(); ++i) lengths.push_back(0.25 + 0.125 * static_cast<double>(i % 3));
    for (std::vector<double>* array : {&bodies.x, &bodies.y, &bodies.z, &bodies.mass}) round(*array);
    const FloatBodies floats(bodies);
    const std::vector<float> float_lengths = in_floats(lengths);
    const CSolver solver(c_options());
    Result expected(bodies.size());
    gravlet_points points = c_points(bodies, lengths.data());
    gravlet_fields fields = all_c_fields(expected);
    ASSERT_EQ(gravlet_solve_points(solver, &points, &fields, nullptr), 0) << gravlet_error_message();
    for (const std::int32_t groups : {GRAVLET_FLOAT_POSITIONS, GRAVLET_FLOAT_MASSES}) {
        points = c_points(bodies, groups == GRAVLET_FLOAT_MASSES ? nullptr : lengths.data());
        floats.put_in(points, groups);
        if (groups == GRAVLET_FLOAT_MASSES) points.softening_f = float_lengths.data();
        Result got(bodies.size());
        fields = all_c_fields(got);
        ASSERT_EQ(gravlet_solve_points(solver, &points, &fields, nullptr), 0) << gravlet_error_message();
        EXPECT_EQ(got, expected) << groups;
    }
}

TEST(CFloats, UnknownGroups) {
    const CSolver solver(c_options());
    const BodyArrays bodies = part_of(random_points(8, 12));
    gravlet_points points = c_points(bodies);
    points.floats = 8;
    const Caught caught = agreed_in_c([&] { return gravlet_solve_points(solver, &points, nullptr, nullptr); });
    EXPECT_EQ(caught.code, GRAVLET_INVALID_INPUT);
    EXPECT_TRUE(caught.names("floats of points is 8")) << caught.message;
}

}  // namespace
}  // namespace gravlet::test
