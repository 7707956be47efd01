// SPDX-License-Identifier: Apache-2.0
#include "tests/combine/tally.hpp"

#include <gravlet/option_list.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gravlet::combine {

void Tally::add(const Case& c, const Verdict& verdict) {
    count("all", "cases"), count("all", "solves", verdict.solves), count("all", "refused as they should", verdict.refused);
    count("all", "targets compared", verdict.targets);
    count("all", "untold changes found", verdict.found);
    count("all", "wrong", verdict.fault == Verdict::Fault::wrong ? 1 : 0);
    count("all", "refused unclearly", verdict.fault == Verdict::Fault::unclear ? 1 : 0);
    if (!verdict.good()) ++wrong_;
    for (std::size_t d = 0; d < 3; ++d) worst_[d] = std::max(worst_[d], verdict.good() ? verdict.worst[d] : 0.0);
    count("bodies", kind_of(c)), count("boundary", boundary_of(c)), count("host", to_string(c.language));
    count("ranks", std::to_string(c.ranks));
    if (c.expect == Expect::refused_option) return count("beyond limits", c.broken);
    if (verdict.elongated) count("beyond limits", "elongated");
    const Want& want = c.bodies.points.empty() ? c.cells_want : c.points_want;
    count("fields", want.tidal ? "tidal" : want.acceleration ? "acceleration" : "potential");
    const Options defaults;
    for (const OptionInfo& info : option_list())
        if (get_option(c.options, info.name) != get_option(defaults, info.name)) count("option", info.name);
    if (c.options.theta == 0.0) count("option", "theta 0");
    const Layout& l = c.layout;
    if (l.float_positions || l.float_masses || l.float_results) count("arrays", "floats");
    if (!c.bodies.patches.empty()) {
        if (l.guards != Index{}) count("arrays", "guards");
        if (l.faces) count("arrays", "faces");
        if (l.step > 1 || l.padding > 0 || l.mirrored || l.apart) count("arrays", "strided");
    }
    const auto is_active = [](const auto& body) { return body.active; };
    if (!std::ranges::all_of(c.bodies.cells, is_active) || !std::ranges::all_of(c.bodies.patches, is_active) ||
        !std::ranges::all_of(c.bodies.points, is_active))
        count("arrays", "active");
    if (c.listener) count("arrays", "listener");
    for (const Step& step : c.steps) {
        count("step", to_string(step.act)), count("said", to_string(step.said));
        if (step.other_active) count("step", "other active ones");
    }
}

std::string Tally::table() const {
    std::string out;
    for (const auto& [group, kinds] : counts_)
        for (const auto& [kind, n] : kinds) out += fmt::format("{:<14}\t{:<24}\t{}\n", group, kind, n);
    static constexpr const char* names[] = {"potential", "acceleration", "tidal tensor"};
    for (std::size_t d = 0; d < 3; ++d) out += fmt::format("{:<14}\t{:<24}\t{:.2g}\n", "error/allowed", names[d], worst_[d]);
    return out;
}

}  // namespace gravlet::combine
