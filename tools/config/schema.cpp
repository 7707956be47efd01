// SPDX-License-Identifier: Apache-2.0
#include "tools/config/schema.hpp"

#include <gravlet/error.hpp>
#include <gravlet/option_list.hpp>

#include <type_traits>
#include <utility>

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

void read_solver(Section& section, Options& options, std::optional<std::array<Boundary, 3>>& boundary) {
    for (const OptionInfo& option : option_list()) {
        // The domain is the problem's, and targets are compared as section `compare` says.
        if (option.name == "domain" || option.name.starts_with("error_")) continue;
        if (option.type == "path") {
            std::string path = get_option(options, option.name);
            section.path(option.name, path);
            set_option(options, option.name, path);
        } else {
            section.option(option.name, options);
        }
    }
    // That of the problem decides where none is given.
    if (section.has("boundary")) boundary = std::exchange(options.boundary, {});
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

}  // namespace gravlet
