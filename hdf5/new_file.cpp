// SPDX-License-Identifier: Apache-2.0
#include "hdf5/new_file.hpp"

#include "hdf5/descriptor.hpp"
#include "hdf5/input_file.hpp"

#include <gravlet/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <random>
#include <utility>
#include <vector>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& target, const std::string& what) {
    throw Error(ErrorCode::file, target + ": cannot be created: " + what);
}

[[noreturn]] void refuse_folder(const std::string& target, const fs::path& folder, int error) {
    refuse(target, "folder " + (folder.empty() ? "." : folder.string()) + ": " + std::strerror(error));
}

[[noreturn]] void fail_on(const std::string& target, const std::string& what, int error) {
    throw Error(ErrorCode::file, target + ": " + what + ": " + std::strerror(error));
}

// The temporary name is hidden and keeps the extension: "*.h5" does not find what a killed process left, and programs that go by
// the extension write what they should.
fs::path temporary_name(const fs::path& path) {
    constexpr std::size_t longest = 200;  // a name may have 255 bytes
    static constexpr char digits[] = "0123456789abcdef";
    std::random_device random;
    std::string name = ".";
    name += path.stem().string().substr(0, longest);
    name += ".unfinished-";
    for (int i = 0; i < 16; ++i) name += digits[random() % 16];
    const std::string extension = path.extension().string();
    if (extension.size() < 10) name += extension;
    return path.parent_path() / name;
}

// Where the file system cannot reserve, the C library writes zeros.
void reserve_on_disk(int file, std::uint64_t bytes, const std::string& shown) {
    const bool fits = bytes <= static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
    int error = fits ? EINTR : EFBIG;
    while (error == EINTR) error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
    if (error != 0) fail_on(shown, "cannot be written: it takes " + std::to_string(bytes) + " bytes at most", error);
}

}  // namespace

// Also through a link to what is not there yet. A link in /proc is some process's open file (/dev/stdout): to replace it would
// take it away from under that process.
std::string behind_links(const std::string& target) {
    constexpr int most_links = 40;  // Linux's own limit
    fs::path path = target;
    std::error_code none;
    for (int links = 0; links < most_links && fs::is_symlink(path, none); ++links) {
        path = path.parent_path() / fs::read_symlink(path, none);
        if (path.string().starts_with("/proc/")) refuse(target, "it is not a regular file");
    }
    return path.string();
}

void require_target(const std::string& target) {
    struct stat old {};
    const bool exists = stat(target.c_str(), &old) == 0;
    if (!exists && errno != ENOENT) refuse(target, std::strerror(errno));
    if (exists && !S_ISREG(old.st_mode)) refuse(target, S_ISDIR(old.st_mode) ? "it is a folder" : "it is not a regular file");
    if (exists && access(target.c_str(), W_OK) != 0) refuse(target, std::strerror(errno));
    const fs::path replaced = behind_links(target);
    if (replaced.filename().empty()) refuse(target, "it names no file");
    const fs::path folder = replaced.has_parent_path() ? replaced.parent_path() : ".";
    if (access(folder.c_str(), W_OK | X_OK) != 0) refuse_folder(target, folder, errno);
}

NewFile::NewFile(const std::string& target) : target_(target) {
    require_target(target);
    replaced_ = behind_links(target);
    do {
        path_ = temporary_name(replaced_).string();
        file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (file_ < 0 && errno == EEXIST);
    if (file_ < 0) refuse_folder(target_, fs::path(replaced_).parent_path(), errno);
    struct stat old {};
    if (stat(replaced_.c_str(), &old) != 0) return;
    // An owner that this process may not give is no reason to write nothing.
    if (fchown(file_, old.st_uid, old.st_gid) != 0) errno = 0;
    if (fchmod(file_, old.st_mode & 07777) != 0) errno = 0;
}

NewFile::~NewFile() {
    if (file_ < 0) return;
    close(file_);
    unlink(path_.c_str());
}

void NewFile::fail(const std::string& what, int error) const { fail_on(target_, what, error); }

void NewFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR) fail("cannot be written", errno);
        if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

// Byte by byte rather than by std::filesystem: a copy that shares its blocks with the original has no room of its own.
void NewFile::copy(const std::string& from) {
    const Descriptor source = open_file(from, Access::read, from);
    std::vector<char> buffer(std::size_t{1} << 20);
    for (;;) {
        const ssize_t count = read(source.get(), buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot copy " + from + " there", errno);
        if (count == 0) return;
        write({buffer.data(), static_cast<std::size_t>(count)});
    }
}

void NewFile::reserve(std::uint64_t bytes) { reserve_on_disk(file_, bytes, target_); }

void NewFile::commit() {
    if (fsync(file_) != 0) fail("cannot be written", errno);
    if (rename(path_.c_str(), replaced_.c_str()) != 0) fail("cannot be replaced", errno);
    close(std::exchange(file_, -1));
    // The folder's entry too. Not all file systems do that, and the file is whole in any case.
    const fs::path folder = fs::path(replaced_).parent_path();
    const Descriptor entries(open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (entries.get() >= 0) fsync(entries.get());
}

void reserve_more(const std::string& path, std::uint64_t bytes, const std::string& shown) {
    const Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
    struct stat now {};
    if (file.get() < 0 || fstat(file.get(), &now) != 0) fail_on(shown, "cannot be written", errno);
    reserve_on_disk(file.get(), static_cast<std::uint64_t>(now.st_size) + bytes, shown);
}

}  // namespace gravlet
