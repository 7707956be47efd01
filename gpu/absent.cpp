// SPDX-License-Identifier: Apache-2.0
// The GPU backend of a build that has none.
#include "gpu/engine.hpp"

#include <gravlet/error.hpp>

namespace gravlet {

bool built_for_gpus() { return false; }

bool sees_gpus() { return false; }

std::vector<std::string> gpu_names() { return {}; }

std::unique_ptr<Engine> make_gpu_engine(Stages&, const Communicator&, const Options&, int) {
    throw Error(ErrorCode::not_available, "backend: gpu, but this build of gravlet has no GPU backend: " GRAVLET_WHY_NO_GPUS);
}

}  // namespace gravlet
