// SPDX-License-Identifier: Apache-2.0
// The instruction sets that kernels are compiled for, before Highway is included: AVX-512 (AVX3), AVX2 and the baseline. Better
// x86 targets have lower bits, and bring nothing here.
#pragma once

#ifdef GRAVLET_WITHOUT_AVX512  // cpu/CMakeLists.txt
#define HWY_DISABLED_TARGETS ((HWY_AVX2 - 1) | HWY_SSE4 | HWY_SSSE3)
#else
#define HWY_DISABLED_TARGETS ((HWY_AVX3 - 1) | HWY_SSE4 | HWY_SSSE3)
#endif
