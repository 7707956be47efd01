// SPDX-License-Identifier: Apache-2.0
#include "settings.hpp"

#include <gravlet/option_list.hpp>

#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

namespace core_collapse {

Settings read_settings(int argc, char** argv) {
    Settings settings;
    const auto whole = [](int& to) { return [&to](const std::string& text) { to = std::stoi(text); }; };
    const auto number = [](double& to) { return [&to](const std::string& text) { to = std::stod(text); }; };
    const auto path = [](std::string& to) { return [&to](const std::string& text) { to = text; }; };
    const std::map<std::string, std::function<void(const std::string&)>> known{
        {"coarsest", whole(settings.coarsest)},
        {"finest", whole(settings.finest)},
        {"jeans", number(settings.jeans)},
        {"end", number(settings.end)},
        {"steps", whole(settings.steps)},
        {"every", whole(settings.every)},
        {"periodic", [&](const std::string& text) { settings.periodic = text == "1"; }},
        {"csv", path(settings.csv)},
        {"slices", path(settings.slices)},
        {"checkpoint", path(settings.checkpoint)},
        {"at", whole(settings.at)},
        {"resume", path(settings.resume)},
    };
    settings.problem = argc > 1 ? argv[1] : "freefall";
    for (int i = 2; i < argc; ++i) {
        const std::string word = argv[i], name = word.substr(0, word.find('=')), value = word.substr(word.find('=') + 1);
        if (name.starts_with("gravlet."))
            gravlet::set_option(settings.gravity, name.substr(8), value);
        else if (const auto found = known.find(name); found != known.end())
            found->second(value);
        else
            throw std::invalid_argument("unknown: " + word);
    }
    // Sinks are softened by about the finest cell.
    settings.gravity.softening = std::ldexp(1.0 / 8, -settings.finest);
    settings.gravity.softening_kernel = gravlet::SofteningKernel::spline;
    if (settings.periodic) {
        settings.gravity.boundary.fill(gravlet::Boundary::periodic);
        settings.gravity.domain = gravlet::Box{{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    }
    return settings;
}

}  // namespace core_collapse
