// SPDX-License-Identifier: Apache-2.0
// GADGET-2's binary files that are not what they say: an error that names the file and what is wrong, the same on every rank, and
// no memory taken on their word. Blocks of more bytes than a record mark holds.
#include "amr_adapter/snapshots/numbered_name.hpp"
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "tests/api/agreed.hpp"
#include "tests/tools/rank_folder.hpp"
#include "tests/tools/snapshots/made_snapshot.hpp"

#include <cstring>
#include <limits>
#include <utility>

namespace gravlet::test {
namespace {

namespace fs = std::filesystem;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// Three points of type 1 with masses of their own, two of type 4 of mass 0.5; the marks' places are below.
MadeSnapshot five_points() {
    MadeSnapshot s;
    s.files.resize(1);
    s.mass_table[4] = 0.5;
    for (std::uint64_t i = 0; i < 5; ++i) {
        const double at = static_cast<double>(i);
        s.files[0][i < 3 ? 1 : 4].push_back({{at, at + 0.25, at + 0.5}, {1, 2, 3}, i < 3 ? at + 1.0 : 0.5, i});
    }
    return s;
}
constexpr std::size_t header = 4, positions = 264, velocities = positions + 68, ids = velocities + 68, masses = ids + 28,
                      end = masses + 20;

class GadgetBinaries : public RankFolder {
protected:
    Caught caught_of(const std::string& name, PointData what = PointData::all, const std::vector<int>& types = {}) {
        MPI_Barrier(MPI_COMM_WORLD);
        const Caught caught = agreed([&] { (void)read_snapshot(MPI_COMM_WORLD, at(name), what, types); });
        EXPECT_HAS(caught.message, at(name) + ": ");
        MPI_Barrier(MPI_COMM_WORLD);
        return caught;
    }
    std::string error_of(const std::string& bytes, PointData what = PointData::all, const std::vector<int>& types = {}) {
        if (world_rank() == 0) write_bytes(at("a"), bytes);
        const Caught caught = caught_of("a", what, types);
        EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::file)) << caught.message;
        return caught.message;
    }
    template <class T>
    std::string error_with(std::size_t place, T value, const BinaryStyle& style = {.more_blocks = false}) {
        std::string bytes = binary_file(five_points(), 0, style);
        std::memcpy(&bytes[place], &value, sizeof(T));
        return error_of(bytes);
    }
};

const std::string good = binary_file(five_points(), 0, {.more_blocks = false});

TEST_F(GadgetBinaries, LieWhereTheTestThinks) { EXPECT_EQ(good.size(), end); }

TEST_F(GadgetBinaries, CutAnywhere) {
    for (const auto& [named, short_header] : {std::pair{false, false}, {true, false}, {false, true}, {true, true}}) {
        const std::string whole =
            binary_file(five_points(), 0, {.named = named, .short_header = short_header, .more_blocks = false});
        for (std::size_t bytes = 1; bytes < whole.size(); ++bytes) {
            const std::string error = error_of(whole.substr(0, bytes));
            const bool is_between_blocks = error.find("the points have no ") != std::string::npos;
            EXPECT_TRUE(bytes < 4 || is_between_blocks || error.find("truncated") != std::string::npos) << bytes << ": " << error;
        }
    }
}

TEST_F(GadgetBinaries, NotAFileOfThisKind) {
    if (world_rank() == 0) {
        fs::create_directory(at("folder"));
        write_bytes(at("empty"), "");
    }
    EXPECT_HAS(caught_of("folder").message, "it is a folder");
    EXPECT_HAS(caught_of("empty").message, "it is empty");
    EXPECT_HAS(caught_of("none").message, "no such file");
    EXPECT_HAS(error_of("some text"), "neither in HDF5 nor in GADGET-2's binary format");
    EXPECT_HAS(error_with(0, std::uint32_t{257}), "neither in HDF5 nor in GADGET-2's binary format");
    EXPECT_HAS(error_with(8 + 8, std::uint32_t{264}, {.named = true}),
               "the header has 264 bytes by its record mark, not 256 or 192");
}

TEST_F(GadgetBinaries, MorePointsThanAFileHolds) {
    const BinaryStyle style{.short_header = true, .more_blocks = false};
    EXPECT_HAS(error_with(header + 8, std::uint64_t{3} << 32, style),
               "the header's number of points of type 1 is 12884901888: a file holds fewer than 2^32");
    EXPECT_HAS(error_with(header + 48 + 8, std::uint64_t{4}, style),
               "its header says that there are 4 points of type 1, and 3 are in 1 file");
    EXPECT_HAS(error_with(header + 96 + 8, std::numeric_limits<double>::quiet_NaN(), style),
               "the header's mass of type 1 is not finite");
}

