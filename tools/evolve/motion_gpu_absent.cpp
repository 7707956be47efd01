// SPDX-License-Identifier: Apache-2.0
// Without nvcc.
#include "tools/evolve/motion.hpp"

#include <gravlet/error.hpp>

namespace gravlet {

int devices_here() { return 0; }

std::unique_ptr<Motion> make_device_motion(int, bool, double) {
    throw Error(ErrorCode::not_available, "this gravlet was built without CUDA");
}

}  // namespace gravlet
