// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/c/handle.hpp"

#include <gravlet/gravlet.h>
#include <gravlet/version.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace gravlet {
namespace {

gravlet_error_statistics to_c(const std::optional<ErrorStatistics>& errors) {
    if (!errors) return {};
    const ErrorStatistics& e = *errors;
    return {e.samples, e.max, e.p9999, e.p999, e.p99, e.median, e.rms, {e.worst[0], e.worst[1], e.worst[2]}};
}

/// Element `index` of a list of strings, or "".
const char* text_at(const std::vector<std::string>& list, std::int32_t index) {
    return index >= 0 && static_cast<std::size_t>(index) < list.size() ? list[static_cast<std::size_t>(index)].c_str() : "";
}

}  // namespace
}  // namespace gravlet

using namespace gravlet;

int gravlet_fill_report(const gravlet_solver* solver, gravlet_report* host) {
    return guarded([&] {
        require(solver, "solver"), require(host, "report");
        const Report& report = solver->solver->report();
        gravlet_report c{};
        c.size = host->size;
        c.targets = report.targets;
        c.sources = report.sources;
        c.ranks = report.ranks;
        c.threads = report.threads;
        c.unchanged_ranks = report.unchanged_ranks;
        c.moved_ranks = report.moved_ranks;
        c.stages = static_cast<std::int32_t>(report.stages.size());
        c.warnings = static_cast<std::int32_t>(report.warnings.size());
        c.seconds = report.seconds;
        c.node_interactions = report.node_interactions;
        c.cell_interactions = report.cell_interactions;
        c.far_interactions = report.far_interactions;
        c.coincident_pairs = report.coincident_pairs;
        c.bytes_sent = report.bytes_sent;
        c.nodes_imported = report.nodes_imported;
        c.cells_imported = report.cells_imported;
        c.peak_bytes = report.peak_bytes;
        c.potential_error = to_c(report.potential_error);
        c.acceleration_error = to_c(report.acceleration_error);
        c.tidal_error = to_c(report.tidal_error);
        c.background = report.background;
        c.net_force = report.net_force.value_or(-1.0);
        c.net_torque = report.net_torque.value_or(-1.0);
        if (const auto& t = report.tolerance)
            c.tolerance = {
                t->asked,        t->reached, t->solves_ago, t->theta, t->alpha, t->order, static_cast<std::int32_t>(t->criterion),
                t->kept ? 1 : 0, t->walks,   t->floor};
        std::memcpy(host, &c, std::min(c.size, sizeof c));
    });
}

int gravlet_get_stage(const gravlet_solver* solver, std::int32_t index, gravlet_stage_time* c) {
    return guarded([&] {
        require(solver, "solver"), require(c, "stage");
        const auto& stages = solver->solver->report().stages;
        if (index < 0 || static_cast<std::size_t>(index) >= stages.size())
            throw Error(ErrorCode::invalid_input, fmt::format("stage {} of {}", index, stages.size()));
        const StageTime& stage = stages[static_cast<std::size_t>(index)];
        *c = {stage.name.c_str(), stage.max, stage.mean};
    });
}

const char* gravlet_get_warning(const gravlet_solver* solver, std::int32_t index) {
    return solver == nullptr ? "" : text_at(solver->solver->report().warnings, index);
}

const char* gravlet_get_backend(const gravlet_solver* solver) {
    return solver == nullptr ? "" : solver->solver->report().backend.c_str();
}

const char* gravlet_report_text(gravlet_solver* solver) {
    if (solver == nullptr) return "";
    guarded([&] { solver->report_text = to_string(solver->solver->report()); });
    return solver->report_text.c_str();
}

const char* gravlet_version() { return GRAVLET_VERSION; }
int gravlet_version_number() { return GRAVLET_VERSION_NUMBER; }

const char* gravlet_backend_name(std::int32_t index) {
    const char* name = "";
    guarded([&] {
        static const std::vector<std::string> names = backends();
        name = text_at(names, index);
    });
    return name;
}
