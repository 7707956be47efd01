// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "solver/engine.hpp"

namespace gravlet {

/// Local: `comm` is used by solve() only. The engine that solves on `device` what its rank is given.
std::unique_ptr<Engine> make_device_engine(const Communicator& comm, const Options& options, int device, int threads);

}  // namespace gravlet
