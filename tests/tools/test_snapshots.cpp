// SPDX-License-Identifier: Apache-2.0
// Snapshots in GADGET's layout: what is written comes back bit for bit on as many ranks, in the same order on others; files of
// other codes; and files that lack something or contradict themselves.
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "hdf5/attributes.hpp"
#include "tests/api/agreed.hpp"
#include "tests/tools/rank_folder.hpp"

#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

namespace fs = std::filesystem;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

using Values = std::vector<double>;

// All arrays of numbers: of a Snapshot, to be filled, or of a const Snapshot.
template <class S>
auto arrays_of(S& s) {
    auto& p = s.points;
    auto &v = p.velocity, &a = s.acceleration;
    return std::array{&p.x, &p.y, &p.z, &p.mass, &v[0], &v[1], &v[2], &a[0], &p.softening, &s.potential, &a[1], &a[2]};
}

bool same_bits(const Values& a, const Values& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

// Points are told from each other by their identities, which count from `first_id`.
Snapshot some_points(std::size_t count, std::uint64_t first_id) {
    Snapshot s;
    s.time = 0.1 + 0.2;
    double column = 0.0;
    for (Values* const values : arrays_of(s)) {
        for (std::size_t i = 0; i < count; ++i)
            values->push_back(std::sin(column + static_cast<double>(first_id + i)) * std::exp2(column));
        column += 1.0;
    }
    for (std::size_t i = 0; i < count; ++i) s.points.id.push_back(first_id + i);
    s.numbers = {{"a_number", 0.1}, {"step", 1e15 + 1.0}, {"z", -0.0}};
    return s;
}

// None on rank 0 of several.
Snapshot uneven_points() {
    const int rank = world_rank();
    const auto count = static_cast<std::size_t>(world_size() == 1 ? 7 : 5 * rank);
    return some_points(count, static_cast<std::uint64_t>(1000 * rank));
}

std::vector<std::uint64_t> all_ids(const std::vector<std::uint64_t>& mine) {
    const int count = static_cast<int>(mine.size());
    std::vector<int> counts(static_cast<std::size_t>(world_size())), places{0};
    MPI_Allgather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    for (const int n : counts) places.push_back(places.back() + n);
    std::vector<std::uint64_t> all(static_cast<std::size_t>(places.back()));
    MPI_Allgatherv(mine.data(), count, MPI_UINT64_T, all.data(), counts.data(), places.data(), MPI_UINT64_T, MPI_COMM_WORLD);
    return all;
}

void expect_same(const Snapshot& found, const Snapshot& written) {
    EXPECT_EQ(found.time, written.time);
    EXPECT_EQ(found.points.id, written.points.id);
    EXPECT_EQ(found.numbers, written.numbers);
    const auto a = arrays_of(found), b = arrays_of(written);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same_bits(*a[i], *b[i])) << "array " << i;
}

void write_list(const Hdf5File& file, const std::string& name, const Shape& shape, const Values& values) {
    file.create(name, shape, H5T_IEEE_F64LE);
    file.write(name, 0, shape[0], std::span<const double>(values));
}

class Snapshots : public RankFolder {
protected:
    // Rank 0 makes or changes a file, then all read it.
    std::string error_of(const std::string& name, ErrorCode code = ErrorCode::file) {
        MPI_Barrier(MPI_COMM_WORLD);
        const Caught caught = agreed([&] { (void)read_snapshot(MPI_COMM_WORLD, at(name)); });
        EXPECT_EQ(caught.code, static_cast<int>(code)) << caught.message;
        EXPECT_HAS(caught.message, at(name) + ": ");
        MPI_Barrier(MPI_COMM_WORLD);
        return caught.message;
    }
    // The error after a change to a good file.
    std::string error_after(const std::function<void(const Hdf5File&)>& change) {
        write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), uneven_points());
        if (world_rank() == 0) change(Hdf5File(at("a.hdf5"), Hdf5File::Mode::write));
        return error_of("a.hdf5");
    }
    std::string error_without(const char* data_set) {
        return error_after([&](const Hdf5File& file) { H5Ldelete(file.id(), data_set, H5P_DEFAULT); });
    }
    template <class T>
    std::string error_with(const char* attribute, const T& value) {
        return error_after([&](const Hdf5File& file) {
            H5Adelete_by_name(file.id(), "Header", attribute, H5P_DEFAULT);
            write_attribute(file, "Header", attribute, value);
        });
    }
};

