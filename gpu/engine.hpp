// SPDX-License-Identifier: Apache-2.0
// What the rest of the library knows of the GPU backend; nothing here needs CUDA's headers.
#pragma once

#include "solver/data/engine.hpp"

#include <string>
#include <vector>

namespace gravlet {

/// Whether this build has the GPU backend.
bool built_for_gpus();

/// Local. Whether this machine has something that `automatic` might use, or a driver that should have found it.
bool sees_gpus();

/// Local. "gpu (NVIDIA H200, compute capability 9.0, 140 GB)" for every device of this machine that can be used.
std::vector<std::string> gpu_names();

/// Collective. Throws Error(not_available), the same on every rank, that says what is needed and what is there.
std::unique_ptr<Engine> make_gpu_engine(Stages& stages, const Communicator& comm, const Options& options, int threads);

}  // namespace gravlet
