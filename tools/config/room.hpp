// SPDX-License-Identifier: Apache-2.0
// Whether the disks have room for files that are to come, asked before what takes long. Others may fill a disk meanwhile: whoever
// writes reserves once more what a file needs (hdf5/new_file.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gravlet {

class Room {
public:
    /// A file of at least so many bytes. An empty path is no file.
    void needs(const std::string& key, const std::string& path, std::uint64_t bytes) {
        if (!path.empty()) files_.push_back({key, path, bytes});
    }
    /// Local. Throws Error(file) that names the first file that has no room beside those before it, or is larger than files may
    /// be.
    void check() const;

private:
    struct File {
        std::string key, path;
        std::uint64_t bytes;
    };
    std::vector<File> files_;
};

}  // namespace gravlet
