// SPDX-License-Identifier: Apache-2.0
// A small mesh of blocks, and memory for it as hosts have it.
#pragma once

#include "tests/api/body_arrays.hpp"

#include <random>

namespace gravlet::test {

/// The blocks of one rank: [0, 1]^3 in 2^3 blocks of which the first is refined; every size()th is this rank's.
struct BlockMesh {
    std::array<int, 3> n;
    std::vector<std::array<double, 3>> lower, cell_size;
    std::vector<std::vector<double>> density;  // x fastest, without guards

    explicit BlockMesh(const std::array<int, 3>& cells) : n(cells) {
        std::mt19937_64 random(11);
        std::uniform_real_distribution<double> uniform;
        int count = 0;
        const auto add = [&](double x, double y, double z, double side) {
            std::vector<double> values(static_cast<std::size_t>(n[0] * n[1] * n[2]));
            for (double& value : values) value = uniform(random) < 0.1 ? 0.0 : uniform(random);
            if (count++ % world_size() != world_rank()) return;
            lower.push_back({x, y, z});
            cell_size.push_back({side / n[0], side / n[1], side / n[2]});
            density.push_back(values);
        };
        for (int b = 0; b < 8; ++b) {
            for (int c = 0; b == 0 && c < 8; ++c) add(0.25 * (c & 1), 0.25 * (c >> 1 & 1), 0.25 * (c >> 2), 0.25);
            if (b > 0) add(0.5 * (b & 1), 0.5 * (b >> 1 & 1), 0.5 * (b >> 2), 0.5);
        }
    }

    // visit(block, i, j, k, number in the block), x fastest
    template <class F>
    void for_each_cell(F visit) const {
        for (std::size_t b = 0; b < lower.size(); ++b) {
            std::size_t number = 0;
            for (int k = 0; k < n[2]; ++k) {
                for (int j = 0; j < n[1]; ++j) {
                    for (int i = 0; i < n[0]; ++i) visit(b, i, j, k, number++);
                }
            }
        }
    }

    [[nodiscard]] BodyArrays as_cells() const {
        BodyArrays cells;
        for_each_cell([&](std::size_t b, int i, int j, int k, std::size_t number) {
            const auto& h = cell_size[b];
            cells.add_cell(lower[b][0] + (i + 0.5) * h[0], lower[b][1] + (j + 0.5) * h[1], lower[b][2] + (k + 0.5) * h[2], h[0],
                           density[b][number] * h[0] * h[1] * h[2]);
            cells.dy.push_back(h[1]);
            cells.dz.push_back(h[2]);
        });
        return cells;
    }
};

inline constexpr double guard_value = -7.0;

/// Memory for the blocks of one rank: `variables` interleaved, fastest, as FLASH's unk; 0 density, 1 potential, 2 to 4
/// acceleration, 5 to 10 the tidal tensor (not asked for but by ask_for_tides()).
struct FlashArray {
    static constexpr int variables = 13;
    std::array<int, 3> padded;
    int guards;
    std::vector<double> data;

    FlashArray(const BlockMesh& mesh, int guard_width)
        : padded{mesh.n[0] + 2 * guard_width, mesh.n[1] + 2 * guard_width, mesh.n[2] + 2 * guard_width},
          guards(guard_width),
          data(mesh.lower.size() * block_size(), guard_value) {
        mesh.for_each_cell(
            [&](std::size_t b, int i, int j, int k, std::size_t number) { at(0, i, j, k, b) = mesh.density[b][number]; });
    }
    [[nodiscard]] std::size_t block_size() const {
        return static_cast<std::size_t>(variables * padded[0] * padded[1] * padded[2]);
    }
    [[nodiscard]] std::size_t offset(int variable, int i, int j, int k, std::size_t block) const {
        const int cell = i + guards + padded[0] * (j + guards + padded[1] * (k + guards));
        return block * block_size() + static_cast<std::size_t>(variable + variables * cell);
    }
    [[nodiscard]] double& at(int variable, int i, int j, int k, std::size_t block) {
        return data[offset(variable, i, j, k, block)];
    }
    [[nodiscard]] std::vector<Block> blocks(const BlockMesh& mesh) { return blocks(mesh, data.data()); }
    /// The same of a copy of `data`.
    [[nodiscard]] std::vector<Block> blocks(const BlockMesh& mesh, double* copy) const {
        std::vector<Block> out;
        const std::array<std::ptrdiff_t, 3> stride = {variables, variables * padded[0], variables * padded[0] * padded[1]};
        for (std::size_t b = 0; b < mesh.lower.size(); ++b) {
            const auto first = [&](int variable) { return copy + offset(variable, 0, 0, 0, b); };
            out.push_back({mesh.lower[b], mesh.cell_size[b], mesh.n, stride, first(0), first(1), {first(2), first(3), first(4)}});
        }
        return out;
    }
};

inline void ask_for_tides(std::vector<Block>& blocks) {
    for (Block& block : blocks)
        for (std::size_t k = 0; k < block.tidal.size(); ++k)
            block.tidal[k] = block.acceleration[2] + 1 + static_cast<std::ptrdiff_t>(k);
}

/// Blocks whose densities are in one array and whose results are in another.
inline std::vector<Block> between(std::vector<Block> densities, const std::vector<Block>& results) {
    for (std::size_t b = 0; b < densities.size(); ++b) {
        densities[b].potential = results[b].potential;
        densities[b].acceleration = results[b].acceleration;
        densities[b].result_stride = results[b].stride;
    }
    return densities;
}

}  // namespace gravlet::test
