// SPDX-License-Identifier: Apache-2.0
#include "tools/config/config.hpp"
#include "tools/config/schema.hpp"
#include "tools/evolve/settings.hpp"
#include "tools/help.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gravlet {
namespace {

RunConfig parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parse_config(text, overrides, "test.yaml");
}

std::string message(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        parse(text, overrides);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::invalid_option);
        return error.what();
    }
    return "no error";
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// What people are told is what is read: each key that is listed is taken, with the default that is told, and no other is.
TEST(Help, OfEveryProblemAndKey) {
    const std::vector<ProblemInfo> all = problem_kinds();
    EXPECT_EQ(all.size(), std::variant_size_v<ProblemSpec>);
    const std::string kinds = problems_text();
    for (const ProblemInfo& problem : all) {
        SCOPED_TRACE(problem.kind);
        EXPECT_GT(problem.about.size(), 10U);
        EXPECT_HAS(kinds, problem.kind);
        EXPECT_HAS(kinds, problem.about);
        const std::string text = problem_text(problem.kind);
        std::string given = "problem: {kind: " + problem.kind;
        for (const KeyInfo& key : problem.keys) {
            EXPECT_FALSE(key.type.empty() || key.meaning.size() < 5) << key.name;
            EXPECT_HAS(text, "problem." + key.name + ": " + key.meaning);
            EXPECT_HAS(help_text("problem." + key.name), key.meaning);
            if (key.default_value != "none")
                given += ", " + key.name + ": " + (key.default_value.empty() ? "a" : key.default_value);
        }
        EXPECT_EQ(message(given + "}"), "no error");
        std::string listed;
        for (const KeyInfo& key : problem.keys) listed += ", " + key.name;
        EXPECT_HAS(message(given + ", no_such_key: 1}") + ".", "; valid keys: kind" + listed + ".");
    }
}

TEST(Help, OfEverySection) {
    const auto check = [](const std::vector<SectionInfo>& sections, const auto& parse_all, std::string given) {
        for (const SectionInfo& section : sections) {
            SCOPED_TRACE(section.name);
            EXPECT_GT(section.keys.size(), 1U);
            given += "\n" + section.name + ": {";
            for (const KeyInfo& key : section.keys) {
                EXPECT_FALSE(key.type.empty() || key.meaning.size() < 5) << key.name;
                EXPECT_HAS(help_text(section.name), section.name + "." + key.name);
                EXPECT_HAS(help_text(section.name + "." + key.name), key.meaning);
                EXPECT_HAS(help_text(section.name + "." + key.name), key.type);
                const std::string value = key.default_value.empty() ? "1" : key.default_value;
                if (value != "none" && key.type != "path") given += (given.back() == '{' ? "" : ", ") + key.name + ": " + value;
            }
            given += "}";
        }
        EXPECT_NO_THROW(parse_all(given)) << given;
    };
    check(
        run_sections(), [](const std::string& text) { (void)parse_config(text, {}, "test"); }, "problem: {kind: plummer}");
    check(
        evolve_sections(), [](const std::string& text) { (void)parse_evolve_config(text, {}, "test"); },
        "problem: {kind: plummer}");
    // A listing is of what is read: an unknown key's error names the same.
    for (const SectionInfo& section : run_sections()) {
        const std::string refusal = message("problem: {kind: plummer}\n" + section.name + ": {no_such_key: 1}");
        for (const KeyInfo& key : section.keys) EXPECT_HAS(refusal, key.name);
    }
    const std::string all = help_text("");
    for (const char* key : {"problem.kind", "solver.theta", "run.repeat", "compare.hunt", "output.every", "evolve.end"})
        EXPECT_HAS(all, key);
}