TEST_F(Snapshots, ComeBackBitForBit) {
    const Snapshot written = uneven_points();
    write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), written);
    expect_same(read_snapshot(MPI_COMM_WORLD, at("a.hdf5")), written);
}

TEST_F(Snapshots, WithNothingButWhatIsNeeded) {
    Snapshot written = uneven_points();
    written.points.softening.clear();
    written.potential.clear();
    written.acceleration = {};
    written.numbers.clear();
    write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), written);
    expect_same(read_snapshot(MPI_COMM_WORLD, at("a.hdf5")), written);
}

// More points than are read and written at a time.
TEST_F(Snapshots, OfManyPoints) {
    const Snapshot written = some_points(300000, static_cast<std::uint64_t>(300000 * world_rank()));
    write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), written);
    expect_same(read_snapshot(MPI_COMM_WORLD, at("a.hdf5")), written);
}

TEST_F(Snapshots, ExtremeValues) {
    using Limits = std::numeric_limits<double>;
    Snapshot written = some_points(4, 0);
    written.points.velocity[1] = {-0.0, Limits::denorm_min(), Limits::max(), -Limits::min()};
    written.points.id = {0, 1, std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 53};
    write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), written);
    expect_same(read_snapshot(MPI_COMM_WORLD, at("a.hdf5")), written);
}

TEST_F(Snapshots, OnOtherNumbersOfRanks) {
    const Snapshot written = uneven_points();
    write_snapshot(MPI_COMM_WORLD, at("all.hdf5"), written);
    const Snapshot all = read_snapshot(MPI_COMM_SELF, at("all.hdf5"));
    EXPECT_EQ(all.points.id, all_ids(written.points.id));

    if (world_rank() == 0) write_snapshot(MPI_COMM_SELF, at("one.hdf5"), all);
    MPI_Barrier(MPI_COMM_WORLD);
    const Snapshot part = read_snapshot(MPI_COMM_WORLD, at("one.hdf5"));
    EXPECT_EQ(all_ids(part.points.id), all.points.id);
    const double share = static_cast<double>(all.points.size()) / world_size();
    EXPECT_LT(std::abs(static_cast<double>(part.points.size()) - share), 1.0);
    const auto begin = static_cast<std::size_t>(std::find(all.points.id.begin(), all.points.id.end(), part.points.id.at(0)) -
                                                all.points.id.begin());
    const auto mine = arrays_of(part), whole = arrays_of(all);
    for (std::size_t a = 0; a < mine.size(); ++a)
        for (std::size_t i = 0; i < part.points.size(); ++i) EXPECT_EQ((*mine[a])[i], (*whole[a])[begin + i]);
}

TEST_F(Snapshots, AreLaidOutAsGadgetDoes) {
    const Snapshot written = uneven_points();
    write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), written);
    const std::size_t total = all_ids(written.points.id).size();
    const Hdf5File file(at("a.hdf5"), Hdf5File::Mode::read);
    const auto header = [&](const char* name) { return read_attribute(file, "Header", name); };
    const Values points{0, static_cast<double>(total), 0, 0, 0, 0};
    EXPECT_EQ(header("NumPart_ThisFile"), points);
    EXPECT_EQ(header("NumPart_Total"), points);
    EXPECT_EQ(header("NumPart_Total_HighWord"), Values(6, 0.0));
    EXPECT_EQ(header("MassTable"), Values(6, 0.0));
    EXPECT_EQ(header("Time"), Values{written.time});
    EXPECT_EQ(header("NumFilesPerSnapshot"), Values{1.0});
    EXPECT_EQ(header("HubbleParam"), Values{1.0});
    for (const char* name : {"Redshift", "BoxSize", "Omega0", "OmegaLambda", "Flag_Sfr", "Flag_Cooling", "Flag_StellarAge",
                             "Flag_Metals", "Flag_Feedback", "Flag_Entropy_ICs"})
        EXPECT_EQ(header(name), Values{0.0}) << name;
    for (const char* name : {"Coordinates", "Velocities", "Acceleration"})
        EXPECT_EQ(file.shape(std::string("PartType1/") + name), (Shape{total, 3})) << name;
    for (const char* name : {"Masses", "ParticleIDs", "Potential", "Softening"})
        EXPECT_EQ(file.shape(std::string("PartType1/") + name), (Shape{total})) << name;
    EXPECT_EQ(file.shape("gravlet/rows"), (Shape{static_cast<hsize_t>(world_size())}));
}

