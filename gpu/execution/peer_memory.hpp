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
    /// Local, as all but prepare() and share().
    explicit PeerMemory(GpuContext& context) : context_(context) {}
    ~PeerMemory();
    PeerMemory(const PeerMemory&) = delete;
    PeerMemory& operator=(const PeerMemory&) = delete;

    /// Collective, once. Tries it: on machines where it works for all ranks, they reach each other. `wanted`: on this rank.
    void prepare(Stages& stages, bool wanted);
    /// Whether this rank and that one of the stages' communicator read each other's memory.
    [[nodiscard]] bool reaches(int rank) const;

    /// Room for `bytes` that others read after the next share(). What was in it is lost.
    std::byte* outbox(std::size_t bytes);
    /// Collective.
    void share(const Agreed& all);
    /// After share(): the outbox of a rank that is reached.
    const std::byte* outbox_of(int rank);
    /// After share(): nothing that another rank has given up stays mapped.
    void forget();
    /// Once all ranks have forgotten it: what this rank has given up is freed.
    void release();

private:
    /// What a rank tells the others of its machine.
    struct Offer {
        std::int64_t stamp;  ///< the number of its outbox, 0: nobody can map it. It is at its start, too.
        std::int32_t rank;
        cudaIpcMemHandle_t handle;
    };
    struct Mapping {
        std::int64_t stamp = 0;  ///< 0: none
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
    std::vector<Offer> offers_;      ///< by member of the machine
    std::vector<Mapping> mappings_;  ///< likewise
    Offer mine_{};
    Allocation outbox_;
    std::int64_t stamps_ = 0;
    std::vector<Allocation> given_up_;
    bool works_ = false;
};

}  // namespace gravlet
