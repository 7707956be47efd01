// SPDX-License-Identifier: Apache-2.0
#include "solver/near/near_table.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {
namespace {

/// Sides beyond its own within which a cell is near, at most.
constexpr double most_sides = 4.0;
constexpr int finest_step = 8;            ///< a side's part
constexpr std::size_t most_jets = 20000;  ///< most jets of a table: some ten milliseconds

}  // namespace

std::vector<Vector3> near_images(const PeriodicBox& box, const NearLaw& law, double sides) {
    int most[3] = {0, 0, 0};
    for (std::size_t d = 0; d < 3; ++d)
        if (box.periodic[d]) most[d] = static_cast<int>(std::floor(1.01 * law.reach[d] * sides / box.side[d])) + 1;
    if (box.shear != 0.0) most[1] += (most[0] + 1) / 2;  // half a period in y is the most that one in x is displaced by
    std::vector<Vector3> images{{0.0, 0.0, 0.0}};
    for (int k = -most[2]; k <= most[2]; ++k)
        for (int j = -most[1]; j <= most[1]; ++j)
            for (int i = -most[0]; i <= most[0]; ++i)
                if (i != 0 || j != 0 || k != 0) images.push_back(box.image(i, j, k));
    return images;
}

void NearTable::make(const CellShapes& shapes) {
    NearLaw law;
    const double longest = std::max({shapes.of[1], shapes.of[2], shapes.of[3]});
    for (std::size_t a = 0; a < 3; ++a) {
        law.shape[a] = std::abs(shapes.of[a + 1] - 1.0) < 1e-6 ? 1.0 : shapes.of[a + 1];  // cubes of every host are one
        law.reach[a] = 0.5 * law.shape[a] + std::min(longest, most_sides * law.shape[a]);
    }
    if (std::equal(law.shape, law.shape + 3, law_.shape)) return;
    std::size_t all = 0;
    int steps = 2 * finest_step;
    do {
        steps /= 2;
        all = 1;
        for (std::size_t a = 0; a < 3; ++a) {
            law.per_step[a] = steps / law.shape[a];
            law.count[a] = 2 + static_cast<int>(law.reach[a] * law.per_step[a]);
            all *= static_cast<std::size_t>(law.count[a]);
        }
    } while (all > most_jets && steps > 1);
    jets_.assign(all * result_count, 0.0);
    double* to = jets_.data();
    for (int k = 0; k < law.count[2]; ++k) {
        for (int j = 0; j < law.count[1]; ++j) {
            for (int i = 0; i < law.count[0]; ++i, to += result_count) {
                if (i + j + k == 0) continue;
                const Jet<double, 2> jet = law.difference_at<2>({i / law.per_step[0], j / law.per_step[1], k / law.per_step[2]});
                std::copy_n(jet.term, result_count, to);
            }
        }
    }
    law_ = law;
}

}  // namespace gravlet
