// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/gather/device_access.hpp"

#include <memory>

namespace gravlet {

/// Access of a rank whose cells are solved for on `device`, by itself or another. Makes no context on a device where the rank has
/// none.
std::unique_ptr<DeviceAccess> make_device_access(int device);

}  // namespace gravlet
