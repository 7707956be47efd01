// SPDX-License-Identifier: Apache-2.0
// How trees get from one rank's device to another's: ranks that can read each other's memory do; the other messages are in device
// memory if MPI says that it can send from there, else in page-locked host memory beside it.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/execution/peer_memory.hpp"
#include "mpi/exchange.hpp"

#include <vector>

namespace gravlet {

class GpuMessages {
public:
    explicit GpuMessages(const Gpu& gpu);
    ~GpuMessages();
    GpuMessages(const GpuMessages&) = delete;
    GpuMessages& operator=(const GpuMessages&) = delete;

    // As solver/execution.hpp says.
    void prepare(Stages& stages) { peers_.prepare(stages, !device_aware_); }
    void offer(const PrunedTreeArrays& trees, const std::vector<int>& audience);
    void share(const Agreed& all) { peers_.share(all); }
    PrunedTreeArrays outgoing(const PrunedTreeArrays& trees, const std::vector<int>& audience);
    void ready(std::size_t k);
    PrunedTreeArrays incoming(const PrunedTreeArrays& trees, const std::vector<int>& senders);
    [[nodiscard]] bool reads(int rank) const { return peers_.reaches(rank); }
    void read(const PrunedTreeArrays& trees, const std::vector<int>& senders, const std::vector<Announcement>& announced);
    void arrived(const PrunedTreeArrays& trees, const std::vector<int>& senders);

private:
    struct Side {
        PinnedBuffer<Node> nodes;
        PinnedBuffer<float> moments;
        PinnedBuffer<Source> sources;
        PinnedBuffer<double> precise_moments;
        PinnedBuffer<ExactSource> exact_sources;

        PrunedTreeArrays arrays(const PrunedTreeArrays& trees);
    };

    [[nodiscard]] bool needs_host_memory(const std::vector<int>& ranks) const;
    /// The k-th rank's tree, from one set of arrays to another; in the stream.
    void copy(const PrunedTreeArrays& from, const PrunedTreeArrays& to, std::size_t k, cudaMemcpyKind way);

    Gpu gpu_;
    bool device_aware_;
    PeerMemory peers_;
    Side out_, in_;
    std::vector<cudaEvent_t> copied_;  ///< events that copies are done, by rank of the audience
};

}  // namespace gravlet
