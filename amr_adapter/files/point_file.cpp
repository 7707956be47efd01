// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/point_file.hpp"

#include "amr_adapter/files/in_turn.hpp"
#include "hdf5/hdf5_file.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

namespace gravlet {
namespace {

constexpr std::array velocity_names{"vx", "vy", "vz"};

}  // namespace

PointSet read_points(MPI_Comm comm, const std::string& path, PointData what) {
    PointSet points;
    agree(comm, [&] {
        const Hdf5File file(path, Hdf5File::Mode::read);
        const Shape shape = file.shape("x");
        if (shape.size() != 1) file.fail("data set \"x\" is not a list of one value a point");
        const int rank = rank_in(comm), ranks = size_of(comm);
        const auto share = [&](int r) { return shape[0] * static_cast<hsize_t>(r) / static_cast<hsize_t>(ranks); };
        const hsize_t first = share(rank);
        const hsize_t count = share(rank + 1) - first;
        const auto read = [&](const char* name, auto& values) {
            if (file.shape(name) != shape) file.fail("data set \"" + std::string(name) + "\" has another shape than \"x\"");
            file.make_room(name, {count}, values);
            file.read(name, first, count, values);
        };
        read("x", points.x);
        read("y", points.y);
        read("z", points.z);
        read("m", points.mass);
        if (file.has("softening")) read("softening", points.softening);
        if (what == PointData::at_rest) return;
        if (file.has("vx") || file.has("vy") || file.has("vz"))
            for (std::size_t d = 0; d < 3; ++d) read(velocity_names[d], points.velocity[d]);
        if (file.has("id")) read("id", points.id);
    });
    return points;
}

void write_points(MPI_Comm comm, const std::string& path, const PointSet& points, std::span<const PointField> fields,
                  const Provenance& provenance) {
    const long count = static_cast<long>(points.size());
    long first = 0, total = 0;
    std::array<int, 3> brought{points.softening.empty() ? 0 : 1, points.velocity[0].empty() ? 0 : 1, points.id.empty() ? 0 : 1};
    communicate(comm, [&](const Agreed& ranks) {
        first = ranks.sum_before(count);
        total = ranks.all_reduce(count, MPI_SUM);
        ranks.all_reduce(brought.data(), 3, MPI_MAX);
    });
    const int lengths = brought[0], velocities = brought[1], ids = brought[2];

    std::vector<PointField> all;
    agree(comm, [&] {
        all = {{"x", points.x}, {"y", points.y}, {"z", points.z}, {"m", points.mass}};
        if (lengths == 1) all.push_back({"softening", points.softening});
        if (velocities == 1)
            for (std::size_t d = 0; d < 3; ++d) all.push_back({velocity_names[d], points.velocity[d]});
        all.insert(all.end(), fields.begin(), fields.end());
    });
    const bool with_ids = ids == 1;
    const std::size_t sets = all.size() + (with_ids ? 1 : 0);
    const auto start = [&](NewFile& file) {
        start_hdf5(file, sets * sizeof(double) * static_cast<std::uint64_t>(total) + provenance_bytes(provenance),
                   sets + provenance.size());
    };
    const auto make = [&](const Hdf5File& file) {
        for (const PointField& field : all) file.create(field.name, {static_cast<hsize_t>(total)}, H5T_IEEE_F64LE);
        write_provenance(file, provenance);
        if (with_ids) file.create("id", {static_cast<hsize_t>(total)}, H5T_STD_U64LE);
    };
    const auto write = [&](const Hdf5File& file) {
        for (const PointField& field : all)
            file.write(field.name, static_cast<hsize_t>(first), static_cast<hsize_t>(count), field.values);
        if (with_ids) file.write("id", static_cast<hsize_t>(first), static_cast<hsize_t>(count), points.id);
    };
    write_in_turn(comm, path, start, make, write);
}

}  // namespace gravlet
