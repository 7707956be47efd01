// SPDX-License-Identifier: Apache-2.0
// Every rank learns every rank's virtual root.
#pragma once

#include "mpi/stages.hpp"
#include "physics/virtual_root.hpp"

#include <vector>

namespace gravlet {

/// Host memory of all ranks' virtual roots, kept between solves.
class VirtualRootTable {
public:
    VirtualRootTable() : header_(sizeof(VirtualRootHeader)), box_(sizeof(TargetBox)) {}

    /// Local. Room for the headers of `ranks`, and `stride` boxes of each.
    void prepare(int ranks, std::size_t stride);
    /// `boxes` holds stride boxes, of which mine.box_count count; all ranks pass the same stride.
    VirtualRoots gather(const Agreed& all, const VirtualRootHeader& mine, const std::vector<TargetBox>& boxes,
                        const Period& period, double softening_margin);

private:
    RecordType header_, box_;
    std::vector<VirtualRootHeader> headers_;
    std::vector<TargetBox> boxes_;
};

}  // namespace gravlet
