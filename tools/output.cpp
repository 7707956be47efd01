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

/// What outputs are made of.
struct Solved {
    MPI_Comm comm;
    const RunConfig& config;
    const Problem& problem;
    const Solution& solution;
    const std::optional<Comparison>& comparison;
};

void write_hdf5(const Solved& s, const std::string& path) {
    if (!s.problem.has_blocks) {
        std::array<const char*, result_count> names;
        std::ranges::transform(result_components, names.begin(), &ResultComponent::column);
        const auto fields = fields_of<PointField>(s.comm, s.solution, s.comparison, names);
        return write_points(s.comm, path, s.problem.points, fields);
    }
    auto fields = fields_of<BlockField>(s.comm, s.solution, s.comparison,
                                        {"gpot", "accx", "accy", "accz", "tdxx", "tdxy", "tdxz", "tdyy", "tdyz", "tdzz"});
    agree(s.comm, [&] { fields.insert(fields.begin(), {"dens", s.problem.blocks.density}); });
    write_flash(s.comm, path, s.problem.blocks, s.problem.rows, fields, s.config.solver.boundary);
}

void write_copy(const Solved& s, const std::string& path) {
    const auto& flash = std::get<FlashFileProblem>(s.config.problem);
    BlockField field;
    agree(s.comm, [&] { field = {flash.potential, s.solution.potential}; });
    write_checkpoint_copy(s.comm, flash.path, path, s.problem.blocks, s.problem.rows, field);
}

/// Collective. Calls write() on rank 0 alone; what it throws is thrown on all ranks.
template <class Write>
void on_one_rank(const Solved& s, const Write& write) {
    agree(s.comm, [&] {
        if (rank_in(s.comm) == 0) write();
    });
}

/// Collective: what writes each of run_outputs, in this order.
struct Writer {
    const char* key;
    void (*write)(const Solved& solved, const std::string& path);
};
constexpr auto writers = std::to_array<Writer>(
    {{"hdf5", write_hdf5},
     {"checkpoint_copy", write_copy},
     {"xdmf", [](const Solved& s,
                 const std::string& path) { on_one_rank(s, [&] { write_xdmf(std::span(&s.config.output["hdf5"], 1), path); }); }},
     {"picture", [](const Solved& s, const std::string& path) {
          on_one_rank(s, [&] { draw_picture(s.config.output["hdf5"], path, is_periodic(s.config.solver)); });
      }}});

}  // namespace

FilePlan files_of(const RunConfig& config) {
    FilePlan plan;
    plan.input("problem.path", file_of(config.problem));
    plan.cache("solver.ewald_cache", config.solver.ewald_cache);
    config.output.add_to(plan);
    return plan;
}

void write_outputs(MPI_Comm comm, const RunConfig& config, const Problem& problem, const Solution& solution,
                   const std::optional<Comparison>& comparison) {
    const Solved solved{comm, config, problem, solution, comparison};
    for (const auto& [key, write] : writers)
        if (config.output.wants(key)) write(solved, config.output[key]);
}

}  // namespace gravlet
