// SPDX-License-Identifier: Apache-2.0
// The order of a solve, and how many derivatives of the potential it gives, as compile-time numbers: the one place where those
// are listed that code is made for.
#pragma once

#include "physics/multipole.hpp"

#include <gravlet/error.hpp>

#include <array>
#include <string>

namespace gravlet {

/// Orders that with_order() knows; gpu/CMakeLists.txt makes a kernel of each.
inline constexpr std::array orders = {0, 2, 3, 4};
static_assert(orders.back() == max_order);

/// f(Index<P>) with P = order. Orders 0 and 1 are the same about a centre of mass. Any other but 2, 3 and 4 is
/// Error(internal): options have been checked.
template <class F>
auto with_order(int order, F f) {
    switch (order) {
        case 0:
        case 1: return f(Index<0>{});
        case 2: return f(Index<2>{});
        case 3: return f(Index<3>{});
        case 4: return f(Index<4>{});
        default: throw Error(ErrorCode::internal, "no moments of order " + std::to_string(order));
    }
}

/// Calls f(Index<D>) with D = derivatives.
template <class F>
void with_derivatives(int derivatives, F f) {
    static_assert(max_derivatives == 2);
    switch (derivatives) {
        case 0: return f(Index<0>{});
        case 1: return f(Index<1>{});
        default: return f(Index<2>{});
    }
}

}  // namespace gravlet
