// SPDX-License-Identifier: Apache-2.0
#include <gravlet/version.hpp>

#include "cpu/batch.hpp"

namespace gravlet {

std::string version() { return GRAVLET_VERSION; }

std::vector<std::string> backends() { return {std::string("cpu (") + walk_instruction_set() + ")"}; }

}  // namespace gravlet
