// SPDX-License-Identifier: Apache-2.0
#include "amr_adapter/files/flash_file.hpp"
#include "amr_adapter/files/flash_scalars.hpp"
#include "hdf5/hdf5_file.hpp"

#include "mpi/agreement.hpp"

#include <algorithm>
#include <cmath>

namespace gravlet {
namespace {

constexpr int leaf_type = 1;

// FLASH's variables are the data sets of four dimensions.
std::string list_variables(const Hdf5File& file) {
    std::string list;
    for (const std::string& name : file.data_sets())
        if (file.shape(name).size() == 4) list += (list.empty() ? "" : ", ") + name;
    return list.empty() ? "none" : list;
}

// This rank's share of the leaves, as rows.
std::vector<std::int64_t> my_leaves(MPI_Comm comm, const Hdf5File& file, std::size_t total) {
    std::vector<int> type;
    file.make_room("node type", {total}, type);
    file.read("node type", 0, total, type);
    std::vector<std::int64_t> leaves;
    for (std::size_t row = 0; row < total; ++row)
        if (type[row] == leaf_type) leaves.push_back(static_cast<std::int64_t>(row));
    const int rank = rank_in(comm), ranks = size_of(comm);
    const auto share = [&](int r) { return static_cast<std::ptrdiff_t>(leaves.size()) * r / ranks; };
    return {leaves.begin() + share(rank), leaves.begin() + share(rank + 1)};
}

void read_variable(const Hdf5File& file, const std::string& name, const BlockSet& blocks, const BlockRows& rows,
                   std::vector<double>& values) {
    const std::size_t cells = blocks.cells_per_block();
    Shape mine = file.shape(name);
    mine[0] = rows.row.size();
    file.make_room(name, mine, values);
    for_each_run(rows.row, [&](std::size_t first, std::size_t count) {
        file.read(name, static_cast<hsize_t>(rows.row[first]), count, std::span(values).subspan(first * cells, count * cells));
    });
}

void read_geometry(const Hdf5File& file, BlockSet& blocks, const BlockRows& rows) {
    const std::size_t count = rows.row.size();
    std::vector<double> box;
    file.make_room("bounding box", {count, 3, 2}, box);
    file.make_room("refine level", {count}, blocks.level);
    for_each_run(rows.row, [&](std::size_t first, std::size_t n) {
        const auto row = static_cast<hsize_t>(rows.row[first]);
        file.read("bounding box", row, n, std::span(box).subspan(6 * first, 6 * n));
        file.read("refine level", row, n, std::span(blocks.level).subspan(first, n));
    });
    blocks.lower.resize(count);
    blocks.upper.resize(count);
    for (std::size_t b = 0; b < count; ++b) {
        for (std::size_t d = 0; d < 3; ++d) {
            blocks.lower[b][d] = box[6 * b + 2 * d];
            blocks.upper[b][d] = box[6 * b + 2 * d + 1];
            if (!(std::isfinite(blocks.lower[b][d]) && std::isfinite(blocks.upper[b][d]) &&
                  blocks.lower[b][d] < blocks.upper[b][d]))
                file.fail("\"bounding box\" of block " + std::to_string(rows.row[b]) + " is not a box");
        }
        if (blocks.level[b] < 1)
            file.fail("\"refine level\" of block " + std::to_string(rows.row[b]) + " is " + std::to_string(blocks.level[b]) +
                      ": levels begin at 1");
    }
}

}  // namespace

FlashPart read_flash(MPI_Comm comm, const std::string& path, const std::string& density, const std::string& potential) {
    FlashPart part;
    agree(comm, [&] {
        const Hdf5File file(path, Hdf5File::Mode::read);
        for (const char* needed : {"node type", "bounding box", "refine level", "integer scalars"})
            if (!file.has(needed)) file.fail("not a FLASH checkpoint: there is no data set \"" + std::string(needed) + "\"");
        for (const std::string& name : {density, potential})
            if (!name.empty() && !file.has(name))
                file.fail("there is no variable \"" + name + "\"; variables in this file: " + list_variables(file));

        const FlashScalars scalars = read_scalars(file);
        if (scalars.dimensionality != 3)
            file.fail("the mesh has " + std::to_string(scalars.dimensionality) + " dimensions, not 3");
        part.blocks.n = scalars.n;
        const auto size = [&](std::size_t d) { return static_cast<hsize_t>(scalars.n[d]); };
        const Shape types = file.shape("node type");
        const hsize_t total = types.empty() ? 0 : types[0];
        file.expect_shape("node type", {total});
        file.expect_shape("refine level", {total});
        file.expect_shape("bounding box", {total, 3, 2});
        for (const std::string& name : {density, potential})
            if (!name.empty()) file.expect_shape(name, {total, size(2), size(1), size(0)});

        part.rows = {static_cast<std::int64_t>(total), my_leaves(comm, file, total), path};
        read_geometry(file, part.blocks, part.rows);
        read_variable(file, density, part.blocks, part.rows, part.blocks.density);
        if (!potential.empty()) read_variable(file, potential, part.blocks, part.rows, part.potential);
    });
    return part;
}

}  // namespace gravlet
