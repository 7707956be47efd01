// SPDX-License-Identifier: Apache-2.0
// What the man page, the page of the reference and completion say alike.
#pragma once

#include "tools/command_line.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gravlet {

/// An argument of a command: "FILE", "--set KEY=VALUE".
struct ArgumentHelp {
    std::string words, meaning;
    [[nodiscard]] bool operator==(const ArgumentHelp& other) const = default;
};

[[nodiscard]] std::vector<const CLI::App*> commands(const CommandLine& line);
/// All of a command's but --help.
[[nodiscard]] std::vector<ArgumentHelp> arguments(const CLI::App& command);
/// A command with its arguments, as "run FILE [--set KEY=VALUE]... [--json FILE]".
[[nodiscard]] std::string usage(const CLI::App& command);

/// The sections of the file, as pages have them: what each is about.
struct SectionTitle {
    std::string_view name, about;
};
[[nodiscard]] const std::vector<SectionTitle>& section_titles();

/// The words that a value may be, of a type as "true, false" or "word: auto, cpu, gpu"; empty: it is no word.
[[nodiscard]] std::vector<std::string> words_of(const std::string& type);

/// The text as a sentence, which it may be already.
[[nodiscard]] std::string sentence(const std::string& text);

inline constexpr const char* exit_status =
    "0: all is done; 1: an error, named in one line; 128 and a signal's number: ended by it.";

}  // namespace gravlet
