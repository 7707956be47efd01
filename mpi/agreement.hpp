// SPDX-License-Identifier: Apache-2.0
// The shortest collective operations: one local stage and the agreement on what it threw, and one collective stage and the
// agreement on what MPI reported (mpi/stages.hpp).
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

/// Collective over `comm`: calls of MPI, through the Agreed that `collective` is given; throws the same Error on every rank if
/// MPI reports one on any.
template <class F>
void communicate(MPI_Comm comm, F&& collective) {
    Stages stages(comm);
    stages.collective(std::forward<F>(collective));
    stages.agree();
    stages.finish();
}

template <class T>
T all_reduce(MPI_Comm comm, T value, MPI_Op op) {
    communicate(comm, [&](const Agreed& all) { all.all_reduce(&value, 1, op); });
    return value;
}

}  // namespace gravlet
