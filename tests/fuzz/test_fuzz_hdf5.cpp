// SPDX-License-Identifier: Apache-2.0
// Spoilt HDF5 files: those that gravlet writes, with bytes changed, or with data sets of other types, shapes and contents. A file
// that is refused is an Error; the Ewald table, besides, is either refused or the one that was written. HDF5 1.10 itself crashes
// on some spoilt bytes, once in a hundred thousand files that are read (where a group's heap is taken apart), more often in
// copies of such files that are changed (H5Ldelete); hdf5/soundness.hpp has what is told beforehand.
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/point_file.hpp"
#include "amr_adapter/snapshots/read_snapshot.hpp"
#include "hdf5/hdf5_file.hpp"
#include "tests/ewald_table.hpp"
#include "tests/fuzz/fuzz.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace gravlet::test {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// Puts another thing in the place of a data set; returns what.
std::string spoil_data_set(Dice& dice, const std::string& path, const std::vector<std::string>& names) {
    const Hdf5File file(path, Hdf5File::Mode::write);
    const std::string name = dice.one_of(names);
    Shape shape = file.shape(name);
    const auto remove = [&] { H5Ldelete(file.id(), name.c_str(), H5P_DEFAULT); };
    switch (dice.below(5)) {
        case 0: {  // values
            constexpr double inf = std::numeric_limits<double>::infinity();
            const std::vector<double> values = {std::numeric_limits<double>::quiet_NaN(), inf, -inf, -1.0, 0.0, 1e300, 5e-324};
            hsize_t n = 1;
            for (const hsize_t length : shape) n *= length;
            std::vector<double> all(n, dice.one_of(values));
            const Handle set(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose);
            H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data());
            return fmt::format("{} all {}", name, all.empty() ? 0.0 : all[0]);
        }
        case 1: remove(); return name + " removed";
        case 2: {
            remove();
            const Handle group(H5Gcreate2(file.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
            return name + " a group";
        }
        case 3: {
            remove();
            const std::string target = dice.once_in(2) ? fmt::format("/{}", name) : dice.one_of(names);
            H5Lcreate_soft(target.c_str(), file.id(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
            return name + " a link to " + target;
        }
        default: {  // type and shape; in chunks that are not there, so that it may be huge
            remove();
            const hid_t types[] = {H5T_NATIVE_INT,  H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT, H5T_C_S1,
                                   H5T_STD_REF_OBJ, H5T_NATIVE_INT64,  H5T_IEEE_F64BE,   H5T_NATIVE_OPAQUE};
            const std::vector<hsize_t> lengths = {0, 1, 2, 3, 5, 2147483647, 2147483648, hsize_t{1} << 40, hsize_t{1} << 61};
            if (dice.once_in(3)) shape.push_back(dice.one_of(lengths));
            if (dice.once_in(4)) shape.pop_back();
            if (!shape.empty() && dice.once_in(2)) shape[dice.below(shape.size())] = dice.one_of(lengths);
            const int rank = static_cast<int>(shape.size());
            const Handle space(
                rank == 0 ? H5Screate(dice.once_in(2) ? H5S_SCALAR : H5S_NULL) : H5Screate_simple(rank, shape.data(), nullptr),
                H5Sclose);
            const Handle made_with(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
            if (rank > 0) H5Pset_chunk(made_with.get(), rank, Shape(shape.size(), 1).data());
            const Handle set(
                H5Dcreate2(file.id(), name.c_str(), dice.one_of(types), space.get(), H5P_DEFAULT, made_with.get(), H5P_DEFAULT),
                H5Dclose);
            std::string text = name + " of another type, shape";
            for (const hsize_t length : shape) text += fmt::format(" {}", length);
            return text;
        }
    }
}

class FuzzHdf5 : public testing::Test {
protected:
    void SetUp() override { fs::create_directories(folder_); }
    /// A file that made a test fail stays.
    void TearDown() override {
        if (!HasFailure()) fs::remove_all(folder_);
    }
    [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }

    void fuzz_file(const std::string& good, const std::vector<std::string>& data_sets, const std::function<void()>& read) {
        const std::string bytes = bytes_of(good);
        fuzz_apart(
            "libhdf5",
            [&](Dice& dice) {
                std::string spoilt = bytes;
                const bool raw = dice.once_in(2);
                if (raw) spoil_bytes(dice, spoilt);
                std::ofstream(spoilt_, std::ios::binary) << spoilt;
                return spoilt_ + ": " + (raw ? "bytes" : spoil_data_set(dice, spoilt_, data_sets));
            },
            read);
    }

    fs::path folder_ = fs::temp_directory_path() / testing::UnitTest::GetInstance()->current_test_info()->name();
    std::string spoilt_ = at("spoilt.h5");
};

// (Velocities and identities are in the snapshots below: HDF5 takes minutes under the sanitizers for some spoilt file of more
// data sets.)
TEST_F(FuzzHdf5, Points) {
    const std::vector<double> values = {0.1, 0.2, 0.3, 0.4, 0.5};
    write_points(MPI_COMM_SELF, at("good.h5"), {values, values, values, values, values}, {});
    fuzz_file(at("good.h5"), {"x", "y", "z", "m", "softening"},
              [&] { (void)read_points(MPI_COMM_SELF, spoilt_, PointData::at_rest); });
}

BlockSet some_blocks() {
    BlockSet blocks;
    blocks.n = {2, 3, 1};
    for (const double x : {0.0, 1.0}) {
        blocks.lower.push_back({x, 0.0, 0.0});
        blocks.upper.push_back({x + 1.0, 1.0, 1.0});
        blocks.level.push_back(1);
        blocks.density.insert(blocks.density.end(), {1, 2, 3, 4, 5, 6});
    }
    return blocks;
}

void write_some_blocks(const std::string& path) {
    const BlockSet blocks = some_blocks();
    const std::vector<BlockField> fields{{"dens", blocks.density}, {"gpot", blocks.density}};
    write_flash(MPI_COMM_SELF, path, blocks, number_blocks(MPI_COMM_SELF, blocks), fields);
}

const std::vector<std::string> flash_sets = {
    "dens", "gpot", "bounding box", "refine level", "node type", "integer scalars", "unknown names"};

TEST_F(FuzzHdf5, Flash) {
    write_some_blocks(at("good.h5"));
    fuzz_file(at("good.h5"), flash_sets, [&] { (void)read_flash(MPI_COMM_SELF, spoilt_, "dens", "gpot"); });
}

// What a run makes of a checkpoint: its geometry in an output, and a copy with another potential.
TEST_F(FuzzHdf5, FlashCopies) {
    write_some_blocks(at("good.h5"));
    fuzz_file(at("good.h5"), flash_sets, [&] {
        const FlashPart part = read_flash(MPI_COMM_SELF, spoilt_, "dens", "");
        const std::vector<BlockField> fields{{"dens", part.blocks.density}};
        write_flash(MPI_COMM_SELF, at("output.h5"), part.blocks, part.rows, fields);
        for (const char* name : {"gpot", "phi "})
            write_checkpoint_copy(MPI_COMM_SELF, spoilt_, at("copy.h5"), part.blocks, part.rows, {name, part.blocks.density});
    });
}

TEST_F(FuzzHdf5, Snapshot) {
    Snapshot snapshot;
    const std::vector<double> values = {0.1, 0.2, 0.3, 0.4, 0.5};
    PointSet& points = snapshot.points;
    points = {values, values, values, values, values, {values, values, values}, {1, 2, 3, 4, 5}};
    snapshot.potential = values;
    snapshot.acceleration = {values, values, values};
    snapshot.numbers = {{"steps", 3.0}, {"energy", -0.25}};
    write_snapshot(MPI_COMM_SELF, at("good.h5"), snapshot);
    fuzz_file(at("good.h5"),
              {"PartType1/Coordinates", "PartType1/Velocities", "PartType1/Masses", "PartType1/ParticleIDs",
               "PartType1/Softening", "PartType1/Potential", "PartType1/Acceleration", "gravlet/rows"},
              [&] { (void)read_snapshot(MPI_COMM_SELF, spoilt_); });
}

TEST_F(FuzzHdf5, EwaldTable) {
    Options options;
    options.boundary.fill(Boundary::periodic);
    options.domain = Box{{0, 0, 0}, {1, 1, 1}};
    options.ewald_nodes = 4;
    options.ewald_order = 2;
    options.ewald_cache = at("good.h5");
    const std::vector<double> right = test::make_table(MPI_COMM_SELF, options, 1).polynomials();
    options.ewald_cache = spoilt_;
    fuzz_file(at("good.h5"), {"parameters", "polynomials"}, [&] {
        if (test::make_table(MPI_COMM_SELF, options, 1).polynomials() != right)
            throw std::runtime_error("another table than was written");
    });
}

}  // namespace
}  // namespace gravlet::test
