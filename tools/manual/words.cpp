// SPDX-License-Identifier: Apache-2.0
#include "tools/manual/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace gravlet {
namespace {

std::string words_of(const CLI::Option& option) {
    const std::string name = option.get_name();
    return option.get_positional() || option.get_type_size() == 0 ? name : name + " " + option.get_type_name();
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
    return command.get_options([](const CLI::Option* option) {
        return !option->get_name().starts_with("-h") && !option->get_name().starts_with("--help");
    });
}

bool is_word(const std::string& text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

}  // namespace

std::vector<const CLI::App*> commands(const CommandLine& line) {
    return line.app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<ArgumentHelp> arguments(const CLI::App& command) {
    std::vector<ArgumentHelp> all;
    for (const CLI::Option* option : options_of(command)) all.push_back({words_of(*option), sentence(option->get_description())});
    return all;
}

std::string usage(const CLI::App& command) {
    std::string words = command.get_name();
    for (const CLI::Option* option : options_of(command))
        words += option->get_required() ? " " + option->get_name()
                                        : fmt::format(" [{}]{}", words_of(*option), option->get_name() == "--set" ? "..." : "");
    return words;
}

const std::vector<SectionTitle>& section_titles() {
    static const std::vector<SectionTitle> titles{
        {"problem", "what there is to solve"},         {"solver", "how it is solved"}, {"run", "how often"},
        {"compare", "what answers are compared with"}, {"evolve", "steps in time"},    {"output", "files"}};
    return titles;
}

std::vector<std::string> words_of(const std::string& type) {
    const bool is_named = (type.starts_with("word") || type.starts_with("boolean")) && type.find(": ") != type.npos;
    const std::size_t begin = is_named ? type.find(": ") + 2 : 0;
    std::vector<std::string> words;
    std::size_t at = begin;
    while (at <= type.size()) {
        const std::size_t end = std::min(type.find(", ", at), type.size());
        const std::string word = type.substr(at, end - at);
        if (!is_word(word)) return {};
        words.push_back(word);
        at = end + 2;
    }
    return words.size() > 1 ? words : std::vector<std::string>();
}

std::string sentence(const std::string& text) { return text.ends_with('.') ? text : text + "."; }

}  // namespace gravlet
