// SPDX-License-Identifier: Apache-2.0
// Every rank learns every rank's virtual root.
#pragma once

#include "mpi/communicator.hpp"
#include "solver/virtual_root.hpp"

#include <vector>

namespace gravlet {

/// Host memory of all ranks' virtual roots, kept between solves.
class VirtualRootTable {
public:
    /// Collective. `boxes` holds stride boxes, of which mine.box_count count; all ranks pass the same stride.
    VirtualRoots gather(const Communicator& comm, const VirtualRootHeader& mine, const std::vector<Bounds>& boxes,
                        const Period& period);

private:
    std::vector<VirtualRootHeader> headers_;
    std::vector<Bounds> boxes_;
};

}  // namespace gravlet
