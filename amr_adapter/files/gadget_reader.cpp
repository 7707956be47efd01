// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/gadget_fields.hpp"
#include "hdf5/attributes.hpp"

#include "mpi/agreement.hpp"

#include <cmath>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <system_error>

namespace gravlet {
namespace {

using Field = GadgetField<std::vector<double>>;

// The points of one type in one file, in the order of all.
struct Species {
    const Hdf5File* file = nullptr;
    std::size_t type = 0;
    hsize_t rows = 0;
    double mass = 0.0;  // of each; 0: they have masses of their own
};

struct Rows {
    hsize_t first = 0, count = 0;
};

void expect_header(const Hdf5File& file) {
    if (!file.has("Header")) file.fail("not a GADGET snapshot: there is no group \"Header\"");
}

double header_value(const Hdf5File& file, const char* name) {
    const std::vector<double> values = read_attribute(file, "Header", name);
    if (values.size() != 1 || !std::isfinite(values[0]))
        file.fail("attribute \"" + std::string(name) + "\" of group \"Header\" is not one finite value");
    return values[0];
}

hsize_t rows_of(const Hdf5File& file, std::size_t type) {
    const std::string name = gadget_set(type, "Coordinates");
    const Shape shape = file.has(name) ? file.shape(name) : Shape{0, 3};
    if (shape.size() != 2 || shape[1] != 3) file.fail("data set \"" + name + "\" is not a list of three values a point");
    return shape[0];
}

bool is_number(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == text.npos; }

// A name as NAME.0.hdf5, without its number.
struct NumberedName {
    std::string before, after;

