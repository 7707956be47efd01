// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/cases/solver_cases.hpp"

#include "solver/input/input.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/fault/cases/c_case.hpp"
#include "tests/fault/cases/solve_case.hpp"
#include "tests/fault/cases/told_case.hpp"
#include "tests/mpi/gather.hpp"

#include <gravlet/solver.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>

namespace gravlet::test {
namespace {

class Blocks : public Trial {
public:
    /// `guards`: layers of guard cells that get results. `faces`: whether z-faces do. `known`: the blocks are those of the solve
    /// before.
    Blocks(int guards, bool faces, const Options& options = shared(), bool known = false)
        : array_(mesh_, 1), solver_(MPI_COMM_WORLD, options) {
        const std::size_t cells = array_.data.size(), of_block = 2 * 3 * 5;
        results().resize(cells + (faces ? of_block * mesh_.lower.size() : 0));
        blocks_ = between(array_.blocks(mesh_), array_.blocks(mesh_, results().data()));
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            blocks_[b].result_guards.fill(guards);
            if (faces) blocks_[b].face_acceleration[2] = results().data() + cells + b * of_block;
        }
        if (known) solver_.solve(blocks_);
    }
    void call() override { solver_.solve(blocks_); }

private:
    BlockMesh mesh_{{2, 3, 4}};
    FlashArray array_;
    std::vector<Block> blocks_;
    Solver solver_;
};

/// A solve with the tree of the one before, whose points have moved since; the next call begins with a tree of its own.
class Moved : public Trial {
public:
    explicit Moved(const Options& options) : solver_(MPI_COMM_WORLD, options) {
        for (std::size_t i = 0; i < now_.size(); ++i) now_.x[i] += 1e-4 * std::sin(static_cast<double>(i));
        results().resize(now_.size());
        other_results_.resize(std::max(now_.size(), other_.size()));
        solve(before_, other_results_);
    }
    void call() override { solve(now_, results()); }
    void again() override {
        solve(other_, other_results_);
        solve(before_, other_results_);
        call();
        if (solver_.report().moved_ranks != world_size()) throw std::logic_error("no tree was kept");
    }

private:
    void solve(const BodyArrays& points, std::vector<double>& potential) {
        solver_.solve(points.points(), {std::span(potential).first(points.size()), {}});
    }

    BodyArrays before_ = part_of(random_points(2, 200)), now_ = before_, other_ = part_of(random_points(3, 150));
    std::vector<double> other_results_;
    Solver solver_;
};

/// The constructor; the next call constructs and solves.
class Construction : public Trial {
public:
    explicit Construction(const Options& options) : options_(options), arrays_({.options = options, .points = 20}) {
        results().resize(result_count * arrays_.size());
    }
    void call() override {
        solver_.reset();
        solver_.emplace(MPI_COMM_WORLD, options_);
    }
    void again() override {
        call();
        solver_->solve(arrays_.cells(), arrays_.cell_fields(results(), 1), arrays_.masses(), arrays_.point_fields(results(), 1));
    }

private:
    Options options_;
    Arrays arrays_;
    std::optional<Solver> solver_;
};

/// Groups of ranks that solve as one, on the CPU.
class Gather : public Trial {
public:
    enum class Call { constructor, solve };
    Gather(std::size_t grouping, Call call)
        : call_(call), grouping_(groupings()[grouping]), arrays_({.points = 40, .probes = 20}) {
        options_.backend = Backend::cpu;
        results().resize(result_count * arrays_.size());
        if (call_ == Call::solve) make();
    }
    void call() override { call_ == Call::constructor ? make() : solve(); }
    void again() override {
        if (call_ == Call::constructor) make();
        solve();
    }

private:
    void make() {
        gathered_.reset();
        gathered_.emplace(grouping_, options_);
    }
    void solve() {
        gathered_->solve(make_input(arrays_.cells(), arrays_.cell_fields(results(), 1), arrays_.masses(),
                                    arrays_.point_fields(results(), 1), arrays_.probes(results(), 1)));
    }

    Call call_;
    Grouping grouping_;
    Options options_ = softened();
    Arrays arrays_;
    std::optional<Gathered> gathered_;
};

Case first_solve(const std::string& name, const Setup& setup) {
    return {name, [=] { return make_solve(setup); }};
}

Case second_solve(const std::string& name, const Setup& first, const Setup& setup) {
    return {name, [=] { return make_second_solve(first, setup); }};
}

Case other_lengths(const std::string& name, const Setup& setup) {
    return {name, [=] { return make_solve_with_other_lengths(setup); }};
}

Case construction(const std::string& name, const Options& options) {
    return {name, [=] { return std::make_unique<Construction>(options); }};
}

Case gathering(const std::string& name, std::size_t grouping, Gather::Call call = Gather::Call::solve) {
    return {name, [=] { return std::make_unique<Gather>(grouping, call); }};
}

Case in_c(const std::string& name, CCall call) {
    return {name, [=] { return make_in_c(call); }};
}

}  // namespace

