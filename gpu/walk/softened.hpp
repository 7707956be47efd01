// SPDX-License-Identifier: Apache-2.0
// What softens the pairs of a solve, as kernels are made for it.
#pragma once

#include "solver/data/walk_types.hpp"

#include <type_traits>

namespace gravlet {

/// The variants of a walk: of bodies that are not softened, and with each kernel.
enum class Softened { no, plummer, spline };

template <Softened S>
using Variant = std::integral_constant<Softened, S>;

template <class F>
void with_softening(const WalkTargets& targets, F f) {
    if (!targets.softened) return f(Variant<Softened::no>());
    targets.softening_kernel == SofteningKernel::plummer ? f(Variant<Softened::plummer>()) : f(Variant<Softened::spline>());
}

}  // namespace gravlet
