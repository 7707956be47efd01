// SPDX-License-Identifier: Apache-2.0
// Snapshots drawn at random and written as the codes write them, by writers of the tests' own.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace gravlet::test {

struct MadePoint {
    std::array<double, 3> x{}, v{};
    double mass = 1.0;
    std::uint64_t id = 0;
};

/// A file of a snapshot: its points by type.
using MadeFile = std::array<std::vector<MadePoint>, 6>;

struct MadeSnapshot {
    std::vector<MadeFile> files;
    std::array<double, 6> mass_table{};  ///< 0: points have masses of their own
    double time = 0.5, redshift = 1.0, hubble = 0.7, box = 0.0;
    bool single = true;  ///< values that floats hold
    bool wide_ids = false;

    [[nodiscard]] std::uint64_t total(std::size_t type) const {
        std::uint64_t n = 0;
        for (const MadeFile& file : files) n += file[type].size();
        return n;
    }
    /// Those of some types; none: of all.
    [[nodiscard]] std::vector<MadePoint> points(const std::vector<int>& types) const {
        std::vector<MadePoint> all;
        for (const MadeFile& file : files)
            for (int type = 0; type < 6; ++type)
                if (types.empty() || std::ranges::find(types, type) != types.end())
                    all.insert(all.end(), file[static_cast<std::size_t>(type)].begin(),
                               file[static_cast<std::size_t>(type)].end());
        return all;
    }
};

/// Choices that are the same everywhere.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : engine_(seed) {}
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
    bool coin() { return below(2) == 0; }
    double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

private:
    std::mt19937_64 engine_;
};

/// Points of some types, in some files, some of which have none.
inline MadeSnapshot draw_snapshot(Draw& draw) {
    MadeSnapshot s;
    s.single = draw.coin();
    s.wide_ids = draw.coin();
    s.box = draw.coin() ? 8.0 : 0.0;
    s.files.resize(1 + draw.below(3));
    std::uint64_t id = s.wide_ids ? std::uint64_t{1} << 40 : 1;
    const auto held = [&](double value) { return s.single ? double{static_cast<float>(value)} : value; };
    for (std::size_t type = 0; type < 6; ++type) {
        if (draw.coin()) s.mass_table[type] = held(0.25 + draw.unit());
        const std::size_t count = draw.coin() ? 1 + draw.below(30) : 0;
        for (std::size_t i = 0; i < count; ++i) {
            MadePoint p;
            for (double& x : p.x) x = held(8.0 * draw.unit());
            for (double& v : p.v) v = held(0.02 * (draw.unit() - 0.5));
            p.mass = s.mass_table[type] != 0.0 ? s.mass_table[type] : held(0.5 + draw.unit());
            p.id = id++;
            s.files[draw.below(s.files.size())][type].push_back(p);
        }
    }
    if (s.points({}).empty()) s.files[0][1].push_back({{1, 2, 3}, {}, s.mass_table[1] != 0.0 ? s.mass_table[1] : 1.0, id});
    return s;
}

/// How GADGET-2's binary format is written.
struct BinaryStyle {
    bool named = false, big_endian = false;
    bool short_header = false;  ///< GADGET-4's
    bool with_ids = true;       ///< without them in the format with names alone
    bool more_blocks = true;
};

/// Bytes of a binary file, record by record.
class BinaryText {
public:
    explicit BinaryText(bool big_endian) : big_(big_endian) {}

    template <class T>
    void put(T value) {
        auto bytes = std::bit_cast<std::array<char, sizeof(T)>>(value);
        if (big_ == (std::endian::native == std::endian::little)) std::ranges::reverse(bytes);
        inner_.append(bytes.data(), bytes.size());
    }
    void put(const std::string& text) { inner_ += text; }
    /// Encloses what was put since the last one.
    void end_record() {
        std::string inner;
        inner.swap(inner_);
        const auto length = static_cast<std::uint32_t>(inner.size());
        put(length);
        inner_ += inner;
        put(length);
        text_ += inner_;
        inner_.clear();
    }
    void end_block(bool named, const std::string& name) {
        std::string inner;
        inner.swap(inner_);
        if (named) {
            put(name);
            put(static_cast<std::uint32_t>(inner.size() + 8));
            end_record();
        }
        inner_ = inner;
        end_record();
    }
    [[nodiscard]] const std::string& text() const { return text_; }

private:
    bool big_;
    std::string inner_, text_;
};

