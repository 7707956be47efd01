// SPDX-License-Identifier: Apache-2.0
#include <gravlet/version.hpp>

#include "cpu/engine.hpp"
#include "gpu/engine.hpp"

namespace gravlet {

std::string version() { return GRAVLET_VERSION; }

std::vector<std::string> backends() {
    std::vector<std::string> names = gpu_names();
    names.push_back(cpu_name());
    return names;
}

}  // namespace gravlet
