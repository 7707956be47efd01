// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/agreement.hpp"

#include <gravlet/error.hpp>

#include <exception>

namespace gravlet {

/// Collective. Runs what gives the same on every rank, results and Errors, and throws such an Error as it is, of no rank in
/// particular. What only one rank meets (no memory) is every rank's error, as from agree().
template <class F>
void alike(MPI_Comm comm, F&& local) {
    std::exception_ptr same_on_all;
    agree(comm, [&] {
        try {
            local();
        } catch (const Error&) {
            same_on_all = std::current_exception();
        }
    });
    if (same_on_all) std::rethrow_exception(same_on_all);
}

}  // namespace gravlet
