// SPDX-License-Identifier: Apache-2.0
#include "tools/config/schema.hpp"

#include <gravlet/error.hpp>

#include <type_traits>

namespace gravlet {
namespace {

template <class... Kinds>
Choices<ProblemSpec> kinds_of(std::type_identity<std::variant<Kinds...>>) {
    return {{Kinds::kind, Kinds{}}...};
}

}  // namespace

ProblemSpec read_problem(Section section) {
    const auto kinds = kinds_of(std::type_identity<ProblemSpec>());
    std::string names;
    for (const auto& [name, spec] : kinds) names += (names.empty() ? "" : ", ") + name;
    section.require("kind", "one of " + names);
    ProblemSpec problem;
    section.choice("kind", problem, kinds);
    std::visit([&](auto& kind) { kind.read(section); }, problem);
    section.finish();
    return problem;
}

void read_solver(Section& section, Options& o, std::optional<std::array<Boundary, 3>>& boundary) {
    section.choice("backend", o.backend, {{"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"gpu", Backend::gpu}});
    section.choice("gpu_sharing", o.gpu_sharing,
                   {{"auto", GpuSharing::automatic}, {"share", GpuSharing::share}, {"gather", GpuSharing::gather}});
    section.choice_of_axes("boundary", boundary, {{"isolated", Boundary::isolated}, {"periodic", Boundary::periodic}});
    section.choice("periodic_method", o.periodic_method, {{"images", PeriodicMethod::images}, {"table", PeriodicMethod::table}});
    section.value("ewald_nodes", o.ewald_nodes);
    section.value("ewald_order", o.ewald_order);
    section.path("ewald_cache", o.ewald_cache);
    section.value("theta", o.theta);
    section.value("order", o.order);
    section.choice("criterion", o.criterion,
                   {{"auto", Criterion::automatic},
                    {"opening", Criterion::opening},
                    {"acceleration", Criterion::acceleration},
                    {"multipole", Criterion::multipole}});
    section.value("alpha", o.alpha);
    section.value("tolerance", o.tolerance);
    section.choice("tolerance_of", o.tolerance_of,
                   {{"auto", ErrorOf::automatic}, {"potential", ErrorOf::potential}, {"acceleration", ErrorOf::acceleration}});
    section.choice(
        "tolerance_at", o.tolerance_at,
        {{"p99", ErrorMeasure::p99}, {"p999", ErrorMeasure::p999}, {"p9999", ErrorMeasure::p9999}, {"rms", ErrorMeasure::rms}});
    section.value("G", o.G);
    section.value("self_potential", o.self_potential);
    section.choice("softening_kernel", o.softening_kernel,
                   {{"plummer", SofteningKernel::plummer}, {"spline", SofteningKernel::spline}});
    section.value("softening", o.softening);
    section.value("keep_tree", o.keep_tree);
    section.value("keep_moved", o.keep_moved);
    section.value("redistribute", o.redistribute);
    section.value("group_size", o.group_size);
    section.value("leaf_size", o.leaf_size);
    section.value("virtual_root_boxes", o.virtual_root_boxes);
    section.value("threads", o.threads);
}

void check_solver(const Options& options) {
    try {
        validate(options);
    } catch (const Error& error) {
        throw Error(error.code(), "solver." + std::string(error.what()));
    }
}

void read_results(Section section, RunConfig& config) {
    section.value("acceleration", config.acceleration);
    section.value("tidal", config.tidal);
    section.finish();
}

void read_run(Section section, RunConfig& config) {
    section.value("warmup", config.warmup);
    section.value("repeat", config.repeat);
    section.finish();
}

void read_compare(Section section, CompareConfig& compare) {
    section.choice("reference", compare.reference,
                   {{"none", Reference::none},
                    {"analytic", Reference::analytic},
                    {"direct", Reference::direct},
                    {"cuboid", Reference::cuboid},
                    {"file", Reference::file}});
    section.value("samples", compare.samples);
    section.value("hunt", compare.hunt);
    section.finish();
}

void read_output(Section section, OutputConfig& output) {
    section.path("hdf5", output.hdf5);
    section.path("picture", output.picture);
    section.path("checkpoint_copy", output.checkpoint_copy);
    section.finish();
}

}  // namespace gravlet
