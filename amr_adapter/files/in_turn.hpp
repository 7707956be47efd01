// SPDX-License-Identifier: Apache-2.0
// One HDF5 file from many ranks with serial HDF5: rank 0 makes it with all its data sets, each rank in turn opens it and writes
// its rows, and rank 0 gives it its name. No rank holds more than its own, and what fails on one rank leaves no file.
#pragma once

#include "hdf5/hdf5_file.hpp"
#include "hdf5/new_file.hpp"
#include "mpi/agreement.hpp"

#include <mpi.h>

#include <array>
#include <climits>
#include <cstdint>
#include <optional>
#include <string>

namespace gravlet {

/// Collective. Writes a file in turn: on rank 0 start(NewFile&) leaves an HDF5 file with its place on the disk, and
/// make(Hdf5File&) makes the data sets; write(Hdf5File&) is called on each rank in turn, and may make the file longer by `growth`
/// (the same on every rank). Throws what they throw, the same on every rank.
template <class Start, class Make, class Write>
void write_in_turn(MPI_Comm comm, const std::string& target, const Start& start, const Make& make, const Write& write,
                   std::uint64_t growth = 0) {
    const int rank = rank_in(comm), ranks = size_of(comm);
    const auto change = [&](const char* path, const auto& change_file) {
        Hdf5File file(path, Hdf5File::Mode::write, target);
        change_file(file);
        file.close();
    };
    std::optional<NewFile> file;
    std::array<char, PATH_MAX> path{};
    agree(comm, [&] {
        if (rank != 0) return;
        file.emplace(target);
        file->path().copy(path.data(), path.size() - 1);
        start(*file);
        change(path.data(), make);
    });
    communicate(comm, [&](const Agreed& all) { all.broadcast(path.data(), static_cast<int>(path.size()), 0); });
    for (int turn = 0; turn < ranks; ++turn)
        agree(comm, [&] {
            if (turn != rank) return;
            if (growth > 0) reserve_more(path.data(), growth, target);
            change(path.data(), write);
        });
    agree(comm, [&] {
        if (file) file->commit();
    });
}

}  // namespace gravlet
