// SPDX-License-Identifier: Apache-2.0
// A problem's exact answer, from one of the closed forms of tools/problems/analytic.hpp.
#pragma once

#include "mpi/agreement.hpp"
#include "tools/problems/problem.hpp"

namespace gravlet {

/// Collective.
template <class Body>
void attach_analytic(MPI_Comm comm, Problem& problem, const Body& body) {
    agree(comm, [&] {
        problem.potential = [body](const Position& p) { return body.potential(p[0], p[1], p[2]); };
        if constexpr (requires { body.acceleration(0.0, 0.0, 0.0); })
            problem.acceleration = [body](const Position& p) { return body.acceleration(p[0], p[1], p[2]); };
    });
}

}  // namespace gravlet