// Gas in single precision without identities, and stars with masses of their own, as another code may have them.
void write_foreign(const std::string& path) {
    make_file(path, [](const Hdf5File& file) {
        create_group(file, "Header");
        write_attribute(file, "Header", "NumPart_ThisFile", std::array<std::uint32_t, 6>{3, 0, 0, 0, 2, 0});
        write_attribute(file, "Header", "MassTable", std::array<double, 6>{0.25, 0.5, 0.0, 0.0, 0.0, 0.0});
        write_attribute(file, "Header", "Time", 2.5);
        for (const char* group : {"PartType0", "PartType4"}) create_group(file, group);
        const std::vector<float> floats{1, 2, 3, 4, 5, 6, 7, 8, 9};
        for (const char* name : {"PartType0/Coordinates", "PartType0/Velocities"}) {
            file.create(name, {3, 3}, H5T_IEEE_F32BE);
            file.write(name, 0, 3, Values(floats.begin(), floats.end()));
        }
        for (const char* name : {"PartType4/Coordinates", "PartType4/Velocities"})
            write_list(file, name, {2, 3}, {-1, -2, -3, -4, -5, -6});
        write_list(file, "PartType4/Masses", {2}, {7, 8});
        write_list(file, "PartType4/Potential", {2}, {7, 8});
        const std::array<std::uint32_t, 2> id{5, 6};
        file.create("PartType4/ParticleIDs", {2}, H5T_STD_U32LE, id.data());
    });
}

