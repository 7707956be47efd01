// SPDX-License-Identifier: Apache-2.0
// gravlet run or evolve FILE.yaml [--set key=value]... [--json FILE]; gravlet info, options, problems [KIND] and help [KEY]. Rank
// 0 speaks; all ranks exit alike.
#include "mpi/agreement.hpp"
#include "tools/commit.hpp"
#include "tools/config/alike.hpp"
#include "tools/config/config.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/help.hpp"
#include "tools/info.hpp"
#include "tools/output.hpp"
#include "tools/present/picture.hpp"
#include "tools/present/publish.hpp"
#include "tools/present/stop_signal.hpp"
#include "tools/run.hpp"

#include <gravlet/error.hpp>
#include <gravlet/version.hpp>

#include <mpi.h>

#include <CLI/CLI.hpp>

#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

int world_rank() { return gravlet::rank_in(MPI_COMM_WORLD); }

// Whether all ranks got here, that is failed alike. A rank that waits elsewhere would never end.
bool all_failed() {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    for (const auto end = std::chrono::steady_clock::now() + 20s; std::chrono::steady_clock::now() < end;) {
        int done = 0;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return true;
        std::this_thread::sleep_for(1ms);
    }
    return false;
}

// The message of an error that all ranks share is printed once.
int fail(const std::string& message) {
    const int rank = world_rank();
    if (rank == 0) std::cerr << "gravlet: error: " << message << std::endl;
    if (all_failed()) return 1;
    if (rank != 0) std::cerr << "gravlet: error: rank " << rank << " alone: " << message << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
}

// Rank 0 prints; if it cannot, all fail.
void print(const std::string& text) {
    gravlet::agree(MPI_COMM_WORLD, [&] {
        if (world_rank() == 0) gravlet::say(text);
    });
}

// What is the same on all ranks, as its errors are.
template <class Text>
void print_alike(const Text& text) {
    std::string all;
    gravlet::alike(MPI_COMM_WORLD, [&] { all = text(); });
    print(all);
}

// Of all files that a command names, before it begins.
template <class Config>
void check_files_of(const Config& config, const std::string& file, const std::string& json) {
    gravlet::FilePlan plan;
    gravlet::agree(MPI_COMM_WORLD, [&] {
        plan = gravlet::files_of(config);
        plan.input("FILE", file);
        plan.output("--json", json);
    });
    gravlet::check_files(MPI_COMM_WORLD, plan);
    gravlet::for_all(MPI_COMM_WORLD, [&] { config.output.for_pictures(gravlet::require_drawing); });
}

gravlet::MadeBy made_by(int argc, char** argv) {
    return {gravlet::commit(), gravlet::command_line(argc, argv), gravlet::date_now()};
}

// Exit code of a command that a signal has stopped, as shells have it; 0: none has.
int code_of_signal() {
    const int signal = gravlet::stop_signal(MPI_COMM_WORLD);
    return signal == 0 ? 0 : 128 + signal;
}

int run_command(int argc, char** argv) {
    CLI::App app("gravlet: Barnes-Hut gravity for adaptive-mesh-refinement codes", "gravlet");
    app.set_version_flag("--version", gravlet::version());
    app.require_subcommand(1);
    std::string file;
    std::string json;
    std::vector<std::string> overrides;
    CLI::App* run = app.add_subcommand("run", "Solve the problem of a YAML file; start it with mpirun for several ranks");
    CLI::App* evolve =
        app.add_subcommand("evolve", "Evolve the points of a YAML file in time; start it with mpirun for several ranks");
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
    CLI::App* info = app.add_subcommand("info", "Print version, backends, devices and MPI");
    CLI::App* options = app.add_subcommand("options", "Print what section solver of the file takes");
    std::string kind;
    CLI::App* problems = app.add_subcommand("problems", "Print the kinds of problems, or the keys of one");
    problems->add_option("KIND", kind, "Kind of problem");
    std::string key;
    CLI::App* help = app.add_subcommand("help", "Print what a key of the file means, of a section all keys, or of all sections");
    help->add_option("KEY", key, "As solver.theta or evolve");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream text;
        std::ostringstream silence;
        const bool speaks = world_rank() == 0;
        const int code = app.exit(error, text, speaks ? std::cerr : silence) == 0 ? 0 : 1;
        print(text.str());
        return code;
    }
    if (run->parsed()) {
        gravlet::RunConfig config = gravlet::load_config(MPI_COMM_WORLD, file, overrides);
        check_files_of(config, file, json);
        gravlet::agree(MPI_COMM_WORLD, [&] { config.made_by = made_by(argc, argv); });
        const gravlet::StopSignals signals;
        gravlet::run(MPI_COMM_WORLD, config,
                     [&](const gravlet::RunResult& result) { gravlet::publish(MPI_COMM_WORLD, result, json); });
        return code_of_signal();
    }
    if (evolve->parsed()) {
        gravlet::EvolveConfig config = gravlet::load_evolve_config(MPI_COMM_WORLD, file, overrides);
        check_files_of(config, file, json);
        gravlet::agree(MPI_COMM_WORLD, [&] { config.made_by = made_by(argc, argv); });
        const gravlet::StopSignals signals;
        gravlet::evolve(MPI_COMM_WORLD, config,
                        [&](const gravlet::EvolveResult& result) { gravlet::publish(MPI_COMM_WORLD, result, json); });
        return code_of_signal();
    }
    if (info->parsed()) print(gravlet::info(MPI_COMM_WORLD));
    if (options->parsed()) print(gravlet::options_text());
    if (problems->parsed()) print_alike([&] { return kind.empty() ? gravlet::problems_text() : gravlet::problem_text(kind); });
    if (help->parsed()) print_alike([&] { return gravlet::help_text(key); });
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error, with a message
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int code = 0;
    try {
        code = run_command(argc, argv);
    } catch (...) {
        code = fail(gravlet::as_error(std::current_exception()).what());
    }
    MPI_Finalize();
    return code;
}
