// SPDX-License-Identifier: Apache-2.0
// The same arrays as gravlet.h takes them: what the hosts in C and in Fortran share.
#pragma once

#include "tests/combine/arrays.hpp"

#include <gravlet/gravlet.h>

#include <vector>

namespace gravlet::combine {

gravlet_options c_options(const Options& options);
gravlet_cells c_cells(BodyArrays& cells);
gravlet_points c_points(BodyArrays& points);
gravlet_fields c_fields(Results& results);
gravlet_probes c_probes(BodyArrays& probes);
std::vector<gravlet_block> c_blocks(Arrays& arrays);

}  // namespace gravlet::combine