inline void put_header(const MadeSnapshot& s, const MadeFile& file, BinaryText& out) {
    for (const auto& points : file) out.put(static_cast<std::uint32_t>(points.size()));
    for (const double mass : s.mass_table) out.put(mass);
    out.put(s.time);
    out.put(s.redshift);
    for (int flag = 0; flag < 2; ++flag) out.put(std::uint32_t{0});
    for (std::size_t type = 0; type < 6; ++type) out.put(static_cast<std::uint32_t>(s.total(type)));
    out.put(std::uint32_t{0});
    out.put(static_cast<std::uint32_t>(s.files.size()));
    for (const double value : {s.box, 0.3, 0.7, s.hubble}) out.put(value);
    out.put(std::string(256 - 160, '\0'));
}

/// As GADGET-4 has it: counts of 64 bits, all of them before the masses, no h, two numbers of trees at the end.
inline void put_short_header(const MadeSnapshot& s, const MadeFile& file, BinaryText& out) {
    for (const auto& points : file) out.put(std::uint64_t{points.size()});
    for (std::size_t type = 0; type < 6; ++type) out.put(s.total(type));
    for (const double mass : s.mass_table) out.put(mass);
    for (const double value : {s.time, s.redshift, s.box}) out.put(value);
    out.put(static_cast<std::uint32_t>(s.files.size()));
    out.put(std::uint32_t{0});  // the compiler's
    for (int trees = 0; trees < 2; ++trees) out.put(std::uint64_t{0});
}

/// The bytes of one file.
inline std::string binary_file(const MadeSnapshot& s, std::size_t number, const BinaryStyle& style) {
    const MadeFile& file = s.files[number];
    BinaryText out(style.big_endian);
    style.short_header ? put_short_header(s, file, out) : put_header(s, file, out);
    out.end_block(style.named, "HEAD");

    const auto real = [&](double value) { s.single ? out.put(static_cast<float>(value)) : out.put(value); };
    std::vector<MadePoint> all, without_table;
    for (std::size_t type = 0; type < 6; ++type) {
        all.insert(all.end(), file[type].begin(), file[type].end());
        if (s.mass_table[type] == 0.0) without_table.insert(without_table.end(), file[type].begin(), file[type].end());
    }
    if (all.empty()) return out.text();
    for (const MadePoint& p : all)
        for (const double x : p.x) real(x);
    out.end_block(style.named, "POS ");
    if (style.named && style.more_blocks) {
        out.put(std::string("what nobody reads"));
        out.end_block(true, "ACCE");
    }
    for (const MadePoint& p : all)
        for (const double v : p.v) real(v);
    out.end_block(style.named, "VEL ");
    if (style.with_ids) {
        for (const MadePoint& p : all) s.wide_ids ? out.put(p.id) : out.put(static_cast<std::uint32_t>(p.id));
        out.end_block(style.named, "ID  ");
    }
    for (const MadePoint& p : without_table) real(p.mass);
    if (!without_table.empty()) out.end_block(style.named, "MASS");
    if (style.more_blocks) {
        for (const MadePoint& p : file[0]) real(p.mass);
        if (!file[0].empty()) out.end_block(style.named, "U   ");
    }
    return out.text();
}

inline void write_bytes(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

/// Writes all files; the path of one of them.
inline std::string write_binary(const std::string& base, const MadeSnapshot& s, const BinaryStyle& style) {
    for (std::size_t k = 0; k < s.files.size(); ++k)
        write_bytes(s.files.size() == 1 ? base : base + "." + std::to_string(k), binary_file(s, k, style));
    return s.files.size() == 1 ? base : base + "." + std::to_string(s.files.size() - 1);
}

}  // namespace gravlet::test
