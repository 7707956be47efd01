// SPDX-License-Identifier: Apache-2.0
#include "tools/statistics.hpp"

#include "mpi/communicator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gravlet {
namespace {

// The smallest value that at least `count` values of all ranks do not exceed.
double order_statistic(MPI_Comm comm, const std::vector<double>& sorted, long count) {
    std::uint64_t low = 0;
    std::uint64_t high = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());
    while (low < high) {
        const std::uint64_t middle = low + (high - low) / 2;
        const auto end = std::upper_bound(sorted.begin(), sorted.end(), std::bit_cast<double>(middle));
        if (all_reduce<long>(comm, end - sorted.begin(), MPI_SUM) >= count)
            high = middle;
        else
            low = middle + 1;
    }
    return std::bit_cast<double>(low);
}

}  // namespace

ErrorStatistics summarize(MPI_Comm comm, std::vector<double> errors) {
    double squares = 0.0;
    for (double& error : errors) {
        if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
        squares += error * error;
    }
    std::sort(errors.begin(), errors.end());

    ErrorStatistics statistics;
    const long total = all_reduce<long>(comm, static_cast<long>(errors.size()), MPI_SUM);
    statistics.samples = total;
    if (total == 0) return statistics;
    const auto share = [&](double part) { return std::max(1L, static_cast<long>(std::ceil(part * static_cast<double>(total)))); };
    statistics.max = all_reduce(comm, errors.empty() ? 0.0 : errors.back(), MPI_MAX);
    statistics.p99 = order_statistic(comm, errors, share(0.99));
    statistics.median = order_statistic(comm, errors, share(0.5));
    statistics.rms = std::sqrt(all_reduce(comm, squares, MPI_SUM) / static_cast<double>(total));
    return statistics;
}

double root_mean_square(MPI_Comm comm, const std::vector<double>& values) {
    double squares = 0.0;
    for (const double value : values) squares += value * value;
    const long total = all_reduce<long>(comm, static_cast<long>(values.size()), MPI_SUM);
    squares = all_reduce(comm, squares, MPI_SUM);
    return total == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(total));
}

double relative_error(double value, double reference) {
    return value == reference ? 0.0 : std::abs(value - reference) / std::abs(reference);
}

double median(std::vector<double> values) {
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

}  // namespace gravlet
