// SPDX-License-Identifier: Apache-2.0
// Errors agree: what fails on one rank fails on all, with one code and one message, before anyone waits for a message that will
// never come.
//   1. every rank runs its local part and catches what it throws;
//   2. the lowest failing rank is found (one all-reduce);
//   3. if there is one, it broadcasts its code and message, and every rank throws them.
#pragma once

#include "mpi/communicator.hpp"

#include <gravlet/error.hpp>

#include <mpi.h>

#include <exception>
#include <functional>
#include <utility>

namespace gravlet {

/// What was caught, as an Error.
Error as_error(const std::exception_ptr& caught);

/// Collective over `comm`: steps 2 and 3, with what this rank caught (or null).
void agree_on(MPI_Comm comm, const std::exception_ptr& caught);

/// Collective over `comm`: runs `local` on this rank; throws the same Error on every rank if it threw on any.
template <class F>
void agree(MPI_Comm comm, F&& local) {
    std::exception_ptr caught;
    try {
        std::forward<F>(local)();
    } catch (...) {
        caught = std::current_exception();
    }
    agree_on(comm, caught);
}

template <class F>
void agree(const Communicator& comm, F&& local) {
    agree(comm.get(), std::forward<F>(local));
}

}  // namespace gravlet
