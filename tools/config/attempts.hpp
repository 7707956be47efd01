// SPDX-License-Identifier: Apache-2.0
// What is done although something else has failed: results go to several places, and one of them that fails is no reason to lose
// what goes to the others.
#pragma once

#include "mpi/agreement.hpp"

#include <gravlet/error.hpp>

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

namespace gravlet {

class Attempts {
public:
    explicit Attempts(MPI_Comm comm) noexcept : comm_(comm) {}

    /// Collective. Whether the collective function did what it should; the Error that it has thrown, on all ranks, is kept. One
    /// of communication is thrown at once: ranks may be alone with it, and cannot go on together.
    template <class F>
    bool make(F&& collective) {
        std::optional<Error> caught;
        try {
            collective();
            return true;
        } catch (const Error& error) {
            if (error.code() == ErrorCode::communication) throw;
            caught = error;
        }
        agree(comm_, [&] { failures_.push_back(*caught); });
        return false;
    }

    /// Collective. Throws what was kept, in one Error.
    void finish() const {
        if (failures_.size() == 1) throw failures_.front();
        if (failures_.empty()) return;
        std::string all;
        agree(comm_, [&] {
            for (const Error& failure : failures_) all += (all.empty() ? "" : "; also: ") + std::string(failure.what());
        });
        throw Error(failures_.front().code(), all);
    }

private:
    MPI_Comm comm_;
    std::vector<Error> failures_;
};

}  // namespace gravlet
