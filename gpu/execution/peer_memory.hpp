// SPDX-License-Identifier: Apache-2.0
// Ranks of one machine read each other's device memory (CUDA IPC), where the driver lets all of them, rather than send messages
// through the host. Each has an outbox, which the others map; who has which outbox is told anew in every solve, so that one that
// has grown is never read where it was.
#pragma once

#include "gpu/execution/context.hpp"
#include "mpi/rank_group.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gravlet {

class PeerMemory {
public:
    /// Peer memory of the context's device. Functions are local but for prepare() and share().
    explicit PeerMemory(GpuContext& context) : context_(context) {}
    ~PeerMemory();
    PeerMemory(const PeerMemory&) = delete;
    PeerMemory& operator=(const PeerMemory&) = delete;

    /// Collective, once. Tries peer memory: on machines where it works for all ranks, they reach each other. `wanted`: on this
    /// rank.
    void prepare(Stages& stages, bool wanted);
    /// Whether this rank and that one of the stages' communicator read each other's memory.
    [[nodiscard]] bool reaches(int rank) const;

    /// Room for `bytes` that others read after the next share(). What was in it is lost.
    std::byte* outbox(std::size_t bytes);
    /// Collective. Tells the machine's ranks of this one's outbox, and hears of theirs.
    void share(const Agreed& all);
    /// The outbox of a rank that is reached, after share().
    const std::byte* outbox_of(int rank);
    /// Unmaps, after share(), what other ranks have given up.
    void forget();
    /// Frees what this rank has given up, once all ranks have forgotten it.
    void release();

private:
    /// What a rank tells the others of its machine.
    struct Offer {
        std::int64_t stamp;  ///< the number of its outbox, 0: nobody can map it. It is at its start, too.
        std::int32_t rank;
        cudaIpcMemHandle_t handle;
    };
    struct Mapping {
        std::int64_t stamp = 0;  ///< stamp of the mapped outbox; 0: none
        std::byte* data = nullptr;
    };
    struct Allocation {
        std::byte* data = nullptr;
        std::size_t bytes = 0;
    };

    [[nodiscard]] std::size_t member_of(int rank) const;
    [[nodiscard]] bool all_readable();
    cudaError_t map(std::size_t member);
    void unmap(Mapping& mapping) noexcept;

    GpuContext& context_;
    RankGroup machine_;
    std::vector<Offer> offers_;      ///< offers by member of the machine
    std::vector<Mapping> mappings_;  ///< mappings by member of the machine
    Offer mine_{};
    Allocation outbox_;
    std::int64_t stamps_ = 0;
    std::vector<Allocation> given_up_;
    bool works_ = false;
};

}  // namespace gravlet
