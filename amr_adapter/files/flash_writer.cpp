// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/flash_header.hpp"
#include "amr_adapter/files/flash_scalars.hpp"
#include "amr_adapter/files/in_turn.hpp"
#include "hdf5/hdf5_file.hpp"

#include "mpi/agreement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numeric>
#include <utility>

namespace gravlet {
namespace {

constexpr std::size_t name_length = 4;  // of FLASH's variables, padded with blanks
constexpr std::uint64_t of_attribute = 1024;
constexpr std::uint64_t names_and_header = 16384;  // of a variable that is added
constexpr std::array geometry{"bounding box", "refine level", "node type"};
// For readers other than this one. gid: six neighbours, parent, eight children of a block.
constexpr std::array tree{"coordinates", "block size", "gid"};
constexpr hsize_t relatives = 15;

Handle name_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), name_length);
    H5Tset_strpad(type.get(), H5T_STR_SPACEPAD);
    return type;
}

void write_names(const Hdf5File& file, const std::string& names) {
    const Handle type = name_type();
    if (file.has("unknown names")) H5Ldelete(file.id(), "unknown names", H5P_DEFAULT);
    file.create("unknown names", {names.size() / name_length, 1}, type.get(), names.data());
}

std::string padded(std::string name) {
    name.resize(name_length, ' ');
    return name;
}

void add_name(const Hdf5File& file, const std::string& name) {
    if (!file.has("unknown names")) return write_names(file, padded(name));
    std::vector<std::array<char, name_length>> names;
    file.make_room("unknown names", file.shape("unknown names"), names);
    const Handle type = name_type();
    {
        const Handle set = file.open_set("unknown names");
        if (H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()) < 0)
            file.fail("\"unknown names\" cannot be read");
    }
    std::string all;
    for (const auto& old : names) all.append(old.data(), name_length);
    write_names(file, all + padded(name));
}

Shape variable_shape(const BlockSet& blocks, const BlockRows& rows) {
    const auto n = [&](std::size_t d) { return static_cast<hsize_t>(blocks.n[d]); };
    return {static_cast<hsize_t>(rows.total), n(2), n(1), n(0)};
}

