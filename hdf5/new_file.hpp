// SPDX-License-Identifier: Apache-2.0
// An output that is whole or not there:
//   1. an empty file is made beside the target, under a name that nobody else has (O_EXCL), with the permissions that the target
//      has or would get;
//   2. it is written, and what its content needs on the disk can be reserved first;
//   3. commit() brings it to the disk and renames it; whoever opens the target meets the old file or the new one.
// What is not committed is removed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gravlet {

/// Local. What a new file at `target` would replace: the same, or where its links lead to.
[[nodiscard]] std::string behind_links(const std::string& target);

/// Local. Throws Error(file) if the target exists and is no regular file (a device, a pipe, a folder) or is write-protected, or
/// if its folder takes no new file.
void require_target(const std::string& target);

class [[nodiscard]] NewFile {
public:
    /// Local. A link is followed. Throws what require_target() throws.
    explicit NewFile(const std::string& target);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    /// The path as the caller named it, for messages.
    [[nodiscard]] const std::string& target() const { return target_; }
    /// Where to write until commit().
    [[nodiscard]] const std::string& path() const { return path_; }

    // Each throws Error(file) that names the target and the cause.
    void write(std::string_view bytes);
    void copy(const std::string& from);
    /// Makes the file this long, of zeros behind its end, with room for all of it on the disk.
    void reserve(std::uint64_t bytes);
    void commit();

private:
    [[noreturn]] void fail(const std::string& what, int error) const;

    std::string target_, replaced_, path_;  ///< replaced_: the target behind all links
    int file_ = -1;
};

/// Local. Makes a file longer, with room on the disk. Throws Error(file) that names `shown`.
void reserve_more(const std::string& path, std::uint64_t bytes, const std::string& shown);

}  // namespace gravlet
