// SPDX-License-Identifier: Apache-2.0
// The root cube and the units that ranks agree on, from what each has seen of its bodies.
#include "mpi/stages.hpp"
#include "solver/data/frame.hpp"
#include "tests/api/agreed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace gravlet::test {
namespace {

Frame agreed_frame(const InputScan& scan, bool points, const Options& options = {}, int derivatives = 1) {
    Stages stages(MPI_COMM_WORLD);
    Frame frame;
    stages.collective([&](const Agreed& all) { frame = agree_on_frame(all, scan, points, derivatives, options, 0.0); });
    stages.agree();
    return frame;
}

void set(double (&lower)[3], double (&upper)[3], const Array3& low, const Array3& high) {
    for (std::size_t d = 0; d < 3; ++d) lower[d] = low[d], upper[d] = high[d];
}

/// A mesh of the unit cube, in cells of 1/8; all of it on the last rank.
InputScan mesh() {
    InputScan scan = empty_scan();
    if (world_rank() + 1 < world_size()) return scan;
    set(scan.cell_lower, scan.cell_upper, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0});
    set(scan.mass_lower, scan.mass_upper, {0.1, 0.1, 0.1}, {0.9, 0.8, 0.7});
    scan.smallest_side = 0.125, scan.least_density = 1.0, scan.volume = 1.0;
    scan.mass = scan.cell_mass = 5.0, scan.largest_mass = 0.5;
    return scan;
}

TEST(Frame, OfAMesh) {
    const Frame frame = agreed_frame(mesh(), false);
    for (const double corner : frame.origin) EXPECT_EQ(corner, 0.0);
    EXPECT_EQ(frame.side, 1.0);
    EXPECT_EQ(frame.unit, 1.0);
    EXPECT_EQ(frame.used_levels, 3);
    EXPECT_EQ(frame.mass_unit, 8.0);
    EXPECT_EQ(frame.total_mass, 5.0 / 8.0);
    EXPECT_EQ(frame.extent, 0.8);
    EXPECT_EQ(frame.softening, 0.0);
    EXPECT_TRUE(frame.cells);
    EXPECT_FALSE(frame.points);
    EXPECT_EQ(frame.several_ranks, world_size() > 1);
}

// Points of the first rank, below the mesh in one direction: the cube's corner goes down by whole meshes, its side up by twos.
TEST(Frame, PointsBelowAMesh) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        InputScan scan = mesh();
        if (world_rank() == 0) {
            Array3 low{0.5, 0.5, 0.5};
            low[axis] = -3.2;
            set(scan.point_lower, scan.point_upper, low, {0.6, 0.6, 0.6});
            scan.largest_softening = 0.5;
        }
        const Frame frame = agreed_frame(scan, world_rank() == 0);
        for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(frame.origin[d], d == axis ? -4.0 : 0.0);
        EXPECT_EQ(frame.side, 8.0);
        EXPECT_EQ(frame.unit, 8.0);
        EXPECT_EQ(frame.softening, 0.0625);
        EXPECT_EQ(frame.cube.side, 1.0);
        const Vector3 corner = frame.cube.corner;
        EXPECT_EQ((std::array{corner.x, corner.y, corner.z}[axis]), -0.5);
        EXPECT_DOUBLE_EQ(frame.extent, 0.1);
        EXPECT_EQ(frame.used_levels, deepest_level);
        EXPECT_TRUE(frame.points);
    }
}

// Above it, the side grows alone.
TEST(Frame, PointsAboveAMesh) {
    InputScan scan = mesh();
    set(scan.point_lower, scan.point_upper, {0.5, 0.5, 0.5}, {0.6, 2.5, 0.6});
    const Frame frame = agreed_frame(scan, true);
    for (const double corner : frame.origin) EXPECT_EQ(corner, 0.0);
    EXPECT_EQ(frame.side, 4.0);
    EXPECT_EQ(frame.unit, 4.0);
}

// Each rank has one direction's longest side; a softening of sixteen cubes is the most that needs no larger one.
TEST(Frame, OfPoints) {
    for (const double softening : {0.0, 40.0, 100.0}) {
        InputScan scan = empty_scan();
        const double far = 3.0 * (1 + world_rank()), side = 3.0 * world_size();
        set(scan.point_lower, scan.point_upper, {1.0, 2.0, -4.0}, {1.5, 2.0 + far, -3.5});
        set(scan.mass_lower, scan.mass_upper, {1.0, 2.0, -4.0}, {1.5, 3.0, -3.5});
        scan.mass = scan.largest_mass = scan.largest_point = 3.0;
        scan.largest_softening = softening;
        const Frame frame = agreed_frame(scan, true, {}, world_rank() == 0 ? 2 : 0);
        EXPECT_EQ((std::array{frame.origin[0], frame.origin[1], frame.origin[2]}), (std::array{1.0, 2.0, -4.0}));
        EXPECT_NEAR(frame.side, std::max(side, softening / 16.0), 2.6e-8);
        const double unit = std::exp2(std::ceil(std::log2(frame.side)));
        EXPECT_EQ(frame.unit, unit);
        EXPECT_EQ(frame.softening, softening / unit);
        EXPECT_DOUBLE_EQ(frame.extent, 1.0 / unit);
        EXPECT_EQ(frame.derivatives, 2);
        EXPECT_DOUBLE_EQ(frame.total_mass * frame.mass_unit, 3.0 * world_size());
    }
}

}  // namespace
}  // namespace gravlet::test
