// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/workload/bench_settings.hpp"

#include "api/option_table.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

namespace gravlet::bench {
namespace {

template <class Enum>
using Names = std::map<std::string, Enum>;

/// An option's words.
template <class Enum>
Names<Enum> names_of() {
    Names<Enum> names;
    for (const char* const word : words_for<Enum>) names.emplace(word, static_cast<Enum>(names.size()));
    return names;
}

const Names<ProblemKind> problem_names{{"plummer", ProblemKind::plummer},
                                       {"hernquist", ProblemKind::hernquist},
                                       {"sphere", ProblemKind::sphere},
                                       {"cube", ProblemKind::cube},
                                       {"nfw", ProblemKind::nfw},
                                       {"disc", ProblemKind::disc},
                                       {"maclaurin", ProblemKind::maclaurin},
                                       {"grid", ProblemKind::grid}};
const Names<Layout> layout_names{{"cells", Layout::cells}, {"blocks", Layout::blocks}};
const Names<Directions> boundary_names{{"isolated", Directions::isolated},
                                       {"periodic", Directions::periodic},
                                       {"slab", Directions::slab},
                                       {"filament", Directions::filament}};
const Names<PeriodicMethod> method_names = names_of<PeriodicMethod>();
const Names<Criterion> criterion_names = names_of<Criterion>();
const Names<SofteningKernel> kernel_names = names_of<SofteningKernel>();
const Names<Memory> memory_names{{"device", Memory::device}, {"pinned", Memory::pinned}, {"host", Memory::host}};
const Names<Backend> backend_names{
    {"auto", Backend::automatic}, {"automatic", Backend::automatic}, {"cpu", Backend::cpu}, {"gpu", Backend::gpu}};
const Names<ActiveBy> active_names{{"random", ActiveBy::random}, {"radius", ActiveBy::radius}, {"level", ActiveBy::level}};
const Names<ActiveBits> bits_names = names_of<ActiveBits>();
const Names<UniformMesh> uniform_names = names_of<UniformMesh>();
const Names<GpuSharing> sharing_names{{"auto", GpuSharing::automatic},
                                      {"automatic", GpuSharing::automatic},
                                      {"share", GpuSharing::share},
                                      {"gather", GpuSharing::gather}};

template <class Enum>
std::string name_in(const Names<Enum>& names, Enum value) {
    for (const auto& [name, named] : names)
        if (named == value) return name;
    return "?";
}

template <class Enum>
CLI::Option* add_choice(CLI::App& app, const std::string& flag, Enum& value, const Names<Enum>& names, const std::string& help) {
    return app.add_option(flag, value, help)->transform(CLI::CheckedTransformer(names).description(""))->type_name([&names] {
        std::string list;
        for (const auto& [name, unused] : names) list += (list.empty() ? "" : "|") + name;
        return list;
    }());
}

template <class T>
CLI::Option* add_list(CLI::App& app, const std::string& flag, std::vector<T>& values, const std::string& help) {
    return app.add_option(flag, values, help)->delimiter(',')->type_name("LIST");
}

// Fills `s` as the command line is parsed.
void describe(CLI::App& app, Settings& s) {
    app.option_defaults()->always_capture_default();
    CLI::Option* const problem = add_choice(app, "--problem", s.problem, problem_names, "What to solve");
    CLI::Option* const config =
        app.add_option("--config", s.config,
                       "Solve the problem of this description of gravlet run, not --problem; what it says of "
                       "solver and output is not looked at")
            ->type_name("FILE");
    app.add_option("--set", s.set, "A value in place of the description's, as problem.max_level=7")
        ->type_name("KEY=VALUE")
        ->needs(config);
    for (CLI::Option* const of_problem :
         {problem,
          add_list(app, "--n", s.n, "Numbers of points (of all but maclaurin and grid), of all ranks together")
              ->check(CLI::Range(1.0, 1e12)),
          app.add_flag("--per-rank", s.per_rank, "--n is of each rank: weak scaling"),
          app.add_flag("--along-curve", s.along_curve, "Hand points over along a space-filling curve, not in random order"),
          add_list(app, "--level", s.level, "Deepest levels of the mesh (maclaurin)"),
          add_list(app, "--grid", s.grid, "Cells a side of the mesh, multiples of --block (grid)")->check(CLI::PositiveNumber),
          app.add_option("--block", s.block, "Cells a side of its blocks")->check(CLI::PositiveNumber)})
        config->excludes(of_problem);
    add_choice(app, "--memory", s.memory, memory_names, "Where the arrays lie");
    add_choice(app, "--layout", s.layout, layout_names, "How a mesh is handed over");
    add_list(app, "--active", s.active, "Shares of the bodies, or blocks, whose results are wanted")->check(CLI::Range(0.0, 1.0));
    add_choice(app, "--active-by", s.active_by, active_names, "Which: at random, the innermost, or those of the finest level");
    add_choice(app, "--active-bits", s.solver.active_bits, bits_names, "What bits they get");
    app.add_option("--result-guards", s.result_guards, "Layers of guard cells that get results too")->check(CLI::Range(0, 64));
    app.add_flag("--faces", s.faces, "Ask for accelerations at the faces of cells too");
    app.add_flag("--keep-tree", s.solver.keep_tree, "Let solves after the first keep the tree: the mesh does not change");
    app.add_flag("--keep-moved", s.solver.keep_moved, "Let solves after the first keep the tree of points");
    app.add_flag("--only-changed", s.only_changed, "Say of solves after the first that nothing has changed, with --keep-tree");
    app.add_flag("--redistribute", s.solver.redistribute, "Hand bodies to their place on the curve for the solve");
    app.add_flag("--no-self-potential{false}", s.solver.self_potential, "Cells do not act on themselves");
    app.add_flag("--acceleration", s.acceleration, "Ask for accelerations too");
    app.add_flag("--tidal", s.tidal, "Ask for the tidal tensor too, with --acceleration");

    add_list(app, "--boundary", s.boundary,
             "Boundaries: isolated, periodic, slab (in x and y), filament (in x); of a description its problem's own")
        ->transform(CLI::CheckedTransformer(boundary_names).description(""));
    add_choice(app, "--periodic-method", s.solver.periodic_method, method_names, "How images are added");
    add_list(app, "--theta", s.theta, "Opening angles");
    add_list(app, "--order", s.order, "Multipole orders");
    add_choice(app, "--criterion", s.solver.criterion, criterion_names, "When a node acts as one");
    app.add_option("--alpha", s.solver.alpha, "Of criteria other than opening; -1: automatic");
    app.add_option("--tolerance", s.solver.tolerance, "Error that is asked for, in place of theta, order and alpha; 0: none");
    add_choice(app, "--uniform-mesh", s.solver.uniform_mesh, uniform_names, "How a mesh of one level is summed");
    add_list(app, "--group-size", s.group_size, "Targets a group; 0: the backend's choice");
    add_list(app, "--leaf-size", s.leaf_size, "Sources below which a node is not divided");
    add_choice(app, "--softening-kernel", s.solver.softening_kernel, kernel_names, "What softens pairs of points");
    app.add_option("--softening", s.solver.softening, "Of points");
    app.add_option("--threads", s.solver.threads, "OpenMP threads a rank; 0: automatic");
    add_choice(app, "--backend", s.solver.backend, backend_names, "Backend");
    add_choice(app, "--sharing", s.solver.gpu_sharing, sharing_names, "How ranks share a GPU");

    app.add_option("--warmup", s.warmup, "Solves that are not timed")->check(CLI::NonNegativeNumber);
    app.add_option("--repeat", s.repeat, "Solves whose median is reported")->check(CLI::PositiveNumber);
    app.add_option("--samples", s.samples, "Targets that are compared with the direct sum, in one more solve; 0: none")
        ->check(CLI::NonNegativeNumber);
    app.add_flag("--analytic", s.analytic, "Compare all with the exact answer (maclaurin, descriptions)");
    app.add_flag("--ceiling", s.ceiling, "Measure the GPU's arithmetic ceiling, and give the walk as a share of it");
    app.add_flag("--ceiling-only", s.ceiling_only, "Print the ceiling and end");
    app.add_option("--json", s.json, "Write everything to this file")->type_name("FILE");
}

// What no single option can see.
void check_together(const Settings& s) {
    const auto refuse = [](const char* why) { throw CLI::ValidationError(why); };
    if (s.per_rank && !s.draws_points()) refuse("--per-rank is for points");
    if (s.along_curve && !s.draws_points()) refuse("--along-curve is for points");
    if (s.analytic && s.problem != ProblemKind::maclaurin && s.problem != ProblemKind::described)
        refuse("--analytic is for --problem maclaurin and for --config");
    if (s.active_by == ActiveBy::level && s.draws_points()) refuse("--active-by level is for meshes");
    if (s.tidal && !s.acceleration) refuse("--tidal needs --acceleration");
    if (s.tidal && s.ceiling) refuse("--ceiling is not measured with --tidal");
    if (s.result_guards > 0 && (s.draws_points() || s.layout != Layout::blocks)) refuse("--result-guards is for blocks");
    if (s.faces && (s.draws_points() || s.layout != Layout::blocks)) refuse("--faces is for blocks");
    if (s.problem == ProblemKind::grid && std::ranges::any_of(s.grid, [&](int n) { return n % s.block != 0; }))
        refuse("--grid is in multiples of --block");
    if (s.solver.backend == Backend::cpu && s.memory == Memory::device) refuse("--backend cpu needs --memory host or pinned");
}

}  // namespace

std::string Settings::problem_name() const {
    return problem == ProblemKind::described ? config : name_in(problem_names, problem);
}
std::string to_string(Memory memory) { return name_in(memory_names, memory); }

std::array<Boundary, 3> boundary_of(Directions directions) {
    constexpr Boundary i = Boundary::isolated, p = Boundary::periodic;
    switch (directions) {
        case Directions::periodic: return {p, p, p};
        case Directions::slab: return {p, p, i};
        case Directions::filament: return {p, i, i};
        default: return {i, i, i};
    }
}

bool Settings::some_inactive() const {
    return std::ranges::any_of(active, [](double share) { return share < 1.0; });
}

std::size_t Settings::size_count() const {
    if (draws_points()) return n.size();
    if (problem == ProblemKind::described) return 1;
    return problem == ProblemKind::maclaurin ? level.size() : grid.size();
}

std::optional<Settings> parse_settings(int argc, char** argv, bool speak, int& exit_code) {
    Settings settings;
    CLI::App app("Times gravlet's solves: one row for every combination of the lists (LIST: a,b,c)", "gravlet_bench");
    describe(app, settings);
    try {
        app.parse(argc, argv);
        if (!settings.config.empty()) {
            settings.problem = ProblemKind::described;
            settings.own_boundary = app.count("--boundary") == 0;
        }
        check_together(settings);
    } catch (const CLI::ParseError& error) {
        std::ostringstream silence;
        exit_code = app.exit(error, speak ? std::cout : silence, speak ? std::cerr : silence) == 0 ? 0 : 1;
        return std::nullopt;
    }
    return settings;
}

}  // namespace gravlet::bench
