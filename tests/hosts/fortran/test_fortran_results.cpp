// SPDX-License-Identifier: Apache-2.0
// Through Fortran come the same bits as from the C++ API: cells, points and blocks, in any memory, some of them sources only.
#include "tests/api/agreed.hpp"
#include "tests/hosts/fortran/host.hpp"
#include "tests/hosts/lengths.hpp"

#include <gravlet/version.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gravlet::test {
namespace {

/// Every third body is a source only.
std::vector<std::uint8_t> every_third_inactive(std::size_t n) {
    std::vector<std::uint8_t> active(n, 1);
    for (std::size_t i = 0; i < n; i += 3) active[i] = 0;
    return active;
}

/// What each of the two solvers leaves after `solve(solver, cells' result, points' result)`, a second time on the same mesh too.
template <class Solve>
void expect_same_bits(std::size_t cells, std::size_t points, const Options& options, Solve solve) {
    Solver ours(MPI_COMM_WORLD, options);
    FortranSolver theirs(MPI_COMM_WORLD, options);
    for (int repeat = 0; repeat < 2; ++repeat) {
        Result expected(cells), expected_points(points), got(cells), got_points(points);
        EXPECT_EQ(agreed([&] { solve(ours, expected, expected_points); }).code, 0);
        const Caught caught = agreed([&] { solve(theirs, got, got_points); });
        EXPECT_EQ(caught.code, 0) << caught.message;
        EXPECT_EQ(got, expected);
        EXPECT_EQ(got_points, expected_points);
        EXPECT_TRUE(cells == 0 || got != Result(cells));
        EXPECT_TRUE(points == 0 || got_points != Result(points));
    }
}

TEST(FortranCells, Cubes) {
    const BodyArrays mesh = part_of(random_mesh(1, 4));
    expect_same_bits(mesh.size(), 0, {}, [&](auto& s, Result& r, Result&) { s.solve(mesh.cells(), r.fields()); });
    expect_same_bits(mesh.size(), 0, {}, [&](auto& s, Result& r, Result&) { s.solve(mesh.cells(), r.potential_only()); });
}

TEST(FortranCells, WithTides) {
    const BodyArrays mesh = part_of(random_mesh(1, 3)), masses = part_of(random_points(4, 200));
    expect_same_bits(mesh.size(), masses.size(), {.softening = 0.01}, [&](auto& s, Result& r, Result& p) {
        s.solve(mesh.cells(), r.all_fields(), masses.points(), p.all_fields());
    });
    expect_same_bits(mesh.size(), 0, {}, [&](auto& s, Result& r, Result&) { s.solve(mesh.cells(), r.all_fields()); });
}

TEST(FortranCells, WithProbes) {
    const BodyArrays mesh = part_of(random_mesh(1, 3)), masses = part_of(random_points(4, 200)),
                     places = part_of(random_points(9, 80));
    for (const bool alone : {false, true}) {
        Result probes(places.size()), ours(places.size());
        bool first = true;
        expect_same_bits(alone ? 0 : mesh.size(), masses.size(), {}, [&](auto& s, Result& r, Result& p) {
            Result& at = first ? ours : probes;
            const Probes where{places.x, places.y, places.z, at.all_fields()};
            if (alone)
                s.solve(masses.points(), p.fields(), where);
            else
                s.solve(mesh.cells(), r.fields(), masses.points(), p.fields(), where);
            first = !first;
            EXPECT_TRUE(!first || probes == ours);
        });
        EXPECT_TRUE(places.size() == 0 || probes != Result(places.size()));
    }
}

TEST(FortranCells, Cuboids) {
    const BodyArrays mesh = BlockMesh({8, 4, 6}).as_cells();
    expect_same_bits(mesh.size(), 0, {.theta = 0.5, .order = 4},
                     [&](auto& s, Result& r, Result&) { s.solve(mesh.cells(), r.fields()); });
}

TEST(FortranCells, SomeActive) {
    const BodyArrays mesh = part_of(random_mesh(2, 4));
    const std::vector<std::uint8_t> active = every_third_inactive(mesh.size());
    Cells cells = mesh.cells();
    cells.active = active;
    expect_same_bits(mesh.size(), 0, {}, [&](auto& s, Result& r, Result&) {
        s.solve(cells, r.fields());
        for (std::size_t i = 0; i < active.size(); i += 3) EXPECT_EQ(r.potential[i], Result::untouched);
    });
}

TEST(FortranCells, WithPoints) {
    const BodyArrays mesh = part_of(random_mesh(3, 3)), masses = part_of(random_points(4, 300));
    const std::vector<std::uint8_t> active = every_third_inactive(masses.size());
    expect_same_bits(mesh.size(), masses.size(), {.softening = 0.01},
                     [&](auto& s, Result& r, Result& p) { s.solve(mesh.cells(), r.fields(), masses.points(), p.fields()); });
    Points points = masses.points();
    points.active = active;
    expect_same_bits(mesh.size(), masses.size(), {.softening = 0.01}, [&](auto& s, Result& r, Result& p) {
        s.solve(mesh.cells(), r.potential_only(), points, p.potential_only());
    });
}

TEST(FortranCells, OnOneRankOnly) {
    const BodyArrays mesh = part_of(random_mesh(1, 3), [](std::size_t) { return 0; });
    expect_same_bits(mesh.size(), 0, {}, [&](auto& s, Result& r, Result&) { s.solve(mesh.cells(), r.fields()); });
}

TEST(FortranPoints, Alone) {
    const BodyArrays masses = part_of(random_points(5, 500));
    expect_same_bits(0, masses.size(), {.softening = 0.02},
                     [&](auto& s, Result&, Result& p) { s.solve(masses.points(), p.fields()); });
}

TEST(FortranPoints, WithLengths) {
    const BodyArrays mesh = part_of(random_mesh(3, 3)), masses = part_of(random_points(5, 300));
    const std::vector<double> lengths = some_lengths(masses.size());
    Points points = masses.points();
    points.softening = lengths;
    for (const SofteningKernel kernel : {SofteningKernel::plummer, SofteningKernel::spline}) {
        expect_same_bits(0, masses.size(), {.softening_kernel = kernel},
                         [&](auto& s, Result&, Result& p) { s.solve(points, p.fields()); });
        expect_same_bits(mesh.size(), masses.size(), {.softening_kernel = kernel},
                         [&](auto& s, Result& r, Result& p) { s.solve(mesh.cells(), r.fields(), points, p.fields()); });
    }
}

TEST(FortranDirections, Periodic) {
    const BodyArrays mesh = part_of(random_mesh(1, 3));
    Options options{.domain = Box{{0, 0, 0}, {1, 1, 1}}};
    options.boundary.fill(Boundary::periodic);
    expect_same_bits(mesh.size(), 0, options, [&](auto& s, Result& r, Result&) { s.solve(mesh.cells(), r.fields()); });
}

/// Every second number of memory, the others 55.
struct Spread {
    std::vector<double> memory;
    explicit Spread(const std::vector<double>& values) : memory(2 * values.size(), 55.0) {
        for (std::size_t i = 0; i < values.size(); ++i) memory[2 * i] = values[i];
    }
    [[nodiscard]] std::vector<double> values() const {
        std::vector<double> out;
        for (std::size_t i = 0; i < memory.size(); i += 2) {
            out.push_back(memory[i]);
            EXPECT_EQ(memory[i + 1], 55.0);
        }
        return out;
    }
};

std::vector<std::uint8_t> spread(const std::vector<std::uint8_t>& flags) {
    std::vector<std::uint8_t> memory(2 * flags.size(), 1);
    for (std::size_t i = 0; i < flags.size(); ++i) memory[2 * i] = flags[i];
    return memory;
}

std::vector<std::uint8_t> classes_in_turn(std::size_t n) {
    std::vector<std::uint8_t> classes(n);
    for (std::size_t i = 0; i < n; ++i) classes[i] = static_cast<std::uint8_t>(i % 5);
    return classes;
}

struct SpreadArrays {
    Spread x, y, z, dx, mass, potential, ax, ay, az;
    std::array<Spread, 6> tidal;
    std::vector<std::uint8_t> active;

