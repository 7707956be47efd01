// SPDX-License-Identifier: Apache-2.0
#include "solver/data/local_report.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace gravlet {
namespace {

void append_errors(std::string& text, const char* name, const std::optional<ErrorStatistics>& e) {
    if (!e) return;
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{} error ({} samples): max {:.2e} at ({:.6g}, {:.6g}, {:.6g})", name, e->samples, e->max, e->worst[0],
                   e->worst[1], e->worst[2]);
    if (e->samples >= 10000) fmt::format_to(out, ", 99.99% {:.2e}", e->p9999);
    if (e->samples >= 1000) fmt::format_to(out, ", 99.9% {:.2e}", e->p999);
    fmt::format_to(out, ", 99% {:.2e}, median {:.2e}, rms {:.2e}\n", e->p99, e->median, e->rms);
}

}  // namespace

std::string warning_of(const ToleranceReport& t) {
    const std::string why = t.floor > 0.0 ? "and shorter opening angles had no smaller one"
                                          : fmt::format("after {} walk(s) (tolerance_effort)", t.walks);
    return fmt::format("the tolerance of {:.3g} is not kept: the error is {:.2e}, {}", t.asked, t.reached, why);
}

void prepare_report(const LocalReport& local, const char* last_stage, Report& report) {
    report.stages.clear();
    report.stages.reserve(StageClock::most_stages);
    for (const StageSeconds& stage : local.clock.stages()) report.stages.push_back({stage.name, 0.0, 0.0});
    if (report.stages.empty() || report.stages.back().name != last_stage) report.stages.push_back({last_stage, 0.0, 0.0});
}

void complete_report(const Agreed& all, const LocalReport& local, Report& report) {
    report.ranks = all.size();
    RankSums shares = local;
    shares.node_interactions = static_cast<std::int64_t>(local.counts.node);
    shares.cell_interactions = static_cast<std::int64_t>(local.counts.cell);
    shares.far_interactions = static_cast<std::int64_t>(local.counts.far);
    shares.coincident_pairs = static_cast<std::int64_t>(local.counts.coincident);
    std::array<long, sizeof(RankSums) / sizeof(std::int64_t)> sums{};
    std::size_t next = 0;
    for_rank_sums(shares, report, [&](std::int64_t share, const auto&) { sums[next++] = share; });
    all.all_reduce(sums.data(), static_cast<int>(sums.size()), MPI_SUM);
    next = 0;
    for_rank_sums(shares, report, [&]<class Sum>(std::int64_t, Sum& sum) { sum = static_cast<Sum>(sums[next++]); });
    report.net_force = local.net_force;
    report.net_torque = local.net_torque;
    report.background = local.background;
    report.peak_bytes = all.all_reduce(static_cast<long>(local.peak_bytes), MPI_MAX);

    const auto stages = local.clock.stages();
    constexpr std::size_t most = StageClock::most_stages;
    std::array<double, most + 3> longest{};
    std::array<double, most> total{};
    for (std::size_t s = 0; s < stages.size(); ++s) longest[s] = total[s] = stages[s].seconds;
    longest[most] = local.clock.total();
    longest[most + 1] = -local.time_step;
    longest[most + 2] = local.predicted_shift;
    all.all_reduce(longest.data(), static_cast<int>(longest.size()), MPI_MAX);
    all.all_reduce(total.data(), static_cast<int>(total.size()), MPI_SUM);
    report.seconds = longest[most];
    report.predicted_shift = longest[most + 2];
    if (std::isfinite(longest[most + 1])) report.time_step = -longest[most + 1];
    for (std::size_t s = 0; s < report.stages.size(); ++s) {
        report.stages[s].max = longest[s];
        report.stages[s].mean = total[s] / report.ranks;
    }
}

std::string to_string(const Report& r) {
    std::string text;
    const auto out = std::back_inserter(text);
    fmt::format_to(out, "{} targets, {} sources, {} rank(s), {} thread(s) a rank, {}\n", r.targets, r.sources, r.ranks, r.threads,
                   r.backend);
    for (const std::string& warning : r.warnings) fmt::format_to(out, "warning: {}\n", warning);
    fmt::format_to(out, "{:<18}{:>12}{:>12}\n", "stage", "max s", "mean s");
    for (const StageTime& stage : r.stages) fmt::format_to(out, "{:<18}{:>12.4f}{:>12.4f}\n", stage.name, stage.max, stage.mean);
    fmt::format_to(out, "{:<18}{:>12.4f}\n", "solve", r.seconds);
    const double targets = r.targets > 0 ? static_cast<double>(r.targets) : 1.0;
    fmt::format_to(out, "interactions a target: {:.1f} with nodes, {:.1f} with cells; {} of groups with far nodes\n",
                   static_cast<double>(r.node_interactions) / targets, static_cast<double>(r.cell_interactions) / targets,
                   r.far_interactions);
    if (r.unchanged_ranks > 0)
        fmt::format_to(out, "mesh as before, neither sorted nor built anew: {} rank(s)\n", r.unchanged_ranks);
    if (r.moved_ranks > 0) fmt::format_to(out, "points moved, neither sorted nor built anew: {} rank(s)\n", r.moved_ranks);
    if (r.background != 0.0) fmt::format_to(out, "density taken off all cells: {:.9g}\n", r.background);
    if (r.coincident_pairs > 0) fmt::format_to(out, "pairs at distance zero, left out: {}\n", r.coincident_pairs);
    fmt::format_to(out, "exchanged: {} nodes, {} cells, {:.2f} MB; peak memory {:.1f} MB a rank\n", r.nodes_imported,
                   r.cells_imported, 1e-6 * static_cast<double>(r.bytes_sent), 1e-6 * static_cast<double>(r.peak_bytes));
    if (r.tolerance)
        fmt::format_to(
            out, "tolerance: {:.2e} asked, {:.2e} reached {} solve(s) ago; this one: {} walk(s), {}, theta {:.4g}, order {}{}\n",
            r.tolerance->asked, r.tolerance->reached, r.tolerance->solves_ago, r.tolerance->walks,
            to_string(r.tolerance->criterion), r.tolerance->theta, r.tolerance->order,
            r.tolerance->alpha > 0.0 ? fmt::format(", alpha {:.3g}", r.tolerance->alpha) : "");
    append_errors(text, "potential", r.potential_error);
    append_errors(text, "acceleration", r.acceleration_error);
    append_errors(text, "tidal", r.tidal_error);
    if (r.net_force) fmt::format_to(out, "net force: {:.2e} of all forces\n", *r.net_force);
    if (r.time_step) fmt::format_to(out, "shortest sqrt(h/|a|): {:.6g}\n", *r.time_step);
    if (r.net_torque) fmt::format_to(out, "net torque: {:.2e} of all torques\n", *r.net_torque);
    return text;
}

}  // namespace gravlet
