// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/bench_grid.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

namespace gravlet::bench {
namespace {

// Every third bit of a Morton code.
int deinterleave(std::uint64_t code, int bits) {
    int value = 0;
    for (int bit = 0; bit < bits; ++bit) value |= static_cast<int>(code >> (3 * bit) & 1U) << bit;
    return value;
}

double density_at(const Array3& p) {
    const double x = p[0] - 0.5, y = p[1] - 0.4, z = p[2] - 0.6;
    return 0.1 + std::exp(-20.0 * (x * x + y * y + z * z));
}

void fill(BlockSet& blocks) {
    const std::size_t cells = blocks.cells_per_block(), count = blocks.size();
    blocks.density.resize(blocks.cell_count());
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < count; ++b)
        for (std::size_t i = 0; i < cells; ++i) blocks.density[b * cells + i] = density_at(blocks.cell_centre(b, i));
}

}  // namespace

BlockSet make_grid(int rank, int ranks, int cells, int block) {
    BlockSet blocks;
    blocks.n = {block, block, block};
    const int side = cells / blocks.n[0];
    const auto all = static_cast<std::uint64_t>(side) * static_cast<std::uint64_t>(side) * static_cast<std::uint64_t>(side);
    const auto me = static_cast<std::uint64_t>(rank), everyone = static_cast<std::uint64_t>(ranks);
    const std::uint64_t first = all * me / everyone, last = all * (me + 1) / everyone;
    const auto bits = static_cast<int>(std::bit_width(static_cast<unsigned>(side - 1)));
    // The curve fills the next power of two; what is outside the box is passed over.
    std::uint64_t index = 0;
    for (std::uint64_t code = 0; index < last; ++code) {
        const int i = deinterleave(code, bits), j = deinterleave(code >> 1, bits), k = deinterleave(code >> 2, bits);
        if (i >= side || j >= side || k >= side) continue;
        if (index++ < first) continue;
        blocks.lower.push_back({static_cast<double>(i) / side, static_cast<double>(j) / side, static_cast<double>(k) / side});
        blocks.upper.push_back(
            {static_cast<double>(i + 1) / side, static_cast<double>(j + 1) / side, static_cast<double>(k + 1) / side});
        blocks.level.push_back(bits + 1);
    }
    fill(blocks);
    return blocks;
}

}  // namespace gravlet::bench
