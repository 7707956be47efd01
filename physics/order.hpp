// SPDX-License-Identifier: Apache-2.0
// The order of a solve, and how many derivatives of the potential it gives, as compile-time numbers.
#pragma once

#include "physics/components.hpp"
#include "physics/multipole.hpp"
#include "physics/orders.hpp"

#include <gravlet/error.hpp>

#include <cstddef>
#include <string>

namespace gravlet {

/// f(Index<list[i]>) with list[i] = number. A number that the list lacks is Error(internal), which says what it is a number of.
template <const auto& list, std::size_t i = 0, class F>
auto with_listed(int number, const char* what, const F& f) {
    if (number == list[i]) return f(Index<list[i]>{});
    if constexpr (i + 1 < list.size())
        return with_listed<list, i + 1>(number, what, f);
    else
        throw Error(ErrorCode::internal, std::string("no ") + what + " of order " + std::to_string(number));
}

/// f(Index<P>) with P = order, or 0 for order 1. An order that is not among `orders` is Error(internal): options have been
/// checked.
template <class F>
auto with_order(int order, const F& f) {
    return with_listed<orders>(order == 1 ? 0 : order, "moments", f);
}

/// Calls f(Index<D>) with D = derivatives, max_derivatives at most.
template <int D = 0, class F>
void with_derivatives(int derivatives, const F& f) {
    if constexpr (D < max_derivatives)
        if (derivatives != D) return with_derivatives<D + 1>(derivatives, f);
    f(Index<D>{});
}

}  // namespace gravlet
