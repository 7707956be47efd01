// SPDX-License-Identifier: Apache-2.0
// Message rounds: nonblocking messages between some of the ranks. All open a round, each posts what it has for it, all finish it.
// Whatever ends an operation on the way, settle() leaves no message under way.
#pragma once

#include "mpi/stages.hpp"

#include <cstddef>
#include <vector>

namespace gravlet {

class MessageRounds {
public:
    explicit MessageRounds(const Communicator& comm) : comm_(comm) {}
    MessageRounds(const MessageRounds&) = delete;
    MessageRounds& operator=(const MessageRounds&) = delete;

    /// Collective. Opens the message rounds: from here on messages may be under way.
    void open(const Agreed&);

    /// Local. Posts a message: all that this rank receives in a message round comes before what it sends. Data must stay where
    /// they are until finish() or settle(). Throws Error(communication) for counts beyond an int.
    void receive(int rank, void* data, std::size_t count, const RecordType& type, Tag kind);
    void send(int rank, const void* data, std::size_t count, const RecordType& type, Tag kind);
    /// Local. Notes that this rank has posted all of this message round.
    void posted() { posted_ = true; }
    /// Local. Lets MPI move data, from the calling thread.
    void poll();

    /// Collective, after all ranks have posted. Finishes the message round: all its messages are there when it returns.
    void finish(const Agreed& all);

    /// Collective. Settles the message rounds after an error that all share. Where all had posted their messages they are waited
    /// for; else nobody waits for what was never sent, and what was is never looked at.
    void settle() noexcept;

private:
    [[nodiscard]] int tag(Tag kind) const { return static_cast<int>(kind) + tags * epoch_; }
    void drop() noexcept;

    static constexpr int tags = 16, epochs = 1024;
    const Communicator& comm_;
    std::vector<MPI_Request> requests_;
    std::size_t receives_ = 0;  ///< number of receives among the requests, which come first
    bool open_ = false;         ///< alike on all ranks
    bool posted_ = false;
    int epoch_ = 0;  ///< messages that were dropped have tags of an earlier one
};

}  // namespace gravlet
