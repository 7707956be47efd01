// SPDX-License-Identifier: Apache-2.0
// The table in a file, kept between runs. Its parameters are in there, and checked: a table of another box would do silent harm.
#include "amr_adapter/files/hdf5_file.hpp"
#include "ewald/table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <optional>

namespace gravlet {
namespace {

constexpr int format_version = 1;

/// As numbers; words[] says what each is.
using Parameters = std::array<double, 9>;
constexpr std::array words{"format", "side x", "side y", "side z", "periodic x", "periodic y", "periodic z", "nodes", "order"};
static_assert(words.size() == std::tuple_size_v<Parameters>);

Parameters as_numbers(const EwaldParameters& p) {
    Parameters out{format_version};
    for (std::size_t d = 0; d < 3; ++d) {
        out[1 + d] = p.box.side[d];
        out[4 + d] = p.box.periodic[d] ? 1.0 : 0.0;
    }
    out[7] = p.nodes;
    out[8] = p.order;
    return out;
}

EwaldTable read_table(const std::string& path, const EwaldParameters& parameters) {
    const Hdf5File file(path, Hdf5File::Mode::read);
    Parameters theirs{};
    const Parameters ours = as_numbers(parameters);
    file.read("parameters", 0, theirs.size(), theirs);
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (std::abs(theirs[i] - ours[i]) > 1e-12 * ours[i])  // a box that has moved differs in its last bits
            file.fail(fmt::format("this Ewald table is of other parameters: {} is {}, not {}", words[i], theirs[i], ours[i]));
    const Shape shape = file.shape("polynomials");
    std::vector<double> polynomials(shape.empty() ? 0 : shape[0]);
    file.read("polynomials", 0, polynomials.size(), polynomials);
    return {parameters, std::move(polynomials)};
}

/// Under another name first, so that no reader ever meets half a file.
void write_table(const std::string& path, const EwaldParameters& parameters, const EwaldTable& table) {
    const std::string unfinished = path + ".unfinished";
    {
        const Hdf5File file(unfinished, Hdf5File::Mode::create);
        const Parameters numbers = as_numbers(parameters);
        file.create("parameters", {numbers.size()}, H5T_IEEE_F64LE);
        file.write("parameters", 0, numbers.size(), numbers);
        file.create("polynomials", {table.polynomials().size()}, H5T_IEEE_F64LE);
        file.write("polynomials", 0, table.polynomials().size(), table.polynomials());
        file.flush();
    }
    std::error_code failure;
    std::filesystem::rename(unfinished, path, failure);
    if (failure) throw Error(ErrorCode::file, fmt::format("{}: cannot be written: {}", path, failure.message()));
}

}  // namespace

std::optional<EwaldTable> make_ewald_table(Stages& stages, const Options& options, int threads) {
    const EwaldParameters parameters{periodic_box(options), options.ewald_nodes, options.ewald_order};
    std::optional<EwaldTable> table;
    if (options.ewald_cache.empty()) {
        stages.local([&] { table.emplace(parameters, threads); });
        return table;
    }
    // The others get what rank 0 read: one reader of the file, and the same bits everywhere.
    std::vector<double> polynomials;
    long size = 0;
    stages.local([&] {
        if (stages.rank() != 0) return;
        if (std::filesystem::exists(options.ewald_cache)) {
            table.emplace(read_table(options.ewald_cache, parameters));
        } else {
            table.emplace(parameters, threads);
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
