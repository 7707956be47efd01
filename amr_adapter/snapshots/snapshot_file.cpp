// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/snapshots/snapshot_file.hpp"

#include "amr_adapter/snapshots/gadget_binary.hpp"
#include "amr_adapter/snapshots/hdf5_snapshot.hpp"
#include "hdf5/input_file.hpp"

#include <gravlet/error.hpp>

#include <unistd.h>

#include <string_view>

namespace gravlet {
namespace {

// HDF5's signature is at its beginning, or behind a block of the user's: at 512 bytes, or at twice that, and so on.
bool is_hdf5(const std::string& path) {
    constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
    constexpr off_t first = 512;
    const Descriptor file = open_file(path, Access::read, path);
    std::array<char, signature.size()> bytes{};
    for (off_t at = 0; pread(file.get(), bytes.data(), bytes.size(), at) == static_cast<ssize_t>(bytes.size());
         at = at == 0 ? first : 2 * at)
        if (std::string_view(bytes.data(), bytes.size()) == signature) return true;
    return false;
}

}  // namespace

void SnapshotFile::fail(const std::string& what) const { throw Error(ErrorCode::file, path() + ": " + what); }

std::unique_ptr<SnapshotFile> open_snapshot(const std::string& path) {
    if (is_hdf5(path)) return std::make_unique<Hdf5Snapshot>(path);
    return std::make_unique<GadgetBinary>(path);
}

}  // namespace gravlet
