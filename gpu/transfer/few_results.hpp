// SPDX-License-Identifier: Apache-2.0
// Results of few active bodies on their way to host memory: gathered on the device, so that only they cross.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/execution/pinned_copies.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gravlet {

class FewResults {
public:
    explicit FewResults(const Gpu& gpu) : gpu_(gpu), places_(*gpu.context), gathered_(*gpu.context) {}

    /// Local. Takes in a host's flags, or none, and makes all the room that download() needs.
    void take(std::span<const std::uint8_t> active, PinnedCopies& copies);
    /// Whether there are flags, and few of them are set.
    [[nodiscard]] bool any() const { return few_; }

    /// Local. Copies the active ones of results on the device to the host's.
    void download(InputPointer there, const ResultSpan& array, PinnedCopies& copies);

private:
    Gpu gpu_;
    bool few_ = false;
    std::vector<cell_index> active_;  ///< the caller's numbers, ascending
    DeviceBuffer<cell_index> places_;
    DeviceBuffer<double> gathered_;
};

}  // namespace gravlet
