// SPDX-License-Identifier: Apache-2.0
// gravlet_manual FOLDER: writes the man page, the completions and the page of the reference, as the build does. It is no program
// of MPI's: one that is runs on some machines where jobs run, and nowhere else.
#include "tools/manual/command_page.hpp"
#include "tools/manual/completion.hpp"
#include "tools/manual/man_page.hpp"

#include <exception>
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const std::string folder = argv[1];
    try {
        const auto write = [&](const char* name, const std::string& text) {
            std::ofstream file(folder + "/" + name);
            file << text;
            file.close();
            if (file) return true;
            std::cerr << "gravlet_manual: cannot write " << folder << "/" << name << '\n';
            return false;
        };
        return write("gravlet.1", gravlet::man_page()) && write("gravlet.bash", gravlet::bash_completion()) &&
                       write("gravlet.fish", gravlet::fish_completion()) && write("_gravlet", gravlet::zsh_completion()) &&
                       write("command.md", gravlet::command_page())
                   ? 0
                   : 1;
    } catch (const std::exception& error) {
        std::cerr << "gravlet_manual: " << error.what() << '\n';
        return 1;
    }
}
