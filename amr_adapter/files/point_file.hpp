// SPDX-License-Identifier: Apache-2.0
// Points in HDF5 files: data sets x, y, z, m of one value a point, softening if they bring lengths, vx, vy, vz if they move, id
// if they have identities, and whatever was computed for them beside.
#pragma once

#include "amr_adapter/files/provenance.hpp"

#include <gravlet/cells.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gravlet {

/// Points with storage of their own.
struct PointSet {
    std::vector<double> x, y, z, mass;
    std::vector<double> softening{};                ///< empty: they bring no lengths; alike on all ranks that have points
    std::array<std::vector<double>, 3> velocity{};  ///< x, y, z; empty: they bring none, likewise
    std::vector<std::uint64_t> id{};                ///< empty: they bring none, likewise
    [[nodiscard]] std::size_t size() const { return x.size(); }
    [[nodiscard]] Points view() const { return {x, y, z, mass, {}, softening}; }
};

/// What of a file is read: all that it has, or without velocities and identities.
enum class PointData { all, at_rest };

/// Collective. This rank's share: consecutive, equal numbers. Throws Error(file), the same on every rank, if the file is missing,
/// truncated or foreign, or one of x, y, z, m is missing, or some of vx, vy, vz only, or one of all these, softening or id is of
/// another length than x.
[[nodiscard]] PointSet read_points(MPI_Comm comm, const std::string& path, PointData what = PointData::all);

struct PointField {
    std::string name;
    std::span<const double> values;  ///< one a point
};

/// Collective. Writes x, y, z, m, of lengths, velocities and identities what there is, and the fields in rank order; ranks write
/// in turn. Throws Error(file) on every rank, and a file that was there then stays as it is.
void write_points(MPI_Comm comm, const std::string& path, const PointSet& points, std::span<const PointField> fields,
                  const Provenance& provenance = {});

}  // namespace gravlet
