// SPDX-License-Identifier: Apache-2.0
// A smooth bump on blocks, some of them refined, and errors on it: for results elsewhere than in cells.
#pragma once

#include "physics/types.hpp"
#include "tests/api/agreed.hpp"
#include "tests/api/body_arrays.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace gravlet::test {

struct Patch {
    Array3 lower, side;  // of a block, of a cell
};

/// Blocks that all ranks know; every size()th is this rank's.
struct Mesh {
    std::array<int, 3> n;
    std::vector<Patch> all, mine;

    void add(const Array3& lower, const Array3& width) {
        const Patch patch{lower, {width[0] / n[0], width[1] / n[1], width[2] / n[2]}};
        if (static_cast<int>(all.size()) % world_size() == world_rank()) mine.push_back(patch);
        all.push_back(patch);
    }

    [[nodiscard]] static Array3 centre(const Patch& patch, int i, int j, int k) {
        return {patch.lower[0] + (i + 0.5) * patch.side[0], patch.lower[1] + (j + 0.5) * patch.side[1],
                patch.lower[2] + (k + 0.5) * patch.side[2]};
    }
    [[nodiscard]] static double density(const Array3& x) {
        return 0.1 + std::exp(-20.0 * (std::pow(x[0] - 0.4, 2) + std::pow(x[1] - 0.45, 2) + std::pow(x[2] - 0.6, 2)));
    }

    /// The sides and mass of the cell that has its centre there, if one has.
    [[nodiscard]] std::optional<std::pair<Array3, double>> cell_at(const Array3& x) const {
        for (const Patch& patch : all) {
            bool here = true;
            for (std::size_t d = 0; d < 3; ++d) {
                const double place = (x[d] - patch.lower[d]) / patch.side[d] - 0.5, nearest = std::round(place);
                here = here && std::abs(place - nearest) < 1e-6 && nearest > -0.5 && nearest < n[d] - 0.5;
            }
            const auto& h = patch.side;
            if (here) return std::pair{h, density(x) * h[0] * h[1] * h[2]};
        }
        return std::nullopt;
    }
};

/// [0, 1]^3 in 2^3 blocks, of which the first is refined; and that again, so many times.
inline Mesh refined_mesh(const std::array<int, 3>& n, int times, const Array3& origin = {0.0, 0.0, 0.0}, double width = 1.0) {
    Mesh mesh{n, {}, {}};
    const auto add = [&](int b, double side) {
        mesh.add({origin[0] + (b & 1) * side, origin[1] + (b >> 1 & 1) * side, origin[2] + (b >> 2) * side}, {side, side, side});
    };
    double side = 0.5 * width;
    for (int level = 0; level < times; ++level, side *= 0.5)
        for (int b = 1; b < 8; ++b) add(b, side);
    for (int b = 0; b < 8; ++b) add(b, side);
    return mesh;
}

inline Mesh uniform_mesh(int n, int blocks, const Array3& origin = {0.0, 0.0, 0.0}, double width = 1.0) {
    Mesh mesh{{n, n, n}, {}, {}};
    const double side = width / blocks;
    for (int b = 0; b < blocks * blocks * blocks; ++b)
        mesh.add({origin[0] + b % blocks * side, origin[1] + b / blocks % blocks * side, origin[2] + b / blocks / blocks * side},
                 {side, side, side});
    return mesh;
}

// visit(i, j, k): x fastest
template <class F>
void for_cells(const std::array<int, 3>& n, F visit) {
    for (int k = 0; k < n[2]; ++k)
        for (int j = 0; j < n[1]; ++j)
            for (int i = 0; i < n[0]; ++i) visit(i, j, k);
}

/// Largest error and that of 99%, over all ranks.
struct Spread {
    double max = 0.0, p99 = 0.0;
};

inline Spread spread_of(const std::vector<double>& errors) {
    int count = static_cast<int>(errors.size());
    std::vector<int> counts(static_cast<std::size_t>(world_size())), begin(counts.size() + 1, 0);
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (std::size_t r = 0; r < counts.size(); ++r) begin[r + 1] = begin[r] + counts[r];
    std::vector<double> all(static_cast<std::size_t>(begin.back()));
    MPI_Allgatherv(errors.data(), count, MPI_DOUBLE, all.data(), counts.data(), begin.data(), MPI_DOUBLE, MPI_COMM_WORLD);
    std::ranges::sort(all);
    return {all.back(), all[all.size() * 99 / 100]};
}

inline Options share(Options options) {
    options.gpu_sharing = GpuSharing::share;
    options.uniform_mesh = UniformMesh::tree;  // of a convolution all errors are rounding, and bits hang on guard cells
    return options;
}

/// All ranks get this error for what is wrong with the last one's blocks.
inline void expect_blocks_refused(std::vector<Block> blocks, const Options& options, ErrorCode code, const std::string& text,
                                  const std::function<void(std::vector<Block>&)>& spoil) {
    if (world_rank() == world_size() - 1) spoil(blocks);
    Solver solver(MPI_COMM_WORLD, options);
    const Caught caught = agreed([&] { solver.solve(blocks); });
    EXPECT_EQ(caught.code, static_cast<int>(code));
    EXPECT_TRUE(caught.names(text)) << caught.message;
}

}  // namespace gravlet::test
