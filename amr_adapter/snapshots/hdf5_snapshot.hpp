// SPDX-License-Identifier: Apache-2.0
// A file of a snapshot in HDF5: GADGET's layout, as GADGET-4, AREPO, SWIFT and gravlet have it.
#pragma once

#include "amr_adapter/snapshots/snapshot_file.hpp"
#include "hdf5/hdf5_file.hpp"

namespace gravlet {

class Hdf5Snapshot final : public SnapshotFile {
public:
    explicit Hdf5Snapshot(const std::string& path);

    [[nodiscard]] const std::string& path() const override { return file_.path(); }
    [[nodiscard]] const SnapshotHeader& header() const override { return header_; }
    [[nodiscard]] StatedUnits stated() const override;
    [[nodiscard]] std::string name_of(std::size_t type, const char* field) const override;
    [[nodiscard]] bool has(std::size_t type, const char* field) const override;
    void require(std::size_t type, const char* field, std::size_t width) const override;
    void read(std::size_t type, const char* field, std::uint64_t first, std::size_t width,
              std::span<double> values) const override;
    void read_ids(std::size_t type, std::uint64_t first, std::span<std::uint64_t> ids) const override;
    [[nodiscard]] std::vector<std::uint64_t> rows_of_ranks(std::size_t ranks) const override;
    [[nodiscard]] std::vector<std::pair<std::string, double>> numbers() const override;
    [[nodiscard]] std::string input() const override;

private:
    void read_counts();
    void read_totals();
    /// The data set of a field.
    [[nodiscard]] std::string set_of(std::size_t type, const char* field) const;
    [[nodiscard]] std::uint64_t rows_in(std::size_t type) const;
    [[nodiscard]] double header_value(const char* name) const;

    Hdf5File file_;
    SnapshotHeader header_;
};

}  // namespace gravlet
