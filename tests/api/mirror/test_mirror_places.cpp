// SPDX-License-Identifier: Apache-2.0
// Cells, guard cells, faces and probes of blocks before planes of symmetry, with near cells as points and as cuboids: against a
// solve in which the images of all blocks are blocks.
#include "tests/api/agreed.hpp"
#include "tests/api/mirror/images.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <random>

namespace gravlet::test {
namespace {

constexpr int n = 4, guards = 2, across = n + 2 * guards, face_across = n + 1;
constexpr std::size_t cells_with_guards = across * across * across, faces = face_across * face_across * face_across;

struct Patch {
    std::array<double, 3> lower;
    double side;  ///< of a cell
    std::vector<double> density;
    std::vector<std::vector<double>> results = std::vector(4, std::vector<double>(cells_with_guards, 0.0)),
                                     at_faces = std::vector(3, std::vector<double>(faces, 0.0));
};

/// [0, 1]^3 in 2^3 blocks, of which one is refined; of all ranks.
std::vector<Patch> patches(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    std::vector<Patch> out;
    const auto add = [&](double x, double y, double z, double side) {
        Patch patch{{x, y, z}, side / n, std::vector<double>(n * n * n)};
        for (double& value : patch.density) value = uniform(random) + (x < 0.5 ? 3.0 : 0.0);
        out.push_back(patch);
    };
    const std::size_t refined = seed % 8;
    for (std::size_t b = 0; b < 8; ++b) {
        const double x = 0.5 * static_cast<double>(b & 1), y = 0.5 * static_cast<double>(b >> 1 & 1),
                     z = 0.5 * static_cast<double>(b >> 2);
        if (b != refined) add(x, y, z, 0.5);
        for (std::size_t c = 0; b == refined && c < 8; ++c)
            add(x + 0.25 * static_cast<double>(c & 1), y + 0.25 * static_cast<double>(c >> 1 & 1),
                z + 0.25 * static_cast<double>(c >> 2), 0.25);
    }
    return out;
}

/// All of them, and behind them their images.
std::vector<Patch> with_images(const Planes& planes, std::vector<Patch> all) {
    for (std::size_t d = 0; d < 3; ++d) {
        if (planes.of[d] == 0) continue;
        const std::vector<Patch> before = all;
        for (Patch image : before) {
            const std::vector<double> density = image.density;
            image.lower[d] = planes.mirrored(image.lower[d] + n * image.side, d);
            std::size_t at = 0;
            for (int k = 0; k < n; ++k)
                for (int j = 0; j < n; ++j)
                    for (int i = 0; i < n; ++i) {
                        std::array<int, 3> from{i, j, k};
                        from[d] = n - 1 - from[d];
                        image.density[at++] = density[static_cast<std::size_t>((from[2] * n + from[1]) * n + from[0])];
                    }
            all.push_back(image);
        }
    }
    return all;
}

std::vector<Block> blocks_of(std::vector<Patch>& patches) {
    std::vector<Block> out;
    constexpr std::size_t first = guards * (across * across + across + 1);
    for (Patch& patch : patches) {
        Block block{.lower = patch.lower, .cell_size = {patch.side, patch.side, patch.side}, .n = {n, n, n}};
        block.stride = {1, n, n * n};
        block.density = patch.density.data();
        block.result_stride = {1, across, across * across};
        block.result_guards = {guards, guards, guards};
        block.potential = patch.results[0].data() + first;
        for (std::size_t d = 0; d < 3; ++d) {
            block.acceleration[d] = patch.results[1 + d].data() + first;
            block.face_acceleration[d] = patch.at_faces[d].data();
            block.face_stride[d] = {1, face_across, face_across * face_across};
        }
        out.push_back(block);
    }
    return out;
}

std::vector<Patch> mine(const std::vector<Patch>& all) {
    std::vector<Patch> out;
    for (std::size_t b = 0; b < all.size(); ++b)
        if (static_cast<int>(b * static_cast<std::size_t>(world_size()) / all.size()) == world_rank()) out.push_back(all[b]);
    return out;
}

/// The largest difference of two arrays over the largest value.
double difference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        most = std::max(most, std::abs(a[i] - b[i]));
        largest = std::max(largest, std::abs(b[i]));
    }
    return most == 0.0 ? 0.0 : most / largest;
}

struct Solved {
    std::vector<Patch> patches;
    BodyArrays places;
    Result probes;
};

Solved solved(const Options& options, const std::vector<Patch>& patches, const BodyArrays& places) {
    Solved out{patches, places, Result(places.size())};
    Solver solver(MPI_COMM_WORLD, options);
    const std::vector<Block> blocks = blocks_of(out.patches);
    solver.solve(blocks, {out.places.x, out.places.y, out.places.z, out.probes.all_fields()});
    return out;
}

void expect_alike(const Planes& planes, const Options& options, std::uint64_t seed, double bound) {
    SCOPED_TRACE(to_string(planes.options(options)));
    const std::vector<Patch> all = patches(seed);
    const BodyArrays places = part_of(points_before(planes, seed, 50));
    const Solved got = solved(planes.options(options), mine(all), places);
    // Of the images this rank has some that are none of its blocks'.
    std::vector<Patch> here = mine(all), images = with_images(planes, all);
    images.erase(images.begin(), images.begin() + static_cast<std::ptrdiff_t>(all.size()));
    for (const Patch& image : mine(images)) here.push_back(image);
    const Solved expected = solved(options, here, places);
    const auto compare = [&](const std::vector<double>& a, const std::vector<double>& b, const char* what) {
        EXPECT_LE(difference(a, b), bound) << what;
    };
    for (std::size_t b = 0; b < got.patches.size(); ++b) {
        for (std::size_t k = 0; k < 4; ++k) compare(got.patches[b].results[k], expected.patches[b].results[k], "cells");
        for (std::size_t d = 0; d < 3; ++d) compare(got.patches[b].at_faces[d], expected.patches[b].at_faces[d], "faces");
    }
    compare(got.probes.potential, expected.probes.potential, "probes");
    for (std::size_t a = 0; a < 3; ++a) compare(got.probes.acceleration[a], expected.probes.acceleration[a], "probes");
    for (std::size_t k = 0; k < 6; ++k) compare(got.probes.tidal[k], expected.probes.tidal[k], "probes");
}

TEST(MirrorPlaces, AsWhereImagesAreBlocks) {
    const std::array<Planes, 4> all = {Planes{{-1, 0, 0}}, Planes{{0, 1, -1}}, Planes{{1, -1, 1}}, Planes{{0, 0, 1}}};
    for (const NearCells near : {NearCells::point, NearCells::cuboid})
        for (std::uint64_t seed = near == NearCells::point ? 3 : 1; seed <= 4; ++seed)
            expect_alike(all[seed % 4], {.gpu_sharing = GpuSharing::share, .theta = 0.25, .order = 4, .near_cells = near}, seed,
                         near == NearCells::point ? 3e-6 : 3e-5);
}

}  // namespace
}  // namespace gravlet::test
