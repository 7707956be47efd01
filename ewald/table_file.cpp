// SPDX-License-Identifier: Apache-2.0
// The table's parameters are in its file, and a checksum of all: a table of another box, or one with a flipped bit, would do
// silent harm.
#include "ewald/table_file.hpp"

#include "hdf5/hdf5_file.hpp"
#include "hdf5/new_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace gravlet {
namespace {

constexpr int format_version = 4;

/// Parameters of a table as numbers; words[] says what each is.
using Parameters = std::array<double, 11>;
constexpr std::array words{"format",     "side x", "side y", "side z",    "periodic x", "periodic y",
                           "periodic z", "nodes",  "order",  "softening", "shear"};
static_assert(words.size() == std::tuple_size_v<Parameters>);

Parameters as_numbers(const EwaldParameters& p) {
    Parameters out{format_version};
    for (std::size_t d = 0; d < 3; ++d) {
        out[1 + d] = p.box.side[d];
        out[4 + d] = p.box.periodic[d] ? 1.0 : 0.0;
    }
    out[7] = p.nodes;
    out[8] = p.order;
    out[9] = p.softening;
    out[10] = p.box.shear;
    return out;
}

/// Checksum of all bytes (FNV-1a, 64 bits).
std::uint64_t checksum(std::span<const double> parameters, std::span<const double> polynomials) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const auto values : {parameters, polynomials})
        for (const std::byte byte : std::as_bytes(values)) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
    return hash;
}

/// A box that has moved differs in its last bits. NaN is equal to nothing.
bool same(double theirs, double ours) { return std::abs(theirs - ours) <= 1e-12 * std::abs(ours); }

struct Kept {
    Parameters parameters{};
    std::vector<double> polynomials;
};

Kept read_checked(const Hdf5File& file) {
    Kept kept;
    file.read("parameters", 0, kept.parameters.size(), kept.parameters);
    if (kept.parameters[0] != format_version)
        file.fail(fmt::format("its format is {}, not {}", kept.parameters[0], format_version));
    file.make_room("polynomials", file.shape("polynomials"), kept.polynomials);
    file.read("polynomials", 0, kept.polynomials.size(), kept.polynomials);
    std::array<std::uint64_t, 1> sum{};
    file.read("checksum", 0, sum.size(), sum);
    if (sum[0] != checksum(kept.parameters, kept.polynomials)) file.fail("its checksum is not that of its contents");
    return kept;
}

}  // namespace

EwaldTable read_table(const std::string& path, const EwaldParameters& parameters) {
    const Hdf5File file(path, Hdf5File::Mode::read, "ewald_cache: " + path);
    Kept kept;
    try {
        kept = read_checked(file);
    } catch (const Error& error) {
        throw Error(ErrorCode::file,
                    fmt::format("{}: this Ewald table is damaged, or of another version of gravlet; the file can "
                                "be deleted, and is then made anew",
                                error.what()));
    }
    const Parameters ours = as_numbers(parameters);
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (!same(kept.parameters[i], ours[i]))
            file.fail(
                fmt::format("this Ewald table is of other parameters: {} is {}, not {}", words[i], kept.parameters[i], ours[i]));
    return {parameters, std::move(kept.polynomials)};
}

void write_table(const std::string& path, const EwaldParameters& parameters, const EwaldTable& table) {
    const Parameters numbers = as_numbers(parameters);
    const std::vector<double>& polynomials = table.polynomials();
    const std::array sum{checksum(numbers, polynomials)};
    NewFile unfinished(path);
    start_hdf5(unfinished, (numbers.size() + polynomials.size() + sum.size()) * sizeof(double), 3);
    Hdf5File file(unfinished.path(), Hdf5File::Mode::write, path);
    file.create("parameters", {numbers.size()}, H5T_IEEE_F64LE);
    file.write("parameters", 0, numbers.size(), numbers);
    file.create("polynomials", {polynomials.size()}, H5T_IEEE_F64LE);
    file.write("polynomials", 0, polynomials.size(), polynomials);
    file.create("checksum", {sum.size()}, H5T_STD_U64LE);
    file.write("checksum", 0, sum.size(), sum);
    file.close();
    unfinished.commit();
}

}  // namespace gravlet
