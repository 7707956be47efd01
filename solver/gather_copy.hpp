// SPDX-License-Identifier: Apache-2.0
// Between one rank's own arrays, wherever they are, and its part of the gathered ones.
#pragma once

#include "solver/device_access.hpp"
#include "solver/gather_layout.hpp"

namespace gravlet {

/// Local.
void gather(const Input& from, const GatherArrays& to, const DeviceAccess& device, int threads);
/// Local. The results that the caller wants.
void scatter(const GatherArrays& from, const Input& to, const DeviceAccess& device, int threads);

}  // namespace gravlet
