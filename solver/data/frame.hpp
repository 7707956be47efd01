// SPDX-License-Identifier: Apache-2.0
// What all ranks' bodies make the solver's units.
#pragma once

#include "mpi/stages.hpp"
#include "solver/data/bodies.hpp"
#include "solver/data/heavy_body.hpp"
#include "solver/input/input_checks.hpp"

namespace gravlet {

/// The root cube holds every body. Where there are cells its side is their smallest side times a power of two, from
/// the lower corner that they (or Options::domain) have, so that octree nodes are whole blocks of an AMR mesh. `background`: what
/// the bodies are without already; 0: it is to be found.
Frame agree_on_frame(const Agreed& all, const InputScan& scan, bool points, int derivatives, const Options& options,
                     double background = 0.0);

/// The bodies that are heavy, and so in no tree: masses are counted in those of all others.
void set_heavy(const HeavyChoice& choice, Frame& frame);

/// Throws Error(invalid_input), alike on every rank, if all ranks' cells together have more volume than the box around them.
/// (What overlaps on one rank has been found before, and named.)
void reject_excess_volume(const Frame& frame);

}  // namespace gravlet
