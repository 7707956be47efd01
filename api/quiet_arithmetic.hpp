// SPDX-License-Identifier: Apache-2.0
// A host may have asked for a signal at floating-point exceptions (gfortran -ffpe-trap, feenableexcept()). SIMD lanes that count
// for nothing may divide by zero: while one of these lives, no thread of ours signals, and afterwards traps and flags are the
// host's.
#pragma once

#include <cfenv>
#include <vector>

namespace gravlet {

class QuietArithmetic {
public:
    /// `threads`: OpenMP threads that will work.
    explicit QuietArithmetic(int threads);
    ~QuietArithmetic();
    QuietArithmetic(const QuietArithmetic&) = delete;
    QuietArithmetic& operator=(const QuietArithmetic&) = delete;

private:
    std::vector<std::fenv_t> host_;  ///< one a thread; the caller's alone if it has no traps
};

}  // namespace gravlet
