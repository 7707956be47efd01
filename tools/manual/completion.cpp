// SPDX-License-Identifier: Apache-2.0
#include "tools/manual/completion.hpp"

#include "tools/manual/completion_words.hpp"
#include "tools/manual/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ranges>

namespace gravlet {
namespace {

/// The lines of a shell's `case` over the keys that have words, or take a path: what either makes of the key.
template <typename OfWords, typename OfPath>
std::string cases_of_values(OfWords of_words, OfPath of_path) {
    std::string text;
    for (const auto& [key, value] : values())
        text += "        " + (value.path ? of_path(key) : of_words(key, value.words)) + "\n";
    return text;
}

using Words = std::set<std::string>;

std::string bash_values() {
    return cases_of_values(
        [](const std::string& key, const Words& words) {
            return fmt::format("{}) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$2\") ;;", key, fmt::join(words, " "));
        },
        [](const std::string& key) {
            return key + ") compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$2\") ;;";
        });
}

/// A tab and nothing: no description, as the option's own would stand beside each.
std::string fish_values() {
    return cases_of_values(
        [](const std::string& key, const Words& words) {
            return fmt::format("case {0}=\n            printf '{0}=%s\\t\\n' {1}", key, fmt::join(words, " "));
        },
        [](const std::string& key) {
            return fmt::format(
                "case {0}=\n            printf '{0}=%s\\n' (__fish_complete_path (string replace -- {0}= '' $word))", key);
        });
}

std::string zsh_values() {
    return cases_of_values(
        [](const std::string& key, const Words& words) { return fmt::format("{}) compadd {} ;;", key, fmt::join(words, " ")); },
        [](const std::string& key) { return key + ") _files ;;"; });
}

/// The text in single quotes, where a quote is written as `quote`.
std::string quoted(const std::string& text, const std::string& quote) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? quote : std::string{c};
    return out + "'";
}
std::string in_fish(std::string text) {
    for (std::size_t at = 0; (at = text.find('\\', at)) != text.npos; at += 2) text.insert(at, 1, '\\');
    return quoted(text, "\\'");
}
std::string in_zsh(const std::string& text) { return quoted(text, "'\\''"); }

std::string names_of_keys(const char* command) {
    const std::map<std::string, std::string> keys = keys_of(command);
    return fmt::format("{}", fmt::join(keys | std::views::keys, " "));
}

std::string description(const CLI::App& command, const char* option) { return command.get_option(option)->get_description(); }

}  // namespace

std::string bash_completion() {
    const CommandLine line;
    std::vector<std::string> names;
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
                       fmt::arg("values", bash_values()), fmt::arg("run", names_of_keys("run")),
                       fmt::arg("evolve", names_of_keys("evolve")), fmt::arg("commands", fmt::join(names, " ")),
                       fmt::arg("kinds", fmt::join(kinds(), " ")), fmt::arg("help", fmt::join(help_words(), " ")));
}

std::string fish_completion() {
    const CommandLine line;
    std::string keys, of_commands;
    for (const CLI::App* command : commands(line))
        of_commands += fmt::format("complete -c gravlet -n __fish_use_subcommand -a {} -d {}\n", command->get_name(),
                                   in_fish(command->get_description()));
    for (const CLI::App* command : {line.run, line.evolve}) {
        keys += fmt::format("                case {}\n", command->get_name());
        for (const auto& [key, meaning] : keys_of(command->get_name()))
            keys += fmt::format("                    printf '%s\\t%s\\n' {}= {}\n", key, in_fish(meaning));
        const std::string here = fmt::format("complete -c gravlet -n '__fish_seen_subcommand_from {}'", command->get_name());
        of_commands += fmt::format(
            "{0} -k -xa '(__fish_complete_suffix .yaml)'\n"
            "{0} -l set -xa '(__gravlet_set {1})' -d {2}\n{0} -l json -r -F -d {3}\n",
            here, command->get_name(), in_fish(description(*command, "--set")), in_fish(description(*command, "--json")));
    }
    return fmt::format(R"(# SPDX-License-Identifier: Apache-2.0
# fish completion for gravlet; made with it, from what the command knows.

# __gravlet_set COMMAND: keys of --set, and behind an equals sign what their values may be.
function __gravlet_set
    set -l word (string replace -r -- '^--set=' '' (commandline -ct))
    set -l key (string match -r -- '^[^=]*=' $word)
    switch "$key"
        case ''
            switch $argv[1]
{keys}            end
{values}    end
end

complete -c gravlet -f
complete -c gravlet -s h -l help -d {help}
complete -c gravlet -n __fish_use_subcommand -l version -d {version}
{commands}complete -c gravlet -n '__fish_seen_subcommand_from problems' -a '{kinds}'
complete -c gravlet -n '__fish_seen_subcommand_from help' -a '{help_words}'
)",
                       fmt::arg("keys", keys), fmt::arg("values", fish_values()),
                       fmt::arg("help", in_fish(description(line.app, "--help"))),
                       fmt::arg("version", in_fish(description(line.app, "--version"))), fmt::arg("commands", of_commands),
                       fmt::arg("kinds", fmt::join(kinds(), " ")), fmt::arg("help_words", fmt::join(help_words(), " ")));
}

std::string zsh_completion() {
    const CommandLine line;
    std::string names, keys;
    for (const CLI::App* command : commands(line))
        names += "\n        " + in_zsh(command->get_name() + ":" + command->get_description());
    for (const char* const command : {"run", "evolve"}) {
        keys += fmt::format("        {}) keys=(", command);
        for (const auto& [key, meaning] : keys_of(command)) keys += "\n            " + in_zsh(key + ":" + meaning);
        keys += ") ;;\n";
    }
    return fmt::format(R"zsh(#compdef gravlet
# SPDX-License-Identifier: Apache-2.0
# zsh completion for gravlet; made with it, from what the command knows.

# _gravlet_set COMMAND: keys of --set, and behind an equals sign what their values may be.
_gravlet_set() {{
    local -a keys
    if compset -P 1 '*='; then
        case ${{${{IPREFIX%=}}##*=}} in
{values}        esac
        return
    fi
    case $1 in
{keys}    esac
    _describe key keys -qS =
}}

_gravlet() {{
    local curcontext=$curcontext state
    local -a line help=('(- *)'{{-h,--help}}{help}) names=({commands})
    typeset -A opt_args
    _arguments -C $help '(- *)--version'{version} '1: :->command' '*:: :->arguments' && return
    case $state in
        command) _describe command names; return ;;
    esac
    case $words[1] in
        run | evolve)
            _arguments $help '*--set='{set}":key: _gravlet_set $words[1]" '--json='{json}':file:_files' \
                '1:YAML file:_files -g "*.(yaml|yml)"'
            ;;
        problems) _arguments $help '1:kind:({kinds})' ;;
        help) _arguments $help '1:key:({help_words})' ;;
        *) _arguments $help ;;
    esac
}}

_gravlet "$@"
)zsh",
                       fmt::arg("values", zsh_values()), fmt::arg("keys", keys), fmt::arg("commands", names),
                       fmt::arg("help", in_zsh("[" + description(line.app, "--help") + "]")),
                       fmt::arg("version", in_zsh("[" + description(line.app, "--version") + "]")),
                       fmt::arg("set", in_zsh("[" + description(*line.run, "--set") + "]")),
                       fmt::arg("json", in_zsh("[" + description(*line.run, "--json") + "]")),
                       fmt::arg("kinds", fmt::join(kinds(), " ")), fmt::arg("help_words", fmt::join(help_words(), " ")));
}

}  // namespace gravlet
