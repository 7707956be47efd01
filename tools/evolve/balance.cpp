// SPDX-License-Identifier: Apache-2.0
#include "tools/evolve/balance.hpp"

#include "tools/problems/distribute.hpp"

namespace gravlet {

void share_by_work(MPI_Comm comm, Snapshot& points, const std::vector<double>& work) {
    points.potential.clear();
    for (std::vector<double>& component : points.acceleration) component.clear();
    distribute_along_curve(comm, points.points, work);
}

}  // namespace gravlet
