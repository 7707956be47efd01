// SPDX-License-Identifier: Apache-2.0
// A problem's exact answer, from one of the closed forms of tools/problems/analytic.hpp.
#pragma once

#include "mpi/agreement.hpp"
#include "tools/problems/problem.hpp"

namespace gravlet {

/// Collective. Makes the form the problem's exact potential and, if it has one, acceleration.
template <class Form>
void attach_analytic(MPI_Comm comm, Problem& problem, const Form& form) {
    agree(comm, [&] {
        problem.potential = [form](const Array3& p) { return form.potential(p[0], p[1], p[2]); };
        if constexpr (requires { form.acceleration(0.0, 0.0, 0.0); })
            problem.acceleration = [form](const Array3& p) { return form.acceleration(p[0], p[1], p[2]); };
    });
}

}  // namespace gravlet
