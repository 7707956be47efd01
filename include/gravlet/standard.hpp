// SPDX-License-Identifier: Apache-2.0
// What each C++ header of gravlet includes first: said in words, where a compiler would speak of the first thing that it does not
// know. C++ hosts of an older standard take gravlet.h.
#pragma once

#if __cplusplus < 202002L
#error \
    "gravlet's C++ headers need C++20: compile with -std=c++20, or link gravlet::gravlet by CMake; older C++ takes <gravlet/gravlet.h>"
#endif
