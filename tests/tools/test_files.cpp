// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/point_file.hpp"
#include "hdf5/hdf5_file.hpp"
#include "tests/tools/rank_folder.hpp"

#include <gravlet/error.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>

namespace gravlet {
namespace {

namespace fs = std::filesystem;

using test::make_file;
using test::world_rank;

class Files : public test::RankFolder {};

// Three blocks on rank 0, one on each other rank, of 2 x 3 x 4 cells.
BlockSet some_blocks() {
    BlockSet blocks;
    blocks.n = {2, 3, 4};
    const int count = world_rank() == 0 ? 3 : 1;
    for (int b = 0; b < count; ++b) {
        const double x = 10.0 * world_rank() + b;
        blocks.lower.push_back({x, 1.0, 2.0});
        blocks.upper.push_back({x + 1.0, 2.5, 4.0});
        blocks.level.push_back(1 + b);
        for (int i = 0; i < 24; ++i) blocks.density.push_back(x + 0.01 * i);
    }
    return blocks;
}

void write_some(const std::string& path) {
    const BlockSet blocks = some_blocks();
    const std::vector<double> potential(blocks.density.size(), -2.0);
    const std::vector<BlockField> fields{{"dens", blocks.density}, {"gpot", potential}};
    write_flash(MPI_COMM_WORLD, path, blocks, number_blocks(MPI_COMM_WORLD, blocks), fields);
}

int number_of_blocks() { return test::world_size() + 2; }

std::string error_of(ErrorCode code, const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        return error.what();
    }
    return "no error";
}

std::string file_error(const std::function<void()>& call) { return error_of(ErrorCode::file, call); }

// A data set of one chunk that could be much larger.
void create_sparse(const Hdf5File& file, const char* name, const Shape& extent) {
    const Handle space(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
    const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    const Shape chunk(extent.size(), 1), start(extent.size(), 0);
    H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data());
    const Handle set(H5Dcreate2(file.id(), name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                     H5Dclose);
    H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, start.data(), nullptr, chunk.data(), nullptr);
    const Handle one(H5Screate_simple(static_cast<int>(chunk.size()), chunk.data(), nullptr), H5Sclose);
    const double value = 1.0;
    ASSERT_GE(H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, one.get(), space.get(), H5P_DEFAULT, &value), 0);
}

