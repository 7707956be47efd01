// SPDX-License-Identifier: Apache-2.0
// What a solve can give: fields, the potential and its derivatives of one degree each. Here is all that is said of them one by
// one, but for their names in each language's structs. A result's components are counted through all fields, in the order of
// local_index(): potential; x, y, z; xx, xy, xz, yy, yz, zz. Who wants one field is given those of fewer derivatives as well.
#pragma once

#include "physics/components.hpp"
#include "physics/types.hpp"

#include <gravlet/reals.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace gravlet {

/// Names of the fields by the number of derivatives, which is also the power of 1/length in a field's unit, less that of the
/// potential's.
inline constexpr std::array field_names = {"potential", "acceleration", "tidal"};
static_assert(field_names.size() == max_derivatives + 1);

/// A component's names: in errors, and as a column of a file or an argument.
struct ResultComponent {
    const char *name, *column;
    /// How often it is in the field's norm: as off-diagonal elements of a symmetric tensor are.
    int times = 1;
};
inline constexpr std::array<ResultComponent, result_count> result_components = {{{"potential", "potential"},
                                                                                 {"acceleration[0]", "acceleration_x"},
                                                                                 {"acceleration[1]", "acceleration_y"},
                                                                                 {"acceleration[2]", "acceleration_z"},
                                                                                 {"tidal[0]", "tidal_xx"},
                                                                                 {"tidal[1]", "tidal_xy", 2},
                                                                                 {"tidal[2]", "tidal_xz", 2},
                                                                                 {"tidal[3]", "tidal_yy"},
                                                                                 {"tidal[4]", "tidal_yz", 2},
                                                                                 {"tidal[5]", "tidal_zz"}}};

template <std::size_t First, class Field, class F, std::size_t... I>
GRAVLET_HD void for_field(Field& field, F& f, std::index_sequence<I...>) {
    (f(field[I], First + I), ...);
}

/// Calls f(result, component) for all of a struct's results; structs of all languages have these members. Loops would not be
/// unrolled everywhere, and a component that is a variable costs a device dearly.
template <class Results, class F>
GRAVLET_HD void for_results(Results& results, F f) {
    f(results.potential, std::size_t{0});
    for_field<first_component(1)>(results.acceleration, f, std::make_index_sequence<components_of(1)>());
    for_field<first_component(2)>(results.tidal, f, std::make_index_sequence<components_of(2)>());
}

/// A result in the caller's units.
struct Result {
    double component[result_count] = {};
};

/// The results of Fields, or of a block.
template <class Results>
[[nodiscard]] auto result_arrays(const Results& results) {
    std::array<std::remove_cvref_t<decltype(results.potential)>, result_count> arrays;
    for_results(results, [&](const auto& array, std::size_t k) { arrays[k] = array; });
    return arrays;
}
template <class Results, class Array>
void set_results(Results& results, const std::array<Array, result_count>& arrays) {
    for_results(results, [&](auto& array, std::size_t k) { array = arrays[k]; });
}
/// The array of one component, in the results of Fields or of a block.
template <class Results>
[[nodiscard]] const auto& result_array(const Results& results, std::size_t component) {
    if (component == 0) return results.potential;
    return component < first_component(2) ? results.acceleration[component - first_component(1)]
                                          : results.tidal[component - first_component(2)];
}
[[nodiscard]] inline bool is_wanted(const ResultSpan& array) { return !array.empty(); }
[[nodiscard]] inline bool is_wanted(const ResultPointer& array) { return array != nullptr; }
/// Bit k: component k is wanted. For hosts with very many blocks, of which nothing may take long.
template <class Results>
[[nodiscard]] unsigned wanted_components(const Results& results) {
    unsigned wanted = 0;
    for_results(results, [&](const auto& array, std::size_t k) { wanted |= is_wanted(array) ? 1u << k : 0u; });
    return wanted;
}
/// The bits of one field.
[[nodiscard]] constexpr unsigned bits_of(int derivatives) {
    return ((1u << components_of(derivatives)) - 1u) << first_component(derivatives);
}
/// Most derivatives of the potential that Fields or a block ask for.
template <class Results>
[[nodiscard]] int wanted_derivatives(const Results& results) {
    const unsigned wanted = wanted_components(results);
    int derivatives = max_derivatives;
    while (derivatives > 0 && (wanted & bits_of(derivatives)) == 0) --derivatives;
    return derivatives;
}

}  // namespace gravlet
