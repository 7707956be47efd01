// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/direct/direct.hpp"

namespace gravlet {

/// The direct sum on the CPU. The law's table must outlive it.
DirectKernel cpu_direct_kernel(int threads, const DirectLaw& law = {});

}  // namespace gravlet
