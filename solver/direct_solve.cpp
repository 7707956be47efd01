// SPDX-License-Identifier: Apache-2.0
#include "solver/direct_solve.hpp"

#include "mpi/agreement.hpp"
#include "solver/direct.hpp"
#include "solver/validate_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace gravlet {
namespace {

/// Bodies as arrays in the caller's units. Ids start at `first_id`.
struct Arrays {
    std::vector<double> x, y, z, mass, softening2;
    std::vector<std::int64_t> id;

    Arrays(const Input& input, const std::vector<std::size_t>& indices, double softening, long first_id) {
        for (auto* v : {&x, &y, &z, &mass, &softening2}) v->reserve(indices.size());
        for (const std::size_t i : indices) {
            const Body body = input.body(i);
            x.push_back(body.x);
            y.push_back(body.y);
            z.push_back(body.z);
            mass.push_back(body.mass);
            softening2.push_back(input.is_point(i) ? softening * softening : 0.0);
            id.push_back(first_id + static_cast<std::int64_t>(i));
        }
    }
    [[nodiscard]] DirectBodies view() const { return {x, y, z, mass, softening2, id}; }
};

std::vector<std::size_t> all_of(std::size_t n) {
    std::vector<std::size_t> indices(n);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    return indices;
}

/// Cells at one place: names two of this rank, or says that the other one is elsewhere.
[[noreturn]] void reject_twins(const Input& input) {
    const auto place = [&](std::size_t i) {
        const Body body = input.body(i);
        return std::array{body.x, body.y, body.z};
    };
    std::vector<std::size_t> order = all_of(input.size());
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
    const auto twin =
        std::adjacent_find(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return place(a) == place(b); });
    if (twin == order.end()) throw Error(ErrorCode::invalid_input, "a cell is at the same place as a cell of another rank");
    throw Error(ErrorCode::invalid_input,
                fmt::format("{} and {} are at the same place", describe_place(input, twin[0]), describe_place(input, twin[1])));
}

}  // namespace

std::int64_t DirectSums::run(const Communicator& comm, const Input& input, const std::vector<std::size_t>& targets,
                             const Options& options, bool acceleration, int threads) {
    long first_id = 0;
    const long count = static_cast<long>(input.size());
    mpi_check(MPI_Exscan(&count, &first_id, 1, MPI_LONG, MPI_SUM, comm.get()), "MPI_Exscan");
    if (comm.rank() == 0) first_id = 0;
    targets_ = targets;
    const Arrays sources(input, all_of(input.size()), options.softening, first_id);
    const Arrays targets_at(input, targets, options.softening, first_id);
    potential_.resize(targets.size());
    std::array<std::span<double>, 3> field;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        field_[axis].resize(acceleration ? targets.size() : 0);
        field[axis] = field_[axis];
    }
    return direct_sum(comm.get(), targets_at.view(), sources.view(), potential_, field, threads);
}

Result DirectSums::result(const Input& input, const Options& options, std::size_t k) const {
    Result result{options.G * potential_[k] + self_potential(input, targets_[k], options), {}};
    if (!field_[0].empty()) result.acceleration = {options.G * field_[0][k], options.G * field_[1][k], options.G * field_[2][k]};
    return result;
}

LocalReport direct_solve(const Communicator& comm, const Input& input, const Options& options, int threads) {
    LocalReport local;
    local.clock.start();
    const bool acceleration = all_reduce(comm.get(), input.acceleration ? 1 : 0, MPI_MAX) != 0;
    const bool points = all_reduce(comm.get(), input.point_count > 0 ? 1 : 0, MPI_MAX) != 0;
    DirectSums sums;
    const std::int64_t coincident = sums.run(comm, input, all_of(input.size()), options, acceleration, threads);
    agree(comm.get(), [&] {
        if (coincident > 0 && !points) reject_twins(input);
    });
    for (std::size_t i = 0; i < input.size(); ++i) {
        const Result result = sums.result(input, options, i);
        input.store(i, result.potential, result.acceleration);
    }
    local.clock.lap("direct");
    local.targets = input.size();
    for (std::size_t i = 0; i < input.size(); ++i) local.sources += input.body(i).mass > 0.0 ? 1 : 0;
    local.counts.coincident = static_cast<std::uint64_t>(coincident);
    const long sources = all_reduce(comm.get(), static_cast<long>(local.sources), MPI_SUM);
    local.counts.cell = input.size() * static_cast<std::uint64_t>(sources);
    return local;
}

}  // namespace gravlet
