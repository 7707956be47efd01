// SPDX-License-Identifier: Apache-2.0
// In every test EXPECT_LE, EXPECT_LT and EXPECT_NEAR (and ASSERT_) also note how near to its bound a floating-point number came.
// With GRAVLET_BOUNDS in the environment, a folder, tests/mpi_main.cpp writes there what was noted (tests/ledger/bounds.py).
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

namespace gravlet::test {

/// Of a line of a test, the run's measurement that came nearest to its bound.
void note_bound(const char* file, int line, double measured, double bound);

/// Local, once all tests have run.
void write_bounds(int rank);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"  // as GoogleTest's own, which are in a system header
/// What the macros call: that a is at most b, or below it.
template <bool below>
struct AtMost {
    const char* file;
    int line;

    AtMost(const char* f, int l) : file(f), line(l) {}
    template <class A, class B>
    testing::AssertionResult operator()(const char* a_text, const char* b_text, const A& a, const B& b) const {
        if constexpr (std::is_floating_point_v<A> && std::is_floating_point_v<B>)
            note_bound(file, line, static_cast<double>(a), static_cast<double>(b));
        if (below ? a < b : a <= b) return testing::AssertionSuccess();
        return testing::AssertionFailure() << "Expected: (" << a_text << (below ? ") < (" : ") <= (") << b_text
                                           << "), actual: " << testing::PrintToString(a) << " vs " << testing::PrintToString(b);
    }
};

#pragma GCC diagnostic pop

/// That a and b differ by a bound at most.
struct Near {
    const char* file;
    int line;

    Near(const char* f, int l) : file(f), line(l) {}
    testing::AssertionResult operator()(const char* a_text, const char* b_text, const char* bound_text, double a, double b,
                                        double bound) const {
        const double difference = std::abs(a - b);
        note_bound(file, line, difference, bound);
        if (difference <= bound) return testing::AssertionSuccess();
        return testing::AssertionFailure() << "The difference between " << a_text << " and " << b_text << " is " << difference
                                           << ", which exceeds " << bound_text << ": " << testing::PrintToString(a) << ", "
                                           << testing::PrintToString(b) << ", " << testing::PrintToString(bound);
    }
};

}  // namespace gravlet::test

#undef EXPECT_LE
#undef EXPECT_LT
#undef EXPECT_NEAR
#undef ASSERT_LE
#undef ASSERT_LT
#undef ASSERT_NEAR
#define EXPECT_LE(a, b) EXPECT_PRED_FORMAT2(gravlet::test::AtMost<false>(__FILE__, __LINE__), a, b)
#define EXPECT_LT(a, b) EXPECT_PRED_FORMAT2(gravlet::test::AtMost<true>(__FILE__, __LINE__), a, b)
#define EXPECT_NEAR(a, b, bound) EXPECT_PRED_FORMAT3(gravlet::test::Near(__FILE__, __LINE__), a, b, bound)
#define ASSERT_LE(a, b) ASSERT_PRED_FORMAT2(gravlet::test::AtMost<false>(__FILE__, __LINE__), a, b)
#define ASSERT_LT(a, b) ASSERT_PRED_FORMAT2(gravlet::test::AtMost<true>(__FILE__, __LINE__), a, b)
#define ASSERT_NEAR(a, b, bound) ASSERT_PRED_FORMAT3(gravlet::test::Near(__FILE__, __LINE__), a, b, bound)
