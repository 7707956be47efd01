// SPDX-License-Identifier: Apache-2.0
#include "tools/command_line.hpp"

#include <gravlet/version.hpp>

namespace gravlet {

CommandLine::CommandLine() {
    app.set_version_flag("--version", version());
    app.require_subcommand(1);
    run = app.add_subcommand("run", "Solve the problem of a YAML file; start it with mpirun for several ranks");
    evolve = app.add_subcommand("evolve", "Evolve the points of a YAML file in time; start it with mpirun for several ranks");
    for (CLI::App* command : {run, evolve}) {
        command->add_option("FILE", file, "YAML file")->required();
        command->add_option("--set", overrides, "Override a key, as --set solver.theta=0.3 (as often as wanted)")
            ->allow_extra_args(false)
            ->type_name("KEY=VALUE");
        command->add_option("--json", json, "Write times, rates and errors to this file")->type_name("FILE");
    }
    run->footer(
        "Sections of the file: problem, solver, run, compare, output. Errors are relative to the reference at each target or, "
        "with a "
        "periodic direction, to its rms over all of them.");
    evolve->footer("Sections of the file: problem, solver, evolve, output.");
    info = app.add_subcommand("info", "Print version, backends, devices and MPI");
    options = app.add_subcommand("options", "Print what section solver of the file takes");
    problems = app.add_subcommand("problems", "Print the kinds of problems, or the keys of one");
    problems->add_option("KIND", kind, "Kind of problem");
    help = app.add_subcommand("help", "Print what a key of the file means, of a section all keys, or of all sections");
    help->add_option("KEY", key, "As solver.theta or evolve");
}

}  // namespace gravlet
