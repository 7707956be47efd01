// SPDX-License-Identifier: Apache-2.0
#include "mpi/communicator.hpp"
#include "solver/local_report.hpp"

#include <fmt/format.h>

#include <iterator>

namespace gravlet {
namespace {

void append_errors(std::string& text, const char* name, const std::optional<ErrorStatistics>& e) {
    if (!e) return;
    fmt::format_to(std::back_inserter(text), "{} error ({} samples): max {:.2e}, 99% {:.2e}, median {:.2e}, rms {:.2e}\n", name,
                   e->samples, e->max, e->p99, e->median, e->rms);
}

}  // namespace

Report reduce_report(MPI_Comm comm, const LocalReport& local) {
    Report report;
    MPI_Comm_size(comm, &report.ranks);
    long sums[] = {static_cast<long>(local.targets),           static_cast<long>(local.sources),
                   static_cast<long>(local.counts.node),       static_cast<long>(local.counts.cell),
                   static_cast<long>(local.counts.coincident), static_cast<long>(local.bytes_sent),
                   static_cast<long>(local.nodes_imported),    static_cast<long>(local.cells_imported),
                   static_cast<long>(local.counts.far),        local.unchanged ? 1 : 0};
    all_reduce(comm, sums, static_cast<int>(std::size(sums)), MPI_SUM);
    report.targets = sums[0];
    report.sources = sums[1];
    report.node_interactions = sums[2];
    report.cell_interactions = sums[3];
    report.coincident_pairs = sums[4];
    report.bytes_sent = sums[5];
    report.nodes_imported = sums[6];
    report.cells_imported = sums[7];
    report.far_interactions = sums[8];
    report.unchanged_ranks = static_cast<int>(sums[9]);
    report.peak_bytes = all_reduce(comm, static_cast<long>(local.peak_bytes), MPI_MAX);

    const auto& stages = local.clock.stages();
    std::vector<double> longest, total;
    for (const auto& [name, seconds] : stages) longest.push_back(seconds);
    total = longest;
    longest.push_back(local.clock.total());
    all_reduce(comm, longest.data(), static_cast<int>(longest.size()), MPI_MAX);
    all_reduce(comm, total.data(), static_cast<int>(total.size()), MPI_SUM);
    report.seconds = longest.back();
    for (std::size_t s = 0; s < stages.size(); ++s)
        report.stages.push_back({stages[s].first, longest[s], total[s] / report.ranks});
    return report;
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
    if (r.coincident_pairs > 0) fmt::format_to(out, "pairs at distance zero, left out: {}\n", r.coincident_pairs);
    fmt::format_to(out, "exchanged: {} nodes, {} cells, {:.2f} MB; peak memory {:.1f} MB a rank\n", r.nodes_imported,
                   r.cells_imported, 1e-6 * static_cast<double>(r.bytes_sent), 1e-6 * static_cast<double>(r.peak_bytes));
    append_errors(text, "potential", r.potential_error);
    append_errors(text, "acceleration", r.acceleration_error);
    return text;
}

}  // namespace gravlet
