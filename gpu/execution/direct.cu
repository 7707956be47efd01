// SPDX-License-Identifier: Apache-2.0
// A block sums part of the sources for a few targets: each source that is read serves all of these, and the parts are as many as
// fill the device even for a sample of some hundred targets. Sums of threads and parts are added in a fixed order.
#include "gpu/execution/buffer.hpp"
#include "gpu/execution/direct.hpp"
#include "gpu/execution/pinned_copies.hpp"
#include "physics/path_size.hpp"
#include "solver/direct/periodic_pair.hpp"

#include <cub/block/block_reduce.cuh>

#include <algorithm>
#include <memory>

namespace gravlet {
namespace {

constexpr int threads = 256, targets_together = 4;
constexpr std::size_t blocks_that_fill = 1024, least_part = path_size(4096, 64);

struct Target {
    double x, y, z, softening;
    std::int64_t id;
};

struct Add {
    template <int D>
    __device__ DirectSum<D> operator()(const DirectSum<D>& a, const DirectSum<D>& b) const {
        DirectSum<D> sum = a;
        unrolled<component_count(D)>([&](auto k) { sum.of.term[k] += b.of.term[k]; });
        sum.left_out += b.left_out;
        return sum;
    }
};

template <bool Periodic, SofteningKernel kernel, int D>
__global__ void __launch_bounds__(threads)
    direct_kernel(const Target* targets, std::size_t target_count, const DirectSource* sources, std::size_t source_count,
                  const __grid_constant__ DirectLaw law, DirectSum<D>* sums) {
    using Reduce = cub::BlockReduce<DirectSum<D>, threads>;
    __shared__ typename Reduce::TempStorage storage;
    const std::size_t first = std::size_t{blockIdx.x} * targets_together;
    Target t[targets_together];
    DirectSum<D> sum[targets_together];
    for (int k = 0; k < targets_together; ++k) t[k] = targets[first + k < target_count ? first + k : target_count - 1];
    const std::size_t part = (source_count + gridDim.y - 1) / gridDim.y, begin = part * blockIdx.y,
                      end = begin + part < source_count ? begin + part : source_count;
    for (std::size_t s = begin + threadIdx.x; s < end; s += threads) {
        const DirectSource source = sources[s];
#pragma unroll
        for (int k = 0; k < targets_together; ++k) {
            const double softening = fmax(source.softening, t[k].softening);
            if constexpr (Periodic) {
                add_periodic_pair(law, t[k], source, softening, source.id == t[k].id, sum[k]);
                continue;
            }
            const double x = source.x - t[k].x, y = source.y - t[k].y, z = source.z - t[k].z;
            const double r2 = x * x + y * y + z * z;
            if (source.id == t[k].id) continue;
            if (at_one_place(r2, softening)) {
                ++sum[k].left_out;
                continue;
            }
            add_softened(sum[k].of, -x, -y, -z, source.mass, pair_law(r2, softening, kernel));
        }
    }
    for (int k = 0; k < targets_together; ++k) {
        const DirectSum<D> total = Reduce(storage).Reduce(sum[k], Add());
        if (threadIdx.x == 0 && first + k < target_count) sums[blockIdx.y * target_count + first + k] = total;
        __syncthreads();
    }
}

/// Arrays and launches of a direct sum with so many derivatives at most.
template <int D>
class DirectWork {
public:
    DirectWork(GpuContext& context, const DirectLaw& law)
        : context_(context), law_(law), targets_(context), sources_(context), sums_(context) {}

    std::int64_t add(const DirectTargets& targets, std::span<const DirectSource> sources) {
        const std::size_t n = targets.x.size();
        if (n == 0) return 0;
        if (host_targets_.empty()) {  // the same for every packet
            for (std::size_t i = 0; i < n; ++i)
                host_targets_.push_back({targets.x[i], targets.y[i], targets.z[i],
                                         targets.softening.empty() ? 0.0 : targets.softening[i], targets.id[i]});
            targets_.resize_discard(n);
            copy(targets_.data(), host_targets_.data(), n, cudaMemcpyHostToDevice);
        }
        const DirectSource* here = sources.data();
        if (memory_of(here, context_.device()) != Memory::device) {
            sources_.resize_discard(sources.size());
            copy(sources_.data(), here, sources.size(), cudaMemcpyHostToDevice);
            here = sources_.data();
        }
        const std::size_t blocks = (n + targets_together - 1) / targets_together,
                          parts = std::clamp(std::min(blocks_that_fill / blocks, sources.size() / least_part), std::size_t{1},
                                             std::size_t{64});
        sums_.resize_discard(parts * n);
        host_sums_.resize(parts * n);
        const auto kernel = law_.correction.polynomials != nullptr       ? direct_kernel<true, SofteningKernel::plummer, D>
                            : law_.softening == SofteningKernel::plummer ? direct_kernel<false, SofteningKernel::plummer, D>
                                                                         : direct_kernel<false, SofteningKernel::spline, D>;
        kernel<<<dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(parts)), threads, 0, context_.stream()>>>(
            targets_.data(), n, here, sources.size(), law_, sums_.data());
        cuda_check(cudaGetLastError(), "the direct sum");
        copy(host_sums_.data(), sums_.data(), parts * n, cudaMemcpyDeviceToHost);
        std::int64_t left_out = 0;
        for (std::size_t i = 0; i < parts * n; ++i) {
            const DirectSum<D>& sum = host_sums_[i];
            sum.add_to(targets, i % n);
            left_out += sum.left_out;
        }
        return left_out;
    }

private:
    template <class T>
    void copy(T* to, const T* from, std::size_t n, cudaMemcpyKind kind) {
        cuda_check(cudaMemcpyAsync(to, from, n * sizeof(T), kind, context_.stream()), "cudaMemcpyAsync");
        context_.synchronize();
    }

    GpuContext& context_;
    DirectLaw law_;
    DeviceBuffer<Target> targets_;
    DeviceBuffer<DirectSource> sources_;
    DeviceBuffer<DirectSum<D>> sums_;
    std::vector<Target> host_targets_;
    std::vector<DirectSum<D>> host_sums_;
};

}  // namespace

DirectKernel gpu_direct_kernel(GpuContext& context, const DirectLaw& law) {
    const auto field = std::make_shared<DirectWork<1>>(context, law);
    const auto tide = std::make_shared<DirectWork<2>>(context, law);
    return {[=](const DirectTargets& targets, std::span<const DirectSource> sources, const DirectKernel::Poll&) {
        return targets.derivatives() > 1 ? tide->add(targets, sources) : field->add(targets, sources);
    }};
}

}  // namespace gravlet
