// SPDX-License-Identifier: Apache-2.0
// Which device a rank uses.
#pragma once

#include "mpi/communicator.hpp"

#include <array>

namespace gravlet {

/// Local, makes no context. The device of this rank, by its place among the ranks of its machine. Throws Error(not_available)
/// that says what is needed and what is there.
int choose_device(const Communicator& comm);

/// The same for one device in every process, unlike its number.
using DeviceId = std::array<char, 16>;
DeviceId device_id(int device);

}  // namespace gravlet
