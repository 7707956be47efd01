// SPDX-License-Identifier: Apache-2.0
// gravlet_synthetic_ranks: what a rank does for its neighbours, and what it keeps of all, among more ranks than there is hardware
// for (middle_rank.hpp). One thread, or a GPU with one. Or who is near to whom among many (sphere_ranks.hpp).
#include "benchmarks/synthetic/middle_rank.hpp"
#include "benchmarks/synthetic/sphere_ranks.hpp"
#include "cpu/cpu.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <exception>
#include <fstream>

namespace gravlet::bench {
namespace {

std::vector<Run> measure_on_cpu(const Settings& settings, long ranks) {
    Cpu::Machine machine(1);
    return measure<Cpu>(settings, ranks, machine);
}

double median(std::vector<Run> runs, double Run::*seconds) {
    std::ranges::sort(runs, {}, seconds);
    return runs[runs.size() / 2].*seconds;
}

/// Prints and returns what is near of spheres of so many ranks.
nlohmann::ordered_json measure_spheres(const Settings& settings) {
    nlohmann::ordered_json out;
    fmt::print("{:>8} {:>12} {:>12} {:>8} {:>8} {:>8} {:>9} {:>12} {:>12} {:>12}\n", "ranks", "near, mean", "near, most",
               "tell all", "nodes", "sources", "told MB", "then, mean", "then, most", "telling ms");
    for (const long ranks : settings.ranks) {
        Cpu::Machine machine(1);
        const SphereRun run = SphereRanks<Cpu>(settings, ranks, machine).run();
        fmt::print("{:>8} {:>12.1f} {:>12} {:>8} {:>8} {:>8} {:>9.2f} {:>12.1f} {:>12} {:>12.2f}\n", ranks, run.before.mean,
                   run.before.most, run.tellers, run.nodes, run.sources, 1e-6 * static_cast<double>(run.bytes_told),
                   run.after.mean, run.after.most, 1e3 * run.longest_telling);
        out.push_back({{"ranks", ranks},
                       {"near_mean", run.before.mean},
                       {"near_most", run.before.most},
                       {"tellers", run.tellers},
                       {"nodes_told", run.nodes},
                       {"sources_told", run.sources},
                       {"bytes_told", run.bytes_told},
                       {"near_then_mean", run.after.mean},
                       {"near_then_most", run.after.most},
                       {"longest_telling_s", run.longest_telling}});
    }
    return out;
}

int main_of(int argc, char** argv) {
    Settings settings;
    CLI::App app{"What one rank does for its neighbours among many ranks, without them"};
    app.add_option("--side", settings.side, "cells along a rank's cube")->capture_default_str();
    app.add_option("--boxes", settings.boxes, "virtual_root_boxes")->capture_default_str();
    app.add_option("--theta", settings.theta)->capture_default_str();
    app.add_option("--ranks", settings.ranks, "numbers of ranks")->capture_default_str();
    app.add_option("--repeats", settings.repeats, "the medians are of so many")->capture_default_str();
    CLI::Option* const gpu = app.add_flag("--gpu", settings.gpu, "on a GPU");
    app.add_flag("--sphere", settings.sphere, "who is near to whom among all ranks of a Plummer sphere, and what all are told")
        ->excludes(gpu);
    app.add_option("--points", settings.points, "points a rank of the sphere")->capture_default_str();
    app.add_option("--json", settings.json, "file to write");
    CLI11_PARSE(app, argc, argv);
    if (settings.sphere) {
        const nlohmann::ordered_json json{
            {"points", settings.points}, {"theta", settings.theta}, {"order", order}, {"runs", measure_spheres(settings)}};
        if (!settings.json.empty()) std::ofstream(settings.json) << json.dump(2) << '\n';
        return 0;
    }
    nlohmann::ordered_json json{{"cells", static_cast<long>(settings.side) * settings.side * settings.side},
                                {"boxes", settings.boxes},
                                {"theta", settings.theta},
                                {"order", order},
                                {"backend", settings.gpu ? gpu_name() : "cpu"},
                                {"runs", nlohmann::ordered_json::array()}};
    fmt::print("{:>8} {:>6} {:>9} {:>13} {:>12} {:>9} {:>9} {:>10} {:>10}\n", "ranks", "near", "roots ms", "essential ms",
               "complete ms", "roots MB", "other MB", "nodes in", "cells in");
    for (const long ranks : settings.ranks) {
        const std::vector<Run> runs = settings.gpu ? measure_on_gpu(settings, ranks) : measure_on_cpu(settings, ranks);
        const Run& one = runs.front();
        const double roots = median(runs, &Run::roots), essential = median(runs, &Run::essential);
        const double complete = median(runs, &Run::complete);
        fmt::print("{:>8} {:>6} {:>9.2f} {:>13.2f} {:>12.2f} {:>9.1f} {:>9.1f} {:>10} {:>10}\n", ranks, one.near, 1e3 * roots,
                   1e3 * essential, 1e3 * complete, 1e-6 * static_cast<double>(one.root_bytes),
                   1e-6 * static_cast<double>(one.bytes), one.imported_nodes, one.imported_cells);
        json["runs"].push_back({{"ranks", ranks},
                                {"near", one.near},
                                {"roots_s", roots},
                                {"essential_s", essential},
                                {"complete_s", complete},
                                {"root_table_bytes", one.root_bytes},
                                {"other_bytes", one.bytes},
                                {"nodes_imported", one.imported_nodes},
                                {"cells_imported", one.imported_cells}});
    }
    if (!settings.json.empty()) std::ofstream(settings.json) << json.dump(2) << '\n';
    return 0;
}

}  // namespace
}  // namespace gravlet::bench

int main(int argc, char** argv) {
    try {
        return gravlet::bench::main_of(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "gravlet_synthetic_ranks: {}\n", error.what());
        return 1;
    }
}
