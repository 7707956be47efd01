// SPDX-License-Identifier: Apache-2.0
// The command's words: subcommands, their arguments and options, said once for the command, its man page and completion.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace gravlet {

/// What a command line says, and what says it. Stays where it is: the parser writes to it.
struct CommandLine {
    CommandLine();
    CommandLine(const CommandLine&) = delete;
    CommandLine& operator=(const CommandLine&) = delete;

    CLI::App app{"gravlet: Barnes-Hut gravity for adaptive-mesh-refinement codes", "gravlet"};
    std::string file, json, kind, key;
    std::vector<std::string> overrides;
    CLI::App *run = nullptr, *evolve = nullptr, *info = nullptr, *options = nullptr, *problems = nullptr, *help = nullptr;
};

}  // namespace gravlet
