// SPDX-License-Identifier: Apache-2.0
// Statistics over all ranks without bringing the values to one: each rank sorts its own, and a quantile is found by bisection on
// the bits of a double, which sort like the numbers when none is negative.
#pragma once

#include <gravlet/report.hpp>

#include <mpi.h>

#include <vector>

namespace gravlet {

/// Collective. Exact. `errors` are this rank's, >= 0 or NaN, which counts as infinite; they are taken by value and sorted.
[[nodiscard]] ErrorStatistics summarize(MPI_Comm comm, std::vector<double> errors);

/// Collective. Of the values of all ranks; 0 for none.
[[nodiscard]] double root_mean_square(MPI_Comm comm, const std::vector<double>& values);

/// |value - reference| / |reference|; 0 if both are 0.
[[nodiscard]] double relative_error(double value, double reference);

/// Local. 0 for no values.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace gravlet
