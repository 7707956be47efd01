// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/cases/solve_case.hpp"

#include <gravlet/solver.hpp>

#include <stdexcept>

namespace gravlet::test {
namespace {

/// Whatever becomes of a call, stages end that have begun.
class StageCounter final : public Listener {
public:
    void begin_stage(const char*) override { ++open_; }
    void end_stage(const char*) override { --open_; }
    void expect_all_ended() const { EXPECT_EQ(open_, 0) << "stages of the call before are open"; }

private:
    int open_ = 0;
};

/// A solve of cells and points.
class Solve : public Trial {
public:
    explicit Solve(const Setup& setup) : setup_(setup), arrays_(setup), solver_(MPI_COMM_WORLD, setup.options, stages_) {
        results().resize(result_count * arrays_.size());
    }
    void call() override {
        stages_->expect_all_ended();
        const Fields cells = arrays_.cell_fields(results(), setup_.derivatives);
        const Fields points = arrays_.point_fields(results(), setup_.derivatives);
        const Probes probes = arrays_.probes(results(), setup_.derivatives);
        if (setup_.levels == 0)
            solver_.solve(arrays_.masses(), points, probes);
        else
            solver_.solve(arrays_.cells(), cells, arrays_.masses(), points, probes);
    }
    void again() override {
        // One that has solved would begin with what it learned.
        if (setup_.walks_again && solver_.report().tolerance) solver_ = Solver(MPI_COMM_WORLD, setup_.options, stages_);
        call();
        // (Groups of a GPU err less.)
        if (setup_.walks_again && setup_.options.backend == Backend::cpu && solver_.report().tolerance->walks == 1)
            throw std::logic_error("there was one walk");
    }
    /// A solve of another problem before.
    void solve_first(const Setup& other) {
        const Arrays arrays(other);
        std::vector<double> potential(arrays.mesh.size());
        solver_.solve(arrays.cells(), {potential, {}}, arrays.masses(), {});
    }

protected:
    [[nodiscard]] Solver& solver() { return solver_; }

private:
    Setup setup_;
    Arrays arrays_;
    std::shared_ptr<StageCounter> stages_ = std::make_shared<StageCounter>();
    Solver solver_;
};

/// Other lengths than in the solves before, of which the solver is told.
class OtherLengths final : public Solve {
public:
    explicit OtherLengths(const Setup& setup) : Solve(setup) { Solve::call(); }
    void call() override {
        solver().set_softening(0.02);
        solver().set_domain({{-0.5, -0.5, -0.5}, {1.5, 1.5, 1.5}});
        Solve::call();
    }
};

}  // namespace

std::unique_ptr<Trial> make_solve(const Setup& setup) { return std::make_unique<Solve>(setup); }

std::unique_ptr<Trial> make_second_solve(const Setup& first, const Setup& setup) {
    auto trial = std::make_unique<Solve>(setup);
    trial->solve_first(first);
    return trial;
}

std::unique_ptr<Trial> make_solve_with_other_lengths(const Setup& setup) { return std::make_unique<OtherLengths>(setup); }

}  // namespace gravlet::test
