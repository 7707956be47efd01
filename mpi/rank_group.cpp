// SPDX-License-Identifier: Apache-2.0
#include "mpi/rank_group.hpp"

#include <chrono>
#include <thread>

namespace gravlet {
namespace {

/// A part of a communicator, until a Communicator has its duplicate.
class Part {
public:
    Part() = default;
    ~Part() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
    }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;
    int split(MPI_Comm whole, int colour, int key) { return MPI_Comm_split(whole, colour, key, &comm_); }
    int split_by_machine(MPI_Comm whole) { return MPI_Comm_split_type(whole, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm_); }
    [[nodiscard]] MPI_Comm get() const { return comm_; }

private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

void RankGroup::form(Stages& stages, int colour) {
    // Every rank takes part in every split: what MPI reports of one is kept until all have.
    Part machine, members, leaders;
    stages.collective([&](const Agreed& all) { all.check(machine.split_by_machine(all.get()), "MPI_Comm_split_type"); });
    stages.collective([&](const Agreed& all) { all.check(members.split(machine.get(), colour, all.rank()), "MPI_Comm_split"); });
    stages.collective([&](const Agreed&) { members_ = Communicator(members.get()); });
    stages.collective([&](const Agreed& all) {
        all.check(leaders.split(all.get(), leads() ? 0 : MPI_UNDEFINED, all.rank()), "MPI_Comm_split");
    });
    stages.collective([&](const Agreed&) {
        if (leads()) leaders_ = Communicator(leaders.get());
    });
    stages.local([&] { leader_ranks_.resize(static_cast<std::size_t>(leaders_.size())); });
    stages.collective([&](const Agreed& all) {
        const int mine = all.rank();
        if (leads())
            all.check(MPI_Allgather(&mine, 1, MPI_INT, leader_ranks_.data(), 1, MPI_INT, leaders_.get()), "MPI_Allgather");
    });
}

void RankGroup::wait_for_leader(const Agreed& all) const noexcept {
    // One small message to each: a broadcast would pass through ranks that sleep. Whoever misses it only waits awake.
    const MPI_Comm comm = members_.get();
    const int tag = static_cast<int>(Tag::wake);
    char nothing = 0;
    if (leads()) {
        for (int rank = 1; rank < members_.size(); ++rank)
            all.check(MPI_Send(&nothing, 1, MPI_CHAR, rank, tag, comm), "MPI_Send");
        return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    all.check(MPI_Irecv(&nothing, 1, MPI_CHAR, 0, tag, comm, &request), "MPI_Irecv");
    while (request != MPI_REQUEST_NULL) {
        int done = 0;
        const int code = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        all.check(code, "MPI_Test");
        if (code == MPI_SUCCESS && done == 0) std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

}  // namespace gravlet
