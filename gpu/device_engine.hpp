// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine.hpp"

namespace gravlet {

/// Collective. The engine that solves on `device` what its rank is given. `comm`, whose ranks the stages are of, must outlive it.
std::unique_ptr<Engine> make_device_engine(Stages& stages, const Communicator& comm, const Options& options, int device,
                                           int threads);

}  // namespace gravlet
