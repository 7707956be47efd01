// SPDX-License-Identifier: Apache-2.0
#include "ewald/domain.hpp"
#include "ewald/table.hpp"
#include "ewald/table_file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace gravlet {

std::optional<EwaldTable> make_ewald_table(Stages& stages, const Options& options, int threads) {
    const Domain domain(options);
    const EwaldParameters parameters{
        domain.box_in_periods(), options.ewald_nodes, options.ewald_order,
        image_softening(options.softening_kernel, options.softening) / domain.box().shortest_period()};
    std::optional<EwaldTable> table;
    if (options.ewald_cache.empty()) {
        stages.local([&] { table.emplace(parameters, threads, stages.narrator()); });
        return table;
    }
    // The others get what rank 0 read: one reader of the file, and the same bits everywhere.
    std::vector<double> polynomials;
    long size = 0;
    stages.local([&] {
        if (stages.rank() != 0) return;
        std::error_code none;
        if (std::filesystem::exists(options.ewald_cache, none)) {
            table.emplace(read_table(options.ewald_cache, parameters));
        } else {
            table.emplace(parameters, threads, stages.narrator());
            write_table(options.ewald_cache, parameters, *table);
        }
        polynomials = table->polynomials();
        size = static_cast<long>(polynomials.size());
    });
    stages.collective([&](const Agreed& all) { all.broadcast(&size, 1, 0); });
    stages.local([&] { polynomials.resize(static_cast<std::size_t>(size)); });
    stages.collective([&](const Agreed& all) { all.broadcast(polynomials.data(), static_cast<int>(size), 0); });
    stages.local([&] { table.emplace(parameters, std::move(polynomials)); });
    return table;
}

}  // namespace gravlet