    [[nodiscard]] std::string with(int number) const { return before + std::to_string(number) + after; }
    [[nodiscard]] bool has(std::string_view name) const {
        return name.size() > before.size() + after.size() && name.starts_with(before) && name.ends_with(after) &&
               is_number(name.substr(before.size(), name.size() - before.size() - after.size()));
    }
};

std::optional<NumberedName> numbered(const std::string& path) {
    const std::size_t end = path.rfind('.'), begin = end == 0 || end == path.npos ? path.npos : path.rfind('.', end - 1);
    if (begin == path.npos || !is_number(path.substr(begin + 1, end - begin - 1))) return std::nullopt;
    return NumberedName{path.substr(0, begin + 1), path.substr(end)};
}

// All files of the snapshot that one is of, in the order of their numbers.
std::deque<Hdf5File> files_of(const std::string& path) {
    std::deque<Hdf5File> files;
    files.emplace_back(path, Hdf5File::Mode::read);
    const Hdf5File& named = files.front();
    expect_header(named);
    const char* const count_name = "NumFilesPerSnapshot";
    const double count = has_attribute(named, "Header", count_name) ? header_value(named, count_name) : 1.0;
    if (count == 1.0) return files;
    const std::optional<NumberedName> name = numbered(path);
    if (!name || !(count > 1.0 && count <= 1e5))
        named.fail("it is one of several files of a snapshot, whose names must end as .0.hdf5, .1.hdf5 and so on");
    files.clear();
    for (int k = 0; k < count; ++k) {
        files.emplace_back(name->with(k), Hdf5File::Mode::read);
        expect_header(files.back());
    }
    return files;
}

void add_species(const Hdf5File& file, std::vector<Species>& all) {
    std::vector<double> numbers = read_attribute(file, "Header", "NumPart_ThisFile"), masses;
    if (has_attribute(file, "Header", "MassTable")) masses = read_attribute(file, "Header", "MassTable");
    const std::size_t types = std::max(numbers.size(), gadget_types);
    numbers.resize(types, 0.0);
    masses.resize(types, 0.0);
    for (std::size_t type = 0; type < types; ++type) {
        const hsize_t rows = rows_of(file, type);
        if (static_cast<double>(rows) != numbers[type])
            file.fail("group \"" + gadget_group(type) + "\" has " + std::to_string(rows) +
                      " points, and \"NumPart_ThisFile\" of group \"Header\" says otherwise");
        if (!std::isfinite(masses[type])) file.fail("\"MassTable\" of group \"Header\" has a value that is not finite");
        if (rows > 0) all.push_back({&file, type, rows, masses[type]});
    }
}

std::optional<std::array<double, 3>> box_of(const Hdf5File& file) {
    if (!has_attribute(file, "Header", "BoxSize")) return std::nullopt;
    const std::vector<double> sides = read_attribute(file, "Header", "BoxSize");
    if (sides.size() != 1 && sides.size() != 3) file.fail("\"BoxSize\" of group \"Header\" is neither one value nor three");
    const std::array<double, 3> box{sides[0], sides[sides.size() / 2], sides.back()};
    if (!std::ranges::all_of(box, [](double side) { return std::isfinite(side) && side > 0.0; })) return std::nullopt;
    return box;
}

// Those that this rank wrote, or its share.
Rows my_rows(MPI_Comm comm, const Hdf5File& file, hsize_t total) {
    const auto rank = static_cast<std::size_t>(rank_in(comm)), ranks = static_cast<std::size_t>(size_of(comm));
    const char* const name = "gravlet/rows";
    if (file.has(name) && file.shape(name) == Shape{ranks}) {
        std::vector<std::uint64_t> rows;
        file.make_room(name, {ranks}, rows);
        file.read(name, 0, ranks, rows);
        hsize_t sum = 0, before = 0;
        const auto check = [&](bool good) {
            if (!good) file.fail("data set \"gravlet/rows\" does not add up to the number of points");
        };
        for (std::size_t r = 0; r < ranks; ++r) {
            if (r == rank) before = sum;
            check(rows[r] <= total - sum);
            sum += rows[r];
        }
        check(sum == total);
        return {before, rows[rank]};
    }
    const auto share = [&](std::size_t r) { return total / ranks * r + total % ranks * r / ranks; };
    return {share(rank), share(rank + 1) - share(rank)};
}

// Calls f(species, first row of it, rows of it, place among mine) for each part of this rank's rows.
template <class F>
void for_my_species(const std::vector<Species>& all, const Rows& mine, F&& f) {
    hsize_t before = 0;
    for (const Species& species : all) {
        const hsize_t begin = std::max(mine.first, before), end = std::min(mine.first + mine.count, before + species.rows);
        if (begin < end)
            f(species, begin - before, static_cast<std::size_t>(end - begin), static_cast<std::size_t>(begin - mine.first));
        before += species.rows;
    }
}

bool has_all(const std::vector<Species>& all, const char* name) {
    return std::ranges::all_of(all, [&](const Species& s) { return s.file->has(gadget_set(s.type, name)); });
}

bool has_any(const std::vector<Species>& all, const char* name) {
    return std::ranges::any_of(all, [&](const Species& s) { return s.file->has(gadget_set(s.type, name)); });
}

void read_rows(const Hdf5File& file, const std::string& name, const Field& field, hsize_t first, std::size_t count,
               std::size_t place) {
    std::vector<double> rows;
    for_some_rows(count, [&](std::size_t begin, std::size_t n) {
        file.make_room(name, field.shape(n), rows);
        file.read(name, first + begin, n, rows);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!std::isfinite(rows[i]))
                file.fail("data set \"" + name + "\": row " + std::to_string(first + begin + i / field.width) + " is not finite");
            (*field.arrays[i % field.width])[place + begin + i / field.width] = rows[i];
        }
    });
}

void check_field(const Species& species, const Field& field) {
    const Hdf5File& file = *species.file;
    const std::string name = gadget_set(species.type, field.name);
    if (!file.has(name)) file.fail("the points have no " + std::string(field.name) + ": there is no data set \"" + name + "\"");
    file.expect_shape(name, field.shape(species.rows));
}

