// SPDX-License-Identifier: Apache-2.0
// The error of a solve, measured: a random sample of targets against the direct sum.
#pragma once

#include "mpi/stages.hpp"
#include "solver/input/input.hpp"

#include <gravlet/options.hpp>
#include <gravlet/report.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gravlet {

/// Collective. The numbers (from 0 to count - 1) of this rank's targets in a sample of all ranks' targets; all of them if there
/// are not more than `samples`. The same sample for the same numbers of targets, whatever their values.
std::vector<std::size_t> sample_targets(Stages& stages, std::size_t count, std::int64_t samples, std::uint64_t seed);

/// What errors are relative to: each reference's own size, or (periodic, where it passes through zero) the rms of all of them.
struct ErrorScale {
    std::array<double, field_names.size()> of{};  ///< what errors are relative to; 0: the reference's own
};
ErrorScale error_scale(const Agreed& all, const Options& options, std::span<const Result> references);

/// Relative error of a result's field with so many derivatives against a reference, by the field's norm.
double field_error(int derivatives, const Result& result, const Result& reference, const ErrorScale& scale);

/// A report's errors, by field.
[[nodiscard]] inline std::array<std::optional<ErrorStatistics>*, field_names.size()> errors_of(Report& report) {
    return {&report.potential_error, &report.acceleration_error, &report.tidal_error};
}

}  // namespace gravlet
