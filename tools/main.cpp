// SPDX-License-Identifier: Apache-2.0
// gravlet run or evolve FILE.yaml [--set key=value]... [--json FILE]; gravlet info, options, problems [KIND] and help [KEY]. Rank
// 0 speaks; all ranks exit alike.
#include "mpi/agreement.hpp"
#include "tools/command_line.hpp"
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

#include <mpi.h>

#include <chrono>
#include <csignal>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

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
    gravlet::CommandLine line;
    try {
        line.app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream text;
        std::ostringstream silence;
        const bool speaks = world_rank() == 0;
        const int code = line.app.exit(error, text, speaks ? std::cerr : silence) == 0 ? 0 : 1;
        print(text.str());
        return code;
    }
    if (line.run->parsed()) {
        gravlet::RunConfig config = gravlet::load_config(MPI_COMM_WORLD, line.file, line.overrides);
        check_files_of(config, line.file, line.json);
        gravlet::agree(MPI_COMM_WORLD, [&] { config.made_by = made_by(argc, argv); });
        const gravlet::StopSignals signals;
        gravlet::run(MPI_COMM_WORLD, config,
                     [&](const gravlet::RunResult& result) { gravlet::publish(MPI_COMM_WORLD, result, line.json); });
        return code_of_signal();
    }
    if (line.evolve->parsed()) {
        gravlet::EvolveConfig config = gravlet::load_evolve_config(MPI_COMM_WORLD, line.file, line.overrides);
        check_files_of(config, line.file, line.json);
        gravlet::agree(MPI_COMM_WORLD, [&] { config.made_by = made_by(argc, argv); });
        const gravlet::StopSignals signals;
        gravlet::evolve(MPI_COMM_WORLD, config,
                        [&](const gravlet::EvolveResult& result) { gravlet::publish(MPI_COMM_WORLD, result, line.json); });
        return code_of_signal();
    }
    if (line.info->parsed()) print(gravlet::info(MPI_COMM_WORLD));
    if (line.options->parsed()) print(gravlet::options_text());
    if (line.problems->parsed())
        print_alike([&] { return line.kind.empty() ? gravlet::problems_text() : gravlet::problem_text(line.kind); });
    if (line.help->parsed()) print_alike([&] { return gravlet::help_text(line.key); });
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
