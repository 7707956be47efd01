// SPDX-License-Identifier: Apache-2.0
// An Ewald table by itself, without a solve around it.
#pragma once

#include "ewald/table.hpp"

#include <optional>
#include <utility>

namespace gravlet::test {

/// Collective.
inline EwaldTable make_table(MPI_Comm comm, const Options& options, int threads) {
    Stages stages(comm);
    std::optional<EwaldTable> table = make_ewald_table(stages, options, threads);
    stages.agree();
    return *std::move(table);
}

}  // namespace gravlet::test
