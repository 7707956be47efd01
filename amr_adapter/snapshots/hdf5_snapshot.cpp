// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/snapshots/hdf5_snapshot.hpp"

#include "amr_adapter/files/gadget_fields.hpp"
#include "hdf5/attributes.hpp"

#include <gravlet/error.hpp>

#include <cmath>
#include <initializer_list>
#include <string_view>

namespace gravlet {
namespace {

// What is for people alone: no reason to refuse a file that states it in another way.
std::optional<double> stated_number(const Hdf5File& file, const std::string& object, const char* name) {
    if (!file.has(object) || !has_attribute(file, object, name)) return std::nullopt;
    try {
        const std::vector<double> values = read_attribute(file, object, name);
        return values.size() == 1 && std::isfinite(values[0]) ? std::optional(values[0]) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

// The first that is there: names of GADGET, AREPO and GADGET-4, which has them in Parameters, of GIZMO, of SWIFT.
std::optional<double> stated_number(const Hdf5File& file, std::initializer_list<const char*> names) {
    for (const char* const group : {"Header", "Parameters", "Units", "Cosmology"})
        for (const char* const name : names)
            if (const auto value = stated_number(file, group, name)) return value;
    return std::nullopt;
}

}  // namespace

Hdf5Snapshot::Hdf5Snapshot(const std::string& path) : file_(path, Hdf5File::Mode::read) {
    if (!file_.has("Header")) file_.fail("not a GADGET snapshot: there is no group \"Header\"");
    if (has_attribute(file_, "Header", "NumFilesPerSnapshot")) header_.files = header_value("NumFilesPerSnapshot");
    read_counts();
    read_totals();
    header_.time = header_value("Time");
    if (!has_attribute(file_, "Header", "BoxSize")) return;
    const std::vector<double> sides = read_attribute(file_, "Header", "BoxSize");
    if (sides.size() != 1 && sides.size() != 3) file_.fail("\"BoxSize\" of group \"Header\" is neither one value nor three");
    if (std::ranges::all_of(sides, [](double side) { return std::isfinite(side) && side > 0.0; }))
        header_.box = {sides[0], sides[sides.size() / 2], sides.back()};
}

double Hdf5Snapshot::header_value(const char* name) const {
    const std::vector<double> values = read_attribute(file_, "Header", name);
    if (values.size() != 1 || !std::isfinite(values[0]))
        file_.fail("attribute \"" + std::string(name) + "\" of group \"Header\" is not one finite value");
    return values[0];
}

std::uint64_t Hdf5Snapshot::rows_in(std::size_t type) const {
    const std::string name = gadget_set(type, "Coordinates");
    const Shape shape = file_.has(name) ? file_.shape(name) : Shape{0, 3};
    if (shape.size() != 2 || shape[1] != 3) file_.fail("data set \"" + name + "\" is not a list of three values a point");
    return shape[0];
}

void Hdf5Snapshot::read_counts() {
    std::vector<double> numbers = read_attribute(file_, "Header", "NumPart_ThisFile"), &masses = header_.mass;
    if (has_attribute(file_, "Header", "MassTable")) masses = read_attribute(file_, "Header", "MassTable");
    const std::size_t types = std::max(numbers.size(), gadget_types);
    numbers.resize(types, 0.0);
    masses.resize(types, 0.0);
    for (std::size_t type = 0; type < types; ++type) {
        header_.rows.push_back(rows_in(type));
        if (static_cast<double>(header_.rows[type]) != numbers[type])
            file_.fail("group \"" + gadget_group(type) + "\" has " + std::to_string(header_.rows[type]) +
                       " points, and \"NumPart_ThisFile\" of group \"Header\" says otherwise");
        if (!std::isfinite(masses[type])) file_.fail("\"MassTable\" of group \"Header\" has a value that is not finite");
    }
}

// In one number each, or in two halves of 32 bits.
void Hdf5Snapshot::read_totals() {
    constexpr double half = 4294967296.0, most = 9e15;
    const auto list = [&](const char* name) {
        return has_attribute(file_, "Header", name) ? read_attribute(file_, "Header", name) : std::vector<double>();
    };
    const std::vector<double> low = list("NumPart_Total"), high = list("NumPart_Total_HighWord");
    for (std::size_t type = 0; type < low.size(); ++type) {
        const double total = low[type] + (type < high.size() && low[type] < half ? half * high[type] : 0.0);
        if (!(total >= 0.0 && total < most))
            file_.fail("\"NumPart_Total\" of group \"Header\" has a value that is no number of points");
        header_.total.push_back(static_cast<std::uint64_t>(total));
    }
    if (std::ranges::all_of(header_.total, [](std::uint64_t n) { return n == 0; })) header_.total.clear();
}

StatedUnits Hdf5Snapshot::stated() const {
    StatedUnits all{.format = has_attribute(file_, "/", "gravlet_version") ? "HDF5, by gravlet" : "HDF5"};
    const auto number = [&](auto... names) { return stated_number(file_, {names...}); };
    all.redshift = number("Redshift");
    all.scale_factor = number("Scale-factor");
    all.hubble = number("HubbleParam", "h");
    all.length = number("UnitLength_in_cm", "UnitLength_In_CGS", "Unit length in cgs (U_L)");
    all.mass = number("UnitMass_in_g", "UnitMass_In_CGS", "Unit mass in cgs (U_M)");
    all.velocity = number("UnitVelocity_in_cm_per_s", "UnitVelocity_In_CGS");
    all.time = number("Unit time in cgs (U_t)");
    if (const auto run = number("ComovingIntegrationOn", "Cosmological run")) all.cosmological = *run != 0.0;
    for (std::size_t type = 0; type < header_.rows.size() && !all.coordinates_a; ++type) {
        const std::string set = gadget_set(type, "Coordinates");
        for (const auto& [a, h] : {std::pair{"a_scaling", "h_scaling"}, {"a-scale exponent", "h-scale exponent"}}) {
            if (!all.coordinates_a) all.coordinates_a = stated_number(file_, set, a);
            if (!all.coordinates_h) all.coordinates_h = stated_number(file_, set, h);
        }
    }
    return all;
}

// SWIFT's black holes have two masses: this one is what acts.
std::string Hdf5Snapshot::set_of(std::size_t type, const char* field) const {
    const std::string usual = gadget_set(type, field), other = gadget_set(type, "DynamicalMasses");
    return field == std::string_view("Masses") && !file_.has(usual) && file_.has(other) ? other : usual;
}

std::string Hdf5Snapshot::name_of(std::size_t type, const char* field) const {
    return "data set \"" + set_of(type, field) + "\"";
}

bool Hdf5Snapshot::has(std::size_t type, const char* field) const { return file_.has(set_of(type, field)); }

void Hdf5Snapshot::require(std::size_t type, const char* field, std::size_t width) const {
    const std::string name = set_of(type, field);
    if (!file_.has(name)) file_.fail("the points have no " + std::string(field) + ": there is no data set \"" + name + "\"");
    const hsize_t rows = header_.rows[type];
    file_.expect_shape(name, width == 1 ? Shape{rows} : Shape{rows, width});
    std::vector<double> one;
    if (rows > 0) file_.make_room(name, {1}, one);  // fails if nothing of it is in the file
}

void Hdf5Snapshot::read(std::size_t type, const char* field, std::uint64_t first, std::size_t width,
                        std::span<double> values) const {
    file_.read(set_of(type, field), first, values.size() / width, values);
}

void Hdf5Snapshot::read_ids(std::size_t type, std::uint64_t first, std::span<std::uint64_t> ids) const {
    file_.read(gadget_set(type, gadget_ids), first, ids.size(), ids);
}

std::vector<std::uint64_t> Hdf5Snapshot::rows_of_ranks(std::size_t ranks) const {
    const char* const name = "gravlet/rows";
    std::vector<std::uint64_t> rows;
    if (!file_.has(name) || file_.shape(name) != Shape{ranks}) return rows;
    file_.make_room(name, {ranks}, rows);
    file_.read(name, 0, ranks, rows);
    std::uint64_t left = 0;
    for (const std::uint64_t n : header_.rows) left += n;
    const bool fit = std::ranges::all_of(rows, [&](std::uint64_t n) {
        const bool some = n <= left;
        left -= some ? n : 0;
        return some;
    });
    if (!fit || left != 0) file_.fail("data set \"gravlet/rows\" does not add up to the number of points");
    return rows;
}

std::vector<std::pair<std::string, double>> Hdf5Snapshot::numbers() const {
    std::vector<std::pair<std::string, double>> all;
    if (!file_.has("gravlet")) return all;
    for (const std::string& name : attribute_names(file_, "gravlet")) {
        const std::vector<double> values = read_attribute(file_, "gravlet", name);
        if (values.size() != 1) file_.fail("attribute \"" + name + "\" of group \"gravlet\" is not one value");
        all.emplace_back(name, values[0]);
    }
    return all;
}

std::string Hdf5Snapshot::input() const { return read_text_attribute(file_, "/", input_attribute); }

}  // namespace gravlet
