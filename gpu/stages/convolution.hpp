// SPDX-License-Identifier: Apache-2.0
// Sums over a mesh of one level.
#pragma once

#include "gpu/execution/execution.hpp"
#include "gpu/execution/fft.hpp"
#include "solver/convolution/convolution.hpp"

#ifndef GRAVLET_CONVOLUTION  // empty in the file that compiles these (gpu/CMakeLists.txt)
#define GRAVLET_CONVOLUTION extern
#endif

namespace gravlet {

GRAVLET_CONVOLUTION template std::optional<CellLattice> find_lattice(const Gpu&, const GivenBodies&, const Frame&, const Margin&);
GRAVLET_CONVOLUTION template class KernelSpectrum<Gpu>;
GRAVLET_CONVOLUTION template class Convolution<Gpu>;

}  // namespace gravlet
