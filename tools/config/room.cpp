// SPDX-License-Identifier: Apache-2.0
#include "tools/config/room.hpp"

#include "hdf5/new_file.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>
#include <map>

namespace gravlet {
namespace {

double mega(double bytes) { return 1e-6 * bytes; }

}  // namespace

// A file system that does not tell is asked nothing.
void Room::check() const {
    std::map<dev_t, double> taken;
    rlimit largest{};
    getrlimit(RLIMIT_FSIZE, &largest);
    for (const File& file : files_) {
        if (largest.rlim_cur != RLIM_INFINITY && file.bytes > largest.rlim_cur)
            throw Error(ErrorCode::file, fmt::format("{}: {} takes {:.4g} MB at least, and no file may have more than {:.4g} MB "
                                                     "(ulimit -f)",
                                                     file.key, file.path, mega(static_cast<double>(file.bytes)),
                                                     mega(static_cast<double>(largest.rlim_cur))));
        const std::filesystem::path parent = std::filesystem::path(behind_links(file.path)).parent_path();
        const std::string folder = parent.empty() ? "." : parent.string();
        struct stat state {};
        struct statvfs disk {};
        if (stat(folder.c_str(), &state) != 0 || statvfs(folder.c_str(), &disk) != 0 || disk.f_blocks == 0) continue;
        const double blocks = static_cast<double>(geteuid() == 0 ? disk.f_bfree : disk.f_bavail);
        const double room = blocks * static_cast<double>(disk.f_frsize);
        double& bytes = taken[state.st_dev];
        bytes += static_cast<double>(file.bytes);
        if (bytes > room)
            throw Error(ErrorCode::file, fmt::format("{}: {} takes {:.4g} MB at least, and its disk has room for {:.4g} MB{}",
                                                     file.key, file.path, mega(static_cast<double>(file.bytes)), mega(room),
                                                     bytes > static_cast<double>(file.bytes) ? ", for other outputs too" : ""));
    }
}

}  // namespace gravlet
