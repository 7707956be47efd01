// SPDX-License-Identifier: Apache-2.0
// What the fault tests do again and again: make a fresh state, let one call of it fail at one rank's k-th chance, and see
//   1. that all ranks come back: with the same code and message, or all with the right results;
//   2. that an error has left results as they were;
//   3. that the next call, without a fault, gives the same bits as ever.
// A rank that does not come back is the watchdog's.
#pragma once

#include "tests/fault/countdown.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace gravlet::test {

/// A state, and the call that a fault hits. The calls are collective and allocate nothing of their own.
class Trial {
public:
    Trial() = default;
    virtual ~Trial() = default;
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

    virtual void call() = 0;
    /// The next call, which no fault hits.
    virtual void again() { call(); }
    /// All that the calls write.
    [[nodiscard]] std::vector<double>& results() { return results_; }

private:
    std::vector<double> results_;
};

struct Case {
    std::string name;
    std::function<std::unique_ptr<Trial>()> make;

    friend void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }
};

/// The name of a case as that of a GoogleTest.
[[nodiscard]] std::string test_name(const testing::TestParamInfo<Case>& info);

/// What fails, and what may come of it.
struct Fault {
    Countdown& calls;
    std::vector<ErrorCode> codes;  ///< that an error may have
    /// A call of MPI's that, if it fails after it was done, may be an error of that rank alone ("": none).
    std::string may_fail_alone{};
    /// The writing of results, which comes when all ranks have agreed, can be what fails.
    bool may_touch = false;
    /// All calls after the k-th fail as well.
    bool for_good = false;
    /// What every error's message says.
    std::string reason{};
};

/// Collective over MPI_COMM_WORLD: the fault at the k-th call on rank `faulty` alone, for some k, spread over the places in the
/// code that no case before has tried, and for the last ones. GRAVLET_FAULTS=all: for all k. GRAVLET_FAULTS_FROM: no smaller k.
/// GRAVLET_FAULT_TRACE: prints where each call that fails was made. Rank 0 prints a line of a table.
void expect_safe(const Case& one, const Fault& fault, int faulty);

/// The last rank and, of three, the first: expect_safe for each.
void expect_safe(const Case& one, const Fault& fault);

}  // namespace gravlet::test
