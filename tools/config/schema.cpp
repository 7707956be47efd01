// SPDX-License-Identifier: Apache-2.0
#include "tools/config/schema.hpp"

namespace gravlet {
namespace {

const Choices<Distribution> distributions{{"curve", Distribution::curve}, {"scatter", Distribution::scatter}};

void read(Section& s, MaclaurinProblem& p) {
    s.value("eccentricity", p.eccentricity);
    s.value("a1", p.a1);
    s.value("max_level", p.max_level);
    s.value("subsamples", p.subsamples);
    s.value("center", p.center);
}

void read(Section& s, CubeProblem& p) {
    s.value("side", p.side);
    s.value("max_level", p.max_level);
    s.value("center", p.center);
}

void read(Section& s, TophatProblem& p) {
    s.value("radius", p.radius);
    s.value("min_level", p.min_level);
    s.value("max_level", p.max_level);
    s.value("subsamples", p.subsamples);
    s.value("center", p.center);
}

void read(Section& s, CornerProblem& p) { s.value("max_level", p.max_level); }

void read(Section& s, SineWaveProblem& p) {
    s.value("wave_vector", p.wave_vector);
    s.value("mean_density", p.mean_density);
    s.value("amplitude", p.amplitude);
    s.value("min_level", p.min_level);
    s.value("max_level", p.max_level);
    s.value("center", p.center);
    s.value("radius", p.radius);
}

void read(Section& s, Sech2LayerProblem& p) {
    s.value("central_density", p.central_density);
    s.value("scale_height", p.scale_height);
    s.value("z_cut", p.z_cut);
    s.value("min_level", p.min_level);
    s.value("max_level", p.max_level);
}

void read(Section& s, OstrikerCylinderProblem& p) {
    s.value("central_density", p.central_density);
    s.value("core_radius", p.core_radius);
    s.value("r_cut", p.r_cut);
    s.value("refine_radius", p.refine_radius);
    s.value("min_level", p.min_level);
    s.value("max_level", p.max_level);
    s.value("subsamples", p.subsamples);
}

template <class P>
void read_drawn_points(Section& s, P& p) {
    s.value("n", p.n);
    s.value("seed", p.seed);
    s.choice("distribution", p.distribution, distributions);
    s.value("domain", p.domain);
}

void read(Section& s, UniformPointsProblem& p) {
    read_drawn_points(s, p);
    s.choice("shape", p.shape, {{"sphere", PointShape::sphere}, {"cube", PointShape::cube}});
}

void read(Section& s, PlummerProblem& p) { read_drawn_points(s, p); }
void read(Section& s, HernquistProblem& p) { read_drawn_points(s, p); }

void read(Section& s, LatticeProblem& p) {
    s.value("n", p.n);
    s.choice("distribution", p.distribution, distributions);
}

void read(Section& s, PointsFileProblem& p) {
    s.require("path", "the HDF5 file with data sets x, y, z, m, and softening if points bring lengths");
    s.value("path", p.path);
    s.choice("distribution", p.distribution, distributions);
    s.value("domain", p.domain);
}

void read(Section& s, FlashFileProblem& p) {
    s.require("path", "the FLASH checkpoint");
    s.value("path", p.path);
    s.value("density", p.density);
    s.value("potential", p.potential);
    s.value("domain", p.domain);
}

template <std::size_t... I>
Choices<ProblemSpec> problem_kinds(std::index_sequence<I...>) {
    return {{kind_of(ProblemSpec(std::in_place_index<I>)), ProblemSpec(std::in_place_index<I>)}...};
}

}  // namespace

ProblemSpec read_problem(Section section) {
    const auto kinds = problem_kinds(std::make_index_sequence<std::variant_size_v<ProblemSpec>>());
    std::string names;
    for (const auto& [name, spec] : kinds) names += (names.empty() ? "" : ", ") + name;
    section.require("kind", "one of " + names);
    ProblemSpec problem;
    section.choice("kind", problem, kinds);
    std::visit([&](auto& kind) { read(section, kind); }, problem);
    section.finish();
    return problem;
}

void read_solver(Section section, RunConfig& config) {
    Options& o = config.solver;
    section.choice("backend", o.backend, {{"auto", Backend::automatic}, {"cpu", Backend::cpu}, {"gpu", Backend::gpu}});
    section.choice("gpu_sharing", o.gpu_sharing,
                   {{"auto", GpuSharing::automatic}, {"share", GpuSharing::share}, {"gather", GpuSharing::gather}});
    section.choice_of_axes("boundary", config.boundary, {{"isolated", Boundary::isolated}, {"periodic", Boundary::periodic}});
    section.choice("periodic_method", o.periodic_method, {{"images", PeriodicMethod::images}, {"table", PeriodicMethod::table}});
    section.value("ewald_nodes", o.ewald_nodes);
    section.value("ewald_order", o.ewald_order);
    section.value("ewald_cache", o.ewald_cache);
    section.value("theta", o.theta);
    section.value("order", o.order);
    section.value("G", o.G);
    section.value("self_potential", o.self_potential);
    section.value("acceleration", config.acceleration);
    section.choice("softening_kernel", o.softening_kernel,
                   {{"plummer", SofteningKernel::plummer}, {"spline", SofteningKernel::spline}});
    section.value("softening", o.softening);
    section.value("keep_tree", o.keep_tree);
    section.value("group_size", o.group_size);
    section.value("leaf_size", o.leaf_size);
    section.value("virtual_root_boxes", o.virtual_root_boxes);
    section.value("threads", o.threads);
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
    section.value("hdf5", output.hdf5);
    section.value("picture", output.picture);
    section.value("checkpoint_copy", output.checkpoint_copy);
    section.finish();
}

}  // namespace gravlet
