// SPDX-License-Identifier: Apache-2.0
// The CPU backend, whole: primitives and walk.
#pragma once

#include "cpu/execution.hpp"
#include "cpu/walk.hpp"
