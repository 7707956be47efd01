// SPDX-License-Identifier: Apache-2.0
// Every instruction set that the walk is compiled for gives the same answer.
#include "physics/order.hpp"

#include <gravlet/solver.hpp>
#include <gravlet/version.hpp>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace gravlet {
namespace {

struct Answer {
    std::vector<double> potential, x, y, z;
};

Answer solve(int order) {
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    std::vector<double> x(5003), y(x), z(x), m(x);
    for (auto* values : {&x, &y, &z, &m})
        for (double& value : *values) value = uniform(random);
    Answer answer{std::vector<double>(x.size()), std::vector<double>(x.size()), std::vector<double>(x.size()),
                  std::vector<double>(x.size())};
    Solver solver(MPI_COMM_SELF, {.theta = 0.7, .order = order});
    solver.solve(Points{x, y, z, m}, Fields{answer.potential, {answer.x, answer.y, answer.z}});
    return answer;
}

TEST(Simd, EveryInstructionSetGivesTheSameAnswer) {
    const std::int64_t machine = hwy::SupportedTargets();
    for (const int order : orders) {
        const Answer best = solve(order);
        for (const std::int64_t target : {std::int64_t{HWY_AVX2}, std::int64_t{HWY_STATIC_TARGET}}) {
            if ((machine & target) == 0 && target != HWY_STATIC_TARGET) continue;
            hwy::SetSupportedTargetsForTest(target | HWY_STATIC_TARGET);
            hwy::GetChosenTarget().Update(hwy::SupportedTargets());
            const std::string name = backends().back();
            const Answer other = solve(order);
            for (std::size_t i = 0; i < best.potential.size(); ++i) {
                ASSERT_NEAR(other.potential[i] / best.potential[i], 1.0, 3e-7) << name << ", point " << i;
                const double difference = std::hypot(other.x[i] - best.x[i], other.y[i] - best.y[i], other.z[i] - best.z[i]);
                ASSERT_LT(difference, 1.1e-5 * std::hypot(best.x[i], best.y[i], best.z[i])) << name << ", point " << i;
            }
            hwy::SetSupportedTargetsForTest(0);
            hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        }
    }
}

}  // namespace
}  // namespace gravlet
