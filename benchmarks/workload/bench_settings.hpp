// SPDX-License-Identifier: Apache-2.0
// What gravlet_bench is asked to measure: its command line as a struct, defaults in place.
#pragma once

#include "benchmarks/workload/bench_active.hpp"
#include "benchmarks/workload/bench_memory.hpp"

#include <gravlet/options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gravlet::bench {

/// described: of a description of `gravlet run`.
enum class ProblemKind { plummer, hernquist, sphere, cube, nfw, disc, maclaurin, grid, described };
enum class Layout { cells, blocks };
/// Which directions are periodic: all, x and y, x, none.
enum class Directions { isolated, periodic, slab, filament };

[[nodiscard]] std::array<Boundary, 3> boundary_of(Directions directions);

struct Settings {
    ProblemKind problem = ProblemKind::plummer;
    std::string config;            ///< the description's file
    std::vector<std::string> set;  ///< values in place of its own: "problem.max_level=7"
    std::vector<double> n{1e6};    ///< points (of all but meshes), as doubles so that 256e6 can be typed
    bool per_rank = false;         ///< n is of each rank
    bool along_curve = false;      ///< points in the order of a space-filling curve, not as drawn
    std::vector<int> level{6};     ///< maclaurin
    std::vector<int> grid{128};    ///< cells a side
    int block = 8;                 ///< cells a side of its blocks
    Memory memory = Memory::device;
    Layout layout = Layout::blocks;
    bool acceleration = false;
    bool tidal = false;  ///< tidal tensors, and accelerations with them

    std::vector<double> active{1.0};  ///< shares of the bodies, or blocks, that are solved for
    ActiveBy active_by = ActiveBy::random;
    int result_guards = 0;      ///< layers, a direction
    bool faces = false;         ///< accelerations at faces of cells too
    bool only_changed = false;  ///< nothing has, after the first solve

    Options solver{.keep_tree = false};  ///< but for what is swept:
    std::vector<Directions> boundary{Directions::isolated};
    bool own_boundary = false;  ///< a described problem has its own
    std::vector<double> theta{Options{}.theta};
    std::vector<int> order{Options{}.order};
    std::vector<int> group_size{Options{}.group_size};
    std::vector<int> leaf_size{Options{}.leaf_size};

    int warmup = 2;
    int repeat = 5;
    std::int64_t samples = 10000;
    bool analytic = false;
    bool ceiling = false;
    bool ceiling_only = false;
    std::string json;

    /// Whether it is n points.
    [[nodiscard]] bool draws_points() const { return problem < ProblemKind::maclaurin; }
    [[nodiscard]] std::string problem_name() const;
    /// Whether the benchmark itself needs a GPU, whatever the library does.
    [[nodiscard]] bool uses_device() const { return memory != Memory::host || ceiling || ceiling_only; }
    /// Whether some solve is for a part of them.
    [[nodiscard]] bool some_inactive() const;
    /// How many sizes of the problem are swept.
    [[nodiscard]] std::size_t size_count() const;
};

/// Nothing: the program should end with `exit_code`, having said why if `speak`.
[[nodiscard]] std::optional<Settings> parse_settings(int argc, char** argv, bool speak, int& exit_code);

}  // namespace gravlet::bench
