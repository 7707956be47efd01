// SPDX-License-Identifier: Apache-2.0
// The tidal tensor against sums in long double, and as the derivative of the acceleration; its trace; who gets which bits.
#include "physics/fields.hpp"
#include "solver/errors/error_statistics.hpp"
#include "tests/api/agreed.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/api/body_arrays.hpp"
#include "tests/softened_pair.hpp"

#include <gravlet/solver.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace gravlet::test {
namespace {

using Tensor = std::array<double, 6>;

double norm(const Tensor& t) {
    double sum = 0.0;
    for (std::size_t k = 0; k < t.size(); ++k) sum += result_components[first_component(2) + k].times * t[k] * t[k];
    return std::sqrt(sum);
}
Tensor difference(Tensor a, const Tensor& b) {
    for (std::size_t k = 0; k < a.size(); ++k) a[k] -= b[k];
    return a;
}
Tensor tensor_of(const Result& result, std::size_t i) {
    Tensor out;
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = result.tidal[k][i];
    return out;
}

/// What some bodies, all unsoftened or all with one length, do at a place; what is there does nothing unless it is softened.
struct Naive2 {
    long double sums[6] = {};

    void add(const BodyArrays& sources, const std::array<double, 3>& at, double softening, SofteningKernel kernel,
             std::size_t except) {
        for (std::size_t j = 0; j < sources.size(); ++j) {
            if (j == except) continue;
            const long double m = sources.mass[j];
            const std::array<long double, 3> d = {at[0] - static_cast<long double>(sources.x[j]),
                                                  at[1] - static_cast<long double>(sources.y[j]),
                                                  at[2] - static_cast<long double>(sources.z[j])};
            const long double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            const auto pair = softened_pair<long double>(r2, softening, kernel);
            std::size_t k = 0;
            for (std::size_t a = 0; a < 3; ++a)
                for (std::size_t b = a; b < 3; ++b, ++k) sums[k] += m * (pair.tide * d[a] * d[b] - (a == b ? pair.field : 0.0L));
        }
    }
    [[nodiscard]] Tensor tensor() const {
        Tensor out;
        for (std::size_t k = 0; k < 6; ++k) out[k] = static_cast<double>(sums[k]);
        return out;
    }
};

/// Over all ranks.
ErrorStatistics statistics_of(const std::vector<double>& errors) {
    Stages stages(MPI_COMM_WORLD);
    ErrorList list;
    for (const double error : errors) list.add(error, {});
    const ErrorStatistics out = statistics(stages, std::move(list));
    stages.agree();
    return out;
}

class TidalTest : public testing::Test {
protected:
    /// Relative errors at all cells and points; a softening of the options is of points.
    ErrorStatistics errors(const Options& options) {
        solver_.emplace(MPI_COMM_WORLD, options);
        solver_->solve(mine_.cells(), cells_.all_fields(), my_points_.points(), points_results_.all_fields());
        std::vector<double> errors;
        const auto compare = [&](const BodyArrays& mine, const Result& got, bool points) {
            for (std::size_t i = 0; i < mine.size(); ++i) {
                Naive2 sum;
                const std::array<double, 3> at{mine.x[i], mine.y[i], mine.z[i]};
                const std::size_t own = mine.index[i], none = ~std::size_t{0};
                sum.add(mesh_, at, points ? options.softening : 0.0, options.softening_kernel, points ? none : own);
                sum.add(points_, at, options.softening, options.softening_kernel, points ? own : none);
                const Tensor expected = sum.tensor();
                errors.push_back(norm(difference(tensor_of(got, i), expected)) / norm(expected));
            }
        };
        compare(mine_, cells_, false);
        compare(my_points_, points_results_, true);
        return statistics_of(errors);
    }

    BodyArrays mesh_ = random_mesh(3, 4), points_ = random_points(4, 500);
    BodyArrays mine_ = part_of(mesh_), my_points_ = part_of(points_);
    Result cells_{mine_.size()}, points_results_{my_points_.size()};
    std::optional<Solver> solver_;
};

TEST_F(TidalTest, DirectSum) {
    for (const SofteningKernel kernel : {SofteningKernel::plummer, SofteningKernel::spline})
        for (const double softening : {0.0, 0.02}) {
            const ErrorStatistics e = errors({.theta = 0.0, .softening_kernel = kernel, .softening = softening});
            EXPECT_LE(e.max, 1e-12) << softening;
        }
}

struct Bound {
    double theta;
    int order;
    double p99, max;
};

void expect_within(const ErrorStatistics& e, const Bound& bound) {
    if (world_rank() == 0)
        std::cout << "theta " << bound.theta << ", order " << bound.order << ": 99% " << e.p99 << ", max " << e.max << '\n';
    EXPECT_LE(e.p99, bound.p99) << bound.theta << ' ' << bound.order;
    EXPECT_LE(e.max, bound.max) << bound.theta << ' ' << bound.order;
}

TEST_F(TidalTest, AnyOrder) {
    for (const Bound& bound : {Bound{0.5, 0, 1, 1}, Bound{0.5, 2, 1, 1}, Bound{0.5, 3, 1, 1}, Bound{0.5, 4, 1, 1},
                               Bound{0.8, 2, 1, 1}, Bound{1.0, 4, 1, 1}})
        expect_within(errors({.theta = bound.theta, .order = bound.order}), bound);
}

TEST_F(TidalTest, Softened) {
    for (const SofteningKernel kernel : {SofteningKernel::plummer, SofteningKernel::spline})
        for (const Bound& bound : {Bound{0.5, 2, 1, 1}, Bound{0.5, 4, 1, 1}, Bound{1.0, 4, 1, 1}})
            expect_within(errors({.theta = bound.theta, .order = bound.order, .softening_kernel = kernel, .softening = 0.02}),
                          bound);
}

}  // namespace
}  // namespace gravlet::test
