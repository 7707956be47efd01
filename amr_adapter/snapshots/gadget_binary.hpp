// SPDX-License-Identifier: Apache-2.0
// GADGET-2's binary format (its users' guide, SnapFormat 1 and 2) and GADGET-4's: a header of 256 bytes, or of GADGET-4's 192 for
// six types (which it has too, as an option, of 256), then positions, velocities, identities and, of types without a mass in the
// header, masses, a block each of all types in turn. In SnapFormat 2 each block has a record with its name before it, and is
// found by that; in SnapFormat 1 by its place. Single or double precision, identities of 32 or 64 bits, by the length of the
// block.
#pragma once

#include "amr_adapter/snapshots/record_file.hpp"
#include "amr_adapter/snapshots/snapshot_file.hpp"

#include <map>

namespace gravlet {

class GadgetBinary final : public SnapshotFile {
public:
    explicit GadgetBinary(const std::string& path);

    [[nodiscard]] const std::string& path() const override { return file_.path(); }
    [[nodiscard]] const SnapshotHeader& header() const override { return header_; }
    [[nodiscard]] StatedUnits stated() const override;
    [[nodiscard]] std::string name_of(std::size_t type, const char* field) const override;
    [[nodiscard]] bool has(std::size_t type, const char* field) const override;
    void require(std::size_t type, const char* field, std::size_t width) const override;
    void read(std::size_t type, const char* field, std::uint64_t first, std::size_t width,
              std::span<double> values) const override;
    void read_ids(std::size_t type, std::uint64_t first, std::span<std::uint64_t> ids) const override;

private:
    /// A block, and its rows: of all types, or of those without a mass in the header.
    struct Block {
        RecordFile::Record record;
        std::uint64_t value_bytes = 4;
    };
    void read_header(std::uint64_t begin);
    void read_short_header(std::uint64_t begin);
    void set_box(double side);
    void check_header();
    void find_by_place(std::uint64_t at);
    void find_by_name(std::uint64_t at);
    /// Keeps a block that begins at `at`; where it ends.
    std::uint64_t keep(const std::string& name, std::uint64_t at);
    [[nodiscard]] std::uint64_t rows_before(std::size_t type, const std::string& block) const;
    [[nodiscard]] std::uint64_t values_of(const std::string& block) const;
    /// Bytes of `count` values of a block from a row on, handed on value by value: put(index, bytes).
    template <class Put>
    void read_values(const std::string& block, std::uint64_t row, std::size_t width, std::size_t count, const Put& put) const;

    RecordFile file_;
    bool named_ = false;         ///< SnapFormat 2
    bool short_header_ = false;  ///< GADGET-4's
    SnapshotHeader header_;
    StatedUnits stated_;
    std::map<std::string, Block> blocks_;
};

}  // namespace gravlet
