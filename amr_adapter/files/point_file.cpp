// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/point_file.hpp"

#include "amr_adapter/files/in_turn.hpp"
#include "hdf5/hdf5_file.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

#include <utility>

namespace gravlet {

PointSet read_points(MPI_Comm comm, const std::string& path) {
    PointSet points;
    agree(comm, [&] {
        const Hdf5File file(path, Hdf5File::Mode::read);
        const Shape shape = file.shape("x");
        if (shape.size() != 1) file.fail("data set \"x\" is not a list of one value a point");
        const int rank = rank_in(comm), ranks = size_of(comm);
        const auto share = [&](int r) { return shape[0] * static_cast<hsize_t>(r) / static_cast<hsize_t>(ranks); };
        const hsize_t first = share(rank);
        const hsize_t count = share(rank + 1) - first;
        std::vector<std::pair<const char*, std::vector<double>*>> sets{
            {"x", &points.x}, {"y", &points.y}, {"z", &points.z}, {"m", &points.mass}};
        if (file.has("softening")) sets.emplace_back("softening", &points.softening);
        for (const auto& [name, values] : sets) {
            if (file.shape(name) != shape) file.fail("data set \"" + std::string(name) + "\" has another shape than \"x\"");
            file.make_room(name, {count}, *values);
            file.read(name, first, count, *values);
        }
    });
    return points;
}

void write_points(MPI_Comm comm, const std::string& path, const PointSet& points, std::span<const PointField> fields) {
    const long count = static_cast<long>(points.size());
    long first = 0, total = 0;
    bool with_lengths = false;
    communicate(comm, [&](const Agreed& ranks) {
        first = ranks.sum_before(count);
        total = ranks.all_reduce(count, MPI_SUM);
        with_lengths = ranks.all_reduce(points.softening.empty() ? 0 : 1, MPI_MAX) == 1;
    });

    std::vector<PointField> all;
    agree(comm, [&] {
        all = {{"x", points.x}, {"y", points.y}, {"z", points.z}, {"m", points.mass}};
        if (with_lengths) all.push_back({"softening", points.softening});
        all.insert(all.end(), fields.begin(), fields.end());
    });
    const auto start = [&](NewFile& file) {
        start_hdf5(file, all.size() * sizeof(double) * static_cast<std::uint64_t>(total), all.size());
    };
    const auto make = [&](const Hdf5File& file) {
        for (const PointField& field : all) file.create(field.name, {static_cast<hsize_t>(total)}, H5T_IEEE_F64LE);
    };
    const auto write = [&](const Hdf5File& file) {
        for (const PointField& field : all)
            file.write(field.name, static_cast<hsize_t>(first), static_cast<hsize_t>(count), field.values);
    };
    write_in_turn(comm, path, start, make, write);
}

}  // namespace gravlet
