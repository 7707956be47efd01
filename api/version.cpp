// SPDX-License-Identifier: Apache-2.0
#include <gravlet/version.hpp>

#include "cpu/simd/batch.hpp"
#include "gpu/engine.hpp"

namespace gravlet {

std::string version() { return GRAVLET_VERSION; }

std::vector<std::string> backends() {
    std::vector<std::string> names = gpu_names();
    names.push_back(std::string("cpu (") + walk_instruction_set() + ")");
    return names;
}

}  // namespace gravlet
