// SPDX-License-Identifier: Apache-2.0
#include "tests/fault/cases/solver_cases.hpp"

#include "physics/fields.hpp"
#include "solver/input/input.hpp"
#include "tests/api/block_mesh.hpp"
#include "tests/fault/cases/told_case.hpp"
#include "tests/hosts/c/c_arrays.hpp"
#include "tests/hosts/lengths.hpp"
#include "tests/mpi/gather.hpp"

#include <gravlet/gravlet.h>
#include <gravlet/solver.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>

namespace gravlet::test {
namespace {

const Box unit_box{{-0.25, -0.25, -0.25}, {1.25, 1.25, 1.25}};  // of the points, which lie about the mesh

/// With a criterion, so that there is a tree: few bodies on a GPU would act one by one.
Options base() {
    return {.backend = std::getenv("GRAVLET_TEST_GPU") != nullptr ? Backend::gpu : Backend::cpu,
            .criterion = Criterion::opening,
            .threads = world_size() == 1 ? 2 : 1};
}

Options with(void (*change)(Options& options)) {
    Options options = base();
    change(options);
    return options;
}

Options periodic() {
    return with([](Options& o) { o.boundary.fill(Boundary::periodic), o.domain = unit_box; });
}

/// At the medium level.
Options finer_far_images() {
    Options options = periodic();
    options.theta = 0.5, options.order = 4;
    return options;
}

Options as_cuboids(Options options) {
    options.near_cells = NearCells::cuboid;
    return options;
}

Options table() {
    Options options = periodic();
    options.periodic_method = PeriodicMethod::table;
    options.ewald_nodes = 4;
    options.ewald_order = 2;
    return options;
}

Options sampled(Options options) {
    options.error_samples = 20;
    options.ewald_nodes = 4;
    options.ewald_order = 2;
    return options;
}

Options softened() {
    return with([](Options& o) { o.softening = 0.01; });
}

Options in_double() {
    Options options = softened();
    options.precision = Precision::double_, options.order = 4, options.theta = 0.6;
    return options;
}

Options spline() {
    return with([](Options& o) { o.softening_kernel = SofteningKernel::spline; });
}

Options redistributed() {
    return with([](Options& o) { o.redistribute = true; });
}

/// Each rank solves on its device.
Options shared() {
    return with([](Options& o) { o.gpu_sharing = GpuSharing::share; });
}

Options keep_moved() {
    return with([](Options& o) { o.gpu_sharing = GpuSharing::share, o.keep_moved = true; });
}

Options same_bits() {
    return with([](Options& o) { o.active_bits = ActiveBits::same; });
}

Options checked() {
    return with([](Options& o) { o.gpu_sharing = GpuSharing::share, o.check_changed = true; });
}

Options by(Criterion criterion) {
    Options options = base();
    options.criterion = criterion;
    return options;
}

/// Of points, so many on every rank that the GPU walks for sets of groups (tests/api/gpu/test_sets.cpp).
Options in_sets() {
    return with([](Options& o) { o.gpu_sharing = GpuSharing::share, o.group_size = 32; });
}

/// So loosely that the next solve takes what the first did.
Options tolerant() {
    return with([](Options& o) { o.tolerance = 0.05; });
}

/// So tightly that a first solve walks again.
Options tight() {
    return with([](Options& o) {
        o.gpu_sharing = GpuSharing::share, o.criterion = Criterion::multipole, o.alpha = automatic;
        o.tolerance = 1e-6, o.tolerance_of = ErrorOf::potential;
    });
}

Options one_by_one() {
    return with([](Options& o) { o.criterion = Criterion::automatic; });
}

Options direct() {
    return with([](Options& o) { o.theta = 0.0; });
}

/// A problem in the caller's arrays.
struct Setup {
    Options options = base();
    int levels = 3;            ///< of the mesh; 0: none
    std::size_t points = 0;    ///< on all ranks
    std::size_t probes = 0;    ///< on all ranks
    int derivatives = 0;       ///< of the potential that are wanted
    bool active = false;       ///< two of three targets
    bool few = false;          ///< targets: one of 20, and none on the second rank
    bool lengths = false;      ///< of points
    bool even = false;         ///< nearly: cells have a background
    bool walks_again = false;  ///< in the solver's first solve, of which each call is one
};

struct Arrays {
    BodyArrays mesh, points, places;
    std::vector<std::uint8_t> active_cells, active_points;
    std::vector<double> lengths;

