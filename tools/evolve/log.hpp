// SPDX-License-Identifier: Apache-2.0
// A run's logs, as CSV: one line of numbers at each multiple of the largest step and, in a file of its own, one at each sub-step
// (where velocities are of other times, so that there are no energies to write). What a largest step has to tell is in the files
// before the run goes on.
#pragma once

#include "mpi/agreement.hpp"
#include "mpi/communicator.hpp"
#include "tools/evolve/motion.hpp"
#include "tools/evolve/sub_step.hpp"

#include <mpi.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace gravlet {

/// Sums and counts of all ranks' points, at a time that all positions and velocities are of.
struct LogLine {
    double time = 0.0;
    std::int64_t steps = 0;  ///< solves since time 0
    MotionSums sums{};
    double seconds = 0.0;     ///< time that passed since the line before
    double pairs = 0.0;       ///< interactions of targets with nodes and points, in this largest step
    std::int64_t active = 0;  ///< targets of all solves, in this largest step
    [[nodiscard]] double energy() const { return sums.kinetic + sums.potential; }
};

/// What a file is of.
struct LogKind {
    std::string_view columns;
    bool from_start = true;  ///< a run that goes on needs the lines before; otherwise it may begin to write such a file
};
inline constexpr LogKind steps_log{
    "time,steps,kinetic,potential,energy,virial_ratio,momentum_x,momentum_y,momentum_z,angular_momentum_x,angular_momentum_y,"
    "angular_momentum_z,centre_x,centre_y,centre_z,seconds,pairs,active\n"};
inline constexpr LogKind sub_steps_log{"time,level,active,seconds,walk,pairs,kept\n", false};

/// Lines of these columns.
[[nodiscard]] std::string to_csv(const LogLine& line);
[[nodiscard]] std::string to_csv(const std::vector<SubStep>& steps);

/// A file that rank 0 writes.
class Log {
public:
    /// Collective. Begins a file or, if `restart` is above 0, keeps the lines of one that is there up to that time. No path: no
    /// file. Throws Error(file) on every rank.
    Log(MPI_Comm comm, const LogKind& kind, const std::string& path, double restart);
    /// Collective. Throws Error(file) on every rank.
    template <class Lines>
    void add(const Lines& lines) {
        if (path_.empty()) return;
        agree(comm_, [&] {
            if (rank_in(comm_) == 0) write(to_csv(lines));
        });
    }

private:
    void write(const std::string& text);

    MPI_Comm comm_;
    std::string path_;
    std::ofstream file_;
};

}  // namespace gravlet
