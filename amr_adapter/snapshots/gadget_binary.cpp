// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/snapshots/gadget_binary.hpp"

#include "amr_adapter/files/gadget_fields.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <string_view>

namespace gravlet {
namespace {

constexpr std::uint64_t header_bytes = 256, short_header_bytes = 192, label_bytes = 8;

/// Blocks in the order of SnapFormat 1, by their names in SnapFormat 2.
struct KnownBlock {
    std::string_view name, field;
    std::uint64_t width;
};
constexpr std::array known_blocks{KnownBlock{"POS ", "Coordinates", 3}, KnownBlock{"VEL ", "Velocities", 3},
                                  KnownBlock{"ID  ", gadget_ids, 1}, KnownBlock{"MASS", "Masses", 1}};

const KnownBlock* known(std::string_view name) {
    const auto* const found = std::ranges::find(known_blocks, name, &KnownBlock::name);
    return found == known_blocks.end() ? nullptr : found;
}

/// The block of a field; "": the format has none.
std::string block_of(const char* field) {
    const auto* const found = std::ranges::find(known_blocks, std::string_view(field), &KnownBlock::field);
    return found == known_blocks.end() ? std::string() : std::string(found->name);
}

std::string words_for(const std::string& block) { return "block \"" + block + "\""; }

}  // namespace

GadgetBinary::GadgetBinary(const std::string& path)
    : file_(path, {static_cast<std::uint32_t>(header_bytes), static_cast<std::uint32_t>(short_header_bytes),
                   static_cast<std::uint32_t>(label_bytes)}),
      named_(file_.value_at<std::uint32_t>(0) == label_bytes) {
    constexpr std::array<std::uint64_t, 2> of_header{header_bytes, short_header_bytes};
    constexpr std::array<std::uint64_t, 1> of_label{label_bytes};
    const std::uint64_t begin = named_ ? file_.record(0, "the header's name", of_label).end() : 0;
    const RecordFile::Record header = file_.record(begin, "the header", of_header);
    short_header_ = header.length == short_header_bytes;
    short_header_ ? read_short_header(header.begin) : read_header(header.begin);
    check_header();
    if (values_of("ID  ") == 0) return;  // of several files, some may have no points, and no blocks
    named_ ? find_by_name(header.end()) : find_by_place(header.end());
}

// Places: io_header of GADGET-2's users' guide.
void GadgetBinary::read_header(std::uint64_t begin) {
    std::array<std::byte, header_bytes> bytes;
    file_.read(begin, bytes);
    const auto real = [&](std::size_t at) { return file_.value<double>(&bytes[at]); };
    const auto count = [&](std::size_t at) { return std::uint64_t{file_.value<std::uint32_t>(&bytes[at])}; };
    for (std::size_t type = 0; type < gadget_types; ++type) {
        header_.rows.push_back(count(4 * type));
        header_.mass.push_back(real(24 + 8 * type));
        header_.total.push_back(count(96 + 4 * type) | count(168 + 4 * type) << 32);
    }
    header_.time = real(72);
    header_.files = std::max(1.0, static_cast<double>(file_.value<std::int32_t>(&bytes[124])));
    set_box(real(128));
    if (std::isfinite(real(80))) stated_.redshift = real(80);
    if (std::isfinite(real(152))) stated_.hubble = real(152);
}

// Places: io_header of GADGET-4 (src/io/snap_io.h), without GADGET2_HEADER, of six types.
void GadgetBinary::read_short_header(std::uint64_t begin) {
    std::array<std::byte, short_header_bytes> bytes;
    file_.read(begin, bytes);
    const auto real = [&](std::size_t at) { return file_.value<double>(&bytes[at]); };
    for (std::size_t type = 0; type < gadget_types; ++type) {
        header_.rows.push_back(file_.value<std::uint64_t>(&bytes[8 * type]));
        header_.total.push_back(file_.value<std::uint64_t>(&bytes[48 + 8 * type]));
        header_.mass.push_back(real(96 + 8 * type));
        if (header_.rows.back() >> 32 != 0)
            file_.fail(fmt::format("the header's number of points of type {} is {}: a file holds fewer than 2^32", type,
                                   header_.rows.back()));
    }
    header_.time = real(144);
    if (std::isfinite(real(152))) stated_.redshift = real(152);
    set_box(real(160));
    header_.files = std::max(1.0, static_cast<double>(file_.value<std::int32_t>(&bytes[168])));
}

void GadgetBinary::set_box(double side) {
    if (std::isfinite(side) && side > 0.0) header_.box = {side, side, side};
}

void GadgetBinary::check_header() {
    for (std::size_t type = 0; type < gadget_types; ++type)
        if (!std::isfinite(header_.mass[type]))
            file_.fail("the header's mass of type " + std::to_string(type) + " is not finite");
    if (!std::isfinite(header_.time)) file_.fail("the header's time is not finite");
    // A file by itself need not say how many there are in all.
    if (std::ranges::all_of(header_.total, [](std::uint64_t n) { return n == 0; })) header_.total.clear();
}

std::uint64_t GadgetBinary::keep(const std::string& name, std::uint64_t at) {
    const std::uint64_t values = values_of(name);
    const std::array<std::uint64_t, 2> lengths{4 * values, 8 * values};
    const Block block{file_.record(at, words_for(name), lengths), 4};
    return (blocks_[name] = {block.record, block.record.length / values}).record.end();
}

void GadgetBinary::find_by_place(std::uint64_t at) {
    for (const KnownBlock& block : known_blocks)
        if (at < file_.size() && values_of(std::string(block.name)) > 0) at = keep(std::string(block.name), at);
}

void GadgetBinary::find_by_name(std::uint64_t at) {
    constexpr std::array<std::uint64_t, 1> of_label{label_bytes};
    while (at < file_.size() && blocks_.size() < known_blocks.size()) {
        const RecordFile::Record label = file_.record(at, "the name of a block", of_label);
        std::array<std::byte, 4> letters;
        file_.read(label.begin, letters);
        std::string name;
        for (const std::byte letter : letters) name += static_cast<char>(letter);
        const bool wanted = known(name) != nullptr && values_of(name) > 0 && !blocks_.contains(name);
        at = wanted ? keep(name, label.end()) : file_.record(label.end(), "a block that is not read").end();
    }
}

std::uint64_t GadgetBinary::rows_before(std::size_t type, const std::string& block) const {
    std::uint64_t rows = 0;
    for (std::size_t t = 0; t < type; ++t)
        if (block != "MASS" || header_.mass[t] == 0.0) rows += header_.rows[t];
    return rows;
}

std::uint64_t GadgetBinary::values_of(const std::string& block) const {
    return rows_before(gadget_types, block) * known(block)->width;
}

StatedUnits GadgetBinary::stated() const {
    StatedUnits all = stated_;
    const auto position = blocks_.find("POS ");
    all.format = fmt::format("GADGET-{} binary, SnapFormat {}, {}-endian{}", short_header_ ? 4 : 2, named_ ? 2 : 1,
                             file_.is_big_endian() ? "big" : "little",
                             position == blocks_.end()           ? ""
                             : position->second.value_bytes == 8 ? ", double precision"
                                                                 : ", single precision");
    return all;
}

std::string GadgetBinary::name_of(std::size_t type, const char* field) const {
    return words_for(block_of(field)) + ", type " + std::to_string(type);
}

bool GadgetBinary::has(std::size_t /*type*/, const char* field) const { return blocks_.contains(block_of(field)); }

void GadgetBinary::require(std::size_t /*type*/, const char* field, std::size_t /*width*/) const {
    if (!blocks_.contains(block_of(field)))
        file_.fail("the points have no " + std::string(field) + ": there is no " + words_for(block_of(field)));
}

template <class Put>
void GadgetBinary::read_values(const std::string& block, std::uint64_t row, std::size_t width, std::size_t count,
                               const Put& put) const {
    const auto& [record, value_bytes] = blocks_.at(block);
    const std::uint64_t begin = record.begin + row * width * value_bytes;
    std::vector<std::byte> bytes;
    for_some_rows(count, [&](std::size_t first, std::size_t n) {
        bytes.resize(n * value_bytes);
        file_.read(begin + first * value_bytes, bytes);
        for (std::size_t i = 0; i < n; ++i) put(first + i, &bytes[i * value_bytes], value_bytes);
    });
}

void GadgetBinary::read(std::size_t type, const char* field, std::uint64_t first, std::size_t width,
                        std::span<double> values) const {
    const std::string block = block_of(field);
    read_values(block, rows_before(type, block) + first, width, values.size(),
                [&](std::size_t i, const std::byte* bytes, std::uint64_t size) {
                    values[i] = size == 8 ? file_.value<double>(bytes) : double{file_.value<float>(bytes)};
                });
}

void GadgetBinary::read_ids(std::size_t type, std::uint64_t first, std::span<std::uint64_t> ids) const {
    read_values("ID  ", rows_before(type, "ID  ") + first, 1, ids.size(),
                [&](std::size_t i, const std::byte* bytes, std::uint64_t size) {
                    ids[i] = size == 8 ? file_.value<std::uint64_t>(bytes) : std::uint64_t{file_.value<std::uint32_t>(bytes)};
                });
}

}  // namespace gravlet
