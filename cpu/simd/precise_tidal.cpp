// SPDX-License-Identifier: Apache-2.0
#define GRAVLET_DERIVATIVES 2
#include "cpu/simd/precise_nodes.inl"
