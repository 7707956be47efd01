// SPDX-License-Identifier: Apache-2.0
#include "solver/convolution/image_factors.hpp"

#include "ewald/lattice_sum.hpp"

#include <algorithm>

namespace gravlet {

ImageFactors::ImageFactors(const CellLattice& lattice, const std::array<int, 3>& count) {
    PeriodicBox box;
    double reach = 0.0;
    for (std::size_t d = 0; d < 3; ++d) {
        box.side[d] = lattice.side[d] * lattice.count[d];
        box.periodic[d] = lattice.periodic[d];
        reach = std::max(reach, lattice.side[d] * count[d]);
    }
    const LatticeSum sum(box, reach, 0.5 * box.shortest_period(), 0.0);
    weight = sum.weights();
    mean = sum.means();
    abscissae = weight.size();
    first_direct = sum.first_direct();
    constant = sum.constant();
    for (std::size_t d = 0; d < 3; ++d) {
        for (int i = 0; i < count[d]; ++i) {
            const LatticeSum::Axis axis = sum.axis(d, i * lattice.side[d], max_derivatives);
            for (std::size_t k = 0; k <= max_derivatives; ++k) {
                all[d].insert(all[d].end(), axis.all[k].begin(), axis.all[k].end());
                nearest[d].insert(nearest[d].end(), axis.left_out[k].begin(), axis.left_out[k].end());
            }
            excess[d].insert(excess[d].end(), axis.excess.begin(), axis.excess.end());
        }
    }
}

}  // namespace gravlet
