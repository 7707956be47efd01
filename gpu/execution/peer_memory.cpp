// SPDX-License-Identifier: Apache-2.0
#include "gpu/execution/peer_memory.hpp"

#include "gpu/execution/check.hpp"

#include <algorithm>
#include <utility>

namespace gravlet {
namespace {

// Allocations of this multiple share no pages, so that a handle's memory begins where the allocation does.
constexpr std::size_t page = std::size_t{2} << 20;
constexpr std::size_t stamp_bytes = 256;

}  // namespace

PeerMemory::~PeerMemory() {
    for (Mapping& mapping : mappings_) unmap(mapping);
    release();
    context_.release(outbox_.data, outbox_.bytes);
}

void PeerMemory::prepare(Stages& stages, bool wanted) {
    if (stages.size() == 1) return;
    machine_.form(stages, 0);
    const Communicator& members = machine_.members();
    stages.local([&] {
        mine_.rank = stages.rank();
        if (wanted && members.size() > 1) outbox(1);
        offers_.resize(static_cast<std::size_t>(members.size()));
        mappings_.resize(offers_.size());
    });
    works_ = true;
    stages.collective([&](const Agreed& all) { share(all); });
    int works = 0;
    stages.local([&] { works = all_readable() ? 1 : 0; });
    stages.collective([&](const Agreed& all) {
        all.check(MPI_Allreduce(MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, members.get()), "MPI_Allreduce");
    });
    works_ = works != 0;  // on this machine; others may differ
    if (!works_)
        for (Mapping& mapping : mappings_) unmap(mapping);
    stages.agree();
    if (!works_)  // nobody has it mapped any more
        context_.release(std::exchange(outbox_.data, nullptr), std::exchange(outbox_.bytes, 0));
}

bool PeerMemory::all_readable() {
    for (std::size_t member = 0; member < offers_.size(); ++member)
        if (offers_[member].rank != mine_.rank && map(member) != cudaSuccess) return false;
    return offers_.size() > 1;
}

bool PeerMemory::reaches(int rank) const { return works_ && member_of(rank) < offers_.size(); }

std::size_t PeerMemory::member_of(int rank) const {
    const auto found = std::ranges::lower_bound(offers_, rank, {}, &Offer::rank);
    return found != offers_.end() && found->rank == rank ? static_cast<std::size_t>(found - offers_.begin()) : offers_.size();
}

std::byte* PeerMemory::outbox(std::size_t bytes) {
    if (stamp_bytes + bytes > outbox_.bytes || mine_.stamp == 0) {  // too small, or not finished when something failed
        given_up_.reserve(given_up_.size() + 1);
        std::size_t taken = (stamp_bytes + bytes + bytes / 4 + page - 1) / page * page;
        std::byte* const data = static_cast<std::byte*>(context_.allocate(taken));
        if (outbox_.data != nullptr) given_up_.push_back(outbox_);
        outbox_ = {data, taken};
        mine_.stamp = 0;
        ++stamps_;
        cuda_check(cudaMemcpyAsync(data, &stamps_, sizeof stamps_, cudaMemcpyHostToDevice, context_.stream()), "cudaMemcpyAsync");
        context_.synchronize();
        if (cudaIpcGetMemHandle(&mine_.handle, data) == cudaSuccess) mine_.stamp = stamps_;
        cudaGetLastError();  // who wants to map it will say so
    }
    return outbox_.data + stamp_bytes;
}

void PeerMemory::share(const Agreed& all) {
    if (!works_) return;
    all.check(MPI_Allgather(&mine_, sizeof mine_, MPI_BYTE, offers_.data(), sizeof mine_, MPI_BYTE, machine_.members().get()),
              "MPI_Allgather");
}

cudaError_t PeerMemory::map(std::size_t member) {
    void* data = nullptr;
    if (offers_[member].stamp == 0) return cudaErrorInvalidResourceHandle;
    cudaError_t code = cudaIpcOpenMemHandle(&data, offers_[member].handle, cudaIpcMemLazyEnablePeerAccess);
    if (code == cudaSuccess) {
        Mapping& mapping = mappings_[member];
        mapping = {offers_[member].stamp, static_cast<std::byte*>(data)};
        std::int64_t stamp = 0;
        code = cudaMemcpyAsync(&stamp, data, sizeof stamp, cudaMemcpyDeviceToHost, context_.stream());
        if (code == cudaSuccess) code = cudaStreamSynchronize(context_.stream());
        if (code == cudaSuccess && stamp != mapping.stamp) code = cudaErrorInvalidResourceHandle;
        if (code != cudaSuccess) unmap(mapping);
    }
    cudaGetLastError();
    return code;
}

void PeerMemory::unmap(Mapping& mapping) noexcept {
    if (mapping.data != nullptr) cudaIpcCloseMemHandle(mapping.data);
    mapping = {};
}

void PeerMemory::forget() {
    for (std::size_t member = 0; member < mappings_.size(); ++member)
        if (mappings_[member].stamp != offers_[member].stamp) unmap(mappings_[member]);
}

const std::byte* PeerMemory::outbox_of(int rank) {
    const std::size_t member = member_of(rank);
    if (mappings_[member].data == nullptr) cuda_check(map(member), "another rank's device memory");
    return mappings_[member].data + stamp_bytes;
}

void PeerMemory::release() {
    for (const Allocation& one : given_up_) context_.release(one.data, one.bytes);
    given_up_.clear();
}

}  // namespace gravlet
