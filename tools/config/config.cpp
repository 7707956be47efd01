// SPDX-License-Identifier: Apache-2.0
#include "tools/config/config.hpp"

#include "physics/precise/full_moments.hpp"
#include "tools/config/alike.hpp"
#include "tools/config/schema.hpp"
#include "tools/config/yaml_file.hpp"

#include <gravlet/error.hpp>

#include <algorithm>

namespace gravlet {
namespace {

constexpr std::int64_t direct_samples = 1000;
constexpr std::int64_t cuboid_samples = 100;  // a logarithm or an arctangent for most pairs

[[noreturn]] void invalid(const std::string& message) { throw Error(ErrorCode::invalid_option, message); }

void check_hunt(const RunConfig& config) {
    const CompareConfig& compare = config.compare;
    const auto refuse = [&](const std::string& why) { invalid("compare.hunt is " + std::to_string(compare.hunt) + ": " + why); };
    if (compare.hunt < 0) refuse("it must be 0 (none) or more");
    if (compare.hunt == 0) return;
    if (compare.reference == Reference::none) refuse("there is no compare.reference");
    if (sample_size(compare) == 0) refuse("all targets are compared already; set compare.samples");
    if (!can_be_tighter(resolved(config.solver, config.derivatives() > 0)))
        refuse("no tree solve is tighter than that of solver.theta and solver.order");
}

void check_together(RunConfig& config) {
    const std::string kind = kind_of(config.problem);
    auto* flash = std::get_if<FlashFileProblem>(&config.problem);
    if (config.warmup < 0) invalid("run.warmup is " + std::to_string(config.warmup) + ": it must be 0 or more");
    if (config.repeat < 1) invalid("run.repeat is " + std::to_string(config.repeat) + ": it must be 1 or more");
    if (config.compare.samples.value_or(0) < 0) invalid("compare.samples must be 0 (all targets) or more");
    if (config.compare.reference == Reference::file && flash == nullptr)
        invalid("compare.reference is file: problem.kind " + kind + " has no stored potential");
    if (config.output.wants("checkpoint_copy") && flash == nullptr)
        invalid("output.checkpoint_copy needs problem.kind flash_file, not " + kind);
    if (config.output.wants("checkpoint_copy") && flash->potential == flash->density)
        invalid(
            "output.checkpoint_copy would have the potential in place of the density: problem.potential and problem.density "
            "are " +
            flash->density);
    config.output.check();
    if (flash != nullptr) flash->read_potential = config.compare.reference == Reference::file;
    check_solver(config.solver, config.boundary);
    check_hunt(config);
}

}  // namespace

std::string to_string(Reference reference) {
    switch (reference) {
        case Reference::none: return "none";
        case Reference::analytic: return "analytic";
        case Reference::direct: return "direct";
        case Reference::cuboid: return "cuboid";
        case Reference::file: return "file";
    }
    return "none";
}

std::int64_t sample_size(const CompareConfig& compare) {
    if (compare.samples) return *compare.samples;
    switch (compare.reference) {
        case Reference::direct: return direct_samples;
        case Reference::cuboid: return cuboid_samples;
        default: return 0;
    }
}

namespace {

int highest_order(const Options& options) { return options.precision == Precision::double_ ? max_full_order : max_order; }

}  // namespace

Options tighter(const Options& options) {
    Options out = options;
    if (options.theta > 0.0) out.theta = std::max(0.1, 0.5 * options.theta);
    out.order = highest_order(options);
    return out;
}

bool can_be_tighter(const Options& options) {
    return options.theta > 0.0 && !(options.theta == tighter(options).theta && options.order == highest_order(options));
}

namespace {

void read_sections(RunConfig& config, Section& solver, Section& run, Section& compare, Section& output) {
    read_solver(solver, config.solver, config.boundary);
    read_results(solver, config);
    read_run(run, config);
    read_compare(compare, config.compare);
    config.output.read(output);
    output.finish();
}

}  // namespace

std::vector<SectionInfo> run_sections() {
    Section solver = Section::listing("solver"), run = Section::listing("run"), compare = Section::listing("compare"),
            output = Section::listing("output");
    RunConfig config;
    read_sections(config, solver, run, compare, output);
    return {{"solver", solver.keys()}, {"run", run.keys()}, {"compare", compare.keys()}, {"output", output.keys()}};
}

RunConfig parse_config(const std::string& text, const std::vector<std::string>& overrides, const std::string& name) {
    RunConfig config;
    read_yaml(text, overrides, name, [&](Section& file) {
        file.require("problem", "what to solve, as problem: {kind: maclaurin}");
        Section problem = file.section("problem");
        Section solver = file.section("solver");
        Section run = file.section("run");
        Section compare = file.section("compare");
        Section output = file.section("output");
        file.finish();
        config.problem = read_problem(problem);
        read_sections(config, solver, run, compare, output);
        check_together(config);
    });
    return config;
}

RunConfig load_config(MPI_Comm comm, const std::string& path, const std::vector<std::string>& overrides) {
    const std::string text = load_text(comm, path);
    RunConfig config;
    alike(comm, [&] { config = parse_config(text, overrides, path); });
    return config;
}

}  // namespace gravlet
