// SPDX-License-Identifier: Apache-2.0
// The GPU backend, whole: primitives, memory and walk.
#pragma once

#include "gpu/messages.hpp"
#include "gpu/primitives.cuh"
#include "gpu/transfer.hpp"
#include "gpu/walk.hpp"
