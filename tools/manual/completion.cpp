// SPDX-License-Identifier: Apache-2.0
#include "tools/manual/completion.hpp"

#include "tools/config/schema.hpp"
#include "tools/help.hpp"
#include "tools/manual/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace gravlet {
namespace {

std::vector<std::string> kinds() {
    std::vector<std::string> all;
    for (const ProblemInfo& problem : problem_kinds()) all.push_back(problem.kind);
    return all;
}

/// Whether a command's file may have a key: where the key is named by kinds of problems, any that reads a problem.
bool is_of(const KeyHelp& entry, const std::string& command) {
    return entry.name.starts_with("problem.") || std::ranges::find(entry.where, "gravlet " + command) != entry.where.end();
}

std::set<std::string> keys_of(const std::string& command) {
    std::set<std::string> all;
    for (const KeyHelp& entry : all_keys())
        if (is_of(entry, command)) all.insert(entry.name);
    return all;
}

/// What `gravlet help` takes.
std::set<std::string> help_words() {
    std::set<std::string> all;
    for (const KeyHelp& entry : all_keys()) {
        all.insert(entry.name);
        all.insert(entry.name.substr(0, entry.name.find('.')));
    }
    return all;
}

struct Values {
    std::set<std::string> words{};
    bool path = false;
};

/// The words of each key that has some, or that it takes a path.
std::map<std::string, Values> values() {
    std::map<std::string, Values> all;
    for (const KeyHelp& entry : all_keys()) {
        Values found{.words = {}, .path = entry.key.type == "path" || entry.name == "problem.path"};
        for (const std::string& word : entry.name == "problem.kind" ? kinds() : words_of(entry.key.type))
            found.words.insert(word);
        if (!found.path && found.words.empty()) continue;
        Values& to = all[entry.name];
        to.path = to.path || found.path;
        to.words.merge(found.words);
    }
    return all;
}

std::string cases_of_values() {
    std::string text;
    for (const auto& [key, value] : values())
        text +=
            value.path
                ? fmt::format("        {}) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$2\") ;;\n",
                              key)
                : fmt::format("        {}) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$2\") ;;\n", key,
                              fmt::join(value.words, " "));
    return text;
}

/// The text in single quotes, as fish reads them.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
    return out + "'";
}

}  // namespace

std::string bash_completion() {
    const CommandLine line;
    std::vector<std::string> names, cases;
    for (const CLI::App* command : commands(line)) names.push_back(command->get_name());
    return fmt::format(R"(# SPDX-License-Identifier: Apache-2.0
# bash completion for gravlet; made with it, from what the command knows.

# _gravlet_value KEY BEGIN: what the value of a key may be.
_gravlet_value() {{
    case $1 in
{values}    esac
}}

# _gravlet_key COMMAND BEGIN: keys of --set, followed by their values.
_gravlet_key() {{
    local keys
    case $1 in
        run) keys='{run}' ;;
        evolve) keys='{evolve}' ;;
    esac
    compopt -o nospace 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -S = -W "$keys" -- "$2")
}}

_gravlet() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} key= whole=
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W '{commands} --help --version' -- "$word")
        return
    fi
    case $command in
        problems) mapfile -t COMPREPLY < <(compgen -W '{kinds} --help' -- "$word"); return ;;
        help) mapfile -t COMPREPLY < <(compgen -W '{help} --help' -- "$word"); return ;;
        run | evolve) ;;
        *) mapfile -t COMPREPLY < <(compgen -W --help -- "$word"); return ;;
    esac
    # An equals sign is a word by itself where COMP_WORDBREAKS has one: --set KEY = VALUE, and --set = KEY = VALUE.
    if [[ $word == = ]]; then
        key=$before word=
    elif [[ $before == = ]]; then
        key=${{COMP_WORDS[COMP_CWORD - 2]}}
    elif [[ $before == --set && $word == *=* ]]; then
        key=${{word%%=*}} word=${{word#*=}} whole=$key=
    fi
    if [[ $key == --set || ($before == --set && -z $key) ]]; then
        _gravlet_key "$command" "$word"
    elif [[ $key == --json || $before == --json ]]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    elif [[ -n $key ]]; then
        _gravlet_value "$key" "$word"
        COMPREPLY=("${{COMPREPLY[@]/#/$whole}}")
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W '--set --json --help' -- "$word")
    else
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$word"; compgen -f -X '!*.yml' -- "$word"; compgen -d -- "$word")
    fi
}}
complete -F _gravlet gravlet
)",
                       fmt::arg("values", cases_of_values()), fmt::arg("run", fmt::join(keys_of("run"), " ")),
                       fmt::arg("evolve", fmt::join(keys_of("evolve"), " ")), fmt::arg("commands", fmt::join(names, " ")),
                       fmt::arg("kinds", fmt::join(kinds(), " ")), fmt::arg("help", fmt::join(help_words(), " ")));
}

std::string fish_completion() {
    const CommandLine line;
    std::string text =
        "# SPDX-License-Identifier: Apache-2.0\n# fish completion for gravlet; made with it, from what the command "
        "knows.\ncomplete -c gravlet -f\n";
    for (const CLI::App* command : commands(line)) {
        const std::string name = command->get_name();
        text +=
            fmt::format("complete -c gravlet -n __fish_use_subcommand -a {} -d {}\n", name, quoted(command->get_description()));
        for (const CLI::Option* option : command->get_options())
            if (!option->get_positional() && option->get_name() == "--json")
                text += fmt::format("complete -c gravlet -n '__fish_seen_subcommand_from {}' -l json -r -F -d {}\n", name,
                                    quoted(option->get_description()));
    }
    const std::map<std::string, Values> known = values();
    std::set<std::string> said;
    for (const char* const command : {"run", "evolve"}) {
        text += fmt::format("complete -c gravlet -n '__fish_seen_subcommand_from {}' -k -xa '(__fish_complete_suffix .yaml)'\n",
                            command);
        for (const KeyHelp& entry : all_keys()) {
            if (!is_of(entry, command) || !said.insert(command + entry.name).second) continue;
            const auto value = known.find(entry.name);
            std::vector<std::string> words{entry.name + "="};
            if (value != known.end() && !value->second.path)
                for (const std::string& word : value->second.words) words.push_back(entry.name + "=" + word);
            text += fmt::format("complete -c gravlet -n '__fish_seen_subcommand_from {}' -l set -x -a {} -d {}\n", command,
                                quoted(fmt::format("{}", fmt::join(words, " "))), quoted(entry.key.meaning));
        }
    }
    text += fmt::format("complete -c gravlet -n '__fish_seen_subcommand_from problems' -a {}\n",
                        quoted(fmt::format("{}", fmt::join(kinds(), " "))));
    text += fmt::format("complete -c gravlet -n '__fish_seen_subcommand_from help' -a {}\n",
                        quoted(fmt::format("{}", fmt::join(help_words(), " "))));
    return text;
}

}  // namespace gravlet
