// SPDX-License-Identifier: Apache-2.0
#include "tools/config/made_by.hpp"

#include <gravlet/option_list.hpp>
#include <gravlet/version.hpp>

#include <fmt/format.h>

#include <ctime>

#include <array>
#include <string_view>

namespace gravlet {
namespace {

std::string quoted(std::string_view word) {
    constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
    if (!word.empty() && word.find_first_not_of(plain) == word.npos) return std::string(word);
    std::string all = "'";
    for (const char c : word) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return all + "'";
}

std::string shown(const std::variant<std::string, double>& value) {
    return std::visit([](const auto& one) { return fmt::format("{}", one); }, value);
}

}  // namespace

std::string command_line(int argc, const char* const* argv) {
    constexpr std::string_view going_on = "evolve.restart=";
    std::string all = "gravlet";
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word.starts_with("--set=") && word.substr(6).starts_with(going_on)) continue;
        if (word == "--set" && i + 1 < argc && std::string_view(argv[i + 1]).starts_with(going_on)) {
            ++i;
            continue;
        }
        all += ' ' + quoted(word);
    }
    return all;
}

std::string date_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text.data();
}

Provenance provenance_of(const MadeBy& made_by, const std::string& problem, const Options& options, const std::string& input) {
    std::string all;
    for (const OptionInfo& option : option_list()) {
        const std::string value = get_option(options, option.name);
        if (!value.empty()) all += (all.empty() ? "" : "\n") + option.name + "=" + value;
    }
    Provenance provenance{{"gravlet_version", version()},
                          {"gravlet_commit", made_by.commit},
                          {"gravlet_command", made_by.command},
                          {"gravlet_problem", problem},
                          {"gravlet_options", all}};
    if (!input.empty()) provenance.emplace_back(input_attribute, input);
    return provenance;
}

std::string input_text(const Provenance& origin) {
    std::string text;
    for (const auto& [name, value] : origin) text += fmt::format("{}{}={}", text.empty() ? "" : "\n", name, shown(value));
    return text;
}

std::string input_table(const Provenance& origin) {
    std::string text;
    for (const auto& [name, value] : origin)
        text += fmt::format("  {:<24}{}{}\n", text.empty() ? "input" : "", name == "format" ? "" : name + ": ", shown(value));
    return text;
}

}  // namespace gravlet
