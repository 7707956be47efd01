// SPDX-License-Identifier: Apache-2.0
#include "tools/output.hpp"

#include "amr_adapter/files/xdmf.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"
#include "tools/config/alike.hpp"
#include "tools/config/room.hpp"
#include "tools/present/picture.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <span>

namespace gravlet {
namespace {

// Of the same fields on every rank, also on one without targets.
template <class Field>
std::vector<Field> fields_of(MPI_Comm comm, const Solution& solution, const std::optional<Comparison>& comparison,
                             const std::array<const char*, result_count>& names) {
    const bool compared_here = comparison && comparison->error.size() == solution.potential.size();
    const bool compared = all_reduce(comm, compared_here ? 1 : 0, MPI_MIN) == 1;
    std::vector<Field> fields;
    agree(comm, [&] {
        for_results(solution, [&](const std::vector<double>& values, std::size_t k) {
            if (k < component_count(solution.derivatives)) fields.push_back({names[k], values});
        });
        if (compared) fields.push_back({"error", comparison->error});
    });
    return fields;
}

/// What outputs are made of.
struct Solved {
    MPI_Comm comm;
    const RunConfig& config;
    const Problem& problem;
    const Solution& solution;
    const std::optional<Comparison>& comparison;
    Provenance provenance{};
};

void write_hdf5(const Solved& s, const std::string& path) {
    if (!s.problem.has_blocks) {
        std::array<const char*, result_count> names;
        std::ranges::transform(result_components, names.begin(), &ResultComponent::column);
        const auto fields = fields_of<PointField>(s.comm, s.solution, s.comparison, names);
        return write_points(s.comm, path, s.problem.points, fields, s.provenance);
    }
    auto fields = fields_of<BlockField>(s.comm, s.solution, s.comparison,
                                        {"gpot", "accx", "accy", "accz", "tdxx", "tdxy", "tdxz", "tdyy", "tdyz", "tdzz"});
    agree(s.comm, [&] { fields.insert(fields.begin(), {"dens", s.problem.blocks.density}); });
    write_flash(s.comm, path, s.problem.blocks, s.problem.rows, fields, s.config.solver.boundary, s.provenance);
}

void write_copy(const Solved& s, const std::string& path) {
    const auto& flash = std::get<FlashFileProblem>(s.config.problem);
    BlockField field;
    agree(s.comm, [&] { field = {flash.potential, s.solution.potential}; });
    write_checkpoint_copy(s.comm, flash.path, path, s.problem.blocks, s.problem.rows, field, s.provenance);
}

Provenance provenance_of(const RunConfig& config, const Problem& problem, const std::optional<Comparison>& comparison) {
    Provenance all = provenance_of(config.made_by, problem.kind, resolved(config.solver, config.derivatives() > 0),
                                   input_text(problem.origin));
    if (!comparison) return all;
    all.emplace_back("gravlet_reference", to_string(config.compare.reference));
    const auto add = [&](const std::string& field, const ErrorStatistics& errors) {
        all.emplace_back("gravlet_error_99_" + field, errors.p99);
        all.emplace_back("gravlet_error_max_" + field, errors.max);
    };
    add("potential", comparison->potential);
    if (comparison->acceleration) add("acceleration", *comparison->acceleration);
    if (comparison->tidal) add("tidal", *comparison->tidal);
    return all;
}

/// Bytes of this rank's part of the HDF5 file: without geometry and errors, which are few, or may not be there.
std::uint64_t hdf5_bytes(const Problem& problem, int derivatives) {
    const std::size_t given = problem.has_blocks ? 1 : 4;  // the density; places and masses
    return (given + component_count(derivatives)) * sizeof(double) * problem.targets();
}

/// Collective: what writes each of run_outputs, in this order.
struct Writer {
    const char* key;
    void (*write)(const Solved& solved, const std::string& path);
};
constexpr auto writers = std::to_array<Writer>(
    {{"hdf5", write_hdf5},
     {"checkpoint_copy", write_copy},
     {"xdmf",
      [](const Solved& s, const std::string& path) {
          for_all(s.comm, [&] { write_xdmf(std::span(&s.config.output["hdf5"], 1), path); });
      }},
     {"picture", [](const Solved& s, const std::string& path) {
          for_all(s.comm, [&] { draw_picture(s.config.output["hdf5"], path, is_periodic(s.config.solver)); });
      }}});

}  // namespace

FilePlan files_of(const RunConfig& config) {
    FilePlan plan;
    plan.input("problem.path", file_of(config.problem));
    plan.spared("problem.path", other_files_of(config.problem));
    plan.cache("solver.ewald_cache", config.solver.ewald_cache);
    config.output.add_to(plan);
    return plan;
}

void check_room(MPI_Comm comm, const RunConfig& config, const Problem& problem) {
    const long bytes = all_reduce(comm, static_cast<long>(hdf5_bytes(problem, config.derivatives())), MPI_SUM);
    for_all(comm, [&] {
        Room room;
        room.needs("output.hdf5", config.output["hdf5"], static_cast<std::uint64_t>(bytes));
        if (config.output.wants("checkpoint_copy"))
            room.needs("output.checkpoint_copy", config.output["checkpoint_copy"],
                       std::filesystem::file_size(file_of(config.problem)));
        room.check();
    });
}

void write_outputs(MPI_Comm comm, const RunConfig& config, const Problem& problem, const Solution& solution,
                   const std::optional<Comparison>& comparison, Attempts& attempts) {
    Solved solved{comm, config, problem, solution, comparison};
    agree(comm, [&] { solved.provenance = provenance_of(config, problem, comparison); });
    std::array<std::string_view, writers.size()> lost{};
    for (std::size_t i = 0; i < writers.size(); ++i) {
        const auto& [key, write] = writers[i];
        if (!config.output.wants(key)) continue;
        const std::string_view source = config.output.source(key);
        const bool has_source = std::ranges::find(lost, source) == lost.end() || source.empty();
        const bool written = attempts.make([&] {
            alike(comm, [&] {  // what may be there in its place is of another run
                if (!has_source)
                    throw Error(ErrorCode::file, fmt::format("output.{} is not written, for want of output.{}", key, source));
            });
            write(solved, config.output[key]);
        });
        if (!written) lost[i] = key;
    }
}

}  // namespace gravlet
