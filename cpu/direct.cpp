// SPDX-License-Identifier: Apache-2.0
#include "cpu/direct.hpp"

#include "cpu/simd/direct_kernel.hpp"
#include "cpu/turns.hpp"
#include "solver/direct/periodic_pair.hpp"

#include <algorithm>
#include <cstddef>

namespace gravlet {
namespace {

constexpr std::size_t fewest_targets = 16, most_targets = 64;  // that a thread takes at once

/// The correction is most of the work, a gather from a table: plain loops are as good as vectors.
template <int D>
std::int64_t periodic_kernel(const DirectTargets& targets, std::span<const DirectSource> sources, const DirectLaw& law) {
    std::int64_t left_out = 0;
    for (std::size_t i = 0; i < targets.x.size(); ++i) {
        const double own = targets.softening.empty() ? 0.0 : targets.softening[i];
        DirectSum<D> sum;
        for (const DirectSource& s : sources)
            add_periodic_pair(law, Vector3{targets.x[i], targets.y[i], targets.z[i]}, s, std::max(own, s.softening),
                              s.id == targets.id[i], sum);
        sum.add_to(targets, i);
        left_out += sum.left_out;
    }
    return left_out;
}

template <class T>
std::span<T> part(std::span<T> all, std::size_t begin, std::size_t n) {
    return all.empty() ? all : all.subspan(begin, n);
}

}  // namespace

DirectKernel cpu_direct_kernel(int threads, const DirectLaw& law) {
    return {[threads, law](const DirectTargets& targets, std::span<const DirectSource> sources, const DirectKernel::Poll& poll) {
        const std::size_t n = targets.x.size();
        const std::size_t target_chunk = std::clamp(n / (4 * static_cast<std::size_t>(threads)), fewest_targets, most_targets),
                          chunks = (n + target_chunk - 1) / target_chunk;
        std::int64_t all_left_out = 0;
        std::size_t last = 0;  // the calling thread's
        const auto sum = [&](std::size_t chunk, std::int64_t& left_out) {
            const std::size_t begin = chunk * target_chunk, size = std::min(target_chunk, n - begin);
            const auto of = [&](auto all) { return part(all, begin, size); };
            DirectTargets some{of(targets.x), of(targets.y), of(targets.z), of(targets.softening), of(targets.id), {}};
            for (std::size_t k = 0; k < result_count; ++k) some.sums[k] = of(targets.sums[k]);
            left_out += law.correction.polynomials == nullptr ? direct_kernel(some, sources, law.softening)
                        : some.derivatives() > 1              ? periodic_kernel<2>(some, sources, law)
                                                              : periodic_kernel<1>(some, sources, law);
            if (omp_get_thread_num() == 0) last = chunk;
        };
        std::function<void()> tell;
        if (poll) tell = [&] { poll(static_cast<double>(last + 1) / static_cast<double>(chunks)); };
        take_turns(
            threads, chunks, 1, [] { return std::int64_t{0}; }, sum, [&](std::int64_t mine) { all_left_out += mine; }, tell);
        return all_left_out;
    }};
}

}  // namespace gravlet
