// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicator.hpp"

#include "mpi/stages.hpp"

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

int rank_in(MPI_Comm comm) noexcept {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

int size_of(MPI_Comm comm) noexcept {
    int size = 1;
    MPI_Comm_size(comm, &size);
    return size;
}

bool mpi_is_running() noexcept {
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    return initialised != 0 && finalised == 0;
}

Communicator::Communicator(MPI_Comm comm) {
    if (!mpi_is_running())
        throw Error(ErrorCode::communication, "MPI is not running: a Solver is made and used between MPI_Init and MPI_Finalize");
    if (comm == MPI_COMM_NULL) throw Error(ErrorCode::communication, "the communicator is MPI_COMM_NULL");
    int between_groups = 0;
    mpi_check(MPI_Comm_test_inter(comm, &between_groups), "MPI_Comm_test_inter");
    if (between_groups != 0)
        throw Error(ErrorCode::communication, "the communicator is an intercommunicator: merge its groups (MPI_Intercomm_merge)");
    // All ranks make all these calls, whatever MPI reports of one.
    const int duplicated = MPI_Comm_dup(comm, &comm_);
    if (comm_ == MPI_COMM_NULL) mpi_check(duplicated, "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    rank_ = rank_in(comm_);
    size_ = size_of(comm_);
    MPI_Comm node = MPI_COMM_NULL;
    const int split = MPI_Comm_split_type(comm_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    if (node != MPI_COMM_NULL) {
        ranks_on_node_ = size_of(node);
        rank_on_node_ = rank_in(node);
        MPI_Comm_free(&node);
    }
    try {
        Stages stages(comm_);
        stages.local([&] {
            mpi_check(duplicated, "MPI_Comm_dup");
            mpi_check(split, "MPI_Comm_split_type");
        });
        stages.agree();
    } catch (...) {
        release();
        throw;
    }
}

Communicator& Communicator::operator=(Communicator&& other) noexcept {
    std::swap(comm_, other.comm_);
    std::swap(rank_, other.rank_);
    std::swap(size_, other.size_);
    std::swap(ranks_on_node_, other.ranks_on_node_);
    std::swap(rank_on_node_, other.rank_on_node_);
    return *this;
}

void Communicator::release() noexcept {
    if (comm_ != MPI_COMM_NULL && mpi_is_running()) MPI_Comm_free(&comm_);
}

RecordType::RecordType(std::size_t bytes) : bytes_(bytes) {
    mpi_check(MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type_), "MPI_Type_contiguous");
    mpi_check(MPI_Type_commit(&type_), "MPI_Type_commit");
}

RecordType::~RecordType() {
    if (mpi_is_running()) MPI_Type_free(&type_);
}

}  // namespace gravlet
