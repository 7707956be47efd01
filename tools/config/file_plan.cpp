// SPDX-License-Identifier: Apache-2.0
#include "tools/config/file_plan.hpp"

#include "hdf5/input_file.hpp"
#include "hdf5/new_file.hpp"
#include "tools/config/alike.hpp"
#include "tools/config/series.hpp"

#include <gravlet/error.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

/// Where a file is or, if it has a name, will be: in this folder.
struct Place {
    bool known = false;
    dev_t device = 0;
    ino_t inode = 0;
    std::string name{};
    [[nodiscard]] bool is(const Place& other) const {
        return known && other.known && device == other.device && inode == other.inode && name == other.name;
    }
};

Place place_of_folder(const fs::path& path) {
    const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
    struct stat state {};
    return stat(folder.c_str(), &state) == 0 ? Place{true, state.st_dev, state.st_ino} : Place{};
}

Place place_of(const std::string& path) {
    struct stat state {};
    if (stat(path.c_str(), &state) == 0) return {true, state.st_dev, state.st_ino};
    const fs::path end = behind_links(path);
    Place place = place_of_folder(end);
    place.name = end.filename().string();
    return place;
}

/// Whether a file is one of the series, or will be when the series has come to its number or is stopped.
bool is_in(const std::string& name, const std::string& path) {
    if (place_of(stopped_path(name)).is(place_of(path))) return true;
    const fs::path end = behind_links(path);
    if (is_of_series(name, end.filename().string()) && place_of_folder(end).is(place_of_folder(name))) return true;
    const auto is_file = [place = place_of(path)](const auto& file) { return place.is(place_of(file.second)); };
    return std::ranges::any_of(series_files(name), is_file);
}

[[noreturn]] void refuse(const std::string& output, const std::string& is, const std::string& key, const std::string& path) {
    throw Error(ErrorCode::invalid_option, output + " is " + is + ": that is the file of " + key + ", " + path +
                                               ", and an output may replace no input and no other output");
}

// Rights are not all that creating a file takes: /proc and full disks let nobody. It leaves nothing.
void try_to_create(const std::string& path) { const NewFile trial(path); }

template <class F>
void named(const std::string& key, const F& look) {
    try {
        look();
    } catch (const Error& error) {
        throw Error(error.code(), key + ": " + error.what());
    }
}

}  // namespace

void FilePlan::series(const std::string& key, const std::string& name, const std::string& begin) {
    if (!name.empty()) series_.push_back({key, name, begin});
}

void FilePlan::check() const {
    for (const File& file : files_)
        named(file.key, [&] {
            if (file.role == Role::input) require_file(file.path);
            if (file.role == Role::output) try_to_create(file.path);
        });
    const auto replaces = [](const File& file) { return file.role == Role::output || file.role == Role::cache; };
    for (std::size_t i = 0; i < files_.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const File &a = files_[i], &b = files_[j];
            if (!(replaces(a) || replaces(b)) || !place_of(a.path).is(place_of(b.path))) continue;
            const File &output = replaces(b) ? b : a, &other = replaces(b) ? a : b;
            refuse(output.key, output.path, other.key, other.path);
        }
    check_series();
}

void FilePlan::check_series() const {
    for (const Series& series : series_) {
        named(series.key, [&] { try_to_create(series_path(series.name, 0)); });
        const Place begin = series.begin.empty() ? Place{} : place_of(series.begin);
        for (const File& file : files_)
            if (!place_of(file.path).is(begin) && is_in(series.name, file.path))
                refuse(series.key, series.name + " (_0000.hdf5, ...)", file.key, file.path);
    }
}

void check_files(MPI_Comm comm, const FilePlan& plan) {
    for_all(comm, [&] { plan.check(); });
}

}  // namespace gravlet
