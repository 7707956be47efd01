// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/bench_json.hpp"

#include "tools/compare/report_json.hpp"

#include <gravlet/error.hpp>
#include <gravlet/version.hpp>

#include <nlohmann/json.hpp>

#include <fstream>

namespace gravlet::bench {
namespace {

using Json = nlohmann::ordered_json;

using gravlet::to_json;

Json to_json(const CaseResult& result) {
    const Options& options = result.options;
    const Report& report = result.report;
    Json json{{"problem", result.problem},
              {"layout", result.layout},
              {"boundary", to_string(options.boundary)},
              {"theta", options.theta},
              {"order", options.order},
              {"criterion", to_string(options.criterion)},
              {"alpha", options.alpha},
              {"group_size", options.group_size},
              {"leaf_size", options.leaf_size},
              {"softening_kernel", to_string(options.softening_kernel)},
              {"softening", options.softening},
              {"acceleration", result.acceleration},
              {"tidal", result.tidal},
              {"active", result.active}};
    if (!result.failure.empty()) {
        json["failure"] = result.failure;
        return json;
    }
    json.update(to_json(report));
    json["solve_s"] = result.median_seconds;
    json["solves_s"] = result.seconds;
    json["targets_per_s"] = static_cast<double>(report.targets) / result.median_seconds;
    json["build_s"] = result.build_seconds;
    json["walk_s"] = result.walk_seconds;
    json["stages_s"] = value_to_json(result.stages);
    json["walk_interactions_per_s"] = result.walk_rate();
    if (result.ceiling) {
        json["ceiling_share"] = result.ceiling->all;
        json["ceiling_share_without_far"] = result.ceiling->without_far;
    }
    json["peak_bytes_per_target"] = result.per_target(static_cast<double>(report.peak_bytes) * report.ranks);
    if (result.potential_error) json["potential_error"] = to_json(*result.potential_error);
    if (result.acceleration_error) json["acceleration_error"] = to_json(*result.acceleration_error);
    if (result.tidal_error) json["tidal_error"] = to_json(*result.tidal_error);
    if (result.analytic_error) json["analytic_error"] = to_json(*result.analytic_error);
    return json;
}

Json to_json(const Ceiling& ceiling) {
    Json json = Json::object();
    for (std::size_t order = 0; order < Ceiling::orders; ++order)
        json["order_" + std::to_string(order)] = {
            {"potential", ceiling.node[order][0]}, {"acceleration", ceiling.node[order][1]}, {"far", ceiling.far[order]}};
    return json;
}

}  // namespace

void write_json(const std::string& path, const Settings& settings, const Device& device, const std::vector<CaseResult>& results,
                const std::optional<Ceiling>& ceiling) {
    Json json{{"version", version()},
              {"device", device.name},
              {"devices_used", device.used},
              {"machines", device.machines},
              {"problem", settings.problem_name()},
              {"memory", to_string(settings.memory)},
              {"backend", to_string(settings.solver.backend)},
              {"gpu_sharing", to_string(settings.solver.gpu_sharing)},
              {"warmup", settings.warmup},
              {"repeat", settings.repeat}};
    if (ceiling) json["ceiling"] = to_json(*ceiling);
    json["cases"] = Json::array();
    for (const CaseResult& result : results) json["cases"].push_back(to_json(result));
    std::ofstream file(path);
    file << json.dump(2) << std::endl;
    if (!file) throw Error(ErrorCode::file, path + ": cannot be written");
}

}  // namespace gravlet::bench
