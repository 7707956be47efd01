// SPDX-License-Identifier: Apache-2.0
// How many components the potential and its derivatives have (physics/fields.hpp). Apart from all else about fields, as kernels
// include it.
#pragma once

#include "physics/types.hpp"

#include <cstddef>

namespace gravlet {

/// Most derivatives of the potential in a solve.
inline constexpr int max_derivatives = 2;

/// Components of the fields with up to so many derivatives.
GRAVLET_HD constexpr std::size_t component_count(int derivatives) {
    return static_cast<std::size_t>((derivatives + 1) * (derivatives + 2) * (derivatives + 3) / 6);
}
/// Components of the one field with so many derivatives; first_component() is where they begin.
GRAVLET_HD constexpr std::size_t components_of(int derivatives) {
    return static_cast<std::size_t>((derivatives + 1) * (derivatives + 2) / 2);
}
GRAVLET_HD constexpr std::size_t first_component(int derivatives) { return component_count(derivatives - 1); }
/// Derivatives of the potential in a component's field.
GRAVLET_HD constexpr int derivatives_of(std::size_t component) {
    int derivatives = 0;
    while (component >= component_count(derivatives)) ++derivatives;
    return derivatives;
}

/// Components of a result with all fields.
inline constexpr std::size_t result_count = component_count(max_derivatives);

/// Arrays of sums, by component. Device code may hold it.
struct SumArrays {
    double* of[result_count] = {};
};

}  // namespace gravlet
