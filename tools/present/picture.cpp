// SPDX-License-Identifier: Apache-2.0
// The script runs as a process of its own, without a shell, so that any file name is safe.
#include "tools/present/picture.hpp"

#include "hdf5/descriptor.hpp"
#include "hdf5/new_file.hpp"

#include <gravlet/error.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

constexpr int missing_module = 3;  // the scripts' exit code
constexpr int not_started = 127;

// Beside the command in the build tree; in share/gravlet once installed.
fs::path find_script(const std::string& key, const std::string& script) {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    for (const fs::path& place : {folder, folder.parent_path() / GRAVLET_DATA_DIR})
        if (fs::exists(place / script)) return place / script;
    throw Error(ErrorCode::not_available, key + ": " + script + " is neither in " + folder.string() + " nor in " +
                                              (folder.parent_path() / GRAVLET_DATA_DIR).string());
}

std::string python() { return fs::exists(GRAVLET_PYTHON) ? GRAVLET_PYTHON : "python3"; }

pid_t start(std::vector<std::string>& command, const posix_spawn_file_actions_t* files) {
    std::vector<char*> arguments;
    for (std::string& word : command) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    return posix_spawnp(&child, arguments[0], files, nullptr, arguments.data(), environ) == 0 ? child : -1;
}

int end_of(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int run(std::vector<std::string> command) {
    const pid_t child = start(command, nullptr);
    return child < 0 ? not_started : end_of(child);
}

struct Answer {
    int code;
    std::string said;
};

// With what it says on standard error, in place of showing that.
Answer ask(std::vector<std::string> command) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) throw Error(ErrorCode::not_available, std::strerror(errno));
    const Descriptor from(ends[0]);
    Descriptor to(ends[1]);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, to.get(), STDERR_FILENO);
    const pid_t child = start(command, &files);
    posix_spawn_file_actions_destroy(&files);
    to = Descriptor();
    Answer answer{not_started, {}};
    if (child < 0) return answer;
    std::array<char, 4096> some{};
    for (ssize_t count = 0; (count = read(from.get(), some.data(), some.size())) != 0;) {
        if (count < 0 && errno != EINTR) break;
        if (count > 0) answer.said.append(some.data(), static_cast<std::size_t>(count));
    }
    answer.code = end_of(child);
    return answer;
}

// Of a traceback: what it was all about.
std::string last_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

}  // namespace

void require_drawing(const std::string& key, const std::string& script, const std::string& picture) {
    const auto refuse = [&](const std::string& what) { throw Error(ErrorCode::not_available, key + ": " + what); };
    const Answer answer = ask({python(), find_script(key, script).string(), "--check", picture});
    if (answer.code == not_started) refuse(python() + " cannot be started");
    if (answer.code == missing_module)
        refuse(python() + ": " + last_line(answer.said) + " (Debian: python3-matplotlib, python3-h5py)");
    if (answer.code != 0) refuse(python() + ": " + last_line(answer.said));
}

void draw(const Drawing& drawing) {
    NewFile file(drawing.picture);
    std::vector<std::string> command{python(), find_script(drawing.key, drawing.script).string()};
    command.insert(command.end(), drawing.before.begin(), drawing.before.end());
    command.push_back(file.path());
    command.insert(command.end(), drawing.after.begin(), drawing.after.end());
    switch (run(std::move(command))) {
        case 0: return file.commit();
        case not_started: throw Error(ErrorCode::not_available, drawing.key + ": " + python() + " cannot be started");
        case missing_module:
            throw Error(ErrorCode::not_available,
                        drawing.key + ": " + python() + " lacks matplotlib or h5py (Debian: python3-matplotlib, python3-h5py)");
        default: throw Error(ErrorCode::file, drawing.key + ": " + drawing.script + " could not draw " + drawing.picture);
    }
}

void draw_picture(const std::string& hdf5, const std::string& picture, bool relative_to_rms) {
    std::vector<std::string> after;
    if (relative_to_rms) after.emplace_back("rms");
    draw({"output.picture", "plot.py", {hdf5}, picture, after});
}

}  // namespace gravlet
