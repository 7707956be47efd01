// SPDX-License-Identifier: Apache-2.0
// The direct sum with the solver's interface: what theta = 0 means, and the sampled error of a tree solve.
#pragma once

#include "mpi/agreement.hpp"
#include "solver/direct.hpp"
#include "solver/local_report.hpp"
#include "solver/stage_in.hpp"
#include "solver/stage_out.hpp"

#include <algorithm>
#include <vector>

namespace gravlet {

/// Results of targets (indices as in Input) by direct summation over the bodies of all ranks, in double precision.
class DirectSums {
public:
    /// Collective. `bodies` are this rank's, in the order of `input`. Returns this rank's number of unsoftened pairs at distance
    /// zero.
    std::int64_t run(const Communicator& comm, const DirectPiece& kernel, const Input& input, const std::vector<Body>& bodies,
                     const std::vector<std::size_t>& targets, const Options& options, bool acceleration);
    [[nodiscard]] const std::vector<Result>& results() const { return results_; }

private:
    std::vector<Result> results_;
};

/// Host copies of all bodies, wherever the caller's arrays are; a piece at a time, so that the backend needs little memory.
template <class Exec>
std::vector<Body> all_bodies(const Exec& exec, const Input& input) {
    constexpr std::size_t piece = std::size_t{1} << 22;
    std::vector<Body> bodies(input.size());
    auto buffer = exec.template buffer<Body>();
    buffer.resize_discard(std::min(piece, input.size()));
    for (std::size_t begin = 0; begin < input.size(); begin += piece) {
        const std::size_t n = std::min(piece, input.size() - begin);
        Body* const to = buffer.data();
        for_each(exec, n, [=] GRAVLET_HD(std::size_t i) { to[i] = input.body(begin + i); });
        copy_out(exec, to, bodies.data() + begin, n);
    }
    return bodies;
}

/// Throws Error(invalid_input) for cells at one place: names two of this rank, or says that the other one is elsewhere.
[[noreturn]] void reject_twins(const Input& input, const std::vector<Body>& bodies);

/// Collective. `input` as the caller gave it.
template <class Exec>
LocalReport direct_solve(const Communicator& comm, const Exec& exec, const Input& input, const Options& options,
                         const DirectPeriod& period) {
    LocalReport local;
    local.clock.start();
    typename Exec::Transfer transfer(exec);
    Input here;
    std::vector<Body> bodies;
    agree(comm, [&] {
        here = transfer.bring_in(input);
        scan_input(exec, here, input, Domain(options));
        bodies = all_bodies(exec, here);
    });
    const bool acceleration = all_reduce(comm.get(), input.acceleration ? 1 : 0, MPI_MAX) != 0;
    const bool points = all_reduce(comm.get(), input.point_count > 0 ? 1 : 0, MPI_MAX) != 0;
    const std::vector<std::size_t> targets = input.active_bodies();
    DirectSums sums;
    const std::int64_t coincident = sums.run(comm, exec.direct(period), input, bodies, targets, options, acceleration);
    agree(comm, [&] {
        if (coincident > 0 && !points) reject_twins(input, bodies);
        auto results = exec.template buffer<Result>();
        auto places = exec.template buffer<std::size_t>();
        results.resize_discard(targets.size());
        places.resize_discard(targets.size());
        copy_in(exec, sums.results().data(), results.data(), targets.size());
        copy_in(exec, targets.data(), places.data(), targets.size());
        const Result* const from = results.data();
        const std::size_t* const to = places.data();
        for_each(exec, targets.size(),
                 [=] GRAVLET_HD(std::size_t k) { here.store(to[k], from[k].potential, from[k].acceleration); });
        transfer.bring_out(input);
    });
    local.clock.lap("direct");
    local.targets = targets.size();
    for (const Body& body : bodies) local.sources += body.mass > 0.0 ? 1 : 0;
    local.counts.coincident = static_cast<std::uint64_t>(coincident);
    const long sources = all_reduce(comm.get(), static_cast<long>(local.sources), MPI_SUM);
    local.counts.cell = targets.size() * static_cast<std::uint64_t>(sources);
    return local;
}

}  // namespace gravlet
