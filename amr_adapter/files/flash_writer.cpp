// SPDX-License-Identifier: Apache-2.0
// Serial HDF5 from many ranks: rank 0 makes the file with all its data sets, then each rank in turn opens it and writes its rows.
// No rank holds more than its own.
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/flash_scalars.hpp"
#include "amr_adapter/files/hdf5_file.hpp"

#include "mpi/agreement.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

namespace gravlet {
namespace {

constexpr std::size_t name_length = 4;  // of FLASH's variables, padded with blanks

int my_rank(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

template <class F>
void in_turn(MPI_Comm comm, F&& write) {
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    for (int turn = 0; turn < ranks; ++turn)
        agree(comm, [&] {
            if (turn == my_rank(comm)) write();
        });
}

Handle name_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), name_length);
    H5Tset_strpad(type.get(), H5T_STR_SPACEPAD);
    return type;
}

void write_names(const Hdf5File& file, const std::string& names) {
    const Handle type = name_type();
    if (file.has("unknown names")) H5Ldelete(file.id(), "unknown names", H5P_DEFAULT);
    file.create("unknown names", {names.size() / name_length, 1}, type.get());
    const Handle set(H5Dopen2(file.id(), "unknown names", H5P_DEFAULT), H5Dclose);
    if (H5Dwrite(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()) < 0)
        file.fail("\"unknown names\" cannot be written");
}

std::string padded(std::string name) {
    name.resize(name_length, ' ');
    return name;
}

void add_name(const Hdf5File& file, const std::string& name) {
    if (!file.has("unknown names")) return write_names(file, padded(name));
    const Shape shape = file.shape("unknown names");
    hsize_t count = 1;
    for (const hsize_t n : shape) count *= n;
    std::string names(count * name_length, ' ');
    const Handle type = name_type();
    {
        const Handle set(H5Dopen2(file.id(), "unknown names", H5P_DEFAULT), H5Dclose);
        if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()) < 0)
            file.fail("\"unknown names\" cannot be read");
    }
    write_names(file, names + padded(name));
}

Shape variable_shape(const BlockSet& blocks, const BlockRows& rows) {
    const auto n = [&](std::size_t d) { return static_cast<hsize_t>(blocks.n[d]); };
    return {static_cast<hsize_t>(rows.total), n(2), n(1), n(0)};
}

void write_field(const Hdf5File& file, const BlockSet& blocks, const BlockRows& rows, const BlockField& field) {
    const std::size_t cells = blocks.cells_per_block();
    for_each_run(rows.row, [&](std::size_t first, std::size_t count) {
        file.write(field.name, static_cast<hsize_t>(rows.row[first]), count, field.values.subspan(first * cells, count * cells));
    });
}

// FLASH keeps a variable's extremes beside it, for plots: those of the old values would be wrong.
void update_extremes(const Hdf5File& file, const std::string& name, double minimum, double maximum) {
    const Handle set(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
    for (const auto& [attribute, value] : {std::pair{"minimum", minimum}, std::pair{"maximum", maximum}}) {
        if (H5Aexists(set.get(), attribute) <= 0) continue;
        const Handle handle(H5Aopen(set.get(), attribute, H5P_DEFAULT), H5Aclose);
        if (H5Awrite(handle.get(), H5T_NATIVE_DOUBLE, &value) < 0) file.fail("attributes of \"" + name + "\" cannot be written");
    }
}

void write_geometry(const Hdf5File& file, const BlockSet& blocks, const BlockRows& rows) {
    std::vector<double> box;
    for (std::size_t b = 0; b < blocks.size(); ++b)
        for (std::size_t d = 0; d < 3; ++d) box.insert(box.end(), {blocks.lower[b][d], blocks.upper[b][d]});
    const std::vector<int> leaf(blocks.size(), 1);
    for_each_run(rows.row, [&](std::size_t first, std::size_t count) {
        const auto row = static_cast<hsize_t>(rows.row[first]);
        file.write("bounding box", row, count, std::span<const double>(box).subspan(6 * first, 6 * count));
        file.write("refine level", row, count, std::span<const int>(blocks.level).subspan(first, count));
        file.write("node type", row, count, std::span<const int>(leaf).subspan(first, count));
    });
}

void create_geometry(const Hdf5File& file, const BlockRows& rows) {
    const auto total = static_cast<hsize_t>(rows.total);
    if (!rows.geometry_from) {
        file.create("bounding box", {total, 3, 2}, H5T_IEEE_F64LE);
        file.create("refine level", {total}, H5T_STD_I32LE);
        file.create("node type", {total}, H5T_STD_I32LE);
        return;
    }
    const Hdf5File source(*rows.geometry_from, Hdf5File::Mode::read);
    for (const char* name : {"bounding box", "refine level", "node type"})
        if (H5Ocopy(source.id(), name, file.id(), name, H5P_DEFAULT, H5P_DEFAULT) < 0)
            file.fail("data set \"" + std::string(name) + "\" cannot be copied from " + source.path());
}

}  // namespace