TEST(Help, OfWhatIsNotThere) {
    const auto refusal = [](const auto& f) {
        try {
            f();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::invalid_option);
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_HAS(refusal([] { (void)help_text("evolve.stp"); }), "evolve.stp: unknown key; did you mean evolve.step?");
    EXPECT_HAS(refusal([] { (void)help_text("outputs"); }), "outputs: unknown key; did you mean output?");
    EXPECT_HAS(refusal([] { (void)problem_text("plumer"); }), "plumer: unknown problem; did you mean plummer?");
}

TEST(Config, Defaults) {
    const RunConfig config = parse("problem: {kind: maclaurin}");
    const auto& problem = std::get<MaclaurinProblem>(config.problem);
    EXPECT_EQ(problem.eccentricity, 0.9);
    EXPECT_EQ(problem.centre, (Array3{0.5, 0.5, 0.5}));
    EXPECT_EQ(config.solver.theta, Options{}.theta);
    EXPECT_EQ(config.compare.reference, Reference::none);
    EXPECT_FALSE(config.acceleration);
}

TEST(Config, EveryKey) {
    const RunConfig config = parse(R"(
problem: {kind: uniform_points, n: 1e6, seed: 7, shape: cube, distribution: scatter}
solver: {backend: gpu, gpu_sharing: gather, theta: 0.5, order: 2, boundary: isolated, G: 6.67e-8, self_potential: false, acceleration: true,
         softening_kernel: spline, softening: 0.1, group_size: 128, leaf_size: 16, virtual_root_boxes: 4, threads: 1}
run: {warmup: 0, repeat: 5}
compare: {reference: direct, samples: 10}
output: {hdf5: a.h5, picture: a.png}
)");
    const auto& problem = std::get<UniformPointsProblem>(config.problem);
    EXPECT_EQ(problem.n, 1000000);
    EXPECT_EQ(problem.seed, 7U);
    EXPECT_EQ(problem.shape, PointShape::cube);
    EXPECT_EQ(problem.distribution, Distribution::scatter);
    EXPECT_EQ(config.solver.backend, Backend::gpu);
    EXPECT_EQ(config.solver.gpu_sharing, GpuSharing::gather);
    EXPECT_EQ(config.solver.G, 6.67e-8);
    EXPECT_FALSE(config.solver.self_potential);
    EXPECT_TRUE(config.acceleration);
    EXPECT_EQ(config.solver.softening_kernel, SofteningKernel::spline);
    EXPECT_EQ(config.solver.softening, 0.1);
    EXPECT_EQ(config.solver.virtual_root_boxes, 4);
    EXPECT_EQ(config.repeat, 5);
    EXPECT_EQ(config.compare.samples, 10);
    EXPECT_EQ(config.output["picture"], "a.png");
}

TEST(Config, ModelsOfPointsThatMove) {
    const auto encounter =
        std::get<EncounterProblem>(parse("problem: {kind: encounter, n: 10, model: king, w0: 3, mass_ratio: 0.5, "
                                         "separation: 9, pericenter: 1, eccentricity: 0.8}")
                                       .problem);
    EXPECT_EQ(encounter.n, 10);
    EXPECT_EQ(encounter.model, SphereModel::king);
    EXPECT_EQ(
        (std::array{encounter.w0, encounter.mass_ratio, encounter.separation, encounter.pericentre, encounter.eccentricity}),
        (std::array{3.0, 0.5, 9.0, 1.0, 0.8}));
    EXPECT_EQ(std::get<KingProblem>(parse("problem: {kind: king, w0: 3}").problem).w0, 3.0);
    EXPECT_EQ(std::get<ColdCollapseProblem>(parse("problem: {kind: cold_collapse, virial_ratio: 0.1}").problem).virial_ratio,
              0.1);
    EXPECT_EQ(std::get<TwoBodiesProblem>(parse("problem: {kind: two_bodies, eccentricity: 0.1}").problem).eccentricity, 0.1);
    EXPECT_EQ(std::get<M31Problem>(parse("problem: {kind: m31, toomre_q: 2}").problem).toomre_q, 2.0);
    EXPECT_HAS(message("problem: {kind: encounter, model: isothermal}"),
               "problem.model is isothermal: expected one of plummer, hernquist, king");
    EXPECT_HAS(message("problem: {kind: plummer, velocities: true}"), "problem.velocities: unknown key");
    EXPECT_HAS(message("problem: {kind: two_bodies, n: 2}"), "problem.n: unknown key");
}

TEST(Config, SofteningKernel) {
    const auto text = [](const std::string& kernel) {
        return "{problem: {kind: plummer}, solver: {softening_kernel: " + kernel + "}}";
    };
    EXPECT_EQ(parse("problem: {kind: plummer}").solver.softening_kernel, SofteningKernel::plummer);
    EXPECT_EQ(parse(text("plummer")).solver.softening_kernel, SofteningKernel::plummer);
    EXPECT_HAS(message(text("gauss")), "test.yaml: solver.softening_kernel is gauss: expected one of plummer, spline");
}

TEST(Config, Boundaries) {
    using enum Boundary;
    const auto boundary = [](const std::string& value) {
        return parse("{problem: {kind: cube}, solver: {boundary: " + value + "}}").boundary;
    };
    EXPECT_FALSE(parse("problem: {kind: sine_wave}").boundary);
    EXPECT_EQ(boundary("isolated"), (std::array{isolated, isolated, isolated}));
    EXPECT_EQ(boundary("periodic"), (std::array{periodic, periodic, periodic}));
    EXPECT_EQ(boundary("[periodic, isolated, periodic]"), (std::array{periodic, isolated, periodic}));

    const RunConfig config =
        parse("problem: {kind: cube}\n" +
              std::string("solver: {periodic_method: table, ewald_nodes: 8, ewald_order: 3, ewald_cache: t.h5}"));
    EXPECT_EQ(config.solver.periodic_method, PeriodicMethod::table);
    EXPECT_EQ(config.solver.ewald_nodes, 8);
    EXPECT_EQ(config.solver.ewald_order, 3);
    EXPECT_EQ(config.solver.ewald_cache, "t.h5");
}

TEST(Config, BoundariesThatAreNone) {
    const auto of = [](const std::string& keys) { return message("{problem: {kind: cube}, solver: {" + keys + "}}"); };
    const std::string expected =
        ": expected one of isolated, periodic, mirror_lower, mirror_upper, or a list of three of them, as [x, y, z]";
    EXPECT_HAS(of("boundary: open"), "test.yaml: solver.boundary is open" + expected);
    EXPECT_HAS(of("boundary: [periodic, open, isolated]"), "solver.boundary is [periodic, open, isolated]" + expected);
    EXPECT_HAS(of("boundary: [periodic, isolated]"), "solver.boundary is [periodic, isolated]" + expected);
    EXPECT_HAS(of("boundary: {x: periodic}"), "solver.boundary is {x: periodic}" + expected);
    EXPECT_HAS(of("periodic_method: ewald"), "solver.periodic_method is ewald: expected one of images, table");
    EXPECT_HAS(of("ewald_nodes: 1"), "solver.ewald_nodes is 1");
    EXPECT_HAS(of("ewald_order: 9"), "solver.ewald_order is 9");
}

TEST(Config, Domain) {
    const RunConfig config = parse("problem: {kind: plummer, domain: [[-1, -2, -3], [1, 2, 3.5]]}");
    const std::optional<Box> domain = std::get<PlummerProblem>(config.problem).domain;
    ASSERT_TRUE(domain);
    EXPECT_EQ(domain->lower, (Array3{-1.0, -2.0, -3.0}));
    EXPECT_EQ(domain->upper, (Array3{1.0, 2.0, 3.5}));
    EXPECT_FALSE(std::get<PlummerProblem>(parse("problem: {kind: plummer}").problem).domain);
    for (const std::string value : {"1", "[0, 1]", "[[0, 0, 0], [1, 1]]", "[[0, 0, 0], [1, 1, 0]]", "[[0, 0, 0], [1, 1, .inf]]"})
        EXPECT_HAS(message("{problem: {kind: plummer, domain: " + value + "}}"), ": expected two corners, the lower one first");
    EXPECT_HAS(message("{problem: {kind: cube, domain: [[0, 0, 0], [1, 1, 1]]}}"), "problem.domain: unknown key");
}

TEST(Config, WaveVector) {
    const RunConfig config = parse("problem: {kind: sine_wave, wave_vector: [1, -2, 1]}");
    EXPECT_EQ(std::get<SineWaveProblem>(config.problem).wave_vector, (std::array{1, -2, 1}));
    EXPECT_HAS(message("problem: {kind: sine_wave, wave_vector: [1, 0.5, 0]}"), "expected three integers, as [x, y, z]");
}

// How many descriptions of a folder there are, all of them valid: of `gravlet evolve`, or as the name says.
int valid_descriptions(const std::string& folder, bool evolve) {
    int count = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder))
        if (file.path().extension() == ".yaml") {
            const std::string path = file.path().string();
            if (evolve || file.path().stem().string().starts_with("evolve_")) {
                EXPECT_NO_THROW((void)load_evolve_config(MPI_COMM_WORLD, path, {})) << path;
            } else {
                EXPECT_NO_THROW((void)load_config(MPI_COMM_WORLD, path, {})) << path;
            }
            ++count;
        }
    return count;
}

