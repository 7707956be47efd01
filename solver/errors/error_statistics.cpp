// SPDX-License-Identifier: Apache-2.0
#include "solver/errors/error_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace gravlet {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void ErrorList::add(double error, const std::array<double, 3>& position) {
    errors_.push_back(std::isnan(error) ? infinity : error);
    add_hunted(error, position);
}

void ErrorList::add_hunted(double error, const std::array<double, 3>& position) {
    if (std::isnan(error)) error = infinity;
    if (error <= largest_) return;
    largest_ = error;
    worst_ = position;
}

double order_statistic(const Agreed& all, std::span<const double> sorted, long number) {
    std::uint64_t bits = 0;
    for (int shift = 56; shift >= 0; shift -= 8) {
        // How many values there are up to the last one that begins with the bytes found so far and this one.
        std::array<long, 256> counts;
        for (std::uint64_t byte = 0; byte < counts.size(); ++byte) {
            const std::uint64_t last = bits + (byte << shift) + ((std::uint64_t{1} << shift) - 1);
            const auto end =
                std::ranges::upper_bound(sorted, last, {}, [](double value) { return std::bit_cast<std::uint64_t>(value); });
            counts[byte] = end - sorted.begin();
        }
        all.all_reduce(counts.data(), static_cast<int>(counts.size()), MPI_SUM);
        const auto enough = std::ranges::find_if(counts, [&](long count) { return count >= number; });
        bits += static_cast<std::uint64_t>(enough - counts.begin()) << shift;
    }
    return std::bit_cast<double>(bits);
}

double mean(Stages& stages, const ErrorList& list) {
    double out = 0.0;
    stages.collective([&](const Agreed& all) {
        const double sum = all.all_reduce(std::reduce(list.errors_.begin(), list.errors_.end()), MPI_SUM);
        const long count = all.all_reduce(static_cast<long>(list.errors_.size()), MPI_SUM);
        if (count > 0) out = sum / static_cast<double>(count);
    });
    return out;
}

std::vector<double> exceeded_by(Stages& stages, ErrorList& list, std::span<const double> shares) {
    std::vector<double> out;
    stages.local([&] {
        out.resize(shares.size());
        std::ranges::sort(list.errors_);
    });
    stages.collective([&](const Agreed& all) {
        const long total = all.all_reduce(static_cast<long>(list.errors_.size()), MPI_SUM);
        for (std::size_t k = 0; k < shares.size() && total > 0; ++k) {
            const long larger = static_cast<long>(shares[k] * static_cast<double>(total));
            out[k] = order_statistic(all, list.errors_, std::max(total - larger, 1L));
        }
    });
    return out;
}

ErrorStatistics statistics(Stages& stages, ErrorList&& list) {
    std::vector<double>& errors = list.errors_;
    std::ranges::sort(errors);
    double squares = 0.0;
    for (const double error : errors) squares += error * error;
    ErrorStatistics out;
    stages.collective([&](const Agreed& all) {
        out.samples = all.all_reduce(static_cast<long>(errors.size()), MPI_SUM);
        out.max = std::max(0.0, all.all_reduce(list.largest_, MPI_MAX));
        // All but one in so many do not exceed it.
        const auto all_but_one_in = [&](long share) { return order_statistic(all, errors, out.samples - out.samples / share); };
        out.p9999 = all_but_one_in(10000);
        out.p999 = all_but_one_in(1000);
        out.p99 = all_but_one_in(100);
        out.median = all_but_one_in(2);
        const double sum = all.all_reduce(squares, MPI_SUM);
        out.rms = out.samples > 0 ? std::sqrt(sum / static_cast<double>(out.samples)) : 0.0;

        const int owner = all.all_reduce(list.largest_ == out.max ? all.rank() : all.size(), MPI_MIN);
        out.worst = list.worst_;
        if (owner != all.rank()) out.worst.fill(owner < all.size() ? -infinity : 0.0);
        all.all_reduce(out.worst.data(), static_cast<int>(out.worst.size()), MPI_MAX);
    });
    return out;
}

}  // namespace gravlet