TEST_F(Snapshots, OfOtherCodes) {
    if (world_rank() == 0) write_foreign(at("a.hdf5"));
    MPI_Barrier(MPI_COMM_WORLD);
    const Snapshot all = read_snapshot(MPI_COMM_SELF, at("a.hdf5"));
    EXPECT_EQ(all.time, 2.5);
    EXPECT_EQ(all.points.x, (Values{1, 4, 7, -1, -4}));
    EXPECT_EQ(all.points.z, (Values{3, 6, 9, -3, -6}));
    EXPECT_EQ(all.points.velocity[1], (Values{2, 5, 8, -2, -5}));
    EXPECT_EQ(all.points.mass, (Values{0.25, 0.25, 0.25, 7, 8}));
    EXPECT_EQ(all.points.id, (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
    EXPECT_TRUE(all.points.softening.empty() && all.potential.empty() && all.acceleration[0].empty() && all.numbers.empty());

    // A share may go from one type into the next.
    const Snapshot part = read_snapshot(MPI_COMM_WORLD, at("a.hdf5"));
    EXPECT_EQ(all_ids(part.points.id), all.points.id);
    for (std::size_t i = 0; i < part.points.size(); ++i) {
        EXPECT_EQ(part.points.y[i], all.points.y[part.points.id[i]]);
        EXPECT_EQ(part.points.mass[i], all.points.mass[part.points.id[i]]);
    }

    // Lengths are not made up.
    if (world_rank() == 0) write_list(Hdf5File(at("a.hdf5"), Hdf5File::Mode::write), "PartType4/Softening", {2}, {0.1, 0.2});
    EXPECT_HAS(error_of("a.hdf5"), "the points have no Softening: there is no data set \"PartType0/Softening\"");
}

// As SWIFT and GADGET-4 write them: types in turn in each file, a box, attributes that are lists of one.
void write_part(const std::string& path, double first, std::uint32_t files) {
    make_file(path, [&](const Hdf5File& file) {
        create_group(file, "Header");
        write_attribute(file, "Header", "NumPart_ThisFile", std::array<std::uint64_t, 7>{0, 2, 0, 0, 1, 0, 0});
        write_attribute(file, "Header", "NumFilesPerSnapshot", std::array<std::uint32_t, 1>{files});
        write_attribute(file, "Header", "Time", std::array<double, 1>{0.5});
        write_attribute(file, "Header", "BoxSize", std::array<double, 3>{10.0, 20.0, 40.0});
        for (const char* group : {"PartType1", "PartType4"}) create_group(file, group);
        write_list(file, "PartType1/Coordinates", {2, 3}, {first, 1, 2, first + 1, 3, 4});
        write_list(file, "PartType1/Masses", {2}, {first, 2 * first});
        write_list(file, "PartType4/Coordinates", {1, 3}, {first + 2, 5, 6});
        write_list(file, "PartType4/Masses", {1}, {3 * first});
    });
}

TEST_F(Snapshots, InSeveralFiles) {
    if (world_rank() == 0)
        for (int k = 0; k < 3; ++k) write_part(at("snap_007." + std::to_string(k) + ".hdf5"), 1.0 + 3.0 * k, 3);
    MPI_Barrier(MPI_COMM_WORLD);
    for (const char* name : {"snap_007.0.hdf5", "snap_007.2.hdf5"}) {
        const Snapshot all = read_snapshot(MPI_COMM_SELF, at(name), PointData::at_rest);
        EXPECT_EQ(all.points.x, (Values{1, 2, 3, 4, 5, 6, 7, 8, 9}));
        EXPECT_EQ(all.points.mass, (Values{1, 2, 3, 4, 8, 12, 7, 14, 21}));
        EXPECT_TRUE(all.points.velocity[0].empty());
        EXPECT_EQ(all.box, (std::array<double, 3>{10.0, 20.0, 40.0}));
        const Snapshot part = read_snapshot(MPI_COMM_WORLD, at(name), PointData::at_rest);
        EXPECT_EQ(all_ids(part.points.id), all.points.id);
        for (std::size_t i = 0; i < part.points.size(); ++i) EXPECT_EQ(part.points.x[i], all.points.x[part.points.id[i]]);
    }
    EXPECT_HAS(error_of("snap_007.0.hdf5"), "the points have no Velocities");
    if (world_rank() == 0) fs::remove(at("snap_007.1.hdf5"));
    MPI_Barrier(MPI_COMM_WORLD);
    const Caught caught = agreed([&] { (void)read_snapshot(MPI_COMM_WORLD, at("snap_007.0.hdf5"), PointData::at_rest); });
    EXPECT_HAS(caught.message, at("snap_007.1.hdf5") + ": no such file");
}

TEST_F(Snapshots, MissingTruncatedForeign) {
    EXPECT_HAS(error_of("none"), "no such file");
    write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), uneven_points());
    if (world_rank() == 0) {
        fs::copy(at("a.hdf5"), at("short"));
        fs::resize_file(at("short"), fs::file_size(at("short")) / 2);
        std::ofstream(at("text")) << "not HDF5";
        make_file(at("points.h5"), [](const Hdf5File& file) { file.create("x", {3}, H5T_IEEE_F64LE); });
    }
    EXPECT_HAS(error_of("short"), "truncated");
    EXPECT_HAS(error_of("text"), "neither in HDF5 nor in GADGET-2's binary format");
    EXPECT_HAS(error_of("points.h5"), "not a GADGET snapshot: there is no group \"Header\"");
}

TEST_F(Snapshots, WithoutWhatIsNeeded) {
    EXPECT_HAS(error_without("PartType1/Velocities"),
               "the points have no Velocities: there is no data set \"PartType1/Velocities\"");
    EXPECT_HAS(error_without("PartType1/Masses"), "the points have no Masses: there is no data set \"PartType1/Masses\"");
    EXPECT_HAS(error_without("PartType1/Coordinates"), "group \"PartType1\" has 0 points");
    EXPECT_HAS(error_without("Header"), "there is no group \"Header\"");
    for (const char* attribute : {"Time", "NumPart_ThisFile"}) {
        const std::string error =
            error_after([&](const Hdf5File& file) { H5Adelete_by_name(file.id(), "Header", attribute, H5P_DEFAULT); });
        EXPECT_HAS(error, "there is no attribute \"" + std::string(attribute) + "\" of group \"Header\"");
    }
}