void create_empty(const Hdf5File& file, const char* name, hsize_t rows, hid_t type) {
    const Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const Handle set(H5Dcreate2(file.id(), name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    ASSERT_TRUE(set.valid());
}

std::string read_error(const std::string& path, const std::string& density = "dens") {
    return file_error([&] { (void)read_flash(MPI_COMM_WORLD, path, density, ""); });
}

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST_F(Files, BlocksComeBack) {
    write_some(at("a.h5"));
    const BlockSet all = read_flash(MPI_COMM_SELF, at("a.h5"), "dens", "").blocks;
    EXPECT_EQ(all.n, (std::array{2, 3, 4}));
    EXPECT_EQ(all.lower[0], (Array3{0.0, 1.0, 2.0}));
    EXPECT_EQ(all.upper[2], (Array3{3.0, 2.5, 4.0}));
    EXPECT_EQ(all.level[2], 3);
    EXPECT_EQ(all.density[24 + 5], 1.0 + 0.01 * 5);
    EXPECT_EQ(all.cell_size(0), (Array3{0.5, 0.5, 0.5}));
    EXPECT_EQ(all.cell_centre(0, 1 + 2 * (2 + 3 * 3)), (Array3{0.75, 2.25, 3.75}));

    // In parallel: consecutive parts that are all of it.
    const FlashPart part = read_flash(MPI_COMM_WORLD, at("a.h5"), "dens", "gpot");
    for (std::size_t b = 0; b < part.blocks.size(); ++b) {
        const auto row = static_cast<std::size_t>(part.rows.row[b]);
        EXPECT_EQ(part.blocks.lower[b], all.lower[row]);
        for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(part.blocks.density[b * 24 + i], all.density[row * 24 + i]);
    }
    for (const double value : part.potential) EXPECT_EQ(value, -2.0);
    auto total = static_cast<std::int64_t>(part.blocks.size());
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(total, part.rows.total);
}

TEST_F(Files, MissingTruncatedForeign) {
    EXPECT_HAS(read_error(at("none")), at("none") + ": no such file");

    write_some(at("a.h5"));
    if (world_rank() == 0) {
        fs::copy(at("a.h5"), at("short.h5"));
        fs::resize_file(at("short.h5"), fs::file_size(at("short.h5")) / 2);
        std::ofstream(at("text")) << "not HDF5";
        make_file(at("other.h5"), [](const Hdf5File& file) { file.create("x", {3}, H5T_IEEE_F64LE); });
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_HAS(read_error(at("short.h5")), "truncated");
    EXPECT_HAS(read_error(at("text")), "not a readable HDF5 file");
    EXPECT_HAS(read_error(at("other.h5")), "not a FLASH checkpoint: there is no data set \"node type\"");
    EXPECT_HAS(read_error(at("a.h5"), "rho"), "there is no variable \"rho\"; variables in this file: dens, gpot");
}

TEST_F(Files, RowsBeyondADataSet) {
    const std::string path = at("rows" + std::to_string(world_rank()) + ".h5");
    make_file(path, [](const Hdf5File& file) {
        file.create("x", {3}, H5T_IEEE_F64LE);
        const std::array<double, 3> values{1.0, 2.0, 3.0};
        file.write("x", 0, 3, values);
    });
    const Hdf5File file(path, Hdf5File::Mode::read);
    std::array<double, 2> two{};
    file.read("x", 1, 2, two);
    EXPECT_EQ(two, (std::array{2.0, 3.0}));
    for (const hsize_t first : {hsize_t{2}, hsize_t{3}, hsize_t{4}, ~hsize_t{0}})
        EXPECT_HAS(file_error([&] { file.read("x", first, 2, two); }), "has fewer rows than");
}

TEST_F(Files, DamagedGeometry) {
    write_some(at("a.h5"));
    if (world_rank() == 0) {
        const Hdf5File file(at("a.h5"), Hdf5File::Mode::write);
        const std::array<double, 6> box{0.0, NAN, 0.0, 1.0, 0.0, 1.0};
        file.write("bounding box", 1, 1, box);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_HAS(read_error(at("a.h5")), "\"bounding box\" of block 1 is not a box");
}

TEST_F(Files, DamagedLevel) {
    write_some(at("a.h5"));
    if (world_rank() == 0) Hdf5File(at("a.h5"), Hdf5File::Mode::write).write("refine level", 2, 1, std::array{-7});
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_HAS(read_error(at("a.h5")), "\"refine level\" of block 2 is -7: levels begin at 1");
}

TEST_F(Files, ABoxOfNoFiniteWidth) {
    BlockSet blocks = some_blocks();
    for (auto& lower : blocks.lower) lower[0] = -1.7e308;
    for (auto& upper : blocks.upper) upper[0] = 1.7e308;
    const std::vector<BlockField> fields{{"dens", blocks.density}};
    write_flash(MPI_COMM_WORLD, at("a.h5"), blocks, number_blocks(MPI_COMM_WORLD, blocks), fields);
    for (const Array3& lower : read_flash(MPI_COMM_SELF, at("a.h5"), "dens", "").blocks.lower) EXPECT_EQ(lower[0], -1.7e308);
}

// Before anything of that size is allocated.
TEST_F(Files, SizesThatNoMachineHolds) {
    constexpr hsize_t huge = 1000000000000000;
    if (world_rank() == 0) {
        make_file(at("sparse.h5"), [](const Hdf5File& file) {
            for (const char* name : {"x", "y", "z", "m"}) create_sparse(file, name, {huge});
        });
        make_file(at("empty.h5"), [](const Hdf5File& file) {
            for (const char* name : {"x", "y", "z", "m"}) create_empty(file, name, huge, H5T_IEEE_F64LE);
        });
    }
    write_some(at("scalars.h5"));
    write_some(at("cells.h5"));
    write_some(at("blocks.h5"));
    if (world_rank() == 0) {
        const Hdf5File scalars(at("scalars.h5"), Hdf5File::Mode::write);
        H5Ldelete(scalars.id(), "integer scalars", H5P_DEFAULT);
        create_empty(scalars, "integer scalars", huge, H5T_STD_I32LE);
        const Hdf5File cells(at("cells.h5"), Hdf5File::Mode::write);
        H5Ldelete(cells.id(), "dens", H5P_DEFAULT);
        create_sparse(cells, "dens", {static_cast<hsize_t>(number_of_blocks()), huge, huge, huge});
        const Hdf5File blocks(at("blocks.h5"), Hdf5File::Mode::write);
        for (const char* name : {"node type", "refine level", "bounding box", "dens"}) H5Ldelete(blocks.id(), name, H5P_DEFAULT);
        create_sparse(blocks, "node type", {huge});
        create_sparse(blocks, "refine level", {huge});
        create_sparse(blocks, "bounding box", {huge, 3, 2});
        create_sparse(blocks, "dens", {huge, 4, 3, 2});
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const auto read = [&](const char* name) { return [&, name] { (void)read_points(MPI_COMM_WORLD, at(name)); }; };
    EXPECT_HAS(error_of(ErrorCode::out_of_memory, read("sparse.h5")), at("sparse.h5") + ": data set \"x\": ");
    EXPECT_HAS(file_error(read("empty.h5")), "data set \"x\" has 1000000000000000 values, and none of them is in the file");
    EXPECT_HAS(read_error(at("scalars.h5")), "data set \"integer scalars\" has 1000000000000000 values, and none of them");
    EXPECT_HAS(read_error(at("cells.h5")), "data set \"dens\" has shape");
    const auto read_blocks = [&] { (void)read_flash(MPI_COMM_WORLD, at("blocks.h5"), "dens", ""); };
    EXPECT_HAS(error_of(ErrorCode::out_of_memory, read_blocks),
               "data set \"node type\": 1000000000000000 values of 4 bytes do not fit into this machine's memory");
}

TEST_F(Files, UnwritablePlace) {
    const BlockSet blocks = some_blocks();
    const BlockRows rows = number_blocks(MPI_COMM_WORLD, blocks);
    EXPECT_HAS(file_error([&] { write_flash(MPI_COMM_WORLD, at("no/such/folder.h5"), blocks, rows, {}); }), "cannot be created");
}

TEST_F(Files, CheckpointCopyGetsThePotential) {
    write_some(at("a.h5"));
    const FlashPart part = read_flash(MPI_COMM_WORLD, at("a.h5"), "dens", "");
    std::vector<double> potential = part.blocks.density;
    for (double& value : potential) value *= -3.0;
    for (const char* name : {"gpot", "phi "}) {
        write_checkpoint_copy(MPI_COMM_WORLD, at("a.h5"), at("b.h5"), part.blocks, part.rows, {name, potential});
        const FlashPart copy = read_flash(MPI_COMM_WORLD, at("b.h5"), "dens", name);
        EXPECT_EQ(copy.potential, potential);
        EXPECT_EQ(copy.blocks.density, part.blocks.density);
    }
    EXPECT_EQ(Hdf5File(at("b.h5"), Hdf5File::Mode::read).shape("unknown names"), (Shape{3, 1}));
    const auto onto_itself = [&] {
        write_checkpoint_copy(MPI_COMM_WORLD, at("a.h5"), at("a.h5"), part.blocks, part.rows, {"gpot", potential});
    };
    EXPECT_HAS(file_error(onto_itself), "would replace the checkpoint itself");
}

TEST_F(Files, Points) {
    PointSet points;
    for (int i = 0; i < 5 + world_rank(); ++i)
        for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) array->push_back(world_rank() + 0.1 * i);
    const std::vector<PointField> fields{{"potential", points.x}};
    write_points(MPI_COMM_WORLD, at("p.h5"), points, fields);
    const PointSet all = read_points(MPI_COMM_SELF, at("p.h5"));
    const PointSet part = read_points(MPI_COMM_WORLD, at("p.h5"));
    EXPECT_EQ(all.x[4], 0.4);
    EXPECT_TRUE(all.softening.empty());
    auto total = static_cast<std::int64_t>(part.size());
    MPI_Allreduce(MPI_IN_PLACE, &total, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(total, static_cast<std::int64_t>(all.size()));
    EXPECT_HAS(file_error([&] { (void)read_points(MPI_COMM_WORLD, at("none")); }), "no such file");

    if (world_rank() == 0) {
        make_file(at("q.h5"), [](const Hdf5File& file) {
            for (const char* name : {"x", "y", "z"}) file.create(name, {3}, H5T_IEEE_F64LE);
        });
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_HAS(file_error([&] { (void)read_points(MPI_COMM_WORLD, at("q.h5")); }), "there is no data set \"m\"");
}

// Also where the first rank has no points.
TEST_F(Files, PointsWithLengths) {
    PointSet points;
    for (int i = 0; i < (world_rank() == 0 && test::world_size() > 1 ? 0 : 5); ++i) {
        for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) array->push_back(world_rank());
        points.softening.push_back(world_rank() + 0.1 * i);
    }
    write_points(MPI_COMM_WORLD, at("p.h5"), points, {});
    const PointSet all = read_points(MPI_COMM_SELF, at("p.h5"));
    const PointSet part = read_points(MPI_COMM_WORLD, at("p.h5"));
    ASSERT_EQ(all.softening.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all.softening[i], all.x[i] + 0.1 * static_cast<double>(i % 5));
    EXPECT_EQ(part.softening.size(), part.size());

    if (world_rank() == 0) {
        make_file(at("q.h5"), [](const Hdf5File& file) {
            for (const char* name : {"x", "y", "z", "m"}) file.create(name, {3}, H5T_IEEE_F64LE);
            file.create("softening", {2}, H5T_IEEE_F64LE);
        });
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_HAS(file_error([&] { (void)read_points(MPI_COMM_WORLD, at("q.h5")); }),
               at("q.h5") + ": data set \"softening\" has another shape than \"x\"");
}

// Also where the first rank has no points.
TEST_F(Files, PointsThatMove) {
    PointSet points;
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < (world_rank() == 0 && ranks > 1 ? 0 : 5); ++i) {
        for (auto* array : {&points.x, &points.y, &points.z, &points.mass}) array->push_back(world_rank());
        for (std::size_t d = 0; d < 3; ++d) points.velocity[d].push_back(0.1 * i + static_cast<double>(d));
        points.id.push_back(0xfedcba9876543210U + static_cast<std::uint64_t>(i));
    }
    write_points(MPI_COMM_WORLD, at("p.h5"), points, {});
    const PointSet all = read_points(MPI_COMM_SELF, at("p.h5"));
    const PointSet part = read_points(MPI_COMM_WORLD, at("p.h5"));
    ASSERT_EQ(all.id.size(), all.size());
    for (std::size_t d = 0; d < 3; ++d) {
        ASSERT_EQ(all.velocity[d].size(), all.size());
        EXPECT_EQ(part.velocity[d].size(), part.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            EXPECT_EQ(all.velocity[d][i], 0.1 * static_cast<double>(i % 5) + static_cast<double>(d));
    }
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all.id[i], 0xfedcba9876543210U + i % 5);
    EXPECT_EQ(part.id.size(), part.size());
    const PointSet at_rest = read_points(MPI_COMM_WORLD, at("p.h5"), PointData::at_rest);
    EXPECT_EQ(at_rest.x, part.x);
    EXPECT_TRUE(at_rest.velocity[0].empty() && at_rest.id.empty());

    if (world_rank() == 0) {
        make_file(at("some.h5"), [](const Hdf5File& file) {
            for (const char* name : {"x", "y", "z", "m", "vx", "vz"}) file.create(name, {3}, H5T_IEEE_F64LE);
        });
        make_file(at("short.h5"), [](const Hdf5File& file) {
            for (const char* name : {"x", "y", "z", "m"}) file.create(name, {3}, H5T_IEEE_F64LE);
            file.create("id", {2}, H5T_STD_U64LE);
        });
    }
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_HAS(file_error([&] { (void)read_points(MPI_COMM_WORLD, at("some.h5")); }), "there is no data set \"vy\"");
    EXPECT_HAS(file_error([&] { (void)read_points(MPI_COMM_WORLD, at("short.h5")); }),
               at("short.h5") + ": data set \"id\" has another shape than \"x\"");
}

TEST_F(Files, RealCheckpoint) {
    const std::string path = GRAVLET_SHARED_DIR "/data/maclaurin_amr_directsum_hdf5_chk_0001";
    if (!fs::exists(path)) GTEST_SKIP() << path << " is not there";
    const FlashPart part = read_flash(MPI_COMM_WORLD, path, "dens", "gpot");
    auto blocks = static_cast<std::int64_t>(part.blocks.size());
    MPI_Allreduce(MPI_IN_PLACE, &blocks, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(blocks, 148);
    EXPECT_EQ(part.rows.total, 169);
    for (const int level : part.blocks.level) EXPECT_TRUE(level == 3 || level == 4);

    // Potential and geometry go to rows of the same order.
    const std::vector<BlockField> fields{{"gpot", part.potential}};
    write_flash(MPI_COMM_WORLD, at("out.h5"), part.blocks, part.rows, fields);
    const FlashPart back = read_flash(MPI_COMM_WORLD, at("out.h5"), "gpot", "");
    EXPECT_EQ(back.blocks.density, part.potential);
    EXPECT_EQ(back.blocks.lower, part.blocks.lower);
    EXPECT_EQ(back.rows.row, part.rows.row);
}

// HDF5 then begins anew: drivers are forgotten, and their numbers given to others.
TEST_F(Files, AHostMayCloseHdf5) {
    const std::string path = at("host" + std::to_string(world_rank()) + ".h5");
    for (int time = 0; time < 3; ++time) {
        make_file(path, [](const Hdf5File& file) { file.create("x", {3}, H5T_IEEE_F64LE); });
        EXPECT_EQ(Hdf5File(path, Hdf5File::Mode::read).shape("x"), Shape{3});
        H5close();
        H5Fclose(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    }
}

}  // namespace
}  // namespace gravlet
