// SPDX-License-Identifier: Apache-2.0
#include "benchmarks/bench_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

namespace gravlet::bench {
namespace {

struct Column {
    std::string header;
    std::function<std::string(const CaseResult&)> cell;
};

double number(std::int64_t count) { return static_cast<double>(count); }

// A value that a case may lack.
template <class T>
std::string if_any(const std::optional<T>& holder, double T::*member, const char* format) {
    return holder ? fmt::format(fmt::runtime(format), (*holder).*member) : "-";
}

std::string error(const std::optional<ErrorStatistics>& statistics, double ErrorStatistics::*member) {
    return if_any(statistics, member, "{:.2e}");
}

// In per cent.
std::string share(const std::optional<CeilingShare>& ceiling, double CeilingShare::*member) {
    return ceiling ? fmt::format("{:.1f}%", 100.0 * (*ceiling).*member) : "-";
}

using Case = const CaseResult&;

const std::vector<Column> columns{
    {"problem", [](Case c) { return c.problem; }},
    {"boundary", [](Case c) { return to_string(c.options.boundary); }},
    {"targets", [](Case c) { return fmt::format("{}", c.report.targets); }},
    {"active", [](Case c) { return fmt::format("{:g}", c.active); }},
    {"ranks", [](Case c) { return fmt::format("{}", c.report.ranks); }},
    {"theta", [](Case c) { return fmt::format("{}", c.options.theta); }},
    {"order", [](Case c) { return fmt::format("{}", c.options.order); }},
    {"group", [](Case c) { return fmt::format("{}", c.options.group_size); }},
    {"leaf", [](Case c) { return fmt::format("{}", c.options.leaf_size); }},
    {"solve s", [](Case c) { return fmt::format("{:.4g}", c.median_seconds); }},
    {"Mtargets/s", [](Case c) { return fmt::format("{:.1f}", 1e-6 * number(c.report.targets) / c.median_seconds); }},
    {"build s", [](Case c) { return fmt::format("{:.4g}", c.build_seconds); }},
    {"walk s", [](Case c) { return fmt::format("{:.4g}", c.walk_seconds); }},
    {"node/t", [](Case c) { return fmt::format("{:.1f}", c.per_target(number(c.report.node_interactions))); }},
    {"cell/t", [](Case c) { return fmt::format("{:.1f}", c.per_target(number(c.report.cell_interactions))); }},
    {"far/t", [](Case c) { return fmt::format("{:.2f}", c.per_target(number(c.report.far_interactions))); }},
    {"walk pairs/s", [](Case c) { return fmt::format("{:.3e}", c.walk_rate()); }},
    {"ceiling", [](Case c) { return share(c.ceiling, &CeilingShare::all); }},
    {"no far", [](Case c) { return share(c.ceiling, &CeilingShare::without_far); }},
    {"pot p99", [](Case c) { return error(c.potential_error, &ErrorStatistics::p99); }},
    {"pot max", [](Case c) { return error(c.potential_error, &ErrorStatistics::max); }},
    {"acc median", [](Case c) { return error(c.acceleration_error, &ErrorStatistics::median); }},
    {"acc p99", [](Case c) { return error(c.acceleration_error, &ErrorStatistics::p99); }},
    {"acc max", [](Case c) { return error(c.acceleration_error, &ErrorStatistics::max); }},
    {"tidal p99", [](Case c) { return error(c.tidal_error, &ErrorStatistics::p99); }},
    {"analytic max", [](Case c) { return error(c.analytic_error, &ErrorStatistics::max); }},
    {"peak B/t", [](Case c) { return fmt::format("{:.1f}", c.per_target(number(c.report.peak_bytes) * c.report.ranks)); }},
};

// Cells by row, each row as long as the first, padded to the widest of their column.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
    std::string text;
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) text += fmt::format("{:>{}}  ", row[i], widths[i]);
        text.erase(text.find_last_not_of(' ') + 1);
        text += "\n";
    }
    return text;
}

std::string settings_of(const CaseResult& c) {
    return fmt::format("{}, {}, theta {}, order {}, group {}, leaf {}", c.problem, to_string(c.options.boundary), c.options.theta,
                       c.options.order, c.options.group_size, c.options.leaf_size);
}

}  // namespace

std::string table_of(const std::vector<CaseResult>& results) {
    std::vector<std::vector<std::string>> rows(1);
    for (const Column& column : columns) rows[0].push_back(column.header);
    std::string notes;
    std::set<std::string> warnings;
    for (const CaseResult& result : results) {
        if (!result.failure.empty()) {
            notes += fmt::format("failed: {}: {}\n", settings_of(result), result.failure);
            continue;
        }
        warnings.insert(result.report.warnings.begin(), result.report.warnings.end());
        auto& row = rows.emplace_back();
        for (const Column& column : columns) row.push_back(column.cell(result));
    }
    for (const std::string& warning : warnings) notes += "warning: " + warning + "\n";
    return aligned(rows) + notes;
}

std::string stages_of(const CaseResult& result) {
    std::vector<std::vector<std::string>> rows{{"stage", "max s", "mean s", "share"}};
    for (const StageTime& stage : result.stages)
        rows.push_back({stage.name, fmt::format("{:.6f}", stage.max), fmt::format("{:.6f}", stage.mean),
                        fmt::format("{:.1f}%", 100.0 * stage.max / result.median_seconds)});
    rows.push_back({"solve", fmt::format("{:.6f}", result.median_seconds), "", ""});
    return settings_of(result) + ", " + result.report.backend + ": medians\n" + aligned(rows);
}

std::string table_of(const Ceiling& ceiling) {
    std::vector<std::vector<std::string>> rows{{"order", "potential", "with acceleration", "far nodes"}};
    for (std::size_t order = 0; order < Ceiling::orders; ++order) {
        if (order == 1) continue;
        const auto& [potential, both] = ceiling.node[order];
        rows.push_back({fmt::format("{}", order), fmt::format("{:.3e}", potential), fmt::format("{:.3e}", both),
                        fmt::format("{:.3e}", ceiling.far[order])});
    }
    return "ceiling of one GPU: target-node pairs a second (order 0: also target-cell), and group-node pairs\n" + aligned(rows);
}

}  // namespace gravlet::bench
