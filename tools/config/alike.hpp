// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"
#include "mpi/stages.hpp"

#include <gravlet/error.hpp>

#include <exception>

namespace gravlet {

/// Collective. Runs what gives the same on every rank, results and Errors, and throws such an Error as it is, of no rank in
/// particular. What only some ranks meet (no memory) is every rank's error, as from agree().
template <class F>
void alike(MPI_Comm comm, F&& local) {
    std::exception_ptr caught;
    Stages stages(comm);
    stages.local([&] {
        try {
            local();
        } catch (const Error&) {
            caught = std::current_exception();
        }
    });
    int on_all = caught ? 1 : 0;
    stages.collective([&](const Agreed& all) { all.all_reduce(&on_all, 1, MPI_MIN); });
    stages.agree();
    if (on_all != 0) std::rethrow_exception(caught);
    stages.local([&] {
        if (caught) std::rethrow_exception(caught);
    });
    stages.agree();
}

/// Collective. Runs on rank 0 what concerns all of them, as files that it alone reads or writes. An Error of it is thrown on
/// every rank as it is, of no rank in particular.
template <class F>
void for_all(MPI_Comm comm, F&& local) {
    const int rank = rank_in(comm);
    try {
        agree(comm, [&] {
            if (rank == 0) local();
        });
    } catch (const AgreedError& error) {
        if (error.rank() != 0) throw;
        throw Error(error.code(), error.text());
    }
}

}  // namespace gravlet
