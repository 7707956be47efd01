// SPDX-License-Identifier: Apache-2.0
#include "mpi/message_rounds.hpp"

#include <gravlet/error.hpp>

#include <limits>

namespace gravlet {
namespace {

int checked_count(std::size_t n) {
    if (n > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw Error(ErrorCode::communication, "more than 2^31 records for one rank");
    return static_cast<int>(n);
}

}  // namespace

void MessageRounds::open(const Agreed&) {
    requests_.clear();
    receives_ = 0;
    open_ = true;
    posted_ = false;
}

void MessageRounds::receive(int rank, void* data, std::size_t count, const RecordType& type, Tag kind) {
    const int records = checked_count(count);
    requests_.push_back(MPI_REQUEST_NULL);
    receives_ = requests_.size();
    mpi_check(MPI_Irecv(data, records, type.get(), rank, tag(kind), comm_.get(), &requests_.back()), "MPI_Irecv");
}

void MessageRounds::send(int rank, const void* data, std::size_t count, const RecordType& type, Tag kind) {
    const int records = checked_count(count);
    requests_.push_back(MPI_REQUEST_NULL);
    mpi_check(MPI_Isend(data, records, type.get(), rank, tag(kind), comm_.get(), &requests_.back()), "MPI_Isend");
}

void MessageRounds::poll() {
    if (requests_.empty()) return;
    int done = 0;
    mpi_check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
    if (done != 0) requests_.clear();
}

void MessageRounds::finish(const Agreed& all) {
    all.check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
    requests_.clear();
    open_ = false;
}

void MessageRounds::settle() noexcept {
    if (!open_) return;
    int all_posted = posted_ ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &all_posted, 1, MPI_INT, MPI_MIN, comm_.get());
    if (all_posted != 0) {
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    } else {
        drop();
    }
    requests_.clear();
    open_ = false;
}

void MessageRounds::drop() noexcept {
    for (std::size_t i = 0; i < requests_.size(); ++i) {
        MPI_Request& request = requests_[i];
        if (request == MPI_REQUEST_NULL) continue;
        if (i < receives_) {
            MPI_Cancel(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            MPI_Request_free(&request);
        }
    }
    MPI_Barrier(comm_.get());
    epoch_ = (epoch_ + 1) % epochs;
}

}  // namespace gravlet
