// SPDX-License-Identifier: Apache-2.0
#include "mpi/rank_group.hpp"

#include <chrono>
#include <thread>

namespace gravlet {
namespace {

/// A part of a communicator, until a Communicator has its duplicate.
class Part {
public:
    Part(MPI_Comm whole, int colour, int key) { mpi_check(MPI_Comm_split(whole, colour, key, &comm_), "MPI_Comm_split"); }
    explicit Part(MPI_Comm whole) {
        mpi_check(MPI_Comm_split_type(whole, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm_), "MPI_Comm_split_type");
    }
    ~Part() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    [[nodiscard]] MPI_Comm get() const { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

void sleep_until_done(MPI_Request& request) {
    for (int done = 0;;) {
        mpi_check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (done != 0) return;
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

}  // namespace

RankGroup::RankGroup(const Communicator& comm, int colour) {
    const Part machine(comm.get());
    members_.emplace(Part(machine.get(), colour, comm.rank()).get());
    const Part leaders(comm.get(), leads() ? 0 : MPI_UNDEFINED, comm.rank());
    if (!leads()) return;
    leaders_.emplace(leaders.get());
    const int mine = comm.rank();
    leader_ranks_.resize(static_cast<std::size_t>(leaders_->size()));
    mpi_check(MPI_Allgather(&mine, 1, MPI_INT, leader_ranks_.data(), 1, MPI_INT, leaders_->get()), "MPI_Allgather");
}

void RankGroup::hear_leader(int& code, std::string& text) const {
    // One small message to each: a broadcast would pass through ranks that sleep.
    const MPI_Comm comm = members_->get();
    long header[2] = {code, static_cast<long>(text.size())};
    if (leads()) {
        for (int rank = 1; rank < members_->size(); ++rank)
            mpi_check(MPI_Send(header, 2, MPI_LONG, rank, static_cast<int>(Tag::outcome), comm), "MPI_Send");
    } else {
        MPI_Request request = MPI_REQUEST_NULL;
        mpi_check(MPI_Irecv(header, 2, MPI_LONG, 0, static_cast<int>(Tag::outcome), comm, &request), "MPI_Irecv");
        sleep_until_done(request);
    }
    code = static_cast<int>(header[0]);
    text.resize(static_cast<std::size_t>(header[1]));
    mpi_check(MPI_Bcast(text.data(), static_cast<int>(header[1]), MPI_CHAR, 0, comm), "MPI_Bcast");
}

}  // namespace gravlet