// Room for a value of each of this rank's rows. Positions are there.
template <class T>
void make_room(const std::vector<Species>& all, const Rows& mine, std::vector<T>& values) {
    all[0].file->make_room(gadget_set(all[0].type, "Coordinates"), {mine.count}, values);
}

void read_field(const std::vector<Species>& all, const Rows& mine, const Field& field) {
    const bool masses = field.name == std::string_view("Masses");
    const auto from_header = [&](const Species& species) { return masses && species.mass != 0.0; };
    for (const Species& species : all)
        if (!from_header(species)) check_field(species, field);
    for (auto* const part : field.parts()) make_room(all, mine, *part);
    for_my_species(all, mine, [&](const Species& species, hsize_t first, std::size_t count, std::size_t place) {
        if (from_header(species))
            std::fill_n(field.arrays[0]->begin() + static_cast<std::ptrdiff_t>(place), count, species.mass);
        else
            read_rows(*species.file, gadget_set(species.type, field.name), field, first, count, place);
    });
}

void read_ids(const std::vector<Species>& all, const Rows& mine, std::vector<std::uint64_t>& id) {
    id.resize(static_cast<std::size_t>(mine.count));
    if (!has_all(all, gadget_ids)) return std::iota(id.begin(), id.end(), mine.first);
    for (const Species& species : all) species.file->expect_shape(gadget_set(species.type, gadget_ids), {species.rows});
    for_my_species(all, mine, [&](const Species& species, hsize_t first, std::size_t count, std::size_t place) {
        species.file->read(gadget_set(species.type, gadget_ids), first, count, std::span(id).subspan(place, count));
    });
}

void read_numbers(const Hdf5File& file, Snapshot& snapshot) {
    if (!file.has("gravlet")) return;
    for (const std::string& name : attribute_names(file, "gravlet")) {
        const std::vector<double> values = read_attribute(file, "gravlet", name);
        if (values.size() != 1) file.fail("attribute \"" + name + "\" of group \"gravlet\" is not one value");
        snapshot.numbers.emplace_back(name, values[0]);
    }
}

}  // namespace

Snapshot read_snapshot(MPI_Comm comm, const std::string& path, PointData what) {
    Snapshot snapshot;
    agree(comm, [&] {
        const std::deque<Hdf5File> files = files_of(path);
        const Hdf5File& file = files.front();
        std::vector<Species> all;
        for (const Hdf5File& one : files) add_species(one, all);
        hsize_t total = 0;
        for (const Species& species : all)
            if (__builtin_add_overflow(total, species.rows, &total)) file.fail("it has more points than can be counted");
        if (total == 0) file.fail("there are no points");
        const Rows mine = my_rows(comm, file, total);
        snapshot.time = header_value(file, "Time");
        snapshot.box = box_of(file);
        for (const Field& field : gadget_fields(snapshot)) {
            // Potentials and accelerations that some types lack can be computed again; lengths cannot.
            const bool lengths = field.name == std::string_view("Softening"),
                       left_out = what == PointData::at_rest && field.name == std::string_view("Velocities"),
                       there = lengths ? has_any(all, field.name) : has_all(all, field.name);
            if (!left_out && (field.needed || there)) read_field(all, mine, field);
        }
        read_ids(all, mine, snapshot.points.id);
        read_numbers(file, snapshot);
    });
    return snapshot;
}

std::vector<std::string> other_snapshot_files(const std::string& path) {
    namespace fs = std::filesystem;
    std::vector<std::string> others;
    const fs::path file = path;
    const std::optional<NumberedName> name = numbered(file.filename().string());
    if (!name) return others;
    std::error_code none;
    for (const fs::directory_entry& entry : fs::directory_iterator(file.has_parent_path() ? file.parent_path() : ".", none))
        if (name->has(entry.path().filename().string()) && entry.path().filename() != file.filename())
            others.push_back((file.parent_path() / entry.path().filename()).string());
    std::ranges::sort(others);
    return others;
}

}  // namespace gravlet