TEST(Config, ExamplesAreValid) {
    EXPECT_GE(valid_descriptions(GRAVLET_EXAMPLES_DIR, false), 4);
    EXPECT_GE(valid_descriptions(GRAVLET_BENCHMARKS_DIR, false), 2);
    EXPECT_GE(valid_descriptions(GRAVLET_BENCHMARKS_DIR "/scaling/meshes", false), 3);
    EXPECT_GE(valid_descriptions(GRAVLET_BENCHMARKS_DIR "/energy", true), 7);
}

// Options that want a boundary which the problem may bring.
TEST(Config, BoxesThatRepeat) {
    const auto of = [](const std::string& solver) { return "{problem: {kind: sine_wave}, solver: {" + solver + "}}"; };
    EXPECT_EQ(parse(of("shear: 0.25")).solver.shear, 0.25);
    EXPECT_EQ(parse(of("shear: -3, boundary: [periodic, periodic, isolated], softening: 20")).solver.shear, -3.0);
    EXPECT_EQ(parse(of("background: contrast")).solver.background, Background::contrast);
    EXPECT_EQ(parse(of("background: contrast, boundary: periodic")).solver.background, Background::contrast);
    EXPECT_HAS(message(of("shear: 1, boundary: isolated")),
               "solver.shear is 1, and boundary is isolated: must be periodic in x and y");
    EXPECT_HAS(message(of("shear: much")), "solver.shear is much: expected a number");
    EXPECT_HAS(message(of("background: contrast, boundary: [periodic, periodic, isolated]")), "solver.background is contrast");
}

