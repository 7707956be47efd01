// SPDX-License-Identifier: Apache-2.0
// gravlet_bench: times the library through its public API, on one rank or, under mpirun, several. Rank 0 speaks.
#include "benchmarks/bench_case.hpp"
#include "benchmarks/bench_device.hpp"
#include "benchmarks/bench_json.hpp"
#include "benchmarks/bench_table.hpp"
#include "benchmarks/workload/bench_settings.hpp"
#include "benchmarks/workload/bench_workload.hpp"
#include "mpi/agreement.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace gravlet::bench {
namespace {

const MPI_Comm world = MPI_COMM_WORLD;

int world_rank() { return rank_in(world); }

std::vector<Options> sweep(const Settings& settings) {
    std::vector<Options> all;
    for (const int order : settings.order)
        for (const double theta : settings.theta)
            for (const int group : settings.group_size)
                for (const int leaf : settings.leaf_size)
                    for (const Directions boundary : settings.boundary) {
                        Options& options = all.emplace_back(settings.solver);
                        options.order = order, options.theta = theta, options.group_size = group, options.leaf_size = leaf;
                        options.boundary = boundary_of(boundary);
                    }
    return all;
}

// Rank 0's GPU; all GPUs of a run are taken to be alike.
Ceiling ceiling_of(const Device& device) {
    Ceiling ceiling;
    agree(world, [&] {
        if (device.visible == 0) throw Error(ErrorCode::not_available, "--ceiling: here is no GPU that can be used");
        if (world_rank() == 0) ceiling = measure_ceiling();
    });
    communicate(world,
                [&](const Agreed& all) { all.check(MPI_Bcast(&ceiling, sizeof ceiling, MPI_BYTE, 0, all.get()), "MPI_Bcast"); });
    return ceiling;
}

// One line a case on stderr, so that a run that is cut short leaves its times.
void say(const CaseResult& result) {
    if (world_rank() != 0) return;
    fmt::print(stderr, "{} {} active {} theta {} order {} group {} leaf {}: {}\n", result.problem,
               to_string(result.options.boundary), result.active, result.options.theta, result.options.order,
               result.options.group_size, result.options.leaf_size,
               result.failure.empty() ? fmt::format("{:.5f} s", result.median_seconds) : result.failure);
}

// A problem that does not fit: the smaller ones keep their rows.
void say_too_large(const Settings& settings, std::size_t size, const Error& error, std::vector<CaseResult>& results) {
    CaseResult& result = results.emplace_back();
    result.problem = fmt::format("{} (size {} of the list)", settings.problem_name(), size + 1);
    result.options = settings.solver;
    result.failure = error.what();
    say(result);
}

void run_size(const Settings& settings, const Device& device, const std::optional<Ceiling>& ceiling, std::size_t size,
              std::vector<CaseResult>& results) {
    Workload work = make_workload(world, settings, size, device.visible > 0);
    for (const double share : settings.active) {
        work.choose_active(world, share);
        for (Options options : sweep(settings)) {
            options.domain = work.domain;
            options.boundary = work.boundary.value_or(options.boundary);
            CaseResult result = run_case(world, settings, work, options);
            result.active = share;
            const bool on_cpu = result.report.backend.starts_with("cpu");
            if (ceiling && !on_cpu && result.failure.empty()) result.ceiling = share_of(*ceiling, device.used, result);
            say(result);
            results.push_back(std::move(result));
        }
    }
}

std::vector<CaseResult> run_cases(const Settings& settings, const Device& device, const std::optional<Ceiling>& ceiling) {
    std::vector<CaseResult> results;
    for (std::size_t size = 0; size < settings.size_count(); ++size) {
        try {
            run_size(settings, device, ceiling, size, results);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::out_of_memory) throw;
            say_too_large(settings, size, error, results);
        }
    }
    return results;
}

void publish(const Settings& settings, const Device& device, const std::vector<CaseResult>& results,
             const std::optional<Ceiling>& ceiling) {
    fmt::print("\n{} GPU(s){}; {} memory{}{}\n\n", device.used, device.used > 0 ? ", " + device.name : "",
               to_string(settings.memory), results.empty() ? "" : ", " + results.front().layout,
               settings.tidal ? ", with acceleration and tidal tensor" : (settings.acceleration ? ", with acceleration" : ""));
    fmt::print("{}\n", table_of(results));
    const auto last = std::find_if(results.rbegin(), results.rend(), [](const CaseResult& r) { return r.failure.empty(); });
    if (last != results.rend()) fmt::print("{}\n", stages_of(*last));
    if (ceiling) fmt::print("{}", table_of(*ceiling));
    std::fflush(stdout);
    if (!settings.json.empty()) write_json(settings.json, settings, device, results, ceiling);
}

int run(int argc, char** argv) {
    int exit_code = 0;
    const std::optional<Settings> settings = parse_settings(argc, argv, world_rank() == 0, exit_code);
    if (!settings) return exit_code;
    const Device device = choose_device(world, settings->uses_device());
    std::optional<Ceiling> ceiling;
    if (settings->ceiling || settings->ceiling_only) ceiling = ceiling_of(device);
    std::vector<CaseResult> results;
    if (!settings->ceiling_only) results = run_cases(*settings, device, ceiling);
    agree(world, [&] {
        if (world_rank() != 0) return;
        if (settings->ceiling_only) {
            fmt::print("{}: {}", device.name, table_of(*ceiling));
        } else {
            publish(*settings, device, results, ceiling);
        }
    });
    for (const CaseResult& result : results)
        if (!result.failure.empty()) return 1;
    return 0;
}

// What all ranks throw is said once, by rank 0, which then ends the run; a rank that fails alone gets to speak after a while.
int fail(const std::exception& error) {
    using namespace std::chrono_literals;
    if (world_rank() != 0) std::this_thread::sleep_for(5s);
    fmt::print(stderr, "gravlet_bench: {}{}\n", world_rank() == 0 ? "" : fmt::format("rank {} alone: ", world_rank()),
               error.what());
    if (size_of(world) > 1) MPI_Abort(world, 1);
    return 1;
}

}  // namespace
}  // namespace gravlet::bench

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    int code = 0;
    try {
        code = gravlet::bench::run(argc, argv);
    } catch (const std::exception& error) {
        code = gravlet::bench::fail(error);
    }
    MPI_Finalize();
    return code;
}
