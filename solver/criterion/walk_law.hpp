// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ewald/domain.hpp"
#include "physics/multipole.hpp"
#include "solver/data/bodies.hpp"

#include <gravlet/options.hpp>

#include <algorithm>

namespace gravlet {

/// What walks go by: a solver's options, with criterion, theta, alpha and order as they are taken now.
struct WalkLaw {
    Options taken;

    [[nodiscard]] Opening opening(const Frame& frame) const { return opening_of(taken, frame); }
    /// Order of the moments in single precision, by which nodes are accepted, and where not in double act.
    [[nodiscard]] int order() const { return std::min(taken.order, max_order); }
    [[nodiscard]] bool in_double() const { return taken.precision == Precision::double_; }
    /// Whether the criterion asks for what acts on the targets.
    [[nodiscard]] bool is_adaptive() const { return gravlet::is_adaptive(taken); }
    [[nodiscard]] bool by_table() const { return Domain(taken).by_table(); }
};

}  // namespace gravlet