TEST(Config, Hunt) {
    const auto of = [](const std::string& compare, const std::string& solver = "theta: 0.8") {
        return message("{problem: {kind: cube}, compare: {" + compare + "}, solver: {" + solver + "}}");
    };
    EXPECT_EQ(parse("problem: {kind: cube}").compare.hunt, 0);
    EXPECT_EQ(parse("{problem: {kind: cube}, compare: {reference: direct, hunt: 20}}").compare.hunt, 20);
    EXPECT_EQ(parse("{problem: {kind: cube}, compare: {reference: analytic, samples: 10, hunt: 20}}").compare.hunt, 20);
    EXPECT_HAS(of("reference: direct, hunt: -1"), "test.yaml: compare.hunt is -1: it must be 0 (none) or more");
    EXPECT_HAS(of("reference: direct, hunt: some"), "compare.hunt is some: expected an integer");
    EXPECT_HAS(of("hunt: 2"), "compare.hunt is 2: there is no compare.reference");
    for (const std::string reference : {"analytic", "file", "direct, samples: 0"})
        EXPECT_HAS(message("{problem: {kind: flash_file, path: a}, compare: {hunt: 2, reference: " + reference + "}}"),
                   "compare.hunt is 2: all targets are compared already; set compare.samples");
    for (const std::string solver : {"theta: 0", "theta: 0.1, order: 4"})
        EXPECT_HAS(of("reference: direct, hunt: 2", solver),
                   "compare.hunt is 2: no tree solve is tighter than that of solver.theta and solver.order");
}