std::uint64_t variable_bytes(const BlockSet& blocks, const BlockRows& rows) {
    return static_cast<std::uint64_t>(rows.total) * blocks.cells_per_block() * sizeof(double);
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

// Blocks that come from no file are leaves alone: parents have no rows, and gid is -1 throughout, for neighbours too.
void write_geometry(const Hdf5File& file, const BlockSet& blocks, const BlockRows& rows) {
    std::vector<double> box, centre, size;
    for (std::size_t b = 0; b < blocks.size(); ++b)
        for (std::size_t d = 0; d < 3; ++d) {
            const double lower = blocks.lower[b][d], upper = blocks.upper[b][d];
            box.insert(box.end(), {lower, upper});
            centre.push_back(0.5 * (lower + upper));
            size.push_back(upper - lower);
        }
    const std::vector<int> leaf(blocks.size(), 1), nobody(blocks.size() * relatives, -1);
    for_each_run(rows.row, [&](std::size_t first, std::size_t count) {
        const auto row = static_cast<hsize_t>(rows.row[first]);
        const auto part = [&](const auto& values, std::size_t width) {
            return std::span(values).subspan(width * first, width * count);
        };
        file.write("bounding box", row, count, part(box, 6));
        file.write("coordinates", row, count, part(centre, 3));
        file.write("block size", row, count, part(size, 3));
        file.write("refine level", row, count, part(blocks.level, 1));
        file.write("node type", row, count, part(leaf, 1));
        file.write("gid", row, count, part(nobody, relatives));
    });
}

bool has_fixed_size(hid_t type) {
    switch (H5Tget_class(type)) {
        case H5T_VLEN:
        case H5T_REFERENCE: return false;
        case H5T_STRING: return H5Tis_variable_str(type) == 0;
        case H5T_COMPOUND:
            for (int i = 0; i < H5Tget_nmembers(type); ++i)
                if (!has_fixed_size(Handle(H5Tget_member_type(type, static_cast<unsigned>(i)), H5Tclose).get())) return false;
            return true;
        default: return true;
    }
}

// What is more than its own values, or was never written, is not: it is made anew.
bool can_be_copied(const Hdf5File& source, const char* name) {
    return source.has(name) && source.stored_bytes(name) > 0 &&
           has_fixed_size(Handle(H5Dget_type(source.open_set(name).get()), H5Tclose).get());
}

// With the size of a value as one extent more.
Shape bytes_of(const Hdf5File& source, const char* name) {
    Shape shape = source.shape(name);
    shape.push_back(H5Tget_size(Handle(H5Dget_type(source.open_set(name).get()), H5Tclose).get()));
    return shape;
}

// By its values: H5Ocopy() crashes on damaged files.
void copy_set(const Hdf5File& source, const char* name, const Hdf5File& file) {
    std::vector<char> values;
    source.make_room(name, bytes_of(source, name), values);
    const Handle set = source.open_set(name), type(H5Dget_type(set.get()), H5Tclose);
    if (!values.empty() && H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        file.fail("data set \"" + std::string(name) + "\" cannot be copied from " + source.path());
    file.create(name, source.shape(name), type.get(), values.empty() ? nullptr : values.data());
}

// Calls f(source, name) for what the blocks' own file has of geometry, tree and header.
template <class F>
void for_source_sets(const BlockRows& rows, F&& f) {
    const Hdf5File source(*rows.geometry_from, Hdf5File::Mode::read);
    for (const char* name : geometry) f(source, name);
    for (const char* name : tree)
        if (can_be_copied(source, name)) f(source, name);
    for (const char* name : flash_header_sets)
        if (can_be_copied(source, name)) f(source, name);
}

void create_geometry(const Hdf5File& file, const BlockRows& rows) {
    const auto total = static_cast<hsize_t>(rows.total);
    if (!rows.geometry_from) {
        file.create("bounding box", {total, 3, 2}, H5T_IEEE_F64LE);
        file.create("coordinates", {total, 3}, H5T_IEEE_F64LE);
        file.create("block size", {total, 3}, H5T_IEEE_F64LE);
        file.create("refine level", {total}, H5T_STD_I32LE);
        file.create("node type", {total}, H5T_STD_I32LE);
        file.create("gid", {total, relatives}, H5T_STD_I32LE);
        return;
    }
    for_source_sets(rows, [&](const Hdf5File& source, const char* name) { copy_set(source, name, file); });
    if (file.has("gid")) return;
    const std::vector<int> nobody(total * relatives, -1);
    file.create("gid", {total, relatives}, H5T_NATIVE_INT, nobody.data());
}

std::uint64_t geometry_bytes(const BlockRows& rows) {
    if (!rows.geometry_from)
        return static_cast<std::uint64_t>(rows.total) * (12 * sizeof(double) + (2 + relatives) * sizeof(int));
    std::uint64_t bytes = static_cast<std::uint64_t>(rows.total) * relatives * sizeof(int);  // if it has no gid
    for_source_sets(rows, [&](const Hdf5File& source, const char* name) {
        std::uint64_t size = 1;
        for (const hsize_t n : bytes_of(source, name)) size *= n;
        bytes += size;
    });
    return bytes;
}

// Collective. The box around all blocks, and how many of level 1 it takes: all of a level are alike.
FlashDomain domain_of(MPI_Comm comm, const BlockSet& blocks, const std::array<Boundary, 3>& boundary) {
    constexpr double none = std::numeric_limits<double>::infinity();
    std::array<double, 11> least;  // lower corner, minus the upper, lowest level, minus the highest, minus the width at level 1
    least.fill(none);
    for (std::size_t b = 0; b < blocks.size(); ++b) {
        const double level = blocks.level[b];
        least[6] = std::min(least[6], level);
        least[7] = std::min(least[7], -level);
        for (std::size_t d = 0; d < 3; ++d) {
            const double width = blocks.upper[b][d] - blocks.lower[b][d];
            least[d] = std::min(least[d], blocks.lower[b][d]);
            least[3 + d] = std::min(least[3 + d], -blocks.upper[b][d]);
            least[8 + d] = std::min(least[8 + d], -std::ldexp(width, blocks.level[b] - 1));
        }
    }
    communicate(comm, [&](const Agreed& all) { all.all_reduce(least.data(), static_cast<int>(least.size()), MPI_MIN); });
    FlashDomain domain;
    domain.boundary = boundary;
    if (least[0] == none) return domain;  // no blocks
    domain.lowest = static_cast<int>(least[6]);
    domain.highest = static_cast<int>(-least[7]);
    for (std::size_t d = 0; d < 3; ++d) {
        domain.lower[d] = least[d];
        domain.upper[d] = -least[3 + d];
        // (Boxes near the largest number have no finite width.)
        const double count = std::round((domain.upper[d] - domain.lower[d]) / -least[8 + d]);
        domain.root_blocks[d] = count >= 1.0 ? static_cast<int>(std::min(count, 1e9)) : 1;
    }
    return domain;
}

// What a variable that is there grows by when it is written: nothing if it has its full size already, uncompressed.
std::uint64_t growth_of(const Hdf5File& file, const std::string& name, std::uint64_t bytes) {
    constexpr std::uint64_t of_chunks = 65536;  // their index
    return file.has(name) && file.stored_bytes(name) < bytes ? bytes + of_chunks : 0;
}

}  // namespace

BlockRows number_blocks(MPI_Comm comm, const BlockSet& blocks) {
    const long count = static_cast<long>(blocks.size());
    long first = 0;
    BlockRows rows;
    communicate(comm, [&](const Agreed& all) {
        first = all.sum_before(count);
        rows.total = all.all_reduce(count, MPI_SUM);
    });
    agree(comm, [&] {
        rows.row.resize(blocks.size());
        std::iota(rows.row.begin(), rows.row.end(), first);
    });
    return rows;
}

void write_flash(MPI_Comm comm, const std::string& path, const BlockSet& blocks, const BlockRows& rows,
                 std::span<const BlockField> fields, const std::array<Boundary, 3>& boundary, const Provenance& provenance) {
    const FlashDomain domain = domain_of(comm, blocks, boundary);
    const auto start = [&](NewFile& file) {
        constexpr std::size_t others = 2 + geometry.size() + tree.size() + flash_header_sets.size();  // scalars, names
        start_hdf5(file,
                   geometry_bytes(rows) + flash_header_bytes + fields.size() * variable_bytes(blocks, rows) +
                       provenance_bytes(provenance),
                   fields.size() + others + provenance.size());
    };
    const auto make = [&](const Hdf5File& file) {
        write_provenance(file, provenance);
        write_scalars(file, {blocks.n, 3, rows.total});
        create_geometry(file, rows);
        write_flash_header(file, domain);
        std::string names;
        for (const BlockField& field : fields) {
            file.create(field.name, variable_shape(blocks, rows), H5T_IEEE_F64LE);
            if (field.name.size() <= name_length) names += padded(field.name);
        }
        write_names(file, names);
    };
    const auto write = [&](const Hdf5File& file) {
        if (!rows.geometry_from) write_geometry(file, blocks, rows);
        for (const BlockField& field : fields) write_field(file, blocks, rows, field);
    };
    write_in_turn(comm, path, start, make, write);
}

void write_checkpoint_copy(MPI_Comm comm, const std::string& from, const std::string& to, const BlockSet& blocks,
                           const BlockRows& rows, const BlockField& field, const Provenance& provenance) {
    double minimum = std::numeric_limits<double>::infinity();
    double maximum = -minimum;
    for (const double value : field.values) {
        minimum = std::min(minimum, value);
        maximum = std::max(maximum, value);
    }
    minimum = all_reduce(comm, minimum, MPI_MIN);
    maximum = all_reduce(comm, maximum, MPI_MAX);
    const std::uint64_t bytes = variable_bytes(blocks, rows);
    std::uint64_t growth = 0;
    bool is_new = false;
    agree(comm, [&] {
        const Hdf5File file(from, Hdf5File::Mode::read);
        growth = growth_of(file, field.name, bytes);
        is_new = !file.has(field.name);
    });
    const auto start = [&](NewFile& file) {
        namespace fs = std::filesystem;
        std::error_code none;
        if (fs::equivalent(from, to, none)) throw Error(ErrorCode::file, to + ": the copy would replace the checkpoint itself");
        const std::uint64_t attributes = provenance_bytes(provenance) + of_attribute * provenance.size();
        file.reserve(fs::file_size(from) + names_and_header + (is_new ? bytes : growth) + attributes);
        file.copy(from);
    };
    const auto make = [&](const Hdf5File& file) {
        if (is_new) {
            file.create(field.name, variable_shape(blocks, rows), H5T_IEEE_F64LE);
            add_name(file, field.name);
        }
        update_extremes(file, field.name, minimum, maximum);
        write_provenance(file, provenance);
    };
    const auto write = [&](const Hdf5File& file) { write_field(file, blocks, rows, field); };
    write_in_turn(comm, to, start, make, write, growth);
}

}  // namespace gravlet
