// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

namespace gravlet {

/// Bytes of memory that this machine has. More cannot be meant; to be killed for trying would be a poor way to say so.
[[nodiscard]] inline double machine_memory() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace gravlet
