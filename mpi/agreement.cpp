// SPDX-License-Identifier: Apache-2.0
#include "mpi/agreement.hpp"

#include "mpi/communicator.hpp"

#include <new>

namespace gravlet {

Error as_error(const std::exception_ptr& caught) {
    try {
        std::rethrow_exception(caught);
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return Error(ErrorCode::out_of_memory, "out of host memory");
    } catch (const std::exception& error) {
        return Error(ErrorCode::internal, error.what());
    } catch (...) {
        return Error(ErrorCode::internal, "unknown exception");
    }
}

void agree_on(MPI_Comm comm, const std::exception_ptr& caught) {
    int rank = 0, size = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    const int failing = all_reduce(comm, caught != nullptr ? rank : size, MPI_MIN);
    if (failing == size) return;

    int header[2] = {};
    std::string message;
    if (rank == failing) {
        const Error error = as_error(caught);
        message = error.what();
        if (size > 1) message = "rank " + std::to_string(rank) + ": " + message;
        header[0] = static_cast<int>(error.code());
        header[1] = static_cast<int>(message.size());
    }
    mpi_check(MPI_Bcast(header, 2, MPI_INT, failing, comm), "MPI_Bcast");
    message.resize(static_cast<std::size_t>(header[1]));
    mpi_check(MPI_Bcast(message.data(), header[1], MPI_CHAR, failing, comm), "MPI_Bcast");
    throw Error(static_cast<ErrorCode>(header[0]), message);
}

}  // namespace gravlet
