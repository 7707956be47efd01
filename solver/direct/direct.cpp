// SPDX-License-Identifier: Apache-2.0
#include "solver/direct/direct.hpp"

#include "mpi/ring.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace gravlet {

std::int64_t direct_sum(Stages& stages, const DirectArrays& targets, const DirectArrays& sources, std::span<double> potential,
                        const std::array<std::span<double>, 3>& acceleration, const DirectKernel& kernel) {
    std::vector<std::size_t> massive;
    stages.local([&] {
        std::ranges::fill(potential, 0.0);
        for (const auto& component : acceleration) std::ranges::fill(component, 0.0);
        for (std::size_t i = 0; i < sources.x.size(); ++i) {
            if (sources.mass[i] != 0.0) massive.push_back(i);
        }
    });
    const auto pack = [&](std::size_t begin, std::span<DirectSource> out) {
        for (std::size_t k = 0; k < out.size(); ++k) {
            const std::size_t i = massive[begin + k];
            const double softening = sources.softening.empty() ? 0.0 : sources.softening[i];
            out[k] = {sources.x[i], sources.y[i], sources.z[i], sources.mass[i], softening, sources.id[i]};
        }
    };
    const DirectTargets all{targets.x, targets.y, targets.z, targets.softening, targets.id, potential, acceleration};
    std::int64_t left_out = 0;
    ring<DirectSource>(stages, massive.size(), pack,
                       [&](std::span<const DirectSource> packet) { left_out += kernel(all, packet); });
    return left_out;
}

}  // namespace gravlet
