// SPDX-License-Identifier: Apache-2.0
// The host of host.f90 with the face of gravlet::Solver: what it is handed goes to Fortran, through the module gravlet, and what
// comes back as status and message is thrown. One at a time.
#pragma once

#include "amr_adapter/c/handle.hpp"
#include "tests/api/block_mesh.hpp"

#include <gravlet/solver.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace gravlet::test {

inline constexpr std::size_t message_length = 4096;
using Message = std::array<char, message_length>;

struct HostArray {
    const void* at = nullptr;
    std::int64_t size = 0, step = 1;
};

struct HostCells {
    HostArray x, y, z, dx, dy, dz, mass, active, source_class, potential, acceleration[3], tidal[6];
};

struct HostPoints {
    HostArray x, y, z, mass, active, softening, source_class, potential, acceleration[3], tidal[6];
};

/// How Fortran makes a block. Three are wrong.
enum class BlockWay : int { sections, with_guards, other_shape, other_strides, with_tides, with_faces, few_faces };

struct HostBlock {
    double lower[3], cell_size[3];
    double* at;
    int shape[4], guards;
    int active;
    int result_guards[3];
    BlockWay way;
};

extern "C" {
int host_create(int comm, const gravlet_options* options, char* message);
int host_create_with_defaults(int comm, int given, char* message);
int host_destroy(char* message);
int host_is_created();
int host_solve_cells(const HostCells* cells, const HostPoints* points, const HostPoints* probes, char* message);
int host_solve_points(const HostPoints* points, const HostPoints* probes, char* message);
int host_solve_blocks(int count, const HostBlock* blocks, const HostPoints* points, const HostPoints* probes, char* message);
int host_abandon(const char* reason, int length, char* message);
void host_abandon_unasked();
int host_report(std::int64_t* numbers, double* seconds, char* words);
void host_strides(std::intptr_t* stride, std::intptr_t* result_stride);
void host_text(int which, char* text);
}

inline std::string text_of(int which) {
    Message text{};
    host_text(which, text.data());
    return text.data();
}

class FortranSolver {
public:
    explicit FortranSolver(MPI_Comm comm, const Options& options = {}) {
        gravlet_options c;
        gravlet_options_init(&c);
        to_c(options, c);
        c.ewald_cache = options.ewald_cache.c_str();
        call([&](char* message) { return host_create(MPI_Comm_c2f(comm), &c, message); });
    }
    FortranSolver(const FortranSolver&) = delete;
    FortranSolver& operator=(const FortranSolver&) = delete;
    ~FortranSolver() {
        Message message{};
        host_destroy(message.data());
    }

    void solve(const Cells& cells, const Fields& fields, const Points& points = {}, const Fields& point_fields = {},
               const Probes& probes = {}) {
        HostCells c{array(cells.x),
                    array(cells.y),
                    array(cells.z),
                    array(cells.dx),
                    array(cells.dy),
                    array(cells.dz),
                    array(cells.mass),
                    array(cells.active),
                    array(cells.source_class),
                    array(fields.potential),
                    {},
                    {}};
        for (std::size_t axis = 0; axis < 3; ++axis) c.acceleration[axis] = array(fields.acceleration[axis]);
        for (std::size_t k = 0; k < 6; ++k) c.tidal[k] = array(fields.tidal[k]);
        const HostPoints p = to_points(points, point_fields), q = to_points(probes);
        call([&](char* message) { return host_solve_cells(&c, &p, &q, message); });
    }
    void solve(const Points& points, const Fields& fields, const Probes& probes = {}) {
        const HostPoints p = to_points(points, fields), q = to_points(probes);
        call([&](char* message) { return host_solve_points(&p, &q, message); });
    }
    void solve(const std::vector<HostBlock>& blocks, const Points& points = {}, const Fields& point_fields = {},
               const Probes& probes = {}) {
        const HostPoints p = to_points(points, point_fields), q = to_points(probes);
        call([&](char* message) { return host_solve_blocks(static_cast<int>(blocks.size()), blocks.data(), &p, &q, message); });
    }
    void abandon(const std::string& reason) {
        call([&](char* message) { return host_abandon(reason.data(), static_cast<int>(reason.size()), message); });
    }

    /// Elements of the arrays to come are every `step`-th double of memory; sizes are of spans that cover them all.
    void set_step(std::int64_t step) { step_ = step; }

private:
    template <class Call>
    static void call(Call call) {
        Message message{};
        const int status = call(message.data());
        if (status != 0) throw Error(static_cast<ErrorCode>(status), message.data());
    }
    HostArray array(const InputSpan& span) const {
        return {span.data().doubles(), static_cast<std::int64_t>(span.size()) / step_, step_};
    }
    HostArray array(std::span<const std::uint8_t> flags) const {
        return {flags.data(), static_cast<std::int64_t>(flags.size()) / step_, step_};
    }
    HostPoints to_points(const Probes& probes) const { return to_points({probes.x, probes.y, probes.z, {}}, probes.fields); }
    HostPoints to_points(const Points& points, const Fields& fields) const {
        HostPoints p{array(points.x),
                     array(points.y),
                     array(points.z),
                     array(points.mass),
                     array(points.active),
                     array(points.softening),
                     array(points.source_class),
                     array(fields.potential),
                     {},
                     {}};
        for (std::size_t axis = 0; axis < 3; ++axis) p.acceleration[axis] = array(fields.acceleration[axis]);
        for (std::size_t k = 0; k < 6; ++k) p.tidal[k] = array(fields.tidal[k]);
        return p;
    }

    std::int64_t step_ = 1;
};

/// The blocks of `array`'s memory, for Fortran.
inline std::vector<HostBlock> host_blocks(const BlockMesh& mesh, FlashArray& array, BlockWay way = BlockWay::sections) {
    std::vector<HostBlock> blocks;
    for (std::size_t b = 0; b < mesh.lower.size(); ++b) {
        HostBlock block{};
        std::ranges::copy(mesh.lower[b], block.lower);
        std::ranges::copy(mesh.cell_size[b], block.cell_size);
        block.at = array.data.data() + b * array.block_size();
        block.shape[0] = FlashArray::variables;
        std::ranges::copy(array.padded, block.shape + 1);
        block.guards = array.guards;
        block.active = 1;
        block.way = way;
        blocks.push_back(block);
    }
    return blocks;
}

}  // namespace gravlet::test
