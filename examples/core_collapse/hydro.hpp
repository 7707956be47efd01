// SPDX-License-Identifier: Apache-2.0
// One step of the gas without gravity.
#pragma once

#include "gas.hpp"
#include "mesh.hpp"

namespace core_collapse {

/// Collective. The longest step that the gas may take.
[[nodiscard]] double longest_step(const Mesh& mesh, const Medium& medium);

/// Collective. A step of MUSCL and Hancock (van Leer 1984), second order; where levels meet the coarse side takes the fine one's
/// fluxes. Returns what has left the box through its faces, mass and momentum, less what cells got that had next to nothing left.
Gas flow(Mesh& mesh, const Medium& medium, double dt);

}  // namespace core_collapse
