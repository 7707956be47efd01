// SPDX-License-Identifier: Apache-2.0
// The direct sum in double precision on the device.
#pragma once

#include "gpu/execution/context.hpp"
#include "solver/direct/direct.hpp"

namespace gravlet {

/// The period's table is in the device's memory.
DirectKernel gpu_direct_kernel(GpuContext& context, const DirectLaw& law);

}  // namespace gravlet
