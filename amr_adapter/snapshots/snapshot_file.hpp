// SPDX-License-Identifier: Apache-2.0
// One file of a snapshot, whatever its format: what its header says, and its points type by type. All of it is local; every
// failure throws Error(file) that names the file. Fields have the names of GADGET's data sets
// (amr_adapter/files/gadget_fields.hpp).
#pragma once

#include "amr_adapter/snapshots/origin.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gravlet {

/// What the header of one file says, as far as it was looked at and found to be sound.
struct SnapshotHeader {
    std::vector<std::uint64_t> rows;   ///< points of each type in this file
    std::vector<std::uint64_t> total;  ///< points of each type in all files; empty: it does not say
    std::vector<double> mass;          ///< mass of each point of a type; 0: they have masses of their own
    double time = 0.0, files = 1.0;
    std::optional<std::array<double, 3>> box{};  ///< sides
};

class SnapshotFile {
public:
    SnapshotFile() = default;
    SnapshotFile(const SnapshotFile&) = delete;
    SnapshotFile& operator=(const SnapshotFile&) = delete;
    virtual ~SnapshotFile() = default;

    [[nodiscard]] virtual const std::string& path() const = 0;
    [[noreturn]] void fail(const std::string& what) const;
    [[nodiscard]] virtual const SnapshotHeader& header() const = 0;
    [[nodiscard]] virtual StatedUnits stated() const = 0;

    /// What holds a field of a type's points, in words.
    [[nodiscard]] virtual std::string name_of(std::size_t type, const char* field) const = 0;
    [[nodiscard]] virtual bool has(std::size_t type, const char* field) const = 0;
    /// Throws unless the file has `width` values of the field for each point of a type that has points here.
    virtual void require(std::size_t type, const char* field, std::size_t width) const = 0;
    /// Rows first, first + 1, ... of a type: as many as `values` holds, `width` values each.
    virtual void read(std::size_t type, const char* field, std::uint64_t first, std::size_t width,
                      std::span<double> values) const = 0;
    virtual void read_ids(std::size_t type, std::uint64_t first, std::span<std::uint64_t> ids) const = 0;

    // Of snapshots of gravlet; empty: it is none, or one of another number of ranks.
    [[nodiscard]] virtual std::vector<std::uint64_t> rows_of_ranks(std::size_t /*ranks*/) const { return {}; }
    [[nodiscard]] virtual std::vector<std::pair<std::string, double>> numbers() const { return {}; }
    [[nodiscard]] virtual std::string input() const { return {}; }
};

/// Local. A file in HDF5 or in GADGET-2's binary format, by how it begins.
[[nodiscard]] std::unique_ptr<SnapshotFile> open_snapshot(const std::string& path);

}  // namespace gravlet
