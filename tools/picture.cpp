// SPDX-License-Identifier: Apache-2.0
// The script runs as a process of its own, without a shell, so that any file name is safe.
#include "tools/picture.hpp"

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

constexpr int missing_module = 3;  // plot.py's exit code

// Beside the command in the build tree; in share/gravlet once installed.
fs::path find_script() {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    for (const fs::path& place : {folder / "plot.py", folder.parent_path() / GRAVLET_DATA_DIR / "plot.py"})
        if (fs::exists(place)) return place;
    throw Error(ErrorCode::not_available, "output.picture: plot.py is neither in " + folder.string() + " nor in " +
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

void draw_picture(const std::string& hdf5, const std::string& picture, bool relative_to_rms) {
    const std::string python = fs::exists(GRAVLET_PYTHON) ? GRAVLET_PYTHON : "python3";
    NewFile file(picture);
    std::vector<std::string> command{python, find_script().string(), hdf5, file.path()};
    if (relative_to_rms) command.emplace_back("rms");
    switch (run(std::move(command))) {
        case 0: return file.commit();
        case 127: throw Error(ErrorCode::not_available, "output.picture: " + python + " cannot be started");
        case missing_module:
            throw Error(ErrorCode::not_available,
                        "output.picture: " + python + " lacks matplotlib or h5py (Debian: python3-matplotlib, python3-h5py)");
        default: throw Error(ErrorCode::file, "output.picture: plot.py could not draw " + hdf5 + " into " + picture);
    }
}

}  // namespace gravlet
