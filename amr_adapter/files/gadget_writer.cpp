// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/gadget_fields.hpp"
#include "amr_adapter/files/in_turn.hpp"
#include "hdf5/attributes.hpp"

#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

#include <gravlet/error.hpp>

#include <cstdint>

namespace gravlet {
namespace {

using Field = GadgetField<const std::vector<double>>;

constexpr std::size_t type = 1;  // GADGET's halo: points that have no more than gravity

constexpr std::array zeros{"Redshift", "BoxSize", "Omega0", "OmegaLambda"};
constexpr std::array flags{"Flag_Sfr", "Flag_Cooling", "Flag_StellarAge", "Flag_Metals", "Flag_Feedback", "Flag_Entropy_ICs"};

// The total is in two halves of 32 bits each, as readers have it from GADGET-2; they take integers of any size for this file's.
void write_header(const Hdf5File& file, double time, std::uint64_t total) {
    create_group(file, "Header");
    const auto put = [&](const char* name, const auto& value) { write_attribute(file, "Header", name, value); };
    std::array<std::uint64_t, gadget_types> here{};
    std::array<std::uint32_t, gadget_types> low{}, high{};
    here[type] = total;
    low[type] = static_cast<std::uint32_t>(total);
    high[type] = static_cast<std::uint32_t>(total >> 32);
    put("NumPart_ThisFile", here);
    put("NumPart_Total", low);
    put("NumPart_Total_HighWord", high);
    put("MassTable", std::array<double, gadget_types>{});
    put("Time", time);
    for (const char* name : zeros) put(name, 0.0);
    put("HubbleParam", 1.0);
    put("NumFilesPerSnapshot", 1);
    for (const char* name : flags) put(name, 0);
    put("Flag_DoublePrecision", 1);
}

void check_length(const std::string& path, const char* name, std::size_t length, std::size_t points) {
    if (length == points) return;
    throw Error(ErrorCode::internal, path + ": data set \"" + gadget_set(type, name) + "\": " + std::to_string(length) +
                                         " values for " + std::to_string(points) + " points");
}

void write_rows(const Hdf5File& file, const Field& field, hsize_t first, std::size_t count) {
    std::vector<double> rows;
    for_some_rows(count, [&](std::size_t begin, std::size_t n) {
        rows.resize(n * field.width);
        for (std::size_t part = 0; part < field.width; ++part)
            for (std::size_t i = 0; i < n; ++i) rows[i * field.width + part] = (*field.arrays[part])[begin + i];
        file.write(gadget_set(type, field.name), first + begin, n, std::span<const double>(rows));
    });
}

}  // namespace

void write_snapshot(MPI_Comm comm, const std::string& path, const Snapshot& snapshot, const Provenance& provenance) {
    const std::size_t count = snapshot.points.size();
    const std::vector<std::uint64_t>& id = snapshot.points.id;
    const int rank = rank_in(comm), ranks = size_of(comm);
    const auto all_fields = gadget_fields(snapshot);
    std::array<int, std::tuple_size_v<decltype(all_fields)>> there{};
    for (std::size_t f = 0; f < there.size(); ++f) there[f] = all_fields[f].needed || !all_fields[f].arrays[0]->empty() ? 1 : 0;
    long first = 0, total = 0;
    communicate(comm, [&](const Agreed& all) {
        first = all.sum_before(static_cast<long>(count));
        total = all.all_reduce(static_cast<long>(count), MPI_SUM);
        all.all_reduce(there.data(), static_cast<int>(there.size()), MPI_MAX);
    });
    std::vector<Field> fields;
    agree(comm, [&] {
        for (std::size_t f = 0; f < there.size(); ++f)
            if (there[f] == 1) fields.push_back(all_fields[f]);
        for (const Field& field : fields)
            for (const auto* part : field.parts()) check_length(path, field.name, part->size(), count);
        check_length(path, gadget_ids, id.size(), count);
    });

    const auto start = [&](NewFile& file) {
        constexpr std::size_t others = 32;  // groups, identities, gravlet/rows, the header's attributes
        std::size_t values = 1;             // of a point, its identity among them
        for (const Field& field : fields) values += field.width;
        const std::uint64_t all_values = values * static_cast<std::uint64_t>(total) + static_cast<std::uint64_t>(ranks);
        start_hdf5(file, all_values * sizeof(double) + provenance_bytes(provenance),
                   fields.size() + others + snapshot.numbers.size() + provenance.size());
    };
    const auto make = [&](const Hdf5File& file) {
        const auto rows = static_cast<hsize_t>(total);
        write_provenance(file, provenance);
        write_header(file, snapshot.time, rows);
        create_group(file, gadget_group(type));
        for (const Field& field : fields) file.create(gadget_set(type, field.name), field.shape(rows), H5T_IEEE_F64LE);
        file.create(gadget_set(type, gadget_ids), {rows}, H5T_STD_U64LE);
        create_group(file, "gravlet");
        file.create("gravlet/rows", {static_cast<hsize_t>(ranks)}, H5T_STD_U64LE);
        for (const auto& [name, value] : snapshot.numbers) write_attribute(file, "gravlet", name, value);
    };
    const auto write = [&](const Hdf5File& file) {
        for (const Field& field : fields) write_rows(file, field, static_cast<hsize_t>(first), count);
        file.write(gadget_set(type, gadget_ids), static_cast<hsize_t>(first), count, std::span(id));
        const std::uint64_t rows = count;
        file.write("gravlet/rows", static_cast<hsize_t>(rank), 1, std::span(&rows, 1));
    };
    write_in_turn(comm, path, start, make, write);
}

}  // namespace gravlet
