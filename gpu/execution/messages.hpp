// SPDX-License-Identifier: Apache-2.0
// Where the messages between ranks are: in device memory if MPI says that it can send from there, else in page-locked host memory
// beside it.
#pragma once

#include "gpu/execution/execution.hpp"
#include "mpi/exchange.hpp"
#include "solver/essential.hpp"

namespace gravlet {

class GpuMessages {
public:
    explicit GpuMessages(const Gpu& gpu);

    /// Local. Arrays that MPI can send: filled already.
    PrunedTreeArrays outgoing(PrunedTrees<Gpu>& trees);
    /// Local. Arrays that MPI can receive into.
    PrunedTreeArrays incoming(PrunedTrees<Gpu>& trees);
    /// Local. What was received goes where the backend wants it.
    void arrived(PrunedTrees<Gpu>& trees);

private:
    struct Side {
        PinnedBuffer<Node> nodes;
        PinnedBuffer<float> moments;
        PinnedBuffer<Source> sources;

        PrunedTreeArrays arrays(const PrunedTrees<Gpu>& trees);
    };

    Gpu gpu_;
    bool device_aware_;
    Side out_, in_;
};

}  // namespace gravlet
