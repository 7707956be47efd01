// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "mpi/stages.hpp"

#include <gravlet/options.hpp>

namespace gravlet {

/// Collective. Throws Error(invalid_option), the same everywhere, if options are invalid on a rank or differ between ranks.
void agree_on_options(Stages& stages, const Options& options);

}  // namespace gravlet
