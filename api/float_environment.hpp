// SPDX-License-Identifier: Apache-2.0
// A host may round up, flush what is tiny to zero, or have asked for a signal at floating-point exceptions (gfortran -ffpe-trap,
// feenableexcept()), on some of its threads or on all. Results must not depend on that, and SIMD lanes that count for nothing may
// divide by zero: while one of these lives, all threads that work for gravlet compute as C++ begins to (rounding to nearest, no
// traps, no flushing), and afterwards each has its own environment again, flags included.
#pragma once

#include <cfenv>
#include <vector>

namespace gravlet {

/// The floating-point environment of the calling thread, gravlet's own while this lives.
class OwnEnvironment {
public:
    OwnEnvironment() noexcept {
        std::fegetenv(&host_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~OwnEnvironment() { std::fesetenv(&host_); }
    OwnEnvironment(const OwnEnvironment&) = delete;
    OwnEnvironment& operator=(const OwnEnvironment&) = delete;

private:
    std::fenv_t host_;
};

/// The floating-point environments of a team of OpenMP threads. Those that join later begin with the environment of the one that
/// starts them.
class FloatEnvironment {
public:
    /// `threads`: how many will work.
    explicit FloatEnvironment(int threads);
    ~FloatEnvironment();
    FloatEnvironment(const FloatEnvironment&) = delete;
    FloatEnvironment& operator=(const FloatEnvironment&) = delete;

private:
    std::vector<std::fenv_t> host_;  ///< one a thread
};

}  // namespace gravlet
