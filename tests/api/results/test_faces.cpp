// SPDX-License-Identifier: Apache-2.0
// The acceleration at faces of cells is that of all cells as point masses, its divergence the density's; cells keep their bits,
// and nothing else is written.
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/api/results/bump_mesh.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace gravlet::test {
namespace {

constexpr double untouched = -7.0;

/// A rank's blocks, with potential and acceleration in cells, and at faces in arrays with a margin, or without: of the x-, y- and
/// z-faces one after another, those of each of (n + 1 + 2 margin)^3 elements.
struct Host {
    Mesh mesh;
    std::ptrdiff_t margin, across[3];
    std::vector<double> densities, faces;
    std::array<std::vector<double>, 4> results;

    Host(const Mesh& of, int around) : mesh(of), margin(around) {
        for (std::size_t d = 0; d < 3; ++d) across[d] = mesh.n[d] + 1 + 2 * margin;
        for (const Patch& patch : mesh.mine)
            for_cells(mesh.n, [&](int i, int j, int k) { densities.push_back(Mesh::density(Mesh::centre(patch, i, j, k))); });
        results.fill(std::vector<double>(densities.size(), untouched));
        faces.assign(3 * mesh.mine.size() * array_size(), untouched);
    }
    [[nodiscard]] std::size_t array_size() const { return static_cast<std::size_t>(across[0] * across[1] * across[2]); }
    [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(mesh.n[0] * mesh.n[1] * mesh.n[2]); }
    [[nodiscard]] std::size_t at(std::size_t block, std::size_t d, int i, int j, int k) const {
        const std::ptrdiff_t offset = i + margin + across[0] * (j + margin + across[1] * (k + margin));
        return (3 * block + d) * array_size() + static_cast<std::size_t>(offset);
    }
    [[nodiscard]] std::array<int, 3> extent(std::size_t d) const {
        std::array<int, 3> n = mesh.n;
        ++n[d];
        return n;
    }
    [[nodiscard]] std::vector<Block> blocks(bool with_faces = true) {
        std::vector<Block> out;
        const std::ptrdiff_t nx = mesh.n[0], ny = mesh.n[1];
        for (std::size_t b = 0; b < mesh.mine.size(); ++b) {
            Block block{.lower = mesh.mine[b].lower, .cell_size = mesh.mine[b].side, .n = mesh.n, .stride = {1, nx, nx * ny}};
            block.density = densities.data() + b * cells();
            block.potential = results[0].data() + b * cells();
            for (std::size_t d = 0; d < 3; ++d) {
                block.acceleration[d] = results[d + 1].data() + b * cells();
                if (!with_faces) continue;
                block.face_acceleration[d] = faces.data() + at(b, d, 0, 0, 0);
                block.face_stride[d] = {1, across[0], across[0] * across[1]};
            }
            out.push_back(block);
        }
        return out;
    }
    // visit(block, direction, i, j, k)
    template <class F>
    void for_each_face(F visit) const {
        for (std::size_t b = 0; b < mesh.mine.size(); ++b)
            for (std::size_t d = 0; d < 3; ++d) for_cells(extent(d), [&](int i, int j, int k) { visit(b, d, i, j, k); });
    }
    [[nodiscard]] Array3 face(std::size_t b, std::size_t d, int i, int j, int k) const {
        Array3 x = Mesh::centre(mesh.mine[b], i, j, k);
        x[d] -= 0.5 * mesh.mine[b].side[d];
        return x;
    }
    void expect_all_else_untouched() const {
        std::vector<double> others = faces;
        for_each_face([&](std::size_t b, std::size_t d, int i, int j, int k) {
            EXPECT_NE(faces[at(b, d, i, j, k)], untouched);
            others[at(b, d, i, j, k)] = untouched;
        });
        EXPECT_TRUE(std::ranges::all_of(others, [](double value) { return value == untouched; }));
    }
};

/// Solves with faces and without: cells have the same bits, and nothing but faces is written besides.
Host solve(const Mesh& mesh, const Options& options) {
    Solver solver(MPI_COMM_WORLD, options);
    Host without(mesh, 1), with(mesh, 1);
    solver.solve(without.blocks(false));
    solver.solve(with.blocks());
    with.expect_all_else_untouched();
    EXPECT_EQ(with.results, without.results);
    return with;
}

/// Accelerations at places: sums over all cells as point masses, in double, but for one that is there.
std::vector<Array3> naive(const Mesh& mesh, const std::vector<Array3>& places) {
    struct Mass {
        double x, y, z, mass;
    };
    std::vector<Mass> masses;
    for (const Patch& patch : mesh.all) {
        const double volume = patch.side[0] * patch.side[1] * patch.side[2];
        for_cells(mesh.n, [&](int i, int j, int k) {
            const Array3 c = Mesh::centre(patch, i, j, k);
            masses.push_back({c[0], c[1], c[2], Mesh::density(c) * volume});
        });
    }
    std::vector<Array3> sums;
    for (const Array3& at : places) {
        double sum[3] = {};
        for (const Mass& m : masses) {
            const double x = m.x - at[0], y = m.y - at[1], z = m.z - at[2], r2 = x * x + y * y + z * z,
                         factor = r2 > 0.0 ? m.mass / (r2 * std::sqrt(r2)) : 0.0;
            sum[0] += factor * x, sum[1] += factor * y, sum[2] += factor * z;
        }
        sums.push_back({sum[0], sum[1], sum[2]});
    }
    return sums;
}

/// Of cells and of faces: of one component each, relative to the vector there, or where there are periods to the rms of cells'.
struct FaceErrors {
    Spread cells, faces;

    void expect_like_the_interior(double of_p99, double of_max) const {
        constexpr double rounding = 3e-6;  // where that is next to nothing, as in test_guards.cpp
        EXPECT_LT(faces.p99, std::max(of_p99 * cells.p99, rounding));
        EXPECT_LT(faces.max, std::max(of_max * cells.max, rounding));
    }
};

/// `expected`: the acceleration at places, those of cells or faces.
template <class Expected>
FaceErrors errors_of(const Host& host, bool periodic, const Expected& expected) {
    std::vector<Array3> centres, faces;
    for (const Patch& patch : host.mesh.mine)
        for_cells(host.mesh.n, [&](int i, int j, int k) { centres.push_back(Mesh::centre(patch, i, j, k)); });
    host.for_each_face([&](std::size_t b, std::size_t d, int i, int j, int k) { faces.push_back(host.face(b, d, i, j, k)); });
    const std::vector<Array3> at_cells = expected(centres), at_faces = expected(faces);
    std::vector<double> cell_errors, face_errors;
    double squares[] = {0.0, static_cast<double>(at_cells.size())};
    for (const Array3& a : at_cells) squares[0] += a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    MPI_Allreduce(MPI_IN_PLACE, squares, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const auto norm = [&](const Array3& a) {
        return periodic ? std::sqrt(squares[0] / squares[1]) : std::hypot(a[0], a[1], a[2]);
    };
    for (std::size_t c = 0; c < at_cells.size(); ++c)
        for (std::size_t d = 0; d < 3; ++d)
            cell_errors.push_back(std::abs(host.results[d + 1][c] - at_cells[c][d]) / norm(at_cells[c]));
    std::size_t next = 0;
    host.for_each_face([&](std::size_t b, std::size_t d, int i, int j, int k) {
        const Array3& a = at_faces[next++];
        face_errors.push_back(std::abs(host.faces[host.at(b, d, i, j, k)] - a[d]) / norm(a));
    });
    const FaceErrors out{spread_of(cell_errors), spread_of(face_errors)};
    if (world_rank() == 0)
        std::printf("cells %.2e %.2e; faces %.2e %.2e\n", out.cells.p99, out.cells.max, out.faces.p99, out.faces.max);
    return out;
}

FaceErrors errors_of(const Host& host) {
    return errors_of(host, false, [&](const std::vector<Array3>& places) { return naive(host.mesh, places); });
}

TEST(Faces, RefinedMesh) {
    for (const double theta : {0.5, 0.8})
        errors_of(solve(refined_mesh({6, 6, 6}, 1), share({.theta = theta, .order = 2}))).expect_like_the_interior(1.5, 2.0);
}

TEST(Faces, Defaults) { errors_of(solve(refined_mesh({8, 8, 8}, 1), share({}))).expect_like_the_interior(1.5, 2.0); }

TEST(Faces, CellsNeedNotBeCubes) {
    errors_of(solve(refined_mesh({8, 4, 2}, 1), share({.theta = 0.5, .order = 4}))).expect_like_the_interior(1.5, 2.0);
}

void expect_periodic(const Mesh& mesh, Options options, const std::array<Boundary, 3>& boundary, const Box& domain) {
    options.boundary = boundary;
    options.domain = domain;
    const Host host = solve(mesh, options);
    options.theta = 0.0;
    Solver direct(MPI_COMM_WORLD, options);
    const FaceErrors errors = errors_of(host, true, [&](const std::vector<Array3>& places) {
        BodyArrays targets;
        for (const Array3& x : places) {
            Array3 in = x;
            for (std::size_t d = 0; d < 3; ++d)
                if (boundary[d] == Boundary::periodic && in[d] > domain.upper[d] - 1e-9) in[d] = domain.lower[d];
            for (std::size_t d = 0; d < 3; ++d) in[d] = std::clamp(in[d], domain.lower[d], domain.upper[d]);
            targets.add_point(in[0], in[1], in[2], 0.0);
        }
        Host sources(mesh, 0);
        Result results(places.size());
        direct.solve(sources.blocks(false), targets.points(), results.fields());
        std::vector<Array3> sums;
        for (std::size_t t = 0; t < places.size(); ++t)
            sums.push_back({results.acceleration[0][t], results.acceleration[1][t], results.acceleration[2][t]});
        return sums;
    });
    // So small a mesh is all but a direct sum for groups of cells, not for those of faces.
    EXPECT_LT(errors.faces.p99, 6e-6);
    EXPECT_LT(errors.faces.max, 1.5e-5);
}

// Faces on a boundary, periodic or not, are not beyond it.
TEST(Faces, Periodic) {
    const Options options = share({.theta = 0.5, .order = 2});
    constexpr Boundary periodic = Boundary::periodic, isolated = Boundary::isolated;
    expect_periodic(refined_mesh({4, 4, 4}, 1), options, {periodic, periodic, periodic}, {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}});
    expect_periodic(refined_mesh({4, 4, 4}, 1), options, {periodic, isolated, periodic}, {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}});
}

// Where coordinates are rounded: on one rank each face is still solved for once.
TEST(Faces, OfTwoBlocks) {
    const Array3 origin{0.1, -0.7, 0.3};
    const Mesh mesh = refined_mesh({5, 5, 5}, 0, origin, 1.0 / 3.0);
    for (const Boundary boundary : {Boundary::isolated, Boundary::periodic}) {
        Options options = share({});
        options.boundary.fill(boundary);
        if (boundary == Boundary::periodic)
            options.domain = Box{{0.1, -0.7, 0.3}, {0.1 + 1.0 / 3.0, -0.7 + 1.0 / 3.0, 0.3 + 1.0 / 3.0}};
        Host host(mesh, 0);
        Solver solver(MPI_COMM_WORLD, options);
        solver.solve(host.blocks());
        if (world_size() > 1) continue;
        const int along = boundary == Boundary::periodic ? 10 : 11;
        EXPECT_EQ(solver.report().targets, 1000 + 3 * 100 * along);
        for (std::size_t d = 0; d < 3; ++d) {  // from block 0 to the next one
            Array3 last{}, first{};
            last[d] = 5;
            const auto value = [&](std::size_t b, const Array3& x) {
                return host.faces[host.at(b, d, static_cast<int>(x[0]), static_cast<int>(x[1]), static_cast<int>(x[2]))];
            };
            EXPECT_EQ(value(0, last), value(std::size_t{1} << d, first));
        }
    }
}

// What a host with face-centred fields differences: Gauss's law, as the Laplacian of the potential has it.
TEST(Faces, DivergenceIsTheDensity) {
    const int n = 16;
    const Mesh mesh = refined_mesh({n, n, n}, 0);
    const Host host = solve(mesh, share({}));
    const double h = 0.5 / n;
    std::vector<double> errors;
    for (std::size_t b = 0; b < mesh.mine.size(); ++b)
        for_cells(mesh.n, [&](int i, int j, int k) {
            const Array3 x = Mesh::centre(mesh.mine[b], i, j, k);
            for (const double at : x)
                if (at < h || at > 1.0 - h) return;  // the density ends
            double divergence = 0.0;
            for (std::size_t d = 0; d < 3; ++d)
                divergence +=
                    (host.faces[host.at(b, d, i + (d == 0), j + (d == 1), k + (d == 2))] - host.faces[host.at(b, d, i, j, k)]) /
                    h;
            errors.push_back(std::abs(divergence / (-4.0 * M_PI * Mesh::density(x)) - 1.0));
        });
    const Spread spread = spread_of(errors);
    if (world_rank() == 0) std::printf("divergence %.3e %.3e\n", spread.p99, spread.max);
    EXPECT_LT(spread.p99, 2e-2);
    EXPECT_LT(spread.max, 2.5e-2);
}

// Faces alone, of one direction, in dense arrays, and of some blocks.
TEST(Faces, Alone) {
    const Mesh mesh = refined_mesh({4, 3, 2}, 1);
    const Options options = share({.theta = 0.5, .order = 2});
    Solver solver(MPI_COMM_WORLD, options);
    Host all(mesh, 0), some(mesh, 0);
    solver.solve(all.blocks());
    std::vector<Block> blocks = some.blocks();
    std::vector<std::vector<double>> dense;
    for (Block& block : blocks) {
        dense.emplace_back(4 * 4 * 2, untouched);
        block.potential = nullptr;
        block.acceleration = {};
        block.face_acceleration = {nullptr, dense.back().data(), nullptr};
        block.face_stride = {};
    }
    if (!blocks.empty()) blocks.front().active = false;
    solver.solve(blocks);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        std::size_t number = 0;
        for_cells({4, 4, 2}, [&](int i, int j, int k) {
            const double got = dense[b][number++], expected = all.faces[all.at(b, 1, i, j, k)];
            if (b == 0)
                EXPECT_EQ(got, untouched);
            else
                EXPECT_NEAR(got, expected, 4e-6);
        });
    }
    for (const auto& result : some.results) EXPECT_TRUE(std::ranges::all_of(result, [](double v) { return v == untouched; }));
}

