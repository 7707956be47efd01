// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "physics/types.hpp"

namespace gravlet {

#ifdef GRAVLET_SMALL_PATHS
inline constexpr bool small_paths = true;
#else
inline constexpr bool small_paths = false;
#endif

/// A number of things from which on a solve goes another way. Built with GRAVLET_SMALL_PATHS, as the presets for debugging and
/// sanitizers are, it is so small that tests of some hundred bodies go all ways.
template <class T>
GRAVLET_HD constexpr T path_size(T size, T small) {
    return small_paths ? small : size;
}

}  // namespace gravlet
