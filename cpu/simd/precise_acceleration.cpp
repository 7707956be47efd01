// SPDX-License-Identifier: Apache-2.0
#define GRAVLET_DERIVATIVES 1
#include "cpu/simd/precise_nodes.inl"
