// SPDX-License-Identifier: Apache-2.0
// Which device a rank uses, and the engine that solves on one.
#pragma once

#include "mpi/communicator.hpp"
#include "solver/data/engine.hpp"

#include <array>

namespace gravlet {

/// Local, makes no context. The device of this rank, by its place among the ranks of its machine. Throws Error(not_available)
/// that says what is needed and what is there.
int choose_device(const Communicator& comm);

/// Id of a device: one for it in every process, unlike its number.
using DeviceId = std::array<char, 16>;
DeviceId device_id(int device);

/// Collective. The engine that solves on `device` what its rank is given. `comm`, whose ranks the stages are of, must outlive it.
std::unique_ptr<Engine> make_device_engine(Stages& stages, const Communicator& comm, const Options& options, int device,
                                           int threads);

}  // namespace gravlet
