// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicator.hpp"

#include <gravlet/error.hpp>

#include <string>

namespace gravlet {

void mpi_check(int code, const char* what) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    throw Error(ErrorCode::communication, std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

Communicator::Communicator(MPI_Comm comm) {
    int initialised = 0;
    MPI_Initialized(&initialised);
    if (initialised == 0) throw Error(ErrorCode::communication, "MPI is not initialised: call MPI_Init before making a Solver");
    if (comm == MPI_COMM_NULL) throw Error(ErrorCode::communication, "the communicator is MPI_COMM_NULL");
    mpi_check(MPI_Comm_dup(comm, &comm_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
    MPI_Comm node = MPI_COMM_NULL;
    mpi_check(MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
    MPI_Comm_size(node, &ranks_on_node_);
    MPI_Comm_rank(node, &rank_on_node_);
    MPI_Comm_free(&node);
}

Communicator::~Communicator() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised == 0) MPI_Comm_free(&comm_);
}

RecordType::RecordType(std::size_t bytes) {
    mpi_check(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_), "MPI_Type_contiguous");
    mpi_check(MPI_Type_commit(&type_), "MPI_Type_commit");
}

RecordType::~RecordType() { MPI_Type_free(&type_); }

}  // namespace gravlet