std::vector<Case> few_solver_cases() {
    return {
        construction("constructor", base()),
        first_solve("cells", {}),
        first_solve("points", {.levels = 0, .points = 200}),
        first_solve("heavy points", {.levels = 0, .points = 20, .derivatives = 1}),
        {"blocks", [] { return std::make_unique<Blocks>(0, false); }},
        {"guard cells", [] { return std::make_unique<Blocks>(1, false); }},
        {"faces", [] { return std::make_unique<Blocks>(0, true); }},
        first_solve("periodic images", {.options = periodic(), .points = 40, .derivatives = 1}),
        first_solve("nearly even cells as cuboids", {.options = as_cuboids(periodic()), .derivatives = 1, .even = true}),
        first_solve("sampled errors", {.options = sampled(base()), .derivatives = 1}),
        first_solve("criterion", {.options = by(Criterion::acceleration), .points = 40, .derivatives = 1}),
        first_solve("tolerance", {.options = tolerant(), .derivatives = 1}),
        first_solve("walking again", {.options = tight(), .levels = 0, .points = 400, .derivatives = 1, .walks_again = true}),
        {"moved points", [] { return std::make_unique<Moved>(keep_moved()); }},
        first_solve("few active points", {.levels = 0, .points = 200, .derivatives = 1, .few = true}),
        first_solve("few active points, criterion",
                    {.options = by(Criterion::acceleration), .levels = 0, .points = 200, .derivatives = 1, .few = true}),
        first_solve("few active cells and points, probes", {.points = 40, .probes = 20, .derivatives = 1, .few = true}),
        {"only changed", [] { return make_told(shared()); }},
        {"only changed, checked", [] { return make_told(checked()); }},
        first_solve("theta 0", {.options = direct(), .derivatives = 1}),
        first_solve("theta 0, cells as cuboids", {.options = as_cuboids(direct()), .probes = 20, .derivatives = 1}),
        first_solve("probes", {.options = as_cuboids(base()), .points = 40, .probes = 40, .derivatives = 1}),
        first_solve("before planes", {.options = before_planes(), .points = 40, .probes = 20, .derivatives = 1}),
        {"guard cells before planes", [] { return std::make_unique<Blocks>(1, false, before_planes()); }},
        other_lengths("other lengths", {.options = softened(), .points = 40, .derivatives = 1}),
        first_solve("redistributed", {.options = redistributed(), .points = 40, .probes = 20, .derivatives = 1, .active = true}),
        gathering("gathered constructor", 0, Gather::Call::constructor),
        gathering("gathered, all in one", 0),
        gathering("gathered, one and the others", 2),
    };
}

std::vector<Case> solver_cases() {
    std::vector<Case> cases = few_solver_cases();
    const std::vector<Case> more = {
        construction("constructor, table", table()),
        construction("constructor, redistributed", redistributed()),
        second_solve("redistributed again", {.options = redistributed()}, {.options = redistributed()}),
        first_solve("cells, acceleration", {.derivatives = 1}),
        first_solve("points one by one", {.options = one_by_one(), .levels = 0, .points = 200, .derivatives = 1}),
        second_solve("kept tree", {}, {}),
        {"known blocks", [] { return std::make_unique<Blocks>(0, false, base(), true); }},
        second_solve("growing mesh", {}, {.levels = 4}),
        first_solve("cells and points, softened", {.options = softened(), .points = 40}),
        first_solve("cells and points with lengths, spline",
                    {.options = spline(), .points = 40, .derivatives = 1, .lengths = true}),
        first_solve("finer far images", {.options = finer_far_images(), .points = 40, .derivatives = 1}),
        first_solve("in double, softened", {.options = in_double(), .points = 40, .derivatives = 1}),
        first_solve("before planes, in double", {.options = mirrored(in_double()), .points = 40, .derivatives = 1}),
        first_solve("before planes, theta 0", {.options = mirrored(direct()), .points = 40, .derivatives = 1}),
        first_solve("before planes, cuboids", {.options = as_cuboids(before_planes()), .probes = 20, .derivatives = 1}),
        first_solve("before planes, few active", {.options = before_planes(), .points = 40, .derivatives = 1, .few = true}),
        other_lengths("other lengths, periodic", {.options = periodic(), .points = 40, .derivatives = 1}),
        first_solve("tidal tensor", {.points = 40, .derivatives = 2}),
        first_solve("criterion, potential", {.options = by(Criterion::multipole)}),
        second_solve("tolerance, another mesh", {.options = tolerant(), .levels = 2}, {.options = tolerant()}),
        first_solve("active targets", {.points = 40, .derivatives = 1, .active = true}),
        first_solve("few active, same bits", {.options = same_bits(), .points = 40, .derivatives = 1, .few = true}),
        first_solve("few active, periodic", {.options = periodic(), .points = 40, .derivatives = 1, .few = true}),
        first_solve("few active, cuboids", {.options = as_cuboids(base()), .points = 40, .derivatives = 1, .few = true}),
        second_solve("few active, kept tree", {}, {.few = true}),
        first_solve("periodic table", {.options = table(), .derivatives = 1}),
        first_solve("sheared images", {.options = sheared(), .points = 40, .derivatives = 1}),
        first_solve("sampled errors, sheared", {.options = sampled(sheared()), .derivatives = 1}),
        first_solve("sampled errors, periodic", {.options = sampled(periodic()), .derivatives = 1}),
        gathering("gathered, each alone", 4),
        in_c("C: create", CCall::create),
        in_c("C: cells and points", CCall::cells),
        in_c("C: blocks", CCall::blocks),
        in_c("C: points", CCall::points),
    };
    cases.insert(cases.end(), more.begin(), more.end());
    if (base().backend == Backend::gpu)
        cases.push_back(first_solve(
            "sets of groups",
            {.options = in_sets(), .levels = 0, .points = 420'000 * static_cast<std::size_t>(world_size()), .derivatives = 1}));
    return cases;
}

}  // namespace gravlet::test
