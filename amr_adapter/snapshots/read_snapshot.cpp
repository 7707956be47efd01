// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/snapshots/read_snapshot.hpp"

#include "amr_adapter/files/gadget_fields.hpp"
#include "amr_adapter/snapshots/numbered_name.hpp"
#include "amr_adapter/snapshots/snapshot_file.hpp"
#include "hdf5/machine_memory.hpp"
#include "mpi/agreement.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string_view>

namespace gravlet {
namespace {

using Field = GadgetField<std::vector<double>>;
using Files = std::vector<std::unique_ptr<SnapshotFile>>;

// The points of one type in one file, in the order of all.
struct Species {
    const SnapshotFile* file = nullptr;
    std::size_t type = 0;
    std::uint64_t rows = 0;
    double mass = 0.0;  // of each; 0: they have masses of their own
};

struct Rows {
    std::uint64_t first = 0, count = 0;
};

// All files of the snapshot that one is of, in the order of their numbers.
Files files_of(const std::string& path) {
    Files files;
    files.push_back(open_snapshot(path));
    const SnapshotFile& named = *files.front();
    const SnapshotHeader header = named.header();
    if (header.files == 1.0) return files;
    const std::optional<NumberedName> name = numbered(path);
    if (!name || !(header.files > 1.0 && header.files <= 1e5 && header.files == std::floor(header.files)))
        named.fail("it is one of several files of a snapshot, whose names must end as .0.hdf5, .1.hdf5, or as .0, .1, and so on");
    files.clear();
    for (int k = 0; k < header.files; ++k) {
        files.push_back(open_snapshot(name->with(k)));
        const SnapshotHeader& other = files.back()->header();
        if (std::pair(other.files, other.time) != std::pair(header.files, header.time) || other.box != header.box)
            files.back()->fail("it is of another snapshot than " + path +
                               ": its header says another number of files, time or box");
    }
    return files;
}

// Points of each type in all files.
std::vector<std::uint64_t> counts_in(const Files& files) {
    std::vector<std::uint64_t> counts;
    for (const auto& file : files) {
        const std::vector<std::uint64_t>& rows = file->header().rows;
        counts.resize(std::max(counts.size(), rows.size()), 0);
        for (std::size_t type = 0; type < rows.size(); ++type)
            if (__builtin_add_overflow(counts[type], rows[type], &counts[type]))
                file->fail("it has more points than can be counted");
    }
    return counts;
}

// What a header says of all files, against what all files have.
void check_totals(const Files& files, const std::vector<std::uint64_t>& counts) {
    for (const auto& file : files) {
        const std::vector<std::uint64_t>& total = file->header().total;
        for (std::size_t type = 0; type < total.size(); ++type) {
            const std::uint64_t found = type < counts.size() ? counts[type] : 0;
            if (found != total[type])
                file->fail(fmt::format("its header says that there are {} points of type {}, and {} are in {} file(s)",
                                       total[type], type, found, files.size()));
        }
    }
}

// Of each type, whether it is read.
std::vector<bool> chosen(const Files& files, std::size_t count, const std::vector<int>& types) {
    std::vector<bool> all(count, types.empty());
    for (const int type : types) {
        if (type < 0 || static_cast<std::size_t>(type) >= all.size())
            files.front()->fail(fmt::format("there is no type {}: its types are 0 to {}", type, all.size() - 1));
        all[static_cast<std::size_t>(type)] = true;
    }
    return all;
}

std::vector<Species> species_of(const Files& files, const std::vector<bool>& wanted) {
    std::vector<Species> all;
    for (const auto& file : files) {
        const SnapshotHeader& header = file->header();
        for (std::size_t type = 0; type < header.rows.size(); ++type)
            if (wanted[type] && header.rows[type] > 0) all.push_back({file.get(), type, header.rows[type], header.mass[type]});
    }
    return all;
}

std::uint64_t total_of(const std::vector<Species>& all, const Files& files) {
    std::uint64_t total = 0;
    for (const Species& species : all)
        if (__builtin_add_overflow(total, species.rows, &total)) files.front()->fail("it has more points than can be counted");
    if (total == 0) files.front()->fail("there are no points");
    return total;
}

// Those that this rank wrote, or its share.
Rows my_rows(MPI_Comm comm, const Files& files, std::uint64_t total, bool all_types) {
    const auto rank = static_cast<std::size_t>(rank_in(comm)), ranks = static_cast<std::size_t>(size_of(comm));
    const auto rows = all_types && files.size() == 1 ? files.front()->rows_of_ranks(ranks) : std::vector<std::uint64_t>();
    if (!rows.empty())
        return {std::accumulate(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(rank), std::uint64_t{0}), rows[rank]};
    const auto share = [&](std::size_t r) { return total / ranks * r + total % ranks * r / ranks; };
    return {share(rank), share(rank + 1) - share(rank)};
}

// Calls f(species, first row of it, rows of it, place among mine) for each part of this rank's rows.
template <class F>
void for_my_species(const std::vector<Species>& all, const Rows& mine, F&& f) {
    std::uint64_t before = 0;
    for (const Species& species : all) {
        const std::uint64_t begin = std::max(mine.first, before), end = std::min(mine.first + mine.count, before + species.rows);
        if (begin < end)
            f(species, begin - before, static_cast<std::size_t>(end - begin), static_cast<std::size_t>(begin - mine.first));
        before += species.rows;
    }
}

bool has_all(const std::vector<Species>& all, const char* name) {
    return std::ranges::all_of(all, [&](const Species& s) { return s.file->has(s.type, name); });
}

bool has_any(const std::vector<Species>& all, const char* name) {
    return std::ranges::any_of(all, [&](const Species& s) { return s.file->has(s.type, name); });
}

bool is_masses(const Field& field) { return field.name == std::string_view("Masses"); }

// Those of a snapshot's fields that are read. Potentials and accelerations that some types lack can be computed again; lengths
// cannot.
std::vector<Field> fields_to_read(Snapshot& snapshot, const std::vector<Species>& all, PointData what) {
    std::vector<Field> fields;
    for (const Field& field : gadget_fields(snapshot)) {
        const bool lengths = field.name == std::string_view("Softening"),
                   left_out = what == PointData::at_rest && field.name == std::string_view("Velocities");
        if (!left_out && (field.needed || (lengths ? has_any(all, field.name) : has_all(all, field.name))))
            fields.push_back(field);
    }
    return fields;
}

// Before there is room for any: what a file says of its size may be wrong.
void require_fields(const std::vector<Species>& all, const std::vector<Field>& fields, const Rows& mine) {
    double values = 1.0;  // the identity
    for (const Field& field : fields) {
        values += static_cast<double>(field.width);
        for (const Species& species : all)
            if (!is_masses(field) || species.mass == 0.0) species.file->require(species.type, field.name, field.width);
    }
    if (values * sizeof(double) * static_cast<double>(mine.count) > machine_memory())
        throw Error(ErrorCode::out_of_memory, fmt::format("{}: {} points of {:.0f} values do not fit into this machine's memory",
                                                          all[0].file->path(), mine.count, values));
}

void read_rows(const Species& species, const Field& field, std::uint64_t first, std::size_t count, std::size_t place) {
    std::vector<double> rows;
    for_some_rows(count, [&](std::size_t begin, std::size_t n) {
        rows.resize(n * field.width);
        species.file->read(species.type, field.name, first + begin, field.width, rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!std::isfinite(rows[i]))
                species.file->fail(fmt::format("{}: row {} is not finite", species.file->name_of(species.type, field.name),
                                               first + begin + i / field.width));
            (*field.arrays[i % field.width])[place + begin + i / field.width] = rows[i];
        }
    });
}

void read_field(const std::vector<Species>& all, const Rows& mine, const Field& field) {
    for (auto* const part : field.parts()) part->resize(static_cast<std::size_t>(mine.count));
    for_my_species(all, mine, [&](const Species& species, std::uint64_t first, std::size_t count, std::size_t place) {
        if (is_masses(field) && species.mass != 0.0)
            std::fill_n(field.arrays[0]->begin() + static_cast<std::ptrdiff_t>(place), count, species.mass);
        else
            read_rows(species, field, first, count, place);
    });
}

void read_ids(const std::vector<Species>& all, const Rows& mine, std::vector<std::uint64_t>& id) {
    id.resize(static_cast<std::size_t>(mine.count));
    if (!has_all(all, gadget_ids)) return std::iota(id.begin(), id.end(), mine.first);
    for (const Species& species : all) species.file->require(species.type, gadget_ids, 1);
    for_my_species(all, mine, [&](const Species& species, std::uint64_t first, std::size_t count, std::size_t place) {
        species.file->read_ids(species.type, first, std::span(id).subspan(place, count));
    });
}

Provenance origin_of(const Files& files, const std::vector<std::uint64_t>& counts, const std::vector<bool>& wanted) {
    std::string read, left_out;
    for (std::size_t type = 0; type < counts.size(); ++type) {
        std::string& text = wanted[type] ? read : left_out;
        if (counts[type] > 0) text += fmt::format("{}{} of type {}", text.empty() ? "" : ", ", counts[type], type);
    }
    Provenance all = origin_of(files.front()->stated(), files.front()->header().time);
    if (!left_out.empty()) all.insert(all.begin() + 1, {"left_out", left_out});
    all.insert(all.begin() + 1, {"points", read});
    all.insert(all.begin() + 1, {"files", static_cast<double>(files.size())});
    return all;
}

}  // namespace

Snapshot read_snapshot(MPI_Comm comm, const std::string& path, PointData what, const std::vector<int>& types) {
    Snapshot snapshot;
    agree(comm, [&] {
        const Files files = files_of(path);
        const std::vector<std::uint64_t> counts = counts_in(files);
        check_totals(files, counts);
        const std::vector<bool> wanted = chosen(files, counts.size(), types);
        const std::vector<Species> all = species_of(files, wanted);
        const std::uint64_t total = total_of(all, files);
        const Rows mine = my_rows(comm, files, total, types.empty());
        const SnapshotFile& file = *files.front();
        snapshot.time = file.header().time;
        snapshot.box = file.header().box;
        const std::vector<Field> fields = fields_to_read(snapshot, all, what);
        require_fields(all, fields, mine);
        for (const Field& field : fields) read_field(all, mine, field);
        read_ids(all, mine, snapshot.points.id);
        snapshot.numbers = file.numbers();
        snapshot.input = file.input();
        snapshot.origin = origin_of(files, counts, wanted);
    });
    return snapshot;
}

}  // namespace gravlet