    explicit Arrays(const Setup& setup) {
        if (setup.levels > 0) mesh = part_of(random_mesh(1, setup.levels));
        for (std::size_t i = 0; setup.even && i < mesh.size(); ++i)
            mesh.mass[i] = (1.0 + 1e-3 * static_cast<double>(i % 7)) * std::pow(mesh.dx[i], 3);
        if (setup.points > 0) points = part_of(random_points(2, setup.points));
        if (setup.probes > 0) places = part_of(random_points(9, setup.probes));
        if (setup.lengths) lengths = some_lengths(points.size());
        if (!setup.active && !setup.few) return;
        const auto is_active = [&](std::size_t i) { return setup.few ? i % 20 == 0 && world_rank() != 1 : i % 3 != 0; };
        for (std::size_t i = 0; i < mesh.size(); ++i) active_cells.push_back(is_active(i) ? 1 : 0);
        for (std::size_t i = 0; i < points.size(); ++i) active_points.push_back(is_active(i) ? 1 : 0);
    }
    [[nodiscard]] std::size_t size() const { return mesh.size() + points.size() + places.size(); }
    [[nodiscard]] Cells cells() const { return with_active(mesh.cells(), active_cells); }
    [[nodiscard]] Points masses() const {
        Points all = with_active(points.points(), active_points);
        all.softening = lengths;
        return all;
    }
    [[nodiscard]] Fields cell_fields(std::vector<double>& results, int derivatives) const {
        return fields(results, 0, mesh.size(), derivatives);
    }
    [[nodiscard]] Fields point_fields(std::vector<double>& results, int derivatives) const {
        return fields(results, result_count * mesh.size(), points.size(), derivatives);
    }
    [[nodiscard]] Probes probes(std::vector<double>& results, int derivatives) const {
        return {places.x, places.y, places.z,
                fields(results, result_count * (mesh.size() + points.size()), places.size(), derivatives)};
    }

private:
    template <class T>
    static T with_active(T bodies, const std::vector<std::uint8_t>& active) {
        bodies.active = active;
        return bodies;
    }
    static Fields fields(std::vector<double>& results, std::size_t begin, std::size_t n, int derivatives) {
        std::array<ResultSpan, result_count> arrays;
        for (std::size_t k = 0; k < component_count(derivatives); ++k) arrays[k] = std::span(results).subspan(begin + k * n, n);
        return as_fields(arrays);
    }
};

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

private:
    Setup setup_;
    Arrays arrays_;
    std::shared_ptr<StageCounter> stages_ = std::make_shared<StageCounter>();
    Solver solver_;
};

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

/// C's codes as errors. They are thrown after the call that the fault hits.
void check_c(int code) {
    if (code != GRAVLET_SUCCESS) throw Error(static_cast<ErrorCode>(code), gravlet_error_message());
}

class InC : public Trial {
public:
    enum class Call { create, cells, blocks, points };
    explicit InC(Call call) : call_(call), array_(mesh_, 1) {
        gravlet_options_init(&options_);
        options_.backend = static_cast<std::int32_t>(base().backend);
        options_.threads = base().threads;
        const std::vector<Block> densities = array_.blocks(mesh_);
        results().resize(std::max(array_.data.size(), result_count * arrays_.size()));
        for (const Block& b : array_.blocks(mesh_, results().data())) {
            const Block& from = densities[blocks_.size()];
            gravlet_block& block = blocks_.emplace_back();
            std::ranges::copy(b.lower, block.lower);
            std::ranges::copy(b.cell_size, block.cell_size);
            std::ranges::copy(b.n, block.n);
            std::ranges::copy(b.stride, block.stride);
            block.density = from.density.doubles();
            block.potential = b.potential.doubles();
        }
        if (call != Call::create) make();
    }
    ~InC() override { gravlet_destroy(&solver_); }

