// SPDX-License-Identifier: Apache-2.0
// A run's log: one line of numbers at each multiple of the largest step, as CSV. Each line is in the file before the run goes on.
#pragma once

#include "tools/evolve/motion.hpp"

#include <mpi.h>

#include <cstdint>
#include <fstream>
#include <string>

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

/// A file that rank 0 writes.
class Log {
public:
    /// Collective. Begins a file or, if `restart` is above 0, keeps the lines of one that is there up to that time. No path: no
    /// file. Throws Error(file) on every rank.
    Log(MPI_Comm comm, const std::string& path, double restart);
    /// Collective. Throws Error(file) on every rank.
    void add(const LogLine& line);

private:
    MPI_Comm comm_;
    std::string path_;
    std::ofstream file_;
};

}  // namespace gravlet
