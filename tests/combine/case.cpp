// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/case.hpp"

#include <gravlet/option_list.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gravlet::combine {
namespace {

std::string braces(const Vector& v) { return fmt::format("{{{}, {}, {}}}", v[0], v[1], v[2]); }
std::string braces(const Index& v) { return fmt::format("{{{}, {}, {}}}", v[0], v[1], v[2]); }

std::string as_code(const Want& want) { return fmt::format("{{{}, {}, {}}}", want.potential, want.acceleration, want.tidal); }

std::string as_code(const Layout& l) {
    return fmt::format("{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}}", l.float_positions, l.float_masses, l.float_results,
                       l.cubes, l.own_softenings, braces(l.guards), l.padding, l.step, braces(l.axes), l.mirrored, l.apart,
                       l.faces);
}

std::string as_code(const Options& options) {
    std::string out;
    const Options defaults;
    for (const OptionInfo& info : option_list())
        if (const std::string value = get_option(options, info.name); value != get_option(defaults, info.name))
            out += fmt::format("set_option(c.options, \"{}\", \"{}\");\n", info.name, value);
    return out;
}

}  // namespace

std::string to_string(Act act) {
    switch (act) {
        case Act::again: return "again";
        case Act::other_masses: return "other_masses";
        case Act::some_masses: return "some_masses";
        case Act::one_mass: return "one_mass";
        case Act::moved: return "moved";
        case Act::some_moved: return "some_moved";
        case Act::one_more: return "one_more";
        case Act::other_lengths: return "other_lengths";
        case Act::bad_mass: return "bad_mass";
        case Act::bad_nan: return "bad_nan";
        case Act::bad_place: return "bad_place";
        case Act::bad_overlap: return "bad_overlap";
    }
    return "?";
}

std::string to_string(Said said) {
    return said == Said::nothing ? "nothing" : said == Said::truth ? "truth" : said == Said::more ? "more" : "less";
}

std::string to_string(Language language) { return language == Language::cpp ? "cpp" : language == Language::c ? "c" : "fortran"; }

std::string kind_of(const Case& c) {
    const std::string mesh = !c.bodies.patches.empty() ? "blocks" : !c.bodies.cells.empty() ? "cells" : "";
    const std::string bodies = mesh.empty() ? "points" : c.bodies.points.empty() ? mesh : mesh + " and points";
    return c.bodies.probes.empty() ? bodies : bodies + ", probes";
}

std::string boundary_of(const Case& c) {
    std::string out;
    for (const Boundary b : c.options.boundary) out += b == Boundary::periodic ? 'p' : b == Boundary::isolated ? 'i' : 'm';
    return out;
}

double as_float(double x) { return static_cast<float>(x); }

bool is_bad(Act act) { return act >= Act::bad_mass; }

std::string as_code(const Case& c) {
    std::string out = fmt::format("Case c;\nc.seed = {};\nc.ranks = {};\n", c.seed, c.ranks) + as_code(c.options);
    for (const Cell& b : c.bodies.cells)
        out += fmt::format("c.bodies.cells.push_back({{{}, {}, {}, {}, {}, {}}});\n", braces(b.x), braces(b.side), b.mass,
                           b.active, b.rank, b.source_class);
    for (const Patch& b : c.bodies.patches)
        out += fmt::format("c.bodies.patches.push_back({{{}, {}, {}, {{{}}}, {}, {}}});\n", braces(b.lower), braces(b.side),
                           braces(b.n), fmt::join(b.density, ", "), b.active, b.rank);
    for (const Point& b : c.bodies.points)
        out += fmt::format("c.bodies.points.push_back({{{}, {}, {}, {}, {}, {}}});\n", braces(b.x), b.mass, b.softening, b.active,
                           b.rank, b.source_class);
    for (const Probe& b : c.bodies.probes) out += fmt::format("c.bodies.probes.push_back({{{}, {}}});\n", braces(b.x), b.rank);
    out += fmt::format("c.cells_want = {}, c.points_want = {};\nc.layout = {};\n", as_code(c.cells_want), as_code(c.points_want),
                       as_code(c.layout));
    out += fmt::format("c.language = Language::{}, c.listener = {};\n", to_string(c.language), c.listener);
    if (!c.broken.empty()) out += fmt::format("c.broken = \"{}\", c.expect = Expect::refused_option;\n", c.broken);
    for (const Step& step : c.steps)
        out += fmt::format("c.steps.push_back({{Act::{}, {}u, Said::{}, {}}});\n", to_string(step.act), step.seed,
                           to_string(step.said), step.other_active);
    return out;
}

}  // namespace gravlet::combine
