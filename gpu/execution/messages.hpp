// SPDX-License-Identifier: Apache-2.0
// Where the messages between ranks are: in device memory if MPI says that it can send from there, else in page-locked host memory
// beside it.
#pragma once

#include "gpu/execution/execution.hpp"
#include "mpi/exchange.hpp"

namespace gravlet {

class GpuMessages {
public:
    explicit GpuMessages(const Gpu& gpu);

    /// Local. Arrays that MPI can send: filled already.
    PrunedTreeArrays outgoing(const PrunedTreeArrays& trees);
    /// Local. Arrays that MPI can receive into.
    PrunedTreeArrays incoming(const PrunedTreeArrays& trees);
    /// Local. What was received goes where the backend wants it.
    void arrived(const PrunedTreeArrays& trees);

private:
    struct Side {
        PinnedBuffer<Node> nodes;
        PinnedBuffer<float> moments;
        PinnedBuffer<Source> sources;

        PrunedTreeArrays arrays(const PrunedTreeArrays& trees);
    };

    Gpu gpu_;
    bool device_aware_;
    Side out_, in_;
};

}  // namespace gravlet
