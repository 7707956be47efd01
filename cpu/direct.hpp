// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/direct/direct.hpp"

namespace gravlet {

/// A piece of the direct sum on the CPU. The law's table must outlive it.
DirectPiece cpu_direct_piece(int threads, const DirectLaw& law = {});

}  // namespace gravlet
