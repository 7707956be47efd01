// SPDX-License-Identifier: Apache-2.0
#include "solver/direct/direct.hpp"

#include "mpi/ring.hpp"

#include <algorithm>
#include <cstddef>

namespace gravlet {

std::int64_t direct_sum(Stages& stages, const DirectTargets& targets, std::span<const DirectSource> sources,
                        const DirectKernel& kernel) {
    stages.local([&] {
        for (const auto& component : targets.sums) std::ranges::fill(component, 0.0);
    });
    const auto pack = [&](std::size_t begin, std::span<DirectSource> out) {
        std::ranges::copy(sources.subspan(begin, out.size()), out.begin());
    };
    std::int64_t left_out = 0;
    ring<DirectSource>(stages, sources.size(), pack, [&](std::span<const DirectSource> packet, const DirectKernel::Poll& poll) {
        left_out += kernel(targets, packet, poll);
    });
    return left_out;
}

}  // namespace gravlet
