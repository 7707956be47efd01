// SPDX-License-Identifier: Apache-2.0
// Statistics of errors over all ranks, without bringing the errors to one.
#pragma once

#include "mpi/stages.hpp"

#include <gravlet/report.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace gravlet {

/// Relative errors at targets of this rank, and where the largest is. NaN counts as infinite.
class ErrorList {
public:
    void reserve(std::size_t count) { errors_.reserve(count); }
    /// Adds the error of a target of the sample, or of all targets.
    void add(double error, const std::array<double, 3>& position);
    /// Adds the error of a target that was looked for because it is large: the maximum and its position are of these too,
    /// percentiles, median, mean and rms are not.
    void add_hunted(double error, const std::array<double, 3>& position);

private:
    friend ErrorStatistics statistics(Stages& stages, ErrorList&& list);
    friend double mean(Stages& stages, const ErrorList& list);
    friend std::vector<double> exceeded_by(Stages& stages, ErrorList& list, std::span<const double> shares);
    std::vector<double> errors_;
    double largest_ = -1.0;
    std::array<double, 3> worst_{};  ///< place of the largest error, the first of several
};

/// Collective. Exact. Of several worst targets the position is that of the lowest rank's first.
[[nodiscard]] ErrorStatistics statistics(Stages& stages, ErrorList&& list);

/// Collective. The mean error of all ranks' targets, hunted ones left out; 0 if there are none.
[[nodiscard]] double mean(Stages& stages, const ErrorList& list);

/// Collective. The error that a share (0 to 1) of all ranks' targets exceed, those with the largest errors, and no others do; for
/// each share. Hunted targets do not count.
[[nodiscard]] std::vector<double> exceeded_by(Stages& stages, ErrorList& list, std::span<const double> shares);

/// Collective. Value number `number` (from 1) of all ranks' values, each of which is >= 0; this rank's are in ascending order.
/// Found byte by byte: the bits of doubles that are not negative sort like the numbers.
[[nodiscard]] double order_statistic(const Agreed& all, std::span<const double> sorted, long number);

}  // namespace gravlet
