// SPDX-License-Identifier: Apache-2.0
#include "tools/manual/command_page.hpp"

#include "tools/config/schema.hpp"
#include "tools/help.hpp"
#include "tools/manual/words.hpp"

#include <gravlet/option_list.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

// Bars end a table's cell.
std::string plain(const std::string& text) {
    std::string out;
    for (const char c : text) out += c == '|' ? std::string("\\|") : std::string{c};
    return out;
}

std::string coded(const std::string& text) { return "`" + text + "`"; }

std::string coded_list(const std::vector<std::string>& words) {
    std::vector<std::string> all;
    for (const std::string& word : words) all.push_back(coded(word));
    return fmt::format("{}", fmt::join(all, ", "));
}

std::string capital(std::string text) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

/// What a value may be: its words, or its kind with an example.
std::string of_value(const std::string& type) {
    if (const std::vector<std::string> words = words_of(type); !words.empty()) return coded_list(words);
    const std::size_t example = type.find("as [");
    return example == type.npos ? type : type.substr(0, example + 3) + coded(type.substr(example + 3));
}

using Keys = std::vector<KeyInfo>;

std::string table(const Keys& keys) {
    std::string text = "| key | value | default | meaning |\n|---|---|---|---|\n";
    for (const KeyInfo& key : keys)
        text += fmt::format("| `{}` | {} | {} | {} |\n", key.name, of_value(key.type),
                            key.default_value.empty() ? "must be given" : coded(key.default_value), plain(key.meaning));
    return text + "\n";
}

std::string of_commands(const CommandLine& line) {
    std::string text = "| command | what it does |\n|---|---|\n";
    std::vector<std::pair<ArgumentHelp, std::vector<std::string>>> all;
    for (const CLI::App* command : commands(line)) {
        text += fmt::format("| `gravlet {}` | {} |\n", usage(*command), sentence(command->get_description()));
        for (const ArgumentHelp& argument : arguments(*command)) {
            const auto found = std::ranges::find(all, argument, [](const auto& entry) { return entry.first; });
            if (found == all.end())
                all.push_back({argument, {command->get_name()}});
            else
                found->second.push_back(command->get_name());
        }
    }
    text += "\n| argument | of | meaning |\n|---|---|---|\n";
    for (const auto& [argument, of] : all)
        text += fmt::format("| `{}` | {} | {} |\n", argument.words, coded_list(of), argument.meaning);
    return text + "| `--help` | all | Print help. |\n| `--version` | `gravlet` | Print the version. |\n\n";
}

/// Keys that more than a third of all kinds have, and say the same of: told once.
Keys common_keys(const std::vector<ProblemInfo>& kinds) {
    Keys all;
    for (const ProblemInfo& kind : kinds)
        for (const KeyInfo& key : kind.keys) {
            const auto has_it = [&](const ProblemInfo& other) { return std::ranges::find(other.keys, key) != other.keys.end(); };
            if (std::ranges::find(all, key) == all.end() && 3 * std::ranges::count_if(kinds, has_it) > std::ssize(kinds))
                all.push_back(key);
        }
    return all;
}

std::string of_problems() {
    const std::vector<ProblemInfo> kinds = problem_kinds();
    const Keys common = common_keys(kinds);
    std::vector<std::string> moving;
    for (const ProblemInfo& kind : kinds)
        if (kind.moves) moving.push_back(kind.kind);
    std::string text = fmt::format(
        "`kind` says what there is to solve, and must be given. Where there is a closed form, `compare.reference: analytic` has "
        "the exact answer. `gravlet evolve` takes those with velocities: {}.\n\nMany kinds have these keys alike:\n\n{}",
        coded_list(moving), table(common));
    for (const ProblemInfo& kind : kinds) {
        Keys own;
        std::vector<std::string> shared;
        for (const KeyInfo& key : kind.keys) {
            if (std::ranges::find(common, key) == common.end())
                own.push_back(key);
            else
                shared.push_back(key.name);
        }
        text += fmt::format("### `{}`\n\n{}\n\n", kind.kind, capital(sentence(plain(kind.about))));
        if (!own.empty()) text += table(own);
        if (!shared.empty())
            text += fmt::format("{}{}, as [above](#problem).\n\n", own.empty() ? "" : "And ", coded_list(shared));
    }
    return text;
}

/// Whether a key is an option of the library, and nothing else is said of it here.
bool is_option(const KeyInfo& key) {
    const std::span<const OptionInfo> all = option_list();
    const auto found = std::ranges::find(all, key.name, &OptionInfo::name);
    return found != all.end() && found->help == key.meaning &&
           (found->default_value == key.default_value || key.default_value == "none");
}

/// The keys of a section, those of one command apart from those of another.
std::string of_section(const std::string& name) {
    std::vector<std::pair<std::vector<std::string>, Keys>> groups;
    std::set<std::string> options;
    for (const KeyHelp& entry : all_keys()) {
        if (!entry.name.starts_with(name + ".")) continue;
        if (name == "solver" && is_option(entry.key)) {
            options.insert(entry.key.name);
            continue;
        }
        const auto found = std::ranges::find(groups, entry.where, [](const auto& group) { return group.first; });
        if (found == groups.end())
            groups.push_back({entry.where, {entry.key}});
        else
            found->second.push_back(entry.key);
    }
    std::string text;
    if (!options.empty()) {
        std::vector<std::string> without;
        for (const OptionInfo& option : option_list())
            if (!options.contains(option.name)) without.push_back(option.name);
        text =
            fmt::format("Every [option](options.md) by its name, but for {}. More keys, and defaults that are others here:\n\n",
                        coded_list(without));
    }
    for (const auto& [where, keys] : groups) text += fmt::format("Of {}:\n\n{}", coded_list(where), table(keys));
    return text;
}

}  // namespace

std::string command_page() {
    const CommandLine line;
    std::string text =
        "# The command gravlet\n\n<!-- Written by gravlet_manual (tools/manual) from what the command knows: the test "
        "command_manual says how to renew it. -->\n\n`man gravlet` has all this too; `gravlet help KEY` and `gravlet problems "
        "KIND` print parts of it. The [guide](../guide/command.md) begins with an example.\n\n## Commands\n\n";
    text += of_commands(line);
    text +=
        "With several ranks: `mpirun -n RANKS gravlet run FILE`. What `--json` writes has the [report](report.md) of the last "
        "solve.\n\nThe exit status is " +
        std::string(exit_status) +
        "\n\n## The file\n\nA file is YAML, a map of these sections. A key is named by its section and itself, as in `--set "
        "solver.theta=0.3`.\n\n| section | what it is about |\n|---|---|\n";
    for (const SectionTitle& title : section_titles()) text += fmt::format("| [`{0}`](#{0}) | {1} |\n", title.name, title.about);
    for (const SectionTitle& title : section_titles()) {
        text += fmt::format("\n## {}\n\n", title.name);
        text += title.name == "problem" ? of_problems() : of_section(std::string(title.name));
        while (text.ends_with("\n\n")) text.pop_back();
    }
    return text;
}

}  // namespace gravlet
