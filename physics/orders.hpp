// SPDX-License-Identifier: Apache-2.0
// The orders of multipole moments that code is made for: a further one is a number here. with_order() and with_full_order() find
// them, gpu/CMakeLists.txt makes kernels of each, and scripts/generate says the highest in documents.
#pragma once

#include <array>

namespace gravlet {

/// Orders of moments in single precision (physics/multipole.hpp). Orders 0 and 1 are the same about a centre of mass.
inline constexpr std::array orders = {0, 2, 3, 4};
/// Orders of moments in double (physics/precise/full_moments.hpp): even ones.
inline constexpr std::array full_orders = {2, 4, 6, 8, 10};

inline constexpr int max_order = orders.back();
inline constexpr int max_full_order = full_orders.back();

}  // namespace gravlet
