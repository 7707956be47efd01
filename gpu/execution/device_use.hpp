// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gravlet {

/// Whether this process uses a device. The driver is asked, because to ask the runtime would make it so, and a context takes
/// hundreds of megabytes of the device.
bool is_in_use(int device);

}  // namespace gravlet
