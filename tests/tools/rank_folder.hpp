// SPDX-License-Identifier: Apache-2.0
// A folder for all ranks, gone with the test, and HDF5 files that a test makes there by hand.
#pragma once

#include "hdf5/hdf5_file.hpp"
#include "hdf5/new_file.hpp"
#include "tests/api/body_arrays.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <filesystem>
#include <functional>
#include <string>

namespace gravlet::test {

class RankFolder : public testing::Test {
protected:
    void SetUp() override {
        if (world_rank() == 0) {
            std::filesystem::remove_all(folder_);
            std::filesystem::create_directories(folder_);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    void TearDown() override {
        MPI_Barrier(MPI_COMM_WORLD);
        if (world_rank() == 0) std::filesystem::remove_all(folder_);
    }
    [[nodiscard]] std::string at(const std::string& name) const { return (folder_ / name).string(); }

    std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "shared";
};

/// Local.
inline void make_file(const std::string& path, const std::function<void(const Hdf5File&)>& fill) {
    NewFile file(path);
    start_hdf5(file, 0, 16);
    Hdf5File hdf5(file.path(), Hdf5File::Mode::write);
    fill(hdf5);
    hdf5.close();
    file.commit();
}

}  // namespace gravlet::test
