// SPDX-License-Identifier: Apache-2.0
// The CPU backend, whole: primitives, memory and walk.
#pragma once

#include "cpu/execution.hpp"
#include "cpu/fft.hpp"
#include "cpu/host_arrays.hpp"
#include "cpu/precise_walk.hpp"
#include "cpu/walk.hpp"
#include "solver/execution.hpp"

namespace gravlet {

static_assert(Execution<Cpu>);

}  // namespace gravlet
