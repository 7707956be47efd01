// SPDX-License-Identifier: Apache-2.0
// What walks cost, by order: measured on each backend, for solver/criterion/steering.hpp.
#pragma once

#include <array>

namespace gravlet {

/// What a walk of one order costs: at an opening angle x, cost x^-power in some unit.
struct OrderCost {
    double cost, power;
};

/// Costs of orders 0, 2 and 4.
using Costs = std::array<OrderCost, 3>;

/// Costs with accelerations or for potentials alone; of points or of cells; by the alpha of an angle.
struct OrderCosts {
    Costs fields_of_points, fields_of_cells, potentials_of_points, potentials_of_cells, adaptive;
};

/// Costs on CPUs, where pairs of bodies, which all orders have, are a large part at long angles
/// (docs/notebook/2026-11-performance.md).
inline constexpr OrderCosts costs_on_cpus = {{{{1.0, 0.8}, {1.11, 1.13}, {1.53, 1.78}}},
                                             {{{1.0, 0.9}, {1.15, 1.5}, {1.75, 1.8}}},
                                             {{{1.0, 0.8}, {1.17, 1.19}, {1.4, 1.43}}},
                                             {{{1.0, 0.9}, {1.1, 1.2}, {1.75, 1.4}}},
                                             {{{0.75, 0.3}, {1.0, 0.75}, {1.6, 0.9}}}};
/// Costs on GPUs. (Those by alpha have the powers of pairs counted on a CPU.)
inline constexpr OrderCosts costs_on_gpus = {{{{1.0, 1.9}, {1.35, 1.9}, {2.6, 2.0}}},
                                             {{{1.0, 1.55}, {1.25, 1.75}, {2.5, 2.15}}},
                                             {{{1.0, 1.9}, {1.35, 1.9}, {2.6, 2.0}}},
                                             {{{1.0, 1.55}, {1.25, 1.75}, {2.5, 2.15}}},
                                             {{{1.0, 0.4}, {1.35, 0.9}, {2.6, 1.0}}}};

}  // namespace gravlet
