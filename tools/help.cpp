// SPDX-License-Identifier: Apache-2.0
#include "tools/help.hpp"

#include "api/text.hpp"
#include "tools/config/schema.hpp"
#include "tools/evolve/settings.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace gravlet {
namespace {

std::string line(const std::string& name, const std::string& about, std::size_t width) {
    return fmt::format("{:<{}}  {}\n", name, width, about);
}

std::string details(const KeyInfo& key) {
    return fmt::format("    {}; {}\n", key.type, key.default_value.empty() ? "has to be given" : "default " + key.default_value);
}

std::string section_of(const std::string& name) { return name.substr(0, name.find('.')); }

void add(std::vector<KeyHelp>& all, const std::string& section, const KeyInfo& key, const std::string& where) {
    const std::string name = section + "." + key.name;
    for (KeyHelp& entry : all)
        if (entry.name == name && entry.key == key) return entry.where.push_back(where);
    all.push_back({name, key, {where}});
}

[[noreturn]] void refuse(const std::string& name, const char* what, const std::vector<std::string>& known) {
    throw Error(ErrorCode::invalid_option, unknown_name(name, what, known));
}

/// The sections or, if the name is of one, that one's keys.
std::vector<std::string> valid_names(const std::vector<KeyHelp>& all, const std::string& name) {
    std::vector<std::string> sections, keys;
    const auto add_new = [](std::vector<std::string>& to, const std::string& one) {
        if (std::ranges::find(to, one) == to.end()) to.push_back(one);
    };
    for (const KeyHelp& entry : all) {
        add_new(sections, section_of(entry.name));
        if (section_of(entry.name) == section_of(name)) add_new(keys, entry.name);
    }
    return keys.empty() ? sections : keys;
}

}  // namespace

std::vector<KeyHelp> all_keys() {
    std::vector<KeyHelp> all;
    KeyInfo kind{"kind", "one of those that gravlet problems lists", "", "what there is to solve"};
    add(all, "problem", kind, "gravlet run");
    add(all, "problem", kind, "gravlet evolve");
    for (const ProblemInfo& problem : problem_kinds())
        for (const KeyInfo& key : problem.keys) add(all, "problem", key, problem.kind);
    for (const SectionInfo& section : run_sections())
        for (const KeyInfo& key : section.keys) add(all, section.name, key, "gravlet run");
    for (const SectionInfo& section : evolve_sections())
        for (const KeyInfo& key : section.keys) add(all, section.name, key, "gravlet evolve");
    // Those of one name together, though others were found in between.
    std::ranges::stable_sort(all, {}, [](const KeyHelp& entry) { return section_of(entry.name); });
    return all;
}

std::string problems_text() {
    std::string text;
    for (const ProblemInfo& problem : problem_kinds()) text += line(problem.kind, problem.about, 18);
    return text;
}

std::string problem_text(const std::string& kind) {
    std::vector<std::string> known;
    for (const ProblemInfo& problem : problem_kinds()) {
        known.push_back(problem.kind);
        if (problem.kind != kind) continue;
        std::string text = problem.kind + ": " + problem.about + "\n";
        for (const KeyInfo& key : problem.keys) text += "problem." + key.name + ": " + key.meaning + "\n" + details(key);
        return text;
    }
    refuse(kind, "problem", known);
}

std::string help_text(const std::string& key) {
    const std::vector<KeyHelp> all = all_keys();
    std::string text;
    for (const KeyHelp& entry : all) {
        const std::string short_line = line(entry.name, entry.key.meaning, 26);
        if (key.empty() || section_of(entry.name) == key)
            text += text.find(short_line) == text.npos ? short_line : "";
        else if (entry.name == key)
            text += fmt::format("{}: {}\n{}    in {}\n", entry.name, entry.key.meaning, details(entry.key),
                                fmt::join(entry.where, ", "));
    }
    if (text.empty()) refuse(key, "key", valid_names(all, key));
    return text;
}

}  // namespace gravlet
