// SPDX-License-Identifier: Apache-2.0
// What other programs read of a mesh: the header and geometry of FLASH files, number by number, and the XDMF that shows them. A
// box of 3 x 2 x 1 root blocks of 2 x 3 x 4 cells, no side of which is like another; one root block is refined.
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/xdmf.hpp"
#include "tests/tools/rank_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace gravlet {
namespace {

using test::world_rank;
using test::world_size;

class MeshFiles : public test::RankFolder {};

struct Place {
    Array3 lower, upper;
    int level;
};

/// Root blocks, of 2 x 1.5 x 6 from (-1, 2, 5) on, x first; the second is refined to eight.
std::vector<Place> all_blocks() {
    std::vector<Place> all;
    const Array3 size{2.0, 1.5, 6.0};
    for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 3; ++i) {
            const Array3 lower{-1.0 + 2.0 * i, 2.0 + 1.5 * j, 5.0};
            const int parts = i == 1 && j == 0 ? 2 : 1;
            for (int child = 0; child < parts * parts * parts; ++child) {
                Place block{lower, {}, parts};
                for (std::size_t d = 0; d < 3; ++d) {
                    block.lower[d] += (child >> d & 1) * size[d] / parts;
                    block.upper[d] = block.lower[d] + size[d] / parts;
                }
                all.push_back(block);
            }
        }
    return all;
}

/// This rank's, so that no rank has all levels or a corner of its own: every world_size()th.
BlockSet my_blocks() {
    BlockSet blocks;
    blocks.n = {2, 3, 4};
    const std::vector<Place> all = all_blocks();
    for (std::size_t b = static_cast<std::size_t>(world_rank()); b < all.size(); b += static_cast<std::size_t>(world_size())) {
        blocks.lower.push_back(all[b].lower);
        blocks.upper.push_back(all[b].upper);
        blocks.level.push_back(all[b].level);
        for (int i = 0; i < 24; ++i) blocks.density.push_back(100.0 * static_cast<double>(b) + i);
    }
    return blocks;
}

void write_mesh(const std::string& path) {
    const BlockSet blocks = my_blocks();
    const std::vector<BlockField> fields{{"dens", blocks.density}};
    write_flash(MPI_COMM_WORLD, path, blocks, number_blocks(MPI_COMM_WORLD, blocks), fields,
                {Boundary::periodic, Boundary::isolated, Boundary::isolated});
}

/// A list of names and values, as FLASH reads it.
template <class T>
struct Named {
    char name[80];
    T value;
};
struct Word {
    char text[80];
};

std::string words_of(const char (&text)[80]) {
    const std::string all(text, sizeof text);
    return all.substr(0, all.find_last_not_of(' ') + 1);
}

template <class T>
std::map<std::string, T> list_of(const std::string& path, const char* name, hid_t value) {
    const Hdf5File file(path, Hdf5File::Mode::read);
    const Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(text.get(), 80);
    H5Tset_strpad(text.get(), H5T_STR_SPACEPAD);
    const Handle row(H5Tcreate(H5T_COMPOUND, sizeof(Named<T>)), H5Tclose);
    H5Tinsert(row.get(), "name", HOFFSET(Named<T>, name), text.get());
    H5Tinsert(row.get(), "value", HOFFSET(Named<T>, value), value < 0 ? text.get() : value);
    std::vector<Named<T>> rows(file.shape(name).at(0));
    const Handle set(H5Dopen2(file.id(), name, H5P_DEFAULT), H5Dclose);
    EXPECT_GE(H5Dread(set.get(), row.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, rows.data()), 0);
    std::map<std::string, T> list;
    for (const Named<T>& one : rows) list[words_of(one.name)] = one.value;
    return list;
}

TEST_F(MeshFiles, Header) {
    write_mesh(at("a.h5"));
    const auto edges = list_of<double>(at("a.h5"), "real runtime parameters", H5T_NATIVE_DOUBLE);
    EXPECT_EQ(edges, (std::map<std::string, double>{
                         {"xmin", -1.0}, {"xmax", 5.0}, {"ymin", 2.0}, {"ymax", 5.0}, {"zmin", 5.0}, {"zmax", 11.0}}));
    const auto counts = list_of<int>(at("a.h5"), "integer runtime parameters", H5T_NATIVE_INT);
    EXPECT_EQ(counts, (std::map<std::string, int>{
                          {"lrefine_min", 1}, {"lrefine_max", 2}, {"nblockx", 3}, {"nblocky", 2}, {"nblockz", 1}}));
    const auto scalars = list_of<int>(at("a.h5"), "integer scalars", H5T_NATIVE_INT);
    EXPECT_EQ(scalars,
              (std::map<std::string, int>{{"nxb", 2}, {"nyb", 3}, {"nzb", 4}, {"dimensionality", 3}, {"globalnumblocks", 13}}));
    for (const auto& [name, word] : list_of<Word>(at("a.h5"), "string runtime parameters", -1))
        if (name.ends_with("_boundary_type")) {
            EXPECT_EQ(words_of(word.text), name[0] == 'x' ? "periodic" : "isolated") << name;
        }
}

