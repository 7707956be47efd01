// SPDX-License-Identifier: Apache-2.0
// The GPU backend, whole: primitives, memory and walk.
#pragma once

#include "gpu/execution/fft.hpp"
#include "gpu/execution/messages.hpp"
#include "gpu/execution/primitives.cuh"
#include "gpu/transfer/transfer.hpp"
#include "gpu/walk/walk.hpp"
#include "solver/execution.hpp"

namespace gravlet {

static_assert(Execution<Gpu>);

}  // namespace gravlet