TEST_F(GadgetBinaries, WithoutABlock) {
    EXPECT_HAS(error_of(good.substr(0, positions)), "the points have no Coordinates: there is no block \"POS \"");
    EXPECT_HAS(error_of(good.substr(0, velocities)), "the points have no Velocities: there is no block \"VEL \"");
    EXPECT_HAS(error_of(good.substr(0, velocities), PointData::at_rest), "the points have no Masses: there is no block \"MASS\"");
    EXPECT_HAS(error_of(good.substr(0, masses)), "the points have no Masses: there is no block \"MASS\"");
    // Those with a mass in the header need none.
    if (world_rank() == 0) write_bytes(at("a"), good.substr(0, velocities));
    MPI_Barrier(MPI_COMM_WORLD);
    const Snapshot some = read_snapshot(MPI_COMM_WORLD, at("a"), PointData::at_rest, {4});
    for (const double mass : some.points.mass) EXPECT_EQ(mass, 0.5);
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST_F(GadgetBinaries, MarksAndCountsThatDisagree) {
    EXPECT_HAS(error_with(positions, std::uint32_t{61}), "block \"POS \" has 61 bytes by its record mark, not 60 or 120");
    EXPECT_HAS(error_with(velocities - 4, std::uint32_t{59}),
               "block \"POS \" has record marks that differ: 60 before it and 59 after");
    EXPECT_HAS(error_with(ids, std::uint32_t{0}), "block \"ID  \" has 0 bytes by its record mark, not 20 or 40");
    EXPECT_HAS(error_with(masses, std::uint32_t{24}), "truncated: block \"MASS\" begins at byte ");
    EXPECT_HAS(error_with(header + 4, std::uint32_t{4}), "block \"POS \" has 60 bytes by its record mark, not 72 or 144");
    EXPECT_HAS(error_with(header + 96 + 4, std::uint32_t{4}),
               "its header says that there are 4 points of type 1, and 3 are in 1 file");
    EXPECT_HAS(error_with(header + 168 + 4, std::uint32_t{1}), "its header says that there are 4294967299 points of type 1");
    EXPECT_HAS(error_with(header + 124, std::uint32_t{3}), "one of several files of a snapshot");
    // More than there can be: 2^32 - 1 of each type, as an overflow leaves them.
    std::string many = good;
    std::memset(&many[header], 0xff, 24);
    EXPECT_HAS(error_of(many), "block \"POS \" has 60 bytes by its record mark, not ");
    // A mark that fits such a count, modulo 2^32, in a file that ends long before.
    const std::uint32_t count = 2147483648U + 5U, mark = 12U * (count + 3U);
    std::string wrapped = good;
    for (const std::size_t place : {header + 16, header + 96 + 16}) std::memcpy(&wrapped[place], &count, 4);
    std::memcpy(&wrapped[positions], &mark, 4);
    EXPECT_HAS(error_of(wrapped), "truncated: block \"POS \" begins at byte 264 and has 25769803880 bytes, the file ");
    std::string none = good;
    std::memset(&none[header], 0, 24);
    std::memset(&none[header + 96], 0, 24);
    EXPECT_HAS(error_of(none), "there are no points");
}

TEST_F(GadgetBinaries, ValuesThatAreNotFinite) {
    const float not_a_number = std::numeric_limits<float>::quiet_NaN();
    EXPECT_HAS(error_with(positions + 4 + 4 * 7, not_a_number), "block \"POS \", type 1: row 2 is not finite");
    EXPECT_HAS(error_with(velocities + 4 + 4 * 9, not_a_number), "block \"VEL \", type 4: row 0 is not finite");
    EXPECT_HAS(error_with(masses + 4, std::numeric_limits<float>::infinity()), "block \"MASS\", type 1: row 0 is not finite");
    EXPECT_HAS(error_with(header + 24, static_cast<double>(not_a_number)), "the header's mass of type 0 is not finite");
    EXPECT_HAS(error_with(header + 72, static_cast<double>(not_a_number)), "the header's time is not finite");
}

TEST_F(GadgetBinaries, TypesThatAreNotThere) {
    EXPECT_HAS(error_of(good, PointData::all, {1, 6}), "there is no type 6: its types are 0 to 5");
    EXPECT_HAS(error_of(good, PointData::all, {-1}), "there is no type -1");
    EXPECT_HAS(error_of(good, PointData::all, {0, 2}), "there are no points");
}

// Files of several that are not of one snapshot.
TEST_F(GadgetBinaries, FilesThatDisagree) {
    MadeSnapshot s = five_points(), other = s;
    s.files.resize(2);
    std::swap(s.files[0][4], s.files[1][4]);
    const auto write = [&](std::size_t number, const MadeSnapshot& of) {
        if (world_rank() == 0) write_bytes(at("b." + std::to_string(number)), binary_file(of, number, {}));
        MPI_Barrier(MPI_COMM_WORLD);
    };
    write(0, s);
    const Caught caught = agreed([&] { (void)read_snapshot(MPI_COMM_WORLD, at("b.0")); });
    EXPECT_HAS(caught.message, at("b.1") + ": no such file");
    write(1, s);
    EXPECT_EQ(read_snapshot(MPI_COMM_SELF, at("b.1")).points.size(), 5U);
    other = s;
    other.time = 0.75;
    write(1, other);
    const Caught wrong_time = agreed([&] { (void)read_snapshot(MPI_COMM_WORLD, at("b.0")); });
    EXPECT_HAS(wrong_time.message, at("b.1") + ": it is of another snapshot than " + at("b.0"));
    other = s;
    other.files[1][4].pop_back();
    write(1, other);
    const Caught wrong_count = agreed([&] { (void)read_snapshot(MPI_COMM_WORLD, at("b.0")); });
    EXPECT_HAS(wrong_count.message, "its header says that there are 2 points of type 4, and 1 are in 2 file(s)");
}

// 400 million points of which four are read: blocks of 4.8 GB, most of them holes in the file. All of them are too many.
TEST_F(GadgetBinaries, BlocksOfMoreThanAMarkHolds) {
    constexpr std::uint64_t holes = 400'000'000, points = holes + 4, bytes = 12 * points;
    const auto mark = static_cast<std::uint32_t>(bytes);
    if (world_rank() == 0) {
        std::string head = good.substr(0, positions);
        const auto count = static_cast<std::uint32_t>(holes);
        for (const std::size_t place : {header, header + 96}) {
            std::memset(&head[place], 0, 24);
            std::memcpy(&head[place + 4], &count, 4);
            head[place + 16] = 4;
        }
        const double mass = 0.125;
        for (const std::size_t type : {1, 4}) std::memcpy(&head[header + 24 + 8 * type], &mass, 8);
        std::ofstream file(at("large"), std::ios::binary);
        file << head;
        file.write(reinterpret_cast<const char*>(&mark), 4);
        file.seekp(static_cast<std::streamoff>(positions + 4 + 12 * holes));
        for (float x = 1.0F; x < 13.0F; x += 1.0F) file.write(reinterpret_cast<const char*>(&x), 4);
        file.write(reinterpret_cast<const char*>(&mark), 4);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const Snapshot four = read_snapshot(MPI_COMM_SELF, at("large"), PointData::at_rest, {4});
    EXPECT_EQ(four.points.x, (std::vector<double>{1, 4, 7, 10}));
    EXPECT_EQ(four.points.z, (std::vector<double>{3, 6, 9, 12}));
    EXPECT_EQ(four.points.mass, std::vector<double>(4, 0.125));
    EXPECT_EQ(four.points.id, (std::vector<std::uint64_t>{0, 1, 2, 3}));
    MPI_Barrier(MPI_COMM_WORLD);
}

TEST(NumberedNames, OfFilesOfASnapshot) {
    const auto parts = [](const std::string& path) {
        const auto name = numbered(path);
        return name ? name->before + "|" + name->after : "none";
    };
    EXPECT_EQ(parts("snap_007.0.hdf5"), "snap_007.|.hdf5");
    EXPECT_EQ(parts("a.1/snap_007.12"), "a.1/snap_007.|");
    EXPECT_EQ(parts("snap.3.4"), "snap.3.|");
    EXPECT_EQ(parts("a.0.b/snap.hdf5"), "none");
    EXPECT_EQ(parts("a.0/snap"), "none");
    EXPECT_EQ(parts("snap.0.1.hdf5"), "snap.0.|.hdf5");
    EXPECT_EQ(parts("snap.0.x.hdf5"), "none");
    EXPECT_EQ(numbered("b/s.0.h5")->with(12), "b/s.12.h5");
}

}  // namespace
}  // namespace gravlet::test
