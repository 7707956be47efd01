// SPDX-License-Identifier: Apache-2.0
#include "tools/config/schema.hpp"

#include <gravlet/error.hpp>
#include <gravlet/option_list.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace gravlet {
namespace {

template <class... Kinds>
Choices<ProblemSpec> kinds_of(std::type_identity<std::variant<Kinds...>>) {
    return {{Kinds::kind, Kinds{}}...};
}

}  // namespace

ProblemSpec read_problem(Section& section) {
    const auto kinds = kinds_of(std::type_identity<ProblemSpec>());
    std::string names;
    for (const auto& [name, spec] : kinds) names += (names.empty() ? "" : ", ") + name;
    section.require("kind", "one of " + names);
    ProblemSpec problem;
    section.choice("kind", problem, "what there is to solve; gravlet problems lists them", kinds);
    std::visit([&](auto& kind) { kind.read(section); }, problem);
    section.finish();
    return problem;
}

void read_solver(Section& section, Options& options, std::optional<std::array<Boundary, 3>>& boundary) {
    for (const OptionInfo& option : option_list()) {
        // The domain is the problem's, and targets are compared as section `compare` says.
        if (option.name == "domain" || option.name.starts_with("error_")) continue;
        if (option.type == "path") {
            std::string path = get_option(options, option.name);
            section.path(option.name, path, option.help.c_str());
            set_option(options, option.name, path);
        } else {
            section.option(option.name, options);
        }
    }
    // That of the problem decides where none is given.
    if (section.has("boundary")) boundary = std::exchange(options.boundary, {});
}

void check_solver(Options options, const std::optional<std::array<Boundary, 3>>& boundary) {
    // Its domain is the problem's, and so may the boundary be: where an option wants one that repeats, some box stands for it.
    if (options.shear != 0.0 || options.background == Background::contrast) {
        const double side = std::max(1.0, 11.0 * options.softening);
        options.boundary = boundary.value_or(std::array{Boundary::periodic, Boundary::periodic, Boundary::periodic});
        options.domain = Box{{0.0, 0.0, 0.0}, {side, side, side}};
    }
    try {
        validate(options);
    } catch (const Error& error) {
        throw Error(error.code(), "solver." + std::string(error.what()));
    }
}

void read_results(Section& section, RunConfig& config) {
    section.value("acceleration", config.acceleration, "solve for accelerations too, not for the potential alone");
    section.value("tidal", config.tidal, "solve for the tidal tensor too, and for accelerations");
    section.finish();
}

void read_run(Section& section, RunConfig& config) {
    section.value("warmup", config.warmup, "solves before those that are timed");
    section.value("repeat", config.repeat, "solves whose median is reported");
    section.finish();
}

void read_compare(Section& section, CompareConfig& compare) {
    section.choice(
        "reference", compare.reference,
        "what answers are compared with: the problem's closed form, the direct sum, the sum over cells as homogeneous cuboids, "
        "or the potential that the FLASH file holds",
        {{"none", Reference::none},
         {"analytic", Reference::analytic},
         {"direct", Reference::direct},
         {"cuboid", Reference::cuboid},
         {"file", Reference::file}});
    section.value("samples", compare.samples,
                  "random targets to compare; 0: all; none: 1000 with a direct sum, 100 with cuboids, else all");
    section.value("hunt", compare.hunt, "so many targets more, where a tighter solve differs most");
    section.finish();
}

std::vector<ProblemInfo> problem_kinds() {
    std::vector<ProblemInfo> all;
    for (const auto& [name, spec] : kinds_of(std::type_identity<ProblemSpec>())) {
        Section section = Section::listing("problem");
        ProblemSpec problem = spec;
        std::visit(
            [&]<class Kind>(Kind& kind) {
                kind.read(section);
                all.push_back({name, kind.about, section.keys(), HasVelocities<Kind>});
            },
            problem);
    }
    return all;
}

}  // namespace gravlet