TEST(Config, OverridesComeLast) {
    const RunConfig config = parse("{problem: {kind: maclaurin}, solver: {theta: 0.5}}",
                                   {"solver.theta=0.3", "problem.center=[0.4, 0.5, 0.6]", "run.repeat=1", "solver.order=2"});
    EXPECT_EQ(config.solver.theta, 0.3);
    EXPECT_EQ(config.solver.order, 2);
    EXPECT_EQ(config.repeat, 1);
    EXPECT_EQ(std::get<MaclaurinProblem>(config.problem).centre[2], 0.6);
}

// An output that the file names is turned off by an empty value.
TEST(Config, EmptyPathsAreNone) {
    const std::string text = "{problem: {kind: maclaurin}, solver: {ewald_cache: c.h5}, output: {hdf5: a.h5, picture: a.png}}";
    const RunConfig config = parse(text, {"output.hdf5=", "output.picture=", "solver.ewald_cache="});
    EXPECT_EQ(config.output["hdf5"], "");
    EXPECT_EQ(config.output["picture"], "");
    EXPECT_EQ(config.solver.ewald_cache, "");
    EXPECT_HAS(message("{problem: {kind: cube}, output: {hdf5: [a]}}"), "output.hdf5 is [a]: expected a path");
    const std::string moving =
        "{problem: {kind: plummer}, evolve: {end: 1, step: 1, steps: one}, output: {log: a, snapshots: b}}";
    const Outputs none = parse_evolve_config(moving, {"output.log=", "output.snapshots="}, "test").output;
    EXPECT_EQ(none["log"] + none["snapshots"], "");
}

TEST(Config, UnknownKeysNameTheNearest) {
    EXPECT_HAS(message("{problem: {kind: cube}, solver: {thta: 0.5}}"),
               "test.yaml: solver.thta: unknown key; did you mean theta?");
    EXPECT_HAS(message("{problem: {kind: cube}, sovler: {theta: 0.5}}"), "sovler: unknown key; did you mean solver?");
    EXPECT_HAS(message("{problem: {kind: cube, a1: 0.25}}"), "problem.a1: unknown key");
    EXPECT_HAS(message("{problem: {kidn: cube}}"), "problem.kidn: unknown key; did you mean kind?");
    EXPECT_HAS(message("problem: {kind: cube}", {"compare.refrence=direct"}),
               "compare.refrence: unknown key; did you mean reference?");
    EXPECT_HAS(message("{problem: {kind: cube}, output: {zzzzzzzz: 1}}"), "valid keys: hdf5, xdmf, picture, checkpoint_copy");
}

TEST(Config, WrongValuesNameWhatIsExpected) {
    EXPECT_HAS(message("{problem: {kind: cube}, solver: {theta: large}}"), "solver.theta is large: expected a number");
    EXPECT_HAS(message("{problem: {kind: cube}, solver: {order: 2.5}}"), "solver.order is 2.5: expected an integer");
    EXPECT_HAS(message("{problem: {kind: plummer, n: many}}"), "problem.n is many: expected an integer");
    EXPECT_HAS(message("{problem: {kind: plummer, seed: -1}}"), "problem.seed is -1: expected an integer, 0 or more");
    EXPECT_HAS(message("{problem: {kind: cube}, solver: {acceleration: 3}}"), "expected true or false");
    EXPECT_HAS(message("{problem: {kind: cube, center: [1, 2]}}"), "problem.center is [1, 2]: expected three numbers");
    EXPECT_HAS(message("{problem: {kind: cube}, solver: {backend: cuda}}"),
               "solver.backend is cuda: expected one of auto, cpu, gpu");
    EXPECT_HAS(message("{problem: {kind: cube}, solver: {gpu_sharing: no}}"), "expected one of auto, share, gather");
    EXPECT_HAS(message("{problem: {kind: donut}}"), "problem.kind is donut: expected one of maclaurin, cube");
    EXPECT_HAS(message("{problem: {kind: cube}, solver: 3}"), "solver is 3: expected keys and values");
    EXPECT_HAS(message("{problem: {kind: cube, side: 1, side: 2}}"), "problem.side is given twice");
    EXPECT_HAS(message("{problem: {kind: cube}, solver: {theta: 7}}"), "test.yaml: solver.theta is 7");
    EXPECT_HAS(message("{problem: {kind: cube}, run: {repeat: 0}}"), "run.repeat is 0");
}

