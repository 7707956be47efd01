// SPDX-License-Identifier: Apache-2.0
// The shortest collective operation: one local stage, and the agreement on what it threw (mpi/stages.hpp).
#pragma once

#include "mpi/communicator.hpp"
#include "mpi/stages.hpp"

#include <mpi.h>

#include <utility>

namespace gravlet {

/// Collective over `comm`: runs `local` on this rank; throws the same Error on every rank if it threw on any.
template <class F>
void agree(MPI_Comm comm, F&& local) {
    Stages stages(comm);
    stages.local(std::forward<F>(local));
    stages.agree();
    stages.finish();
}

template <class F>
void agree(const Communicator& comm, F&& local) {
    agree(comm.get(), std::forward<F>(local));
}

}  // namespace gravlet
