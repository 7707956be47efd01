// SPDX-License-Identifier: Apache-2.0
#include "hdf5/input_file.hpp"

#include <gravlet/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace gravlet {
namespace {

[[noreturn]] void refuse(const std::string& shown, const std::string& why) { throw Error(ErrorCode::file, shown + ": " + why); }

const char* words_for(mode_t mode) {
    if (S_ISDIR(mode)) return "it is a folder, not a file";
    if (S_ISFIFO(mode)) return "it is a pipe, not a regular file";
    if (S_ISSOCK(mode)) return "it is a socket, not a regular file";
    return "it is a device, not a regular file";
}

}  // namespace

// Looked at before it is opened, because opening a device may do something, and after, because it may be another one by then.
Descriptor open_file(const std::string& path, Access access, const std::string& shown) {
    struct stat state {};
    if (path.empty()) refuse(shown, "a path is empty");
    if (stat(path.c_str(), &state) != 0) refuse(shown, errno == ENOENT ? "no such file" : std::strerror(errno));
    if (!S_ISREG(state.st_mode)) refuse(shown, words_for(state.st_mode));
    Descriptor file(open(path.c_str(), (access == Access::read ? O_RDONLY : O_RDWR) | O_NONBLOCK | O_CLOEXEC));
    if (file.get() < 0 || fstat(file.get(), &state) != 0)
        refuse(shown, std::string(access == Access::read ? "cannot be read: " : "cannot be opened for writing: ") +
                          std::strerror(errno));
    if (!S_ISREG(state.st_mode)) refuse(shown, words_for(state.st_mode));
    if (access == Access::read && state.st_size == 0) refuse(shown, "it is empty");
    return file;
}

void require_file(const std::string& path) { static_cast<void>(open_file(path, Access::read, path)); }

}  // namespace gravlet
