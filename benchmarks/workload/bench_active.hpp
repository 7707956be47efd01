// SPDX-License-Identifier: Apache-2.0
// Who is solved for: a share of all bodies, or of a mesh's blocks, in an order.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace gravlet::bench {

/// Drawn at random; the innermost; or those of the finest level, at random where that is cut.
enum class ActiveBy { random, radius, level };

/// What is told of one body or block.
struct Standing {
    std::array<double, 3> position{};
    double size = 0.0;  ///< a cell's side
};

/// Local. The order of this rank's: the least come first. `centre`: of radii.
[[nodiscard]] std::vector<double> order_of(ActiveBy by, std::size_t count, int rank, const std::array<double, 3>& centre,
                                           const std::function<Standing(std::size_t)>& of);

/// Collective. A flag for each of this rank's: whether it is among the first of all ranks, `share` of them, rounded up.
[[nodiscard]] std::vector<std::uint8_t> first_of(MPI_Comm comm, const std::vector<double>& order, double share);

}  // namespace gravlet::bench
