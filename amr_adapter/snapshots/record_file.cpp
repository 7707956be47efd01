// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/snapshots/record_file.hpp"

#include "hdf5/input_file.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace gravlet {

RecordFile::RecordFile(const std::string& path, std::initializer_list<std::uint32_t> first_lengths)
    : path_(path), file_(open_file(path, Access::read, path)) {
    struct stat state {};
    if (fstat(file_.get(), &state) != 0) fail(std::string("cannot be read: ") + std::strerror(errno));
    size_ = static_cast<std::uint64_t>(state.st_size);
    const auto is_known = [&] {
        return size_ >= mark_bytes && std::ranges::find(first_lengths, value_at<std::uint32_t>(0)) != first_lengths.end();
    };
    if (is_known()) return;
    swapped_ = true;
    if (!is_known())
        fail(fmt::format("neither in HDF5 nor in GADGET-2's binary format, which begins with a record of {} bytes",
                         fmt::join(first_lengths, " or ")));
}

void RecordFile::fail(const std::string& what) const { throw Error(ErrorCode::file, path_ + ": " + what); }

RecordFile::Record RecordFile::record(std::uint64_t at, const std::string& name, std::span<const std::uint64_t> lengths) const {
    const auto require_bytes = [&](std::uint64_t wanted) {
        if (at <= size_ && wanted <= size_ - at) return;
        fail(fmt::format("it is truncated: {} begins at byte {} and has {} bytes, the file {} in all", name, at, wanted, size_));
    };
    require_bytes(mark_bytes);
    const auto mark = value_at<std::uint32_t>(at);
    const auto fits = [&](std::uint64_t length) { return static_cast<std::uint32_t>(length) == mark; };
    const auto found = std::ranges::find_if(lengths, fits);
    if (found == lengths.end() && !lengths.empty())
        fail(fmt::format("{} has {} bytes by its record mark, not {}", name, mark, fmt::join(lengths, " or ")));
    const Record record{at + mark_bytes, lengths.empty() ? mark : *found};
    require_bytes(record.length + 2 * mark_bytes);
    const auto last = value_at<std::uint32_t>(record.begin + record.length);
    if (last != mark) fail(fmt::format("{} has record marks that differ: {} before it and {} after it", name, mark, last));
    return record;
}

void RecordFile::read(std::uint64_t at, std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
        const ssize_t got = pread(file_.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) fail(got == 0 ? "it has become shorter" : std::string("cannot be read: ") + std::strerror(errno));
        bytes = bytes.subspan(static_cast<std::size_t>(got));
        at += static_cast<std::uint64_t>(got);
    }
}

}  // namespace gravlet
