// SPDX-License-Identifier: Apache-2.0
// The direct sum with the solver's interface: what theta = 0 means, and the sampled error of a tree solve.
#pragma once

#include "mpi/communicator.hpp"
#include "solver/input.hpp"
#include "solver/local_report.hpp"
#include "solver/stage_out.hpp"

#include <vector>

namespace gravlet {

/// Results of targets (indices as in Input) by direct summation over the bodies of all ranks, in double precision.
class DirectSums {
public:
    /// Collective. Returns this rank's number of unsoftened pairs at distance zero.
    std::int64_t run(const Communicator& comm, const Input& input, const std::vector<std::size_t>& targets,
                     const Options& options, bool acceleration, int threads);
    /// Of the k-th target.
    [[nodiscard]] Result result(const Input& input, const Options& options, std::size_t k) const;

private:
    std::vector<std::size_t> targets_;
    std::vector<double> potential_, field_[3];
};

/// Collective. Input is validated already.
LocalReport direct_solve(const Communicator& comm, const Input& input, const Options& options, int threads);

}  // namespace gravlet