TEST_F(MeshFiles, Geometry) {
    write_mesh(at("a.h5"));
    const Hdf5File file(at("a.h5"), Hdf5File::Mode::read);
    std::vector<double> box(13 * 6), centre(13 * 3), size(13 * 3), density(13 * 24);
    std::vector<int> level(13);
    file.read("bounding box", 0, 13, box);
    file.read("coordinates", 0, 13, centre);
    file.read("block size", 0, 13, size);
    file.read("refine level", 0, 13, level);
    file.read("dens", 0, 13, density);
    EXPECT_EQ(file.shape("dens"), (Shape{13, 4, 3, 2}));  // x last

    // Rows are the ranks', one after the other.
    const std::vector<Place> all = all_blocks();
    std::size_t row = 0;
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(world_size()); ++rank)
        for (std::size_t b = rank; b < all.size(); b += static_cast<std::size_t>(world_size()), ++row) {
            EXPECT_EQ(level[row], all[b].level);
            for (std::size_t d = 0; d < 3; ++d) {
                EXPECT_EQ(box[6 * row + 2 * d], all[b].lower[d]);
                EXPECT_EQ(box[6 * row + 2 * d + 1], all[b].upper[d]);
                EXPECT_EQ(centre[3 * row + d], 0.5 * (all[b].lower[d] + all[b].upper[d]));
                EXPECT_EQ(size[3 * row + d], all[b].upper[d] - all[b].lower[d]);
            }
            for (std::size_t i = 0; i < 24; ++i)
                EXPECT_EQ(density[24 * row + i], 100.0 * static_cast<double>(b) + static_cast<double>(i));
        }
}

TEST_F(MeshFiles, CentresOfCells) {
    const BlockSet blocks = my_blocks();
    for (std::size_t b = 0; b < blocks.size(); ++b)
        for (std::size_t k = 0; k < 4; ++k)
            for (std::size_t j = 0; j < 3; ++j)
                for (std::size_t i = 0; i < 2; ++i) {
                    const Array3 at = blocks.cell_centre(b, (k * 3 + j) * 2 + i);
                    const double share[] = {(static_cast<double>(i) + 0.5) / 2.0, (static_cast<double>(j) + 0.5) / 3.0,
                                            (static_cast<double>(k) + 0.5) / 4.0};
                    for (std::size_t d = 0; d < 3; ++d)
                        EXPECT_DOUBLE_EQ(at[d], blocks.lower[b][d] + share[d] * (blocks.upper[b][d] - blocks.lower[b][d]));
                }
}

// What a solver is given of a mesh: each cell's density where its strides say.
TEST_F(MeshFiles, Views) {
    const BlockSet blocks = my_blocks();
    const std::vector<Block> views = block_views(blocks, {});
    ASSERT_EQ(views.size(), blocks.size());
    for (std::size_t b = 0; b < views.size(); ++b) {
        EXPECT_EQ(views[b].n, (std::array{2, 3, 4}));
        EXPECT_EQ(views[b].lower, blocks.lower[b]);
        for (int k = 0; k < 4; ++k)
            for (int j = 0; j < 3; ++j)
                for (int i = 0; i < 2; ++i) {
                    const std::ptrdiff_t at = i * views[b].stride[0] + j * views[b].stride[1] + k * views[b].stride[2];
                    EXPECT_EQ(views[b].density[at], blocks.density[24 * b + static_cast<std::size_t>((k * 3 + j) * 2 + i)]);
                }
    }
}

