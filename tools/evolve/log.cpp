// SPDX-License-Identifier: Apache-2.0
#include "tools/evolve/log.hpp"

#include "hdf5/input_file.hpp"
#include "hdf5/new_file.hpp"
#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"

#include <gravlet/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <string_view>

namespace gravlet {
namespace {

constexpr std::string_view columns =
    "time,steps,kinetic,potential,energy,virial_ratio,momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,"
    "angular_momentum_z,centre_x,centre_y,centre_z,seconds,pairs,active\n";

// The header and all lines up to a time.
std::string lines_until(const std::string& path, double time) {
    require_file(path);
    std::ifstream file(path);
    std::string line, kept(columns);
    if (!std::getline(file, line) || line + '\n' != columns)
        throw Error(ErrorCode::file, path + ": is no log of a run that could go on");
    while (std::getline(file, line)) {
        double at = 0.0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), at);
        if (error != std::errc() || at > time * (1.0 + 1e-12)) break;
        kept += line + '\n';
    }
    return kept;
}

}  // namespace

Log::Log(MPI_Comm comm, const std::string& path, double restart) : comm_(comm) {
    agree(comm, [&] {
        path_ = path;
        if (rank_in(comm) != 0 || path.empty()) return;
        const std::string begin = restart > 0.0 ? lines_until(path, restart) : std::string(columns);
        NewFile file(path);
        file.write(begin);
        file.commit();
        file_.open(path, std::ios::app);
    });
}

void Log::add(const LogLine& line) {
    agree(comm_, [&] {
        if (rank_in(comm_) != 0 || path_.empty()) return;
        const MotionSums& s = line.sums;
        std::array<double, 3> centre{};
        for (std::size_t d = 0; d < 3; ++d) centre[d] = s.mass_position[d] / s.mass;
        file_ << fmt::format("{:.17g},{},{:.17g},{:.17g},{:.17g},{:.9g},{:.9g},{:.9g},{:.9g},{:.6g},{:.6g},{}\n", line.time,
                             line.steps, s.kinetic, s.potential, line.energy(), -2.0 * s.kinetic / s.potential,
                             fmt::join(s.momentum, ","), fmt::join(s.angular_momentum, ","), fmt::join(centre, ","), line.seconds,
                             line.pairs, line.active)
              << std::flush;
        if (!file_) throw Error(ErrorCode::file, path_ + ": cannot be written (is the disk full?)");
    });
}

}  // namespace gravlet
