// SPDX-License-Identifier: Apache-2.0
// Memory that the ranks of a group, all of one machine, have in common.
//
// It is a file without a name (memfd) that the leader makes and the others map: unlike MPI_Win_allocate_shared it is not bounded
// by the size of /dev/shm (64 MB in many a container), a lack of memory is an error on every rank rather than a hang or a bus
// error, and it can be given back after MPI_Finalize.
#pragma once

#include "mpi/stages.hpp"

#include <cstddef>
#include <functional>
#include <utility>

namespace gravlet {

class SharedWindow {
public:
    using Hook = std::function<void(std::byte* data, std::size_t size)>;  ///< a function that may not throw

    /// `members` share the window and must outlive it. `mapped` is called when this rank has got (other) memory, `unmapping`
    /// before it loses it.
    SharedWindow(const Communicator& members, Hook mapped = {}, Hook unmapping = {})
        : members_(members), mapped_(std::move(mapped)), unmapping_(std::move(unmapping)) {}
    ~SharedWindow() { release(); }
    SharedWindow(const SharedWindow&) = delete;
    SharedWindow& operator=(const SharedWindow&) = delete;

    /// Collective over all ranks of all groups; the members of a group ask for the same. Room for `bytes`; what the window held
    /// is lost if it has to grow. Fails with out_of_memory, or not_available where ranks cannot share memory.
    void reserve(Stages& stages, std::size_t bytes);

    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    void remake(Stages& stages, bool here, std::size_t bytes);
    void release() noexcept;

    const Communicator& members_;
    Hook mapped_, unmapping_;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace gravlet
