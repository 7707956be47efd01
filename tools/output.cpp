// SPDX-License-Identifier: Apache-2.0
#include "tools/output.hpp"

#include "amr_adapter/files/xdmf.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"
#include "tools/present/picture.hpp"

#include <algorithm>
#include <array>
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

void write_hdf5(MPI_Comm comm, const RunConfig& config, const Problem& problem, const Solution& solution,
                const std::optional<Comparison>& comparison) {
    const std::string& path = config.output.hdf5;
    if (!problem.has_blocks) {
        std::array<const char*, result_count> names;
        std::ranges::transform(result_components, names.begin(), &ResultComponent::column);
        const auto fields = fields_of<PointField>(comm, solution, comparison, names);
        return write_points(comm, path, problem.points, fields);
    }
    auto fields = fields_of<BlockField>(comm, solution, comparison,
                                        {"gpot", "accx", "accy", "accz", "tdxx", "tdxy", "tdxz", "tdyy", "tdyz", "tdzz"});
    agree(comm, [&] { fields.insert(fields.begin(), {"dens", problem.blocks.density}); });
    write_flash(comm, path, problem.blocks, problem.rows, fields, config.solver.boundary);
}

}  // namespace

FilePlan files_of(const RunConfig& config) {
    FilePlan plan;
    plan.input("problem.path", file_of(config.problem));
    plan.cache("solver.ewald_cache", config.solver.ewald_cache);
    plan.output("output.hdf5", config.output.hdf5);
    plan.output("output.xdmf", config.output.xdmf);
    plan.output("output.picture", config.output.picture);
    plan.output("output.checkpoint_copy", config.output.checkpoint_copy);
    return plan;
}

void write_outputs(MPI_Comm comm, const RunConfig& config, const Problem& problem, const Solution& solution,
                   const std::optional<Comparison>& comparison) {
    const OutputConfig& output = config.output;
    if (!output.hdf5.empty()) write_hdf5(comm, config, problem, solution, comparison);
    if (!output.checkpoint_copy.empty()) {
        const auto& flash = std::get<FlashFileProblem>(config.problem);
        BlockField field;
        agree(comm, [&] { field = {flash.potential, solution.potential}; });
        write_checkpoint_copy(comm, flash.path, output.checkpoint_copy, problem.blocks, problem.rows, field);
    }
    const int rank = rank_in(comm);
    agree(comm, [&] {
        if (rank != 0) return;
        if (!output.xdmf.empty()) write_xdmf(std::span(&output.hdf5, 1), output.xdmf);
        if (!output.picture.empty()) draw_picture(output.hdf5, output.picture, is_periodic(config.solver));
    });
}

}  // namespace gravlet