    void call() override {
        if (call_ == Call::create) return make();
        solve();
    }
    void again() override {
        if (call_ == Call::create) make();
        solve();
    }

private:
    void make() {
        gravlet_destroy(&solver_);
        check_c(gravlet_create(MPI_COMM_WORLD, &options_, &solver_));
    }
    void solve() {
        const gravlet_cells cells = c_cells(arrays_.mesh);
        const gravlet_points points = c_points(arrays_.points);
        double* const to = results().data();
        const gravlet_fields cell_fields{to, {}, {}, 0}, point_fields{to + result_count * arrays_.mesh.size(), {}, {}, 0};
        switch (call_) {
            case Call::create:
            case Call::cells: return check_c(gravlet_solve_cells(solver_, &cells, &cell_fields, &points, &point_fields, nullptr));
            case Call::points: return check_c(gravlet_solve_points(solver_, &points, &point_fields, nullptr));
            case Call::blocks:
                return check_c(gravlet_solve_blocks(solver_, static_cast<std::int64_t>(blocks_.size()), blocks_.data(), &points,
                                                    nullptr, nullptr));
        }
    }

    Call call_;
    gravlet_options options_{};
    gravlet_solver* solver_ = nullptr;
    Arrays arrays_{{.points = 40}};
    BlockMesh mesh_{{2, 3, 4}};
    FlashArray array_;
    std::vector<gravlet_block> blocks_;
};

Case first_solve(const std::string& name, const Setup& setup) {
    return {name, [=] { return std::make_unique<Solve>(setup); }};
}

Case second_solve(const std::string& name, const Setup& first, const Setup& setup) {
    return {name, [=] {
                auto trial = std::make_unique<Solve>(setup);
                trial->solve_first(first);
                return trial;
            }};
}

Case construction(const std::string& name, const Options& options) {
    return {name, [=] { return std::make_unique<Construction>(options); }};
}

Case gathering(const std::string& name, std::size_t grouping, Gather::Call call = Gather::Call::solve) {
    return {name, [=] { return std::make_unique<Gather>(grouping, call); }};
}

Case in_c(const std::string& name, InC::Call call) {
    return {name, [=] { return std::make_unique<InC>(call); }};
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
        first_solve("tidal tensor", {.points = 40, .derivatives = 2}),
        first_solve("criterion, potential", {.options = by(Criterion::multipole)}),
        second_solve("tolerance, another mesh", {.options = tolerant(), .levels = 2}, {.options = tolerant()}),
        first_solve("active targets", {.points = 40, .derivatives = 1, .active = true}),
        first_solve("few active, same bits", {.options = same_bits(), .points = 40, .derivatives = 1, .few = true}),
        first_solve("few active, periodic", {.options = periodic(), .points = 40, .derivatives = 1, .few = true}),
        first_solve("few active, cuboids", {.options = as_cuboids(base()), .points = 40, .derivatives = 1, .few = true}),
        second_solve("few active, kept tree", {}, {.few = true}),
        first_solve("periodic table", {.options = table(), .derivatives = 1}),
        first_solve("sampled errors, periodic", {.options = sampled(periodic()), .derivatives = 1}),
        gathering("gathered, each alone", 4),
        in_c("C: create", InC::Call::create),
        in_c("C: cells and points", InC::Call::cells),
        in_c("C: blocks", InC::Call::blocks),
        in_c("C: points", InC::Call::points),
    };
    cases.insert(cases.end(), more.begin(), more.end());
    if (base().backend == Backend::gpu)
        cases.push_back(first_solve(
            "sets of groups",
            {.options = in_sets(), .levels = 0, .points = 420'000 * static_cast<std::size_t>(world_size()), .derivatives = 1}));
    return cases;
}

}  // namespace gravlet::test
