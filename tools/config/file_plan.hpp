// SPDX-License-Identifier: Apache-2.0
// All files of a run, each with the key that names it, looked at before the run begins: what is read must be a file, what is
// written must have a place, and an output may replace no input and no other output, however their paths are spelt: files that
// are there are told apart by device and inode, others by their folder's and their name.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

namespace gravlet {

class FilePlan {
public:
    // An empty path is no file.
    void input(const std::string& key, const std::string& path) { add(key, path, Role::input); }
    /// Named, but not read this time: it is not replaced either.
    void spared(const std::string& key, const std::string& path) { add(key, path, Role::spared); }
    void spared(const std::string& key, const std::vector<std::string>& paths) {
        for (const std::string& path : paths) spared(key, path);
    }
    void output(const std::string& key, const std::string& path) { add(key, path, Role::output); }
    /// Read if it is there, and made otherwise, if it is used at all.
    void cache(const std::string& key, const std::string& path) { add(key, path, Role::cache); }
    /// Numbered files (tools/config/series.hpp), of which one may be `begin`: what the run goes on from is the run's to keep.
    void series(const std::string& key, const std::string& name, const std::string& begin);

    /// Local. Throws Error(invalid_option) or Error(file) that names keys and paths.
    void check() const;

private:
    enum class Role { input, spared, output, cache };
    struct File {
        std::string key, path;
        Role role;
    };
    struct Series {
        std::string key, name, begin;
    };
    void add(const std::string& key, const std::string& path, Role role) {
        if (!path.empty()) files_.push_back({key, path, role});
    }
    void check_series() const;

    std::vector<File> files_;
    std::vector<Series> series_;
};

/// Collective. Checks the plan on rank 0, which writes. Throws what check() throws, on every rank.
void check_files(MPI_Comm comm, const FilePlan& plan);

}  // namespace gravlet