// Written as they are meant, and without losing a digit.
TEST(Config, LargeIntegers) {
    const auto n = [](const std::string& value) {
        return std::get<PlummerProblem>(parse("problem: {kind: plummer, n: " + value + "}").problem).n;
    };
    EXPECT_EQ(n("1e12"), 1000000000000);
    EXPECT_EQ(n("1e18"), 1000000000000000000);
    EXPECT_EQ(n("1.5e3"), 1500);
    EXPECT_EQ(n("2500e-2"), 25);
    EXPECT_EQ(n("+4.0"), 4);
    EXPECT_EQ(n("9007199254740993.0"), 9007199254740993);  // 2^53 + 1
    const auto refused = [](const std::string& value) { return message("{problem: {kind: plummer, n: " + value + "}}"); };
    EXPECT_HAS(refused("1e19"), "problem.n is 1e19: expected an integer from -9223372036854775808 to 9223372036854775807");
    EXPECT_HAS(refused("1.25e1"), "problem.n is 1.25e1: expected an integer");
    EXPECT_HAS(refused("e3"), "problem.n is e3: expected an integer");
    EXPECT_HAS(message("{problem: {kind: cube, max_level: 1e12}}"),
               "problem.max_level is 1e12: expected an integer from -2147483648 to 2147483647");
}

TEST(Config, WhatDoesNotGoTogether) {
    EXPECT_HAS(message("{problem: {kind: flash_file}}"), "problem.path is missing");
    for (const char* key : {"path", "density", "potential"})
        for (const char* value : {"''", "~", "[]", "{}", "\"a\\0b\""})
            EXPECT_HAS(message("{problem: {kind: flash_file, path: a}}", {std::string("problem.") + key + "=" + value}),
                       std::string("problem.") + key + " is ");
    EXPECT_HAS(message("{problem: {kind: flash_file, path: a, potential: dens}, output: {checkpoint_copy: b}}"),
               "problem.potential and problem.density are dens");
    for (const char* value : {"[a]", "{}", "\"a\\0b\""})
        EXPECT_HAS(message("problem: {kind: cube}", {std::string("solver.ewald_cache=") + value}), ": expected a path");
    EXPECT_HAS(message("{solver: {theta: 0.5}}"), "problem is missing");
    EXPECT_HAS(message("{problem: {kind: cube}, compare: {reference: file}}"), "no stored potential");
    EXPECT_HAS(message("{problem: {kind: cube}, output: {picture: a.png}}"), "set output.hdf5");
    EXPECT_HAS(message("{problem: {kind: cube}, output: {xdmf: a.xmf}}"), "output.xdmf refers to the HDF5 file: set output.hdf5");
    EXPECT_HAS(message("{problem: {kind: cube}, output: {checkpoint_copy: a}}"), "needs problem.kind flash_file");
    EXPECT_HAS(message("problem: [unclosed"), "not YAML");
    EXPECT_HAS(message("problem: {kind: cube}", {"theta"}), "expected key=value");
    EXPECT_HAS(message(""), "problem is missing");
}

TEST(Config, MissingFileIsOneErrorOnAllRanks) {
    try {
        (void)load_config(MPI_COMM_WORLD, "no/such/file.yaml", {});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::file);
        EXPECT_HAS(std::string(error.what()), "no/such/file.yaml");
    }
}

}  // namespace
}  // namespace gravlet