    explicit SpreadArrays(const BodyArrays& b, const std::vector<std::uint8_t>& flags)
        : x(b.x),
          y(b.y),
          z(b.z),
          dx(b.dx),
          mass(b.mass),
          potential(Result(b.size()).potential),
          ax(potential),
          ay(potential),
          az(potential),
          tidal{potential, potential, potential, potential, potential, potential},
          active(spread(flags)) {}
    [[nodiscard]] Cells cells() const { return {x.memory, y.memory, z.memory, dx.memory, {}, {}, mass.memory, active}; }
    [[nodiscard]] Points points() const { return {x.memory, y.memory, z.memory, mass.memory, active}; }
    [[nodiscard]] Fields fields() {
        Fields all{potential.memory, {ax.memory, ay.memory, az.memory}};
        for (std::size_t k = 0; k < tidal.size(); ++k) all.tidal[k] = tidal[k].memory;
        return all;
    }
    [[nodiscard]] Result result() const {
        Result out(0);
        out.potential = potential.values();
        out.acceleration = {ax.values(), ay.values(), az.values()};
        for (std::size_t k = 0; k < tidal.size(); ++k) out.tidal[k] = tidal[k].values();
        return out;
    }
};

TEST(FortranArrays, NeedNotBeContiguous) {
    const BodyArrays mesh = part_of(random_mesh(3, 3)), masses = part_of(random_points(4, 100));
    const std::vector<std::uint8_t> active = every_third_inactive(mesh.size()),
                                    active_points = every_third_inactive(masses.size());
    Cells cells = mesh.cells();
    Points points = masses.points();
    const std::vector<double> lengths = some_lengths(masses.size());
    cells.active = active, points.active = active_points, points.softening = lengths;
    const std::vector<std::uint8_t> classes = classes_in_turn(mesh.size()), classes_of_points = classes_in_turn(masses.size());
    cells.source_class = classes, points.source_class = classes_of_points;
    const Options options{.acting_classes = 1 << 1 | 1 << 4};
    Result expected(mesh.size()), expected_points(masses.size());
    Solver(MPI_COMM_WORLD, options).solve(cells, expected.all_fields(), points, expected_points.all_fields());

    SpreadArrays spread_mesh(mesh, active), spread_masses(masses, active_points);
    const Spread spread_lengths(lengths);
    Points spread_points = spread_masses.points();
    spread_points.softening = spread_lengths.memory;
    const std::vector<std::uint8_t> spread_classes = spread(classes), spread_classes_of_points = spread(classes_of_points);
    Cells spread_cells = spread_mesh.cells();
    spread_cells.source_class = spread_classes, spread_points.source_class = spread_classes_of_points;
    FortranSolver solver(MPI_COMM_WORLD, options);
    solver.set_step(2);
    const Caught caught =
        agreed([&] { solver.solve(spread_cells, spread_mesh.fields(), spread_points, spread_masses.fields()); });
    EXPECT_EQ(caught.code, 0) << caught.message;
    EXPECT_EQ(spread_mesh.result(), expected);
    EXPECT_EQ(spread_masses.result(), expected_points);
}

// As FLASH keeps them: the interior of an array of all variables. Nothing but the results of interior cells is written.
void expect_same_blocks(const std::array<int, 3>& n, int guards, BlockWay way, bool some_inactive, const BodyArrays& masses,
                        const std::array<int, 3>& result_guards = {}) {
    const BlockMesh mesh(n);
    FlashArray ours(mesh, guards), theirs(mesh, guards);
    std::vector<Block> blocks = ours.blocks(mesh);
    if (way == BlockWay::with_tides) ask_for_tides(blocks);
    for (std::size_t b = 0; way == BlockWay::with_faces && b < blocks.size(); ++b) {
        blocks[b].acceleration = {};
        blocks[b].face_acceleration = {&ours.at(11, 0, 0, 0, b), nullptr, &ours.at(12, 0, 0, 0, b)};
        blocks[b].face_stride.fill(blocks[b].stride);
    }
    std::vector<HostBlock> host = host_blocks(mesh, theirs, way);
    for (std::size_t b = 0; some_inactive && b < host.size(); b += 2) {
        blocks[b].active = false;
        host[b].active = 0;
    }
    for (std::size_t b = 0; b < host.size(); ++b) {
        blocks[b].result_guards = result_guards;
        std::ranges::copy(result_guards, host[b].result_guards);
    }
    const Options options{.gpu_sharing = GpuSharing::share};  // which result_guards need
    Solver solver(MPI_COMM_WORLD, options);
    FortranSolver fortran(MPI_COMM_WORLD, options);
    Result expected(masses.size()), got(masses.size());
    const std::vector<double> before = theirs.data;
    solver.solve(blocks, masses.points(), expected.fields());
    const Caught caught = agreed([&] { fortran.solve(host, masses.points(), got.fields()); });
    EXPECT_EQ(caught.code, 0) << caught.message;
    EXPECT_NE(theirs.data, before);
    EXPECT_EQ(theirs.data, ours.data);
    EXPECT_EQ(got, expected);
}

TEST(FortranBlocks, Sections) {
    for (const std::array<int, 3>& n : {std::array{8, 8, 8}, std::array{4, 3, 2}, std::array{8, 1, 2}, std::array{1, 4, 1}})
        expect_same_blocks(n, 3, BlockWay::sections, false, BodyArrays{});
}

TEST(FortranBlocks, WithGuards) {
    expect_same_blocks({8, 6, 4}, 4, BlockWay::with_guards, false, BodyArrays{});
    expect_same_blocks({8, 6, 4}, 0, BlockWay::with_guards, false, BodyArrays{});
}

TEST(FortranBlocks, WithTides) { expect_same_blocks({8, 6, 4}, 2, BlockWay::with_tides, true, BodyArrays{}); }

TEST(FortranBlocks, WithFaces) { expect_same_blocks({8, 6, 4}, 2, BlockWay::with_faces, true, BodyArrays{}); }

TEST(FortranBlocks, ResultGuards) {
    for (const BlockWay way : {BlockWay::sections, BlockWay::with_guards})
        expect_same_blocks({8, 6, 4}, 3, way, true, BodyArrays{}, {2, 1, 3});
}

TEST(FortranBlocks, SomeActive) { expect_same_blocks({8, 8, 8}, 2, BlockWay::sections, true, BodyArrays{}); }

TEST(FortranBlocks, WithPoints) { expect_same_blocks({8, 8, 8}, 2, BlockWay::sections, false, part_of(random_points(6, 50))); }

TEST(FortranBlocks, ResultsInAnotherArray) {
    std::array<std::intptr_t, 3> stride{}, result_stride{};
    host_strides(stride.data(), result_stride.data());
    EXPECT_EQ(stride, (std::array<std::intptr_t, 3>{5, 60, 720}));
    EXPECT_EQ(result_stride, (std::array<std::intptr_t, 3>{1, 10, 90}));
}

TEST(FortranReport, IsTheSame) {
    const BodyArrays mesh = part_of(random_mesh(1, 4)), masses = part_of(random_points(4, 50));
    const Options options{.tolerance = 0.01, .error_samples = 100};
    Solver solver(MPI_COMM_WORLD, options);
    FortranSolver fortran(MPI_COMM_WORLD, options);
    for (int repeat = 0; repeat < 2; ++repeat) {
        Result r(mesh.size()), p(masses.size());
        solver.solve(mesh.cells(), r.fields(), masses.points(), p.fields());
        fortran.solve(mesh.cells(), r.fields(), masses.points(), p.fields());
    }
    const Report& ours = solver.report();
    std::array<std::int64_t, 19> numbers{};
    std::array<double, 18> seconds{};
    Message words{};
    EXPECT_EQ(host_report(numbers.data(), seconds.data(), words.data()), 0);
    const std::array<std::int64_t, 19> expected = {ours.targets,
                                                   ours.sources,
                                                   ours.ranks,
                                                   ours.threads,
                                                   ours.unchanged_ranks,
                                                   ours.node_interactions,
                                                   ours.cell_interactions,
                                                   ours.far_interactions,
                                                   ours.coincident_pairs,
                                                   ours.bytes_sent,
                                                   ours.nodes_imported,
                                                   ours.cells_imported,
                                                   ours.potential_error->samples,
                                                   ours.acceleration_error->samples,
                                                   ours.tolerance->solves_ago,
                                                   ours.tolerance->order,
                                                   static_cast<std::int64_t>(ours.tolerance->criterion),
                                                   ours.tolerance->kept ? 1 : 0,
                                                   ours.tolerance->walks};
    EXPECT_EQ(numbers, expected);
    EXPECT_EQ(ours.unchanged_ranks, world_size());
    EXPECT_GT(seconds[0], 0.0);
    EXPECT_GT(seconds[1], 0.0);
    const ErrorStatistics& e = *ours.acceleration_error;
    const std::array<double, 3>& worst = ours.potential_error->worst;
    const std::vector<double> errors{e.max,
                                     e.p9999,
                                     e.p999,
                                     e.p99,
                                     e.median,
                                     e.rms,
                                     worst[0],
                                     worst[1],
                                     worst[2],
                                     *ours.net_force,
                                     *ours.net_torque,
                                     ours.tolerance->asked,
                                     ours.tolerance->reached,
                                     ours.tolerance->theta,
                                     ours.tolerance->alpha,
                                     ours.tolerance->floor};
    EXPECT_EQ(std::vector<double>(seconds.begin() + 2, seconds.end()), errors);
    std::string lines = ours.backend;
    for (const StageTime& stage : ours.stages) lines += '\n' + stage.name;
    for (const std::string& warning : ours.warnings) lines += '\n' + warning;
    EXPECT_EQ(std::string(words.data()), lines);
    EXPECT_NE(text_of(2).find(std::to_string(ours.targets) + " targets"), std::string::npos) << text_of(2);
}

TEST(FortranTexts, VersionAndBackends) {
    EXPECT_EQ(text_of(0), version());
    const std::vector<std::string> names = backends();
    for (std::size_t i = 0; i <= names.size(); ++i)
        EXPECT_EQ(text_of(static_cast<int>(i) + 3), i < names.size() ? names[i] : std::string());
}

}  // namespace
}  // namespace gravlet::test
