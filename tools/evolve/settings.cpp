// SPDX-License-Identifier: Apache-2.0
#include "tools/evolve/settings.hpp"

#include "amr_adapter/snapshots/numbered_name.hpp"
#include "tools/config/alike.hpp"
#include "tools/config/schema.hpp"
#include "tools/config/yaml_file.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <cmath>

namespace gravlet {
namespace {

constexpr int most_levels = 40;
constexpr double most_steps = 1e9;

[[noreturn]] void invalid(const std::string& message) { throw Error(ErrorCode::invalid_option, message); }

void require(bool ok, const char* key, double value, const char* expected) {
    if (!ok) invalid(fmt::format("{} is {}: it must be {}", key, value, expected));
}

void read_evolve(Section& section, EvolveConfig& config) {
    section.required("end", config.end, "the time to evolve to, a multiple of evolve.step");
    section.required("step", config.rule.largest, "the largest time step");
    section.choice(
        "steps", config.rule.kind,
        "steps of points: the largest for all, eta sqrt(softening/|a|), or eta over the root of the tidal tensor's norm",
        {{"one", StepKind::fixed}, {"softening", StepKind::softening}, {"tidal", StepKind::tidal}});
    section.value("eta", config.rule.eta, "accuracy of steps: smaller is more accurate and slower");
    section.value("levels", config.rule.levels, "a step is the largest one over 2^level; the deepest level");
    section.value("balance", config.balance, "largest steps after which ranks share the points anew, and sort them");
    section.path("restart", config.restart, "snapshot to go on from");
    section.finish();
}

void read_sections(EvolveConfig& config, Section& solver, Section& evolve, Section& output) {
    read_solver(solver, config.solver, config.boundary);
    solver.finish();
    read_evolve(evolve, config);
    config.output.read(output);
    output.value("every", config.snapshot_steps, "largest steps from one snapshot to the next; 0: the first and the last alone");
    output.finish();
}

void want_velocities(ProblemSpec& spec) {
    const std::string kind = kind_of(spec);
    std::visit(
        [&]<class Kind>(Kind& problem) {
            if constexpr (HasVelocities<Kind>) {
                problem.velocities = true;
            } else {
                invalid("problem.kind " + kind + " does not move: its points have no velocities");
            }
        },
        spec);
}

void check(const EvolveConfig& config) {
    const StepRule& rule = config.rule;
    require(rule.largest > 0.0, "evolve.step", rule.largest, "above 0");
    require(config.end > 0.0 && config.end / rule.largest < most_steps, "evolve.end", config.end,
            "above 0, and at most 1e9 steps");
    const double steps = config.end / rule.largest;
    if (std::abs(steps - std::round(steps)) > 1e-6 * steps)
        invalid(fmt::format("evolve.end is {}: it must be a multiple of evolve.step, {}", config.end, rule.largest));
    require(rule.eta > 0.0, "evolve.eta", rule.eta, "above 0");
    require(rule.levels >= 0 && rule.levels <= most_levels, "evolve.levels", rule.levels, "0 to 40");
    require(config.balance >= 1, "evolve.balance", static_cast<double>(config.balance), "1 or more");
    require(config.snapshot_steps >= 0, "output.every", static_cast<double>(config.snapshot_steps), "0 or more");
    config.output.check();
    if (config.solver.redistribute) invalid("solver.redistribute is true: evolve keeps its points in order itself");
    if (config.solver.shear != 0.0)
        invalid(
            fmt::format("solver.shear is {}: evolve knows no sheared box, where points are displaced too", config.solver.shear));
    check_solver(config.solver, config.boundary);
}

}  // namespace

std::int64_t EvolveConfig::steps() const { return std::llround(end / rule.largest); }

FilePlan files_of(const EvolveConfig& config) {
    FilePlan plan;
    if (config.restart.empty())
        plan.input("problem.path", file_of(config.problem));
    else
        plan.spared("problem.path", file_of(config.problem));
    plan.spared("problem.path", other_files_of(config.problem));
    plan.input("evolve.restart", config.restart);
    plan.spared("evolve.restart", other_snapshot_files(config.restart));
    plan.cache("solver.ewald_cache", config.solver.ewald_cache);
    config.output.add_to(plan, config.restart);
    return plan;
}

std::vector<SectionInfo> evolve_sections() {
    Section solver = Section::listing("solver"), evolve = Section::listing("evolve"), output = Section::listing("output");
    EvolveConfig config;
    read_sections(config, solver, evolve, output);
    return {{"solver", solver.keys()}, {"evolve", evolve.keys()}, {"output", output.keys()}};
}

EvolveConfig parse_evolve_config(const std::string& text, const std::vector<std::string>& overrides, const std::string& name) {
    EvolveConfig config;
    read_yaml(text, overrides, name, [&](Section& file) {
        file.require("problem", "what is there at time 0, as problem: {kind: plummer}");
        file.require("evolve", "how long, as evolve: {end: 1.0, step: 0.01}");
        Section problem = file.section("problem");
        Section solver = file.section("solver");
        Section evolve = file.section("evolve");
        Section output = file.section("output");
        file.finish();
        config.problem = read_problem(problem);
        read_sections(config, solver, evolve, output);
        want_velocities(config.problem);
        if (config.rule.kind == StepKind::fixed) config.rule.levels = 0;
        check(config);
    });
    return config;
}

EvolveConfig load_evolve_config(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides) {
    const std::string text = load_text(comm, path);
    EvolveConfig config;
    alike(comm, [&] { config = parse_evolve_config(text, overrides, path); });
    return config;
}

}  // namespace gravlet
