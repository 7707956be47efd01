// SPDX-License-Identifier: Apache-2.0
// What the tests of arrays in a device's memory share.
#pragma once

#include "tests/api/memory.hpp"

#include <gravlet/options.hpp>

#include <vector>

namespace gravlet::test {

inline constexpr int invalid_input = static_cast<int>(ErrorCode::invalid_input);
const inline Options usual{.backend = Backend::gpu, .theta = 0.5, .softening = 1e-5};
/// A solver on the device for every rank.
const inline Options shared{.backend = Backend::gpu, .gpu_sharing = GpuSharing::share};
const inline Options redistributed{.backend = Backend::gpu, .gpu_sharing = GpuSharing::share, .redistribute = true};

inline std::vector<double> rounded(std::vector<double> values) {
    for (double& value : values) value = static_cast<float>(value);
    return values;
}

inline Result rounded(Result result) {
    result.potential = rounded(result.potential);
    for (std::vector<double>& component : result.acceleration) component = rounded(component);
    return result;
}

}  // namespace gravlet::test
