// SPDX-License-Identifier: Apache-2.0
#include "gpu/transfer/block_copies.hpp"

#include "gpu/execution/loops.cuh"
#include "solver/input/input.hpp"

namespace gravlet {
namespace {

struct FetchDensity {
    BlockList of;
    double* to;

    GRAVLET_HD void operator()(std::size_t i) const {
        const BlockCell cell = of.block_cell(i);
        const Block& block = of.blocks[cell.block];
        to[i] = block.density[BlockList::offset(block.stride, cell)];
    }
};

struct StoreResult {
    BlockList of;
    std::size_t component;
    const double* from;

    GRAVLET_HD void operator()(std::size_t i) const {
        const BlockCell cell = of.block_cell(i);
        const Block& block = of.blocks[cell.block];
        const std::ptrdiff_t at = BlockList::offset(result_stride(block), cell);
        for_results(block, [&](const ResultPointer& to, std::size_t k) {
            if (k == component && block.active && to != nullptr) to.set(at, from[i]);
        });
    }
};

}  // namespace

BlockCopies::BlockCopies(int device, int threads)
    : machine_(device, threads),
      gpu_(machine_.exec()),
      copies_(*gpu_.context, threads),
      blocks_(*gpu_.context),
      block_begin_(*gpu_.context),
      dense_(*gpu_.context) {}

void BlockCopies::describe(const Input& input) {
    const Gpu::Scope scope(gpu_);
    const std::size_t n = input.block_count;
    blocks_.resize_discard(n);
    block_begin_.resize_discard(n + 1);
    dense_.resize_discard(input.cell_count);
    copies_.reserve(input.cell_count);
    copy_in(gpu_, input.blocks, blocks_.data(), n);
    copy_in(gpu_, input.block_begin, block_begin_.data(), n + 1);
    there_ = {blocks_.data(), n, block_begin_.data(), input.cells_per_block};
    gpu_.synchronize();
}

void BlockCopies::fetch_densities(double* to) {
    const Gpu::Scope scope(gpu_);
    for_each(gpu_, dense_.size(), FetchDensity{there_, dense_.data()});
    copies_.download(dense_.data(), ResultPointer(to), dense_.size());
    gpu_.synchronize();
}

void BlockCopies::store_results(std::size_t k, const double* from) {
    const Gpu::Scope scope(gpu_);
    copies_.upload(ResultPointer(dense_.data()), InputPointer(from), dense_.size());
    for_each(gpu_, dense_.size(), StoreResult{there_, k, dense_.data()});
    gpu_.synchronize();
}

}  // namespace gravlet
