// SPDX-License-Identifier: Apache-2.0
// The script runs as a process of its own, without a shell, so that any file name is safe.
#include "tools/present/picture.hpp"

#include "hdf5/new_file.hpp"

#include <gravlet/error.hpp>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

constexpr int missing_module = 3;  // the scripts' exit code

// Beside the command in the build tree; in share/gravlet once installed.
fs::path find_script(const Drawing& drawing) {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    for (const fs::path& place : {folder, folder.parent_path() / GRAVLET_DATA_DIR})
        if (fs::exists(place / drawing.script)) return place / drawing.script;
    throw Error(ErrorCode::not_available, drawing.key + ": " + drawing.script + " is neither in " + folder.string() + " nor in " +
                                              (folder.parent_path() / GRAVLET_DATA_DIR).string());
}

int run(std::vector<std::string> command) {
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) return 127;
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

void draw(const Drawing& drawing) {
    const std::string python = fs::exists(GRAVLET_PYTHON) ? GRAVLET_PYTHON : "python3";
    NewFile file(drawing.picture);
    std::vector<std::string> command{python, find_script(drawing).string()};
    command.insert(command.end(), drawing.before.begin(), drawing.before.end());
    command.push_back(file.path());
    command.insert(command.end(), drawing.after.begin(), drawing.after.end());
    switch (run(std::move(command))) {
        case 0: return file.commit();
        case 127: throw Error(ErrorCode::not_available, drawing.key + ": " + python + " cannot be started");
        case missing_module:
            throw Error(ErrorCode::not_available,
                        drawing.key + ": " + python + " lacks matplotlib or h5py (Debian: python3-matplotlib, python3-h5py)");
        default: throw Error(ErrorCode::file, drawing.key + ": " + drawing.script + " could not draw " + drawing.picture);
    }
}

void draw_picture(const std::string& hdf5, const std::string& picture, bool relative_to_rms) {
    std::vector<std::string> after;
    if (relative_to_rms) after.emplace_back("rms");
    draw({"output.picture", "plot.py", {hdf5}, picture, after});
}

}  // namespace gravlet
