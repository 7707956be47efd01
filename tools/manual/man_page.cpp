// SPDX-License-Identifier: Apache-2.0
#include "tools/manual/man_page.hpp"

#include "tools/config/schema.hpp"
#include "tools/help.hpp"
#include "tools/manual/words.hpp"

#include <gravlet/version.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace gravlet {
namespace {

// Letters that troff takes for its own: a backslash, a dash that must stay one, a dot or quote that begins a line.
std::string plain(const std::string& text) {
    std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
    for (const char c : text)
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    return out;
}

std::string section(const std::string& title) { return ".SH " + title + "\n"; }
std::string item(const std::string& term, const std::string& text) {
    return ".TP\n.B " + plain(term) + "\n" + plain(text) + "\n";
}
std::string of_command(const CLI::App& command) {
    std::string about;
    for (const ArgumentHelp& argument : arguments(command)) about += item(argument.words, argument.meaning);
    std::string text = item(usage(command), sentence(command.get_description()));
    if (!about.empty()) text += ".RS\n" + about + ".RE\n";
    return text;
}

std::string of_keys() {
    std::string text, last;
    for (const KeyHelp& entry : all_keys()) {
        const std::string of = entry.name.substr(0, entry.name.find('.'));
        const auto title = std::ranges::find(section_titles(), of, &SectionTitle::name);
        if (of != last) text += fmt::format(".SS {}: {}\n", of, title->about);
        last = of;
        const std::string value = entry.key.default_value.empty() ? "has to be given" : "default " + entry.key.default_value;
        text += item(entry.name, fmt::format("{} ({}; {}; in {})", sentence(entry.key.meaning), entry.key.type, value,
                                             fmt::join(entry.where, ", ")));
    }
    return text;
}

}  // namespace

std::string man_page() {
    const CommandLine line;
    std::string text = fmt::format(".TH GRAVLET 1 \"\" \"gravlet {}\" \"User Commands\"\n", version());
    text += section("NAME") + "gravlet \\- gravity of meshes and points by trees, from a YAML file\n";
    text +=
        section("SYNOPSIS") + ".B gravlet\nCOMMAND [ARGUMENTS]\n.br\n.B mpirun \\-n\nRANKS\n.B gravlet\nCOMMAND [ARGUMENTS]\n";
    text += section("COMMANDS");
    for (const CLI::App* command : commands(line)) text += of_command(*command);
    text += item("--version", "Print the version.") + item("--help", "Print help; after a command, help on it.");
    text +=
        section("FILE") +
        "A file is YAML with these sections, of which\n.B problem\nhas to be there. A key is named by its section and itself, as "
        "in\n.BR \\-\\-set .\n";
    text += of_keys();
    text += section("KINDS OF PROBLEMS");
    for (const ProblemInfo& problem : problem_kinds()) text += item(problem.kind, sentence(problem.about));
    text += section("EXIT STATUS") + std::string(exit_status) + "\n";
    text +=
        section("EXAMPLES") +
        ".nf\nprintf 'problem: {kind: plummer, n: 10000}\\en' > plummer.yaml\nmpirun \\-n 2 gravlet run plummer.yaml \\-\\-set "
        "solver.theta=0.4 \\-\\-set compare.reference=direct\n.fi\n";
    return text;
}

}  // namespace gravlet
