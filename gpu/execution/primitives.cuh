// SPDX-License-Identifier: Apache-2.0
// The primitives of solver/ on the GPU: CUB's, in the solver's stream and with its scratch memory.
#pragma once

#include "gpu/execution/levels.cuh"
#include "gpu/execution/loops.cuh"
#include "gpu/execution/reduce.cuh"
#include "gpu/execution/scan.cuh"