TEST_F(Snapshots, ThatContradictThemselves) {
    EXPECT_HAS(error_with("NumFilesPerSnapshot", 4), "it is one of several files of a snapshot");
    EXPECT_HAS(error_with("NumPart_ThisFile", std::array<double, 6>{0, 6.5}),
               "and \"NumPart_ThisFile\" of group \"Header\" says");
    EXPECT_HAS(error_with("NumPart_ThisFile", std::array<double, 6>{}), "and \"NumPart_ThisFile\" of group \"Header\" says");
    EXPECT_HAS(error_with("NumPart_ThisFile", Values(2000, 0.0)), "has no readable number of values");
    EXPECT_HAS(error_with("Time", std::array{1.0, 2.0}), "attribute \"Time\" of group \"Header\" is not one finite value");
    EXPECT_HAS(error_with("MassTable", std::array{0.0, std::nan("")}),
               "\"MassTable\" of group \"Header\" has a value that is not");
    EXPECT_HAS(error_after([](const Hdf5File& file) {
                   file.write("gravlet/rows", 0, 1, std::array<std::uint64_t, 1>{~std::uint64_t{0}});
               }),
               "data set \"gravlet/rows\" does not add up to the number of points");
    EXPECT_HAS(error_after([](const Hdf5File& file) {
                   H5Ldelete(file.id(), "PartType1/Velocities", H5P_DEFAULT);
                   file.create("PartType1/Velocities", {4, 3}, H5T_IEEE_F64LE);
               }),
               "data set \"PartType1/Velocities\" has shape (4 x 3), not (");
    EXPECT_HAS(error_after([](const Hdf5File& file) {
                   file.write("PartType1/Velocities", 2, 1, Values{0.0, std::nan(""), 0.0});
               }),
               "data set \"PartType1/Velocities\": row 2 is not finite");
}

TEST_F(Snapshots, OfNoPoints) {
    write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), some_points(0, 0));
    EXPECT_HAS(error_of("a.hdf5"), "there are no points");
}

TEST_F(Snapshots, AreLoadedByYt) {
    Snapshot written = some_points(500, static_cast<std::uint64_t>(500 * world_rank()));
    for (double& mass : written.points.mass) mass = std::abs(mass);
    write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), written);
    if (world_rank() != 0) return;
    const int status =
        std::system((GRAVLET_PYTHON " " GRAVLET_YT_SNAPSHOT " " + at("a.hdf5")).c_str());  // NOLINT: no user's text
    ASSERT_TRUE(WIFEXITED(status));
    constexpr int skipped = 77;
    if (WEXITSTATUS(status) == skipped) GTEST_SKIP() << "no Python with yt (Debian: python3-yt)";
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A bug of the caller's; and what was there stays.
TEST_F(Snapshots, ThatCannotBeWrittenLeaveTheOldOne) {
    const Snapshot old = uneven_points();
    write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), old);
    Snapshot wrong = old;
    if (world_rank() == world_size() - 1) wrong.points.velocity[2].pop_back();
    const Caught caught = agreed([&] { write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), wrong); });
    EXPECT_EQ(caught.code, static_cast<int>(ErrorCode::internal));
    EXPECT_HAS(caught.message, "a.hdf5: data set \"PartType1/Velocities\": ");
    Snapshot twice = old;
    twice.numbers.emplace_back("step", 2.0);
    EXPECT_HAS(agreed([&] { write_snapshot(MPI_COMM_WORLD, at("a.hdf5"), twice); }).message,
               "attribute \"step\" of group \"gravlet\" cannot be written");
    expect_same(read_snapshot(MPI_COMM_WORLD, at("a.hdf5")), old);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "left behind";
    EXPECT_HAS(agreed([&] { write_snapshot(MPI_COMM_WORLD, at("no/a.hdf5"), old); }).message, "cannot be created");
}

}  // namespace
}  // namespace gravlet::test
