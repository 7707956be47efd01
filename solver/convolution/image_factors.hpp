// SPDX-License-Identifier: Apache-2.0
// What all images of a unit mass do at the places of a lattice. Ewald's integral (ewald/lattice_sum.hpp) is, at each abscissa, a
// product of one number a direction: those of a row of places are few.
#pragma once

#include "physics/components.hpp"
#include "solver/convolution/lattice.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace gravlet {

/// Derivatives in x, y and z of a component of a field, in the order of sums.
struct Exponents {
    int of[3];
    [[nodiscard]] GRAVLET_HD int sum() const { return of[0] + of[1] + of[2]; }
    /// Directions in which it is odd.
    [[nodiscard]] GRAVLET_HD int odd() const { return (of[0] & 1) + (of[1] & 1) + (of[2] & 1); }
};
[[nodiscard]] GRAVLET_HD inline Exponents exponents_of(std::size_t component) {
    constexpr Exponents all[result_count] = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1, 0}}, {{0, 0, 1}}, {{2, 0, 0}},
                                             {{1, 1, 0}}, {{1, 0, 1}}, {{0, 2, 0}}, {{0, 1, 1}}, {{0, 0, 2}}};
    return all[component];
}

/// The numbers, at the first places of each direction.
struct ImageFactors {
    std::size_t abscissae = 0, first_direct = 0;  ///< those before have `excess`
    double constant = 0.0;
    std::vector<double> weight, mean;
    /// Factors by direction: that of place i, derivative k (three of them) and abscissa q at (i * 3 + k) * abscissae + q.
    /// `nearest`: of the nearest image alone.
    std::array<std::vector<double>, 3> all, nearest;
    std::array<std::vector<double>, 3> excess;  ///< excess of place i and abscissa q at i * abscissae + q

    /// All but the nearest image, of a box with the periods of the lattice; as many places as `count` says.
    ImageFactors(const CellLattice& lattice, const std::array<int, 3>& count);
};

/// Image factors in a backend's memory, one after the other.
struct ImageFactorsView {
    std::size_t abscissae = 0, first_direct = 0;
    double constant = 0.0;
    const double *weight = nullptr, *mean = nullptr;
    const double *all[3] = {}, *nearest[3] = {}, *excess[3] = {};

    /// What all images but the nearest one do at a place, as a component of sums.
    [[nodiscard]] GRAVLET_HD double sum(const int (&place)[3], const Exponents& e) const {
        const double *a[3], *n[3], *x[3];
        for (int d = 0; d < 3; ++d) {
            const std::size_t row = (static_cast<std::size_t>(place[d]) * 3 + static_cast<std::size_t>(e.of[d])) * abscissae;
            a[d] = all[d] + row, n[d] = nearest[d] + row, x[d] = excess[d] + static_cast<std::size_t>(place[d]) * abscissae;
        }
        const bool potential = e.sum() == 0;
        double total = potential ? constant : 0.0;
        for (std::size_t q = 0; q < abscissae; ++q) {
            const double of_nearest = n[0][q] * n[1][q] * n[2][q];
            double of_all = a[0][q] * a[1][q] * a[2][q];
            if (potential && q < first_direct) {
                const double u = x[0][q], v = x[1][q], w = x[2][q];  // (1 + u)(1 + v)(1 + w) - 1
                of_all = mean[q] * (u + v + w + u * v + v * w + w * u + u * v * w);
            } else if (potential) {
                of_all -= mean[q];
            }
            total += weight[q] * (of_all - of_nearest);
        }
        return total;
    }
};

}  // namespace gravlet
