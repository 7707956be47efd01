// SPDX-License-Identifier: Apache-2.0
#include "tools/result.hpp"

#include "tools/compare/report_json.hpp"
#include "tools/present/stop_signal.hpp"

#include <gravlet/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>

namespace gravlet {
namespace {

using Json = nlohmann::ordered_json;

double per_target(std::int64_t count, const Report& report) {
    return report.targets == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(report.targets);
}

double rate(double count, double seconds) { return seconds > 0.0 ? count / seconds : 0.0; }

std::string short_number(double value) {
    for (const auto& [size, letter] : {std::pair{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
        if (value >= size) return fmt::format("{:.4g} {}", value / size, letter);
    return fmt::format("{:.4g} ", value);
}

std::string per_second(double count, double seconds) { return short_number(rate(count, seconds)); }

void append_errors(std::string& text, const RunResult& result) {
    const auto out = std::back_inserter(text);
    const Comparison& comparison = *result.comparison;
    const std::int64_t samples = comparison.potential.samples;
    std::vector<std::pair<const char*, double ErrorStatistics::*>> columns{{"max", &ErrorStatistics::max}};
    if (samples >= 10000) columns.emplace_back("99.99%", &ErrorStatistics::p9999);
    if (samples >= 1000) columns.emplace_back("99.9%", &ErrorStatistics::p999);
    columns.insert(columns.end(),
                   {{"99%", &ErrorStatistics::p99}, {"median", &ErrorStatistics::median}, {"rms", &ErrorStatistics::rms}});

    fmt::format_to(out, "\n  {:<24}", is_periodic(result.options) ? "error (relative to rms)" : "relative error");
    for (const auto& [title, value] : columns) fmt::format_to(out, "{:>11}", title);
    text += "   largest at\n";
    const auto line = [&](const char* name, const ErrorStatistics& e) {
        fmt::format_to(out, "  {:<24}", name);
        for (const auto& [title, value] : columns) fmt::format_to(out, "{:>11.2e}", e.*value);
        fmt::format_to(out, "   ({:.6g}, {:.6g}, {:.6g})\n", e.worst[0], e.worst[1], e.worst[2]);
    };
    line("potential", comparison.potential);
    if (comparison.acceleration) line("acceleration", *comparison.acceleration);
    if (comparison.tidal) line("tidal", *comparison.tidal);
    fmt::format_to(out, "  against {}, at {} {} targets", to_string(result.reference), comparison.all ? "all" : "a sample of",
                   samples);
    if (comparison.hunted > 0) fmt::format_to(out, "; max also of {} where a tighter solve differs most", comparison.hunted);
    text += "\n";
}

}  // namespace

double RunResult::interactions() const {
    return static_cast<double>(report.node_interactions) + static_cast<double>(report.cell_interactions);
}

double RunResult::walk_seconds() const {
    double seconds = 0.0;
    for (const StageTime& stage : stages)
        if (stage.name.starts_with("walk")) seconds += stage.max;
    return seconds;
}

std::string to_json(const RunResult& result) {
    const Report& report = result.report;
    Json json = to_json(result.made_by);
    json["problem"] = result.problem;
    if (!result.input.empty()) json["input"] = to_json(result.input);
    json["timed_solves"] = result.timed;
    if (result.stopped_by != 0) json["stopped_by"] = signal_name(result.stopped_by);
    if (result.is_empty()) return json.dump(2) + "\n";
    json["time"]["solve_median_s"] = result.median_seconds;
    json["time"]["stages"] = Json::object();
    for (const StageTime& stage : result.stages) json["time"]["stages"][stage.name] = stage.max;
    json["rate"]["cells_per_s"] = rate(static_cast<double>(report.targets), result.median_seconds);
    json["rate"]["interactions_per_s"] = rate(result.interactions(), result.median_seconds);
    json["rate"]["walk_interactions_per_s"] = rate(result.interactions(), result.walk_seconds());
    json["interactions"]["node_per_target"] = per_target(report.node_interactions, report);
    json["interactions"]["cell_per_target"] = per_target(report.cell_interactions, report);
    json["options"] = to_json(result.options);
    json["report"] = to_json(report);
    if (!result.comparison) return json.dump(2) + "\n";

    const Comparison& comparison = *result.comparison;
    json["error"] = {{"reference", to_string(result.reference)},
                     {"relative_to", is_periodic(result.options) ? "rms" : "value"},
                     {"all_targets", comparison.all},
                     {"hunted", comparison.hunted}};
    json["error"].update(to_json(comparison.potential));
    if (comparison.acceleration) json["error_acceleration"] = to_json(*comparison.acceleration);
    if (comparison.tidal) json["error_tidal"] = to_json(*comparison.tidal);
    json["error"]["mean"] = comparison.mean[0];
    if (comparison.acceleration) json["error_acceleration"]["mean"] = comparison.mean[1];
    if (comparison.tidal) json["error_tidal"]["mean"] = comparison.mean[2];
    json["error_curve"]["share"] = comparison.curve.share;
    for (std::size_t d = 0; d < field_names.size(); ++d)
        if (!comparison.curve.error[d].empty()) json["error_curve"][field_names[d]] = comparison.curve.error[d];
    return json.dump(2) + "\n";
}

std::string to_table(const RunResult& result) {
    const Report& report = result.report;
    std::string text;
    const auto out = std::back_inserter(text);
    if (result.stopped_by != 0)
        fmt::format_to(out, "\nstopped by {}: {} of {} timed solves are done{}\n", signal_name(result.stopped_by), result.timed,
                       result.asked, result.reference == Reference::none || result.timed == 0 ? "" : ", and not compared");
    if (result.is_empty()) return text;
    fmt::format_to(out, "\n{}: {} targets, {} sources · {} rank(s) x {} thread(s), {}\n", result.problem, report.targets,
                   report.sources, report.ranks, report.threads, report.backend);
    if (result.options.theta == 0.0)
        fmt::format_to(out, "direct sum (theta 0), {}\n", to_string(result.options.boundary));
    else
        fmt::format_to(out, "theta {}, order {}, {}{}\n", result.options.theta, result.options.order,
                       to_string(result.options.boundary),
                       report.node_interactions + report.far_interactions == 0 ? ": all bodies acted one by one" : "");

    text += input_table(result.input);
    for (const std::string& warning : report.warnings) fmt::format_to(out, "warning: {}\n", warning);
    fmt::format_to(out, "\n  {:<24}{:>12}{:>9}\n", "time", "seconds", "share");
    for (const StageTime& stage : result.stages)
        fmt::format_to(out, "  {:<24}{:>12.5f}{:>8.1f}%\n", stage.name, stage.max,
                       100.0 * rate(stage.max, result.median_seconds));
    fmt::format_to(out, "  {:<24}{:>12.5f}   (median of the solves, slowest rank)\n", "solve", result.median_seconds);

    const auto line = [&](std::string_view name, const std::string& value) { fmt::format_to(out, "  {:<24}{}\n", name, value); };
    text += "\n";
    line("cells a second", per_second(static_cast<double>(report.targets), result.median_seconds));
    line("interactions a second", fmt::format("{} ({} in the walk)", per_second(result.interactions(), result.median_seconds),
                                              per_second(result.interactions(), result.walk_seconds())));
    line("interactions a target", fmt::format("{:.1f} node + {:.1f} cell", per_target(report.node_interactions, report),
                                              per_target(report.cell_interactions, report)));
    line("peak memory a rank", short_number(static_cast<double>(report.peak_bytes)) + "B");
    if (report.ranks > 1)
        line("exchanged", fmt::format("{}B, {} nodes and {} cells imported", short_number(static_cast<double>(report.bytes_sent)),
                                      report.nodes_imported, report.cells_imported));
    if (report.coincident_pairs > 0) line("coincident pairs", fmt::format("{} left out", report.coincident_pairs));
    if (const auto& t = report.tolerance)
        line("tolerance", fmt::format("{:.2e} asked, {:.2e} reached{} (theta {:.3g}, order {})", t->asked, t->reached,
                                      t->kept ? "" : ": not kept", t->theta, t->order));
    if (report.net_force) line("net force", fmt::format("{:.2e} of all forces", *report.net_force));
    if (report.net_torque) line("net torque", fmt::format("{:.2e} of all torques", *report.net_torque));
    if (!result.comparison) return text;

    append_errors(text, result);
    return text;
}

}  // namespace gravlet
