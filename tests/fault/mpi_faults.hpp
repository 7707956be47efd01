// SPDX-License-Identifier: Apache-2.0
// MPI calls that return MPI_ERR_OTHER. Every function that gravlet calls is wrapped (PMPI).
#pragma once

#include "tests/fault/countdown.hpp"

namespace gravlet::test {

/// Calls of all functions: the k-th reports a failure though it has done its part.
Countdown& mpi_failing_after();

/// Calls of local functions: the k-th does nothing. (One of a collective one would leave the other ranks in MPI, for ever.)
Countdown& mpi_failing_instead();

}  // namespace gravlet::test
