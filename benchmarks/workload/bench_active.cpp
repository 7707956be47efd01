// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/bench_active.hpp"

#include "mpi/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace gravlet::bench {
namespace {

double sum_over_ranks(MPI_Comm comm, std::size_t value) { return all_reduce(comm, static_cast<double>(value), MPI_SUM); }

}  // namespace

std::vector<double> order_of(ActiveBy by, std::size_t count, int rank, const std::array<double, 3>& centre,
                             const std::function<Standing(std::size_t)>& of) {
    std::mt19937_64 random(static_cast<std::uint64_t>(rank));
    std::uniform_real_distribution<double> uniform;
    std::vector<double> order(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Standing here = of(i);
        const auto& x = here.position;
        const double drawn = uniform(random);
        switch (by) {
            case ActiveBy::random: order[i] = drawn; break;
            case ActiveBy::radius: order[i] = std::hypot(x[0] - centre[0], x[1] - centre[1], x[2] - centre[2]); break;
            case ActiveBy::level: order[i] = std::round(2.0 * std::log2(here.size)) + drawn; break;  // levels differ by 2
        }
    }
    return order;
}

std::vector<std::uint8_t> first_of(MPI_Comm comm, const std::vector<double>& order, double share) {
    const double wanted = std::ceil(share * sum_over_ranks(comm, order.size()));
    const auto up_to = [&](double limit) {
        return static_cast<std::size_t>(std::count_if(order.begin(), order.end(), [=](double at) { return at <= limit; }));
    };
    double below = -1.0, limit = 0.0;
    for (const double at : order) below = std::min(below, at - 1.0), limit = std::max(limit, at);
    below = all_reduce(comm, below, MPI_MIN), limit = all_reduce(comm, limit, MPI_MAX);
    for (int step = 0; step < 100 && below < limit; ++step) {
        const double middle = 0.5 * (below + limit);
        (sum_over_ranks(comm, up_to(middle)) < wanted ? below : limit) = middle;
    }
    std::vector<std::uint8_t> flags(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) flags[i] = wanted > 0.0 && order[i] <= limit ? 1 : 0;
    return flags;
}

}  // namespace gravlet::bench