BlockRows number_blocks(MPI_Comm comm, const BlockSet& blocks) {
    const auto count = static_cast<std::int64_t>(blocks.size());
    std::int64_t end = 0;
    BlockRows rows;
    MPI_Scan(&count, &end, 1, MPI_INT64_T, MPI_SUM, comm);
    MPI_Allreduce(&count, &rows.total, 1, MPI_INT64_T, MPI_SUM, comm);
    for (std::int64_t row = end - count; row < end; ++row) rows.row.push_back(row);
    return rows;
}

void write_flash(MPI_Comm comm, const std::string& path, const BlockSet& blocks, const BlockRows& rows,
                 std::span<const BlockField> fields) {
    agree(comm, [&] {
        if (my_rank(comm) != 0) return;
        const Hdf5File file(path, Hdf5File::Mode::create);
        write_scalars(file, {blocks.n, 3, rows.total});
        create_geometry(file, rows);
        std::string names;
        for (const BlockField& field : fields) {
            file.create(field.name, variable_shape(blocks, rows), H5T_IEEE_F64LE);
            if (field.name.size() <= name_length) names += padded(field.name);
        }
        write_names(file, names);
        file.flush();
    });
    in_turn(comm, [&] {
        const Hdf5File file(path, Hdf5File::Mode::write);
        if (!rows.geometry_from) write_geometry(file, blocks, rows);
        for (const BlockField& field : fields) write_field(file, blocks, rows, field);
        file.flush();
    });
}

void write_checkpoint_copy(MPI_Comm comm, const std::string& from, const std::string& to, const BlockSet& blocks,
                           const BlockRows& rows, const BlockField& field) {
    namespace fs = std::filesystem;
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -minimum;
    for (const double value : field.values) {
        minimum = std::min(minimum, value);
        maximum = std::max(maximum, value);
    }
    MPI_Allreduce(MPI_IN_PLACE, &minimum, 1, MPI_DOUBLE, MPI_MIN, comm);
    MPI_Allreduce(MPI_IN_PLACE, &maximum, 1, MPI_DOUBLE, MPI_MAX, comm);
    agree(comm, [&] {
        if (my_rank(comm) != 0) return;
        std::error_code error;
        if (fs::equivalent(from, to, error)) throw Error(ErrorCode::file, to + ": the copy would replace the checkpoint itself");
        fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
        if (!error) fs::permissions(to, fs::perms::owner_write, fs::perm_options::add, error);
        if (error) throw Error(ErrorCode::file, to + ": cannot copy " + from + " there: " + error.message());
        const Hdf5File file(to, Hdf5File::Mode::write);
        if (!file.has(field.name)) {
            file.create(field.name, variable_shape(blocks, rows), H5T_IEEE_F64LE);
            add_name(file, field.name);
        }
        update_extremes(file, field.name, minimum, maximum);
        file.flush();
    });
    in_turn(comm, [&] {
        const Hdf5File file(to, Hdf5File::Mode::write);
        write_field(file, blocks, rows, field);
        file.flush();
    });
}

}  // namespace gravlet