/// What is wrong with faces of the last rank's second block, and results are untouched.
void expect_refused(const Options& options, ErrorCode code, const std::string& text,
                    const std::function<void(std::vector<Block>&)>& spoil) {
    Host host(refined_mesh({4, 4, 4}, 1), 1);
    expect_blocks_refused(host.blocks(), options, code, text, spoil);
    EXPECT_TRUE(std::ranges::all_of(host.faces, [](double value) { return value == untouched; }));
}

TEST(Faces, Refused) {
    constexpr ErrorCode invalid = ErrorCode::invalid_input, missing = ErrorCode::not_available;
    const auto stride = [](Stride s) { return [s](std::vector<Block>& blocks) { blocks[1].face_stride[2] = s; }; };
    const Options options = share({});
    expect_refused(options, invalid,
                   "block 1: face_stride[2] (1, 4, 0) puts the results of several in one place of its 4 x 4 x 5 faces",
                   stride({1, 4, 0}));
    expect_refused(options, invalid,
                   "block 1: face_stride[2] (1, 4, 4611686018427387904) reaches beyond any memory with 4 x 4 x 5 faces",
                   stride({1, 4, std::ptrdiff_t{1} << 62}));
    expect_refused(options, invalid, "block 1: face_acceleration[0] and face_acceleration[1] are in the same memory",
                   [](std::vector<Block>& blocks) { blocks[1].face_acceleration[1] = blocks[1].face_acceleration[0]; });
    expect_refused(options, invalid, "block 1: potential and face_acceleration[2] are in the same memory",
                   [](std::vector<Block>& blocks) { blocks[1].face_acceleration[2] = blocks[1].potential; });
    const auto none = [](std::vector<Block>&) {};
    expect_refused(share({.theta = 0.0}), missing, "block 0: no face_acceleration with theta 0", none);
    if (world_size() > 1)
        expect_refused(share({.redistribute = true}), missing, "block 0: no face_acceleration with redistribute", none);
}

}  // namespace
}  // namespace gravlet::test
