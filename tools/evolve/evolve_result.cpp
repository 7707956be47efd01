// SPDX-License-Identifier: Apache-2.0
// What a run in time has done, for people and for programs.
#include "tools/compare/report_json.hpp"
#include "tools/evolve/evolve.hpp"
#include "tools/present/stop_signal.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

namespace gravlet {
namespace {

std::string words_of_stop(const EvolveResult& r) {
    if (r.stopped_by == 0 && r.going_on.empty()) return {};
    const std::string what = r.stopped_by == 0 ? "ended" : fmt::format("stopped by {}", signal_name(r.stopped_by));
    return fmt::format("{} at time {:.6g}: {}\n", what, r.time,
                       r.going_on.empty() ? "there is no snapshot to go on from (output.snapshots is not set)"
                                          : "go on with --set evolve.restart=" + r.going_on);
}

}  // namespace

std::string to_table(const EvolveResult& r) {
    if (r.solves == 0) return r.stopped_by != 0 ? words_of_stop(r) : fmt::format("time {:.6g}: there already\n", r.time);
    const double solves = static_cast<double>(r.solves), active = static_cast<double>(r.active);
    std::string text = input_table(r.input);
    text += fmt::format("time {:.6g}: {} largest steps, {} solves ({} with the tree before) of {:.4g} points, levels to {}\n",
                        r.time, r.largest_steps, r.solves, r.kept, active / solves, r.deepest_level);
    fmt::format_to(std::back_inserter(text), "{} rank(s), {}: {:.4g} s, {:.4g} s a solve, {:.4g} pairs a point\n", r.ranks,
                   r.backend, r.seconds, r.seconds / solves, r.pairs / active);
    text += "milliseconds a solve:";
    for (const StageTime& stage : r.stages)
        fmt::format_to(std::back_inserter(text), " {} {:.3g}", stage.name, 1e3 * stage.max / solves);
    fmt::format_to(std::back_inserter(text), "\nenergy: changed by {:.2e} of itself\n", r.energy_change);
    if (r.snapshots > 0) fmt::format_to(std::back_inserter(text), "snapshots: {}\n", r.snapshots);
    if (r.too_slow > 0)
        fmt::format_to(std::back_inserter(text), "warning: {} points want shorter steps than evolve.levels has\n", r.too_slow);
    return text + words_of_stop(r);
}

std::string to_json(const EvolveResult& r) {
    nlohmann::ordered_json stages;
    for (const StageTime& stage : r.stages) stages[stage.name] = stage.max;
    const nlohmann::ordered_json done = {{"problem", r.problem},
                                         {"options", to_json(r.options)},
                                         {"time", r.time},
                                         {"largest_steps", r.largest_steps},
                                         {"solves", r.solves},
                                         {"active", r.active},
                                         {"kept", r.kept},
                                         {"pairs", r.pairs},
                                         {"seconds", r.seconds},
                                         {"energy_change", r.energy_change},
                                         {"deepest_level", r.deepest_level},
                                         {"too_slow", r.too_slow},
                                         {"snapshots", r.snapshots},
                                         {"ranks", r.ranks},
                                         {"stages_s", stages},
                                         {"backend", r.backend}};
    nlohmann::ordered_json json = to_json(r.made_by);
    json.update(done);
    if (!r.input.empty()) json["input"] = to_json(r.input);
    if (r.stopped_by != 0) json["stopped_by"] = signal_name(r.stopped_by), json["going_on"] = r.going_on;
    return json.dump(2) + '\n';
}

}  // namespace gravlet