// Blocks that have children are none of the mesh.
TEST_F(MeshFiles, LeavesAlone) {
    write_mesh(at("a.h5"));
    if (world_rank() == 0) {
        const Hdf5File file(at("a.h5"), Hdf5File::Mode::write);
        const std::array<int, 2> parents{2, 3};
        file.write("node type", 4, 2, parents);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const FlashPart part = read_flash(MPI_COMM_WORLD, at("a.h5"), "dens", "");
    long rows = static_cast<long>(part.rows.row.size());
    MPI_Allreduce(MPI_IN_PLACE, &rows, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(rows, 11);
    for (const std::int64_t row : part.rows.row) EXPECT_TRUE(row != 4 && row != 5);
}

// Copies of checkpoints: a variable's extremes are those of its new values, on all ranks.
TEST_F(MeshFiles, Extremes) {
    write_mesh(at("a.h5"));
    if (world_rank() == 0) {
        const Hdf5File file(at("a.h5"), Hdf5File::Mode::write);
        const Handle set(H5Dopen2(file.id(), "dens", H5P_DEFAULT), H5Dclose), space(H5Screate(H5S_SCALAR), H5Sclose);
        for (const char* name : {"minimum", "maximum"}) {
            const Handle attribute(H5Acreate2(set.get(), name, H5T_IEEE_F64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
            const double none = 0.0;
            H5Awrite(attribute.get(), H5T_NATIVE_DOUBLE, &none);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const FlashPart part = read_flash(MPI_COMM_WORLD, at("a.h5"), "dens", "");
    std::vector<double> values = part.blocks.density;
    for (double& value : values) value = 7.0 - value;
    write_checkpoint_copy(MPI_COMM_WORLD, at("a.h5"), at("b.h5"), part.blocks, part.rows, {"dens", values});
    const Hdf5File file(at("b.h5"), Hdf5File::Mode::read);
    const Handle set(H5Dopen2(file.id(), "dens", H5P_DEFAULT), H5Dclose);
    const auto value_of = [&](const char* name) {
        const Handle attribute(H5Aopen(set.get(), name, H5P_DEFAULT), H5Aclose);
        double value = 0.0;
        H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &value);
        return value;
    };
    EXPECT_EQ(value_of("minimum"), 7.0 - 1223.0);  // of the last cell of the last block
    EXPECT_EQ(value_of("maximum"), 7.0);
}

// A grid a leaf; of a 3DCoRectMesh XDMF wants all in the order z, y, x.
TEST_F(MeshFiles, Xdmf) {
    write_mesh(at("a.h5"));
    if (world_rank() != 0) return;
    {
        const Hdf5File file(at("a.h5"), Hdf5File::Mode::write);
        const std::array<int, 1> parent{2};
        file.write("node type", 3, 1, parent);
    }
    const std::vector<std::string> files{at("a.h5")};
    write_xdmf(files, at("a.xmf"));
    std::vector<double> box(13 * 6);
    Hdf5File(at("a.h5"), Hdf5File::Mode::read).read("bounding box", 0, 13, box);

    std::ifstream text(at("a.xmf"));
    std::ostringstream whole;
    whole << text.rdbuf();
    const std::string xml = whole.str();
    const auto has = [&](const std::string& part) { return xml.find(part) != std::string::npos; };
    EXPECT_FALSE(has("\"block 3\""));
    std::size_t grids = 0;
    for (std::size_t from = 0; (from = xml.find("GridType=\"Uniform\"", from)) != std::string::npos; ++from) ++grids;
    EXPECT_EQ(grids, 12u);

    for (std::size_t row = 0; row < 13; ++row) {
        if (row == 3) continue;
        const std::size_t begin = xml.find("\"block " + std::to_string(row) + "\"");
        ASSERT_NE(begin, std::string::npos) << row;
        const std::string grid = xml.substr(begin, xml.find("</Grid>", begin) - begin);
        EXPECT_NE(grid.find("Dimensions=\"5 4 3\""), std::string::npos) << grid;
        // The numbers of the two lists behind the geometry.
        std::vector<double> numbers;
        std::size_t at = grid.find("ORIGIN_DXDYDZ");
        for (int list = 0; list < 2; ++list) {
            at = grid.find("Format=\"XML\">", at) + 13;
            std::istringstream values(grid.substr(at, grid.find('<', at) - at));
            for (double value = 0.0; values >> value;) numbers.push_back(value);
        }
        ASSERT_EQ(numbers.size(), 6u) << grid;
        const double* edge = &box[6 * row];
        EXPECT_EQ(std::vector<double>(numbers.begin(), numbers.begin() + 3), (std::vector{edge[4], edge[2], edge[0]})) << row;
        EXPECT_DOUBLE_EQ(numbers[3], (edge[5] - edge[4]) / 4.0) << row;
        EXPECT_DOUBLE_EQ(numbers[4], (edge[3] - edge[2]) / 3.0) << row;
        EXPECT_DOUBLE_EQ(numbers[5], (edge[1] - edge[0]) / 2.0) << row;
        EXPECT_NE(grid.find(">" + std::to_string(row) + " 0 0 0 1 1 1 1 1 4 3 2<"), std::string::npos) << grid;
    }
}

}  // namespace
}  // namespace gravlet
